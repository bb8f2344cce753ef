import assert from 'node:assert/strict';
import { buildsOn, MOST_SUPERSEDED } from '../../../src/core/conversation/compactedView.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { parseSummary } from '../../../src/core/session/parseSummary.ts';
import { redoCompression, undoCompression } from '../../../src/host/actions/changes.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { compact, converse, fill, reads, reopened, START, user, WORK } from './kit.ts';

const rowsOf = (conversation: Conversation): readonly string[] =>
  conversation.history().map(({ compaction, undone, superseded }) => `${compaction.id} ${undone} ${superseded}`);

/** A conversation that was compacted, went on and was compacted again. */
async function compacted(runs: number): Promise<Conversation> {
  const conversation = converse(WORK);
  for (let run = 0; run < runs; run += 1) {
    if (run > 0) conversation.append([...reads(20, 30, run * 100), user('Go on.')]);
    await compact(conversation, { targetTokens: 2000 });
  }
  return conversation;
}

describe('undo', () => {
  it('of an older run leaves what a newer one has taken over', async () => {
    const conversation = converse(WORK);
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    const [first] = conversation.compactions();
    assert.ok(first);
    conversation.append([...reads(20, 30, 100), user('Go on.')]);
    await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 1500 });
    const view = JSON.stringify(conversation.request());
    assert.ok(conversation.undo(first.id));
    assert.equal(JSON.stringify(conversation.request()), view, 'the newer record holds the older one whole');
    assert.equal(conversation.undo(first.id), false);
  });

  it('can be taken back: each redo gives exactly the view before its undo, until a new run is made', async () => {
    const conversation = await compacted(2);
    const twice = JSON.stringify(conversation.request());
    conversation.undo();
    const once = JSON.stringify(conversation.request());
    conversation.undo();
    const undone = conversation.history().map(({ undone }) => undone);
    assert.deepEqual(undone, [true, true]);
    assert.ok(conversation.redo());
    assert.equal(JSON.stringify(conversation.request()), once);
    const newest = conversation.history().at(-1)?.compaction.id;
    assert.ok(conversation.redo(newest));
    assert.equal(JSON.stringify(conversation.request()), twice);
    assert.equal(conversation.redo(newest), false, 'it is not undone');
    conversation.undo();
    await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 1500 });
    assert.equal(conversation.redo(), false);
    assert.equal(conversation.history().length, 3);
  });

  it('stays to be read when a later run takes its place, also after opening anew, and can no longer be redone', async () => {
    const conversation = converse(WORK);
    await conversation.compact({ trigger: 'command', strategy: 'extractive', targetTokens: 2000 });
    const [first] = conversation.compactions();
    assert.ok(first);
    conversation.undo();
    conversation.append([...reads(20, 30, 100), user('Go on.')]);
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    const view = JSON.stringify(conversation.request());
    const again = reopened(conversation);
    for (const one of [conversation, again]) {
      assert.equal(one.redo(first.id), false);
      assert.equal(redoCompression(one, undefined), 'There is no compression to redo.');
      assert.deepEqual(rowsOf(one), [`${first.id} true true`, `${one.compactions()[0]?.id} false undefined`]);
      assert.deepEqual(one.history()[0]?.compaction, first);
      assert.equal(JSON.stringify(one.request()), view);
    }
    fill(again, 0.85);
    assert.equal(again.due(), 'threshold', 'the undo is over');
  });

  it('keeps only the newest ten of those whose place another has taken, and none that was made by hand', async () => {
    const conversation = converse(WORK);
    for (let round = 0; round < 13; round += 1) {
      await compact(conversation, { targetTokens: 2000 });
      const made = conversation.compactions().at(-1);
      assert.equal(conversation.history().at(-1)?.compaction, made);
      conversation.undo();
      assert.ok((await conversation.changeByHand('dropped', [3])).ok);
      conversation.undo();
    }
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    assert.equal(conversation.history().length, MOST_SUPERSEDED + 1);
    assert.ok(conversation.history().every(({ compaction }) => compaction.strategy !== 'manual'));
  });

  it('keeps a message whole that was pinned before the redo', async () => {
    const conversation = converse(WORK);
    await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 500 });
    conversation.undo();
    conversation.pin(5);
    assert.ok(conversation.redo());
    const whole = conversation.items().flatMap((item) => (item.kind === 'whole' ? [item.range] : []));
    assert.ok(whole.some(({ from, to }) => from <= 5 && 5 <= to));
    assert.ok(conversation.items().some((item) => item.kind === 'replaced'));
  });

  it('of an older run in the view takes the later ones along that build on it, says so before, and its redo brings them back', async () => {
    const conversation = await compacted(2);
    const twice = JSON.stringify(conversation.request());
    const [first, second] = conversation.compactions();
    assert.ok(first && second);
    assert.deepEqual(buildsOn(conversation.history(), first.id), [second]);
    assert.deepEqual(buildsOn(conversation.history(), second.id), []);
    const told = undoCompression(conversation, first.id);
    assert.equal(told, 'The later compression, which builds on it, is undone too.');
    assert.deepEqual(conversation.request(), conversation.snapshot().messages, 'all of it is back');
    assert.deepEqual(buildsOn(conversation.history(), first.id), []);
    const redone = 'The later compression, which was undone with it, is redone too.';
    assert.equal(redoCompression(conversation, first.id), redone);
    assert.equal(JSON.stringify(conversation.request()), twice);
    conversation.append([...reads(50, 30, 100), user('Go on.')]);
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    const thrice = JSON.stringify(conversation.request());
    const both = 'The 2 later compressions, which build on it, are undone too.';
    assert.equal(undoCompression(conversation, first.id), both);
    const all = 'The 2 later compressions, which were undone with it, are redone too.';
    assert.equal(redoCompression(conversation, undefined), all);
    assert.equal(JSON.stringify(conversation.request()), thrice);
  });

  it('of one that was undone by itself is not redone with the older one, also after opening anew', async () => {
    const conversation = await compacted(3);
    const [first, second, third] = conversation.compactions();
    assert.ok(first && second && third);
    undoCompression(conversation, undefined);
    undoCompression(conversation, first.id);
    const again = reopened(conversation);
    for (const one of [conversation, again]) {
      assert.match(redoCompression(one, first.id) ?? '', /^The later compression, which was undone/);
      assert.deepEqual(one.compactions(), [first, second]);
      assert.equal(redoCompression(one, undefined), undefined);
      assert.deepEqual(one.compactions(), [first, second, third]);
    }
  });

  it('can still be taken back after the conversation was opened anew, and holds automatic runs back there too', async () => {
    const conversation = converse(START);
    fill(conversation, 0.85);
    await conversation.compact({ trigger: 'threshold' });
    const compressed = JSON.stringify(conversation.request());
    conversation.undo();
    const malformed = { v: 1, title: 'T', createdAt: 0, compactions: [], pins: [], undone: [{ place: 0 }] };
    assert.match(inEnglish(parseSummary(malformed, 9)?.dropped[0] ?? ''), /undone is malformed/);
    const again = reopened(conversation);
    assert.equal(again.due(), undefined, 'paused');
    assert.deepEqual(again.history(), conversation.history());
    assert.ok(again.redo());
    assert.equal(JSON.stringify(again.request()), compressed);
    again.undo();
    fill(again, 1.01);
    assert.equal(again.due(), 'hard-limit');
  });
});

describe('a pin', () => {
  it('brings a replaced message back whole and splits the range around it', async () => {
    const conversation = converse(WORK);
    await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 1000 });
    const pinned = conversation.transcript.messages[9];
    assert.ok(pinned);
    conversation.pin(9);
    const view = conversation.request();
    assert.ok(view.includes(pinned.wire));
    const at = view.indexOf(pinned.wire);
    assert.match(JSON.stringify(view.slice(0, at)), /\[t1-/);
    assert.match(String(view[at + 2]?.content ?? view[at + 1]?.content), /\[t\d+-\d+ is in the note of t1-/);
  });

  it('on a call that still runs does not stop compaction', async () => {
    const [running] = reads(1, 1, 900);
    assert.ok(running);
    const conversation = converse([...WORK, running]);
    conversation.pin(WORK.length);
    await compact(conversation, { targetTokens: 1500 });
    assert.equal(conversation.request().at(-1), running);
  });
});
