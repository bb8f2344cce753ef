import assert from 'node:assert/strict';
import { ReplyReader } from '../../../src/adapters/openai/replyReader.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { chunk, eventText, type Step } from '../server/reply.ts';
import { askAt, KEY, useServer } from './asking.ts';

/** What piles up without adding a character to the text: each delta is small and new. */
const PILES: Readonly<Record<string, (index: number) => unknown>> = {
  calls: (index) => ({ tool_calls: [{ index, id: `c${index}`, function: { name: 'x', arguments: '' } }] }),
  'parts of the content': (index) => ({ content: [{ type: 'image', index }] }),
  'reasoning details': (index) => ({ reasoning_details: [{ type: 'r', index, text: 'a' }] }),
  'unknown fields': (index) => ({ [`field${index}`]: 'x' }),
};

describe('a stream without end', () => {
  const server = useServer();

  for (const [what, delta] of Object.entries(PILES)) {
    it(`of ${what} is stopped before each new one costs more than the one before`, async () => {
      const steps: Step[] = [];
      // Many deltas to a packet: the test is about what they pile up, not about the socket.
      for (let start = 0; start < 12_000; start += 500) {
        const events = Array.from({ length: 500 }, (_, index) => eventText(chunk(delta(start + index))));
        steps.push({ raw: events.join('') });
      }
      server().enqueue({ steps: [...steps, { stall: true }] });
      const result = await askAt(server().baseUrl, {});
      const { evidence, retryable } = result.ok ? assert.fail('it answered') : result.error.error;
      assert.match(inEnglish(evidence), /more than 10000 calls, parts or fields/);
      assert.equal(retryable, false);
    });
  }

  it('is read no further than its limit within one event', () => {
    const reader = new ReplyReader(undefined, 100);
    const tool_calls = Array.from({ length: 60_000 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'x' },
    }));
    reader.take({ choices: [{ delta: { tool_calls } }] });
    assert.equal(reader.entries, 101);
    assert.ok(reader.error !== undefined);
  });

  it('is not assumed when a field is repeated', () => {
    const reader = new ReplyReader();
    for (let index = 0; index < 20_000; index += 1) {
      const detail = { type: 'reasoning.text', text: 'a', index: 0 };
      reader.take({
        choices: [{ delta: { content: 'a', reasoning: 'b', extra: 1, reasoning_details: [detail] } }],
      });
    }
    assert.ok(reader.entries < 10, String(reader.entries));
  });
});

describe('a finish reason', () => {
  const server = useServer();

  it('that is not a word is not quoted, and neither is a key in it', async () => {
    for (const reason of [`stop for ${KEY}`, KEY, 'x'.repeat(100_000), '\n'.repeat(100_000)]) {
      server().enqueue({ steps: [chunk({}, reason)] });
      const text = JSON.stringify(await askAt(server().baseUrl, {}));
      assert.match(text, /empty reply/);
      assert.ok(text.length < 1_000, text.slice(0, 300));
    }
  });
});
