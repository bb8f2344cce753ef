import assert from 'node:assert/strict';
import { recallStored, recallWithin } from '../../../src/core/session/recallTool.ts';
import { assistant, transcriptOf, user } from '../conversation/kit.ts';

const ports = { pause: async () => undefined, elapsed: () => 0 };
const LINES = Array.from({ length: 400 }, (_, line) => `line ${line} of the report on zone ${line * 7}`);
const stored = recallStored(transcriptOf(user('Write the report.'), assistant(LINES.join('\n'))), ports);
const HEAD = 'From conversation a.\n\n';

describe('recalling within the room of the caller', () => {
  for (const perToken of [1, 2.5, 4]) {
    it(`keeps to the budget where a token has ${perToken} characters, and says how to get the rest`, async () => {
      const asked: number[] = [];
      const count = async (text: string) => {
        asked.push(text.length);
        return Math.ceil(text.length / perToken);
      };
      const { text } = await recallWithin(stored, { query: 't1' }, { budget: 1_000, count }, HEAD);
      assert.ok(text.length / perToken <= 1_000, `${text.length} characters`);
      assert.ok(text.length / perToken >= 500, `${text.length} characters`);
      assert.match(text, /^From conversation a\.\n\n\[t1 agent · lines 1-\d+ of 400\]\nline 0 of/);
      assert.match(text, /\[the rest: karl_recall\("t1:\d+-400"\)\]$/);
      assert.ok(asked.length <= 6, `counted ${asked.length} times`);
    });
  }

  it('keeps to the budget even if nothing fits, however many tokens a character has', async () => {
    // As rare characters have.
    const count = async (all: string) => all.length * 3;
    const { text } = await recallWithin(stored, { query: 't1' }, { budget: 30, count }, HEAD);
    assert.equal(text, HEAD.slice(0, 10));
  });

  it('returns everything that fits, or a part by its lines', async () => {
    const room = { budget: 100_000, count: async (text: string) => text.length };
    assert.equal((await recallWithin(stored, { query: 't0' }, room, '')).text, '[t0 user]\nWrite the report.');
    const part = await recallWithin(stored, { query: 't1:3-4' }, room, '');
    assert.deepEqual(part.text.split('\n').slice(1), LINES.slice(2, 4));
  });

  it('says what is wrong with the arguments', async () => {
    const room = { budget: 100, count: async (text: string) => text.length };
    const { text, failed } = await recallWithin(stored, { query: ' ' }, room, '');
    assert.deepEqual([failed, text.startsWith('Error: query:')], [true, true]);
  });
});
