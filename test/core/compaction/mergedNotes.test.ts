import assert from 'node:assert/strict';
import { isFenced } from '../../../src/core/chat/fence.ts';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { assistant, converse, reads, scripted, user } from '../conversation/kit.ts';

const PROFILE_OF_A_LARGE_WINDOW = { contextWindow: 400_000, completionReserve: 1000 };

/** The length of the longest row of adjacent notes in the view. */
function mostAdjacent(conversation: Conversation): number {
  let most = 0;
  let row = 0;
  for (const message of conversation.request()) {
    const text = contentText(message);
    if (!text.includes('## State when this was written')) row = isFenced(text) ? row + 1 : 0;
    most = Math.max(most, row);
  }
  return most;
}

function large(...answers: string[]) {
  const summarizer = { ...scripted(...answers), inputLimit: 200_000 };
  const profile = { ...converse([]).profile(), ...PROFILE_OF_A_LARGE_WINDOW };
  return { summarizer, conversation: converse([], { summarizer, profile }) };
}

describe('notes of adjacent ranges', () => {
  for (const strategy of ['karl', 'sandwich'] as const) {
    it(`are never more than three with ${strategy}: a fourth makes one of them all, from their raw messages`, async () => {
      const { conversation, summarizer } = large('The parts were read, says the note.');
      const merged: string[] = [];
      for (let run = 0; run < 9; run += 1) {
        conversation.append(reads(60, 20, 100 * run));
        const asked = summarizer.asked.length;
        const result = await conversation.compact({ trigger: 'command', strategy });
        assert.ok(result.kind === 'compacted', JSON.stringify(result));
        assert.ok(mostAdjacent(conversation) <= 3, `${mostAdjacent(conversation)} notes after run ${run + 1}`);
        const [range] = result.compaction.replacements.map((replacement) => replacement.range);
        const prompt = summarizer.asked.slice(asked).join('\n');
        assert.ok(!prompt.includes('says the note'), 'a model is never given an earlier note');
        if (run > 0 && range !== undefined && range.to - range.from > 200) merged.push(prompt);
      }
      assert.ok(merged.length >= 2, `${merged.length} merges in nine runs`);
      for (const part of [45, 150, 250])
        assert.ok(merged[0]?.includes(`src/part${part}.ts`), `part ${part} is not told of`);
    });
  }
});

describe('a strategy that needs a model', () => {
  for (const strategy of ['karl', 'sandwich'] as const) {
    it(`fails when one of its notes is refused, and changes nothing: ${strategy}`, async () => {
      const halves = [user('Read.'), ...reads(10), assistant('Half is read.'), ...reads(20, 30, 50), user('And now?')];
      const summarizer = scripted('The first half was read.', 'We moved all to lib/quantum/flux.rs.');
      const conversation = converse(halves, { summarizer });
      conversation.pin(21);
      const before = conversation.request();
      const result = await conversation.compact({ trigger: 'command', strategy });
      assert.ok(result.kind === 'failed' && result.error.kind === 'summary-rejected', JSON.stringify(result));
      assert.deepEqual(conversation.request(), before);
    });
  }
});
