import assert from 'node:assert/strict';
import type { Compaction, Replacement } from '../../../../src/core/compaction/compaction.ts';
import { cutState } from '../../../../src/core/conversation/threads/cutState.ts';
import { converse, tool, user } from '../kit.ts';

describe('A state that is cut', () => {
  const messages = Array.from({ length: 40 }, (_, turn) =>
    tool(`c${turn}`, 'read', { path: `${turn % 3}.ts` }, `line of code ${turn}\n`.repeat(200)),
  ).flat();

  async function compacted(): Promise<Compaction> {
    const conversation = converse([user('Fix it.'), ...messages]);
    const result = await conversation.compact({ trigger: 'threshold' });
    assert.ok(result.kind === 'compacted');
    return result.compaction;
  }

  it('keeps records of what is before the cut, whole or in part', async () => {
    const compaction = await compacted();
    const state = {
      version: 1 as const,
      messages: [user('Fix it.'), ...messages],
      compactions: [compaction],
      pins: [3, 70],
    };
    const ends = compaction.replacements.map(({ range }) => range.to).sort((one, other) => one - other);
    const middle = (ends[Math.floor(ends.length / 2)] ?? 0) + 1;
    const cut = cutState(state, middle);
    assert.deepEqual([cut.messages.length, cut.pins], [middle, middle > 70 ? [3, 70] : [3]]);
    for (const { transcriptLength, replacements } of cut.compactions) {
      assert.equal(transcriptLength, middle);
      assert.ok(replacements.every(({ range }) => range.to < middle));
    }
    assert.deepEqual(cutState(state, state.messages.length), state);
  });

  it('says nothing about messages that are gone', async () => {
    const compaction = await compacted();
    const by = (text: string): Replacement['by'] => ({ kind: 'shortened', messages: [user(text)] });
    const replacements = [
      { range: { from: 1, to: 2 }, by: by('[t1-2: the same text as t9]') },
      { range: { from: 3, to: 4 }, by: by('[t3-4 read a.ts]') },
      { range: { from: 5, to: 6 }, by: { ...by('[t5-6 the state]'), volatile: 1 } },
    ];
    const state = { version: 1 as const, messages, compactions: [{ ...compaction, replacements }], pins: [] };
    assert.deepEqual(cutState(state, 8).compactions[0]?.replacements, replacements.slice(1, 2));
    assert.deepEqual(cutState(state, 12, 8).compactions[0]?.transcriptLength, 8);
    assert.deepEqual(cutState(state, 2).compactions, []);
  });

  it('keeps what the user did by hand to messages before the cut', async () => {
    const conversation = converse([user('Fix it.'), ...messages, user('Go on.')]);
    assert.ok((await conversation.changeByHand('dropped', [2, 20])).ok);
    const state = conversation.snapshot();
    const [cut] = cutState(state, 11).compactions;
    assert.deepEqual(
      cut?.edits?.map(({ id }) => id),
      [2],
    );
    assert.equal(cut?.transcriptLength, 11);
    assert.deepEqual(cutState(state, 2).compactions, []);
    assert.deepEqual(cutState(state, state.messages.length), state);
  });
});
