import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findRanks, loadRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { buildRankTable, LONGEST_TOKEN, SLACK } from '../../../src/core/tokens/rankTable.ts';
import { ENCODINGS } from './reference.ts';

describe('the rank file', () => {
  it('is small enough for the extension, with nothing left beside it', () => {
    const { size } = statSync(findRanks());
    assert.ok(size < 1_300_000, `${size} bytes`);
    const beside = readdirSync(dirname(findRanks())).filter((name) => name.startsWith('ranks.bin'));
    assert.deepEqual(beside, ['ranks.bin']);
  });

  for (const [encoding, count] of [
    ['o200k_base', 199_998],
    ['cl100k_base', 100_256],
  ] as const) {
    it(`holds every token of ${encoding} once, each found under its rank`, () => {
      const tokens = loadRanks(findRanks(), encoding);
      assert.equal(tokens.lengths.length, count);
      const table = runAtOnce(buildRankTable(tokens));
      const bytes = new Uint8Array(tokens.bytes.length + SLACK);
      bytes.set(tokens.bytes);
      const view = new DataView(bytes.buffer);
      let start = 0;
      for (let rank = 0; rank < count; rank++) {
        const length = tokens.lengths[rank] as number;
        if (table.rank(view, start, length) !== rank) assert.fail(`token ${rank} is not found`);
        start += length;
      }
      assert.equal(start, tokens.bytes.length);
      const longest = tokens.lengths.reduce((most, length) => Math.max(most, length));
      assert.equal(longest, LONGEST_TOKEN);
    });
  }

  it('has all single bytes as tokens, which counting relies on', () => {
    for (const encoding of ENCODINGS) {
      const { lengths, bytes } = loadRanks(findRanks(), encoding);
      const single = new Set<number>();
      let start = 0;
      for (const length of lengths) {
        if (length === 1) single.add(bytes[start] as number);
        start += length;
      }
      assert.equal(single.size, 256);
    }
  });

  it('is refused when it is something else', () => {
    assert.throws(() => loadRanks(new URL(import.meta.url).pathname, 'o200k_base'), /not a rank file.*ranksFile\.test/);
  });
});
