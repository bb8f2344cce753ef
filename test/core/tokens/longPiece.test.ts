import assert from 'node:assert/strict';
import { findRanks, loadRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { countLongPiece, Merger } from '../../../src/core/tokens/merge.ts';
import { ByteBuffer } from '../../../src/core/tokens/pieces.ts';
import { buildRankTable } from '../../../src/core/tokens/rankTable.ts';
import { randomText, seeded } from '../../adapters/tiktoken/randomText.ts';
import { ENCODINGS, exactCounter } from '../../adapters/tiktoken/reference.ts';
import { cases, SEED } from '../../attack/seed.ts';

describe('a long piece, merged window by window', () => {
  for (const encoding of ENCODINGS) {
    it(`has as many tokens as when it is merged at once, ${encoding}, seed ${SEED}`, function () {
      this.timeout(60_000);
      const merger = new Merger(runAtOnce(buildRankTable(loadRanks(findRanks(), encoding))));
      const below = seeded(SEED);
      for (let round = 0; round < cases(3_000, 12); round++) {
        const text = round % 3 === 0 ? randomText(below, 3).repeat(1 + below(200)) : randomText(below, 200);
        const buffer = new ByteBuffer(64, encoding);
        buffer.append(text);
        const atOnce = merger.merge(buffer.bytes, buffer.view, 0, buffer.end);
        for (const window of [8, 33, 128, 300]) {
          const tokens = countLongPiece(merger, buffer, { start: 0, end: buffer.end, window });
          assert.equal(tokens, atOnce, `window ${window}: ${JSON.stringify(text)}`);
        }
      }
    });
  }
});

describe('a text that makes other tokenizers hang', () => {
  const below = seeded(11);
  const random = (length: number, from: number, count: number): string =>
    Array.from({ length }, () => String.fromCharCode(from + below(count))).join('');
  const texts: Record<string, string> = {
    'one letter': 'a'.repeat(200_000),
    blanks: ' '.repeat(200_000),
    'blanks before a letter': `${' '.repeat(200_000)}x`,
    'line ends': '\n'.repeat(200_000),
    'line ends and blanks': '\n '.repeat(100_000),
    dashes: '-'.repeat(200_000),
    'random letters': random(200_000, 97, 26),
    'Chinese without boundaries': random(66_000, 0x4e00, 5000),
    emoji: '😀👨‍👩‍👧'.repeat(20_000),
    'lone surrogates': '\ud800'.repeat(66_000),
    'marks and capitals': '\u0301A'.repeat(66_000),
    'Chinese and capitals': '中A'.repeat(50_000),
  };

  for (const [name, text] of Object.entries(texts)) {
    it(`is counted: ${name}`, function () {
      this.timeout(5000); // milliseconds are expected; the others take minutes
      const counter = exactCounter();
      const stream = counter.stream();
      for (let at = 0; at < text.length; at += 7777) stream.append(text.slice(at, at + 7777));
      assert.equal(counter.countTokens(text), stream.finish());
    });
  }

  it('gives the numbers that follow from the longest tokens', () => {
    const counter = exactCounter();
    assert.equal(counter.countTokens(texts['one letter'] as string), 25_000); // tokens of eight letters
    assert.equal(counter.countTokens(`${' '.repeat(128 * 1000)} x`), 1001);
  });
});
