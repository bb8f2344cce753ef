import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { cases, SEED } from '../../attack/seed.ts';
import { ALPHABETS, randomText, seeded } from './randomText.ts';
import { ENCODINGS, exactCounter, referenceCount } from './reference.ts';

/** Random strings, each counted in both encodings. */
const STRINGS = cases(200_000, 16);
const STRINGS_SEED = Number(process.env.KARL_SEED ?? 20261121);
/** js-tiktoken takes quadratic time in the length of a piece; no line of a real file compared here is longer. */
const LONGEST_LINE = 2000;

const REAL_FILES = [
  'src/**/*.ts',
  'test/**/*.ts',
  'package.json',
  'node_modules/openai/*.md',
  'node_modules/openai/src/resources/chat/completions/*.ts',
  'node_modules/zod/src/v4/classic/tests/string.test.ts',
  'node_modules/zod/src/v4/locales/*.ts',
  'node_modules/typescript/package.json',
  'node_modules/mocha/lib/*.js',
];

describe('counting equals js-tiktoken', () => {
  for (const encoding of ENCODINGS) {
    it(`on ${STRINGS} random strings of many scripts, ${encoding}`, function () {
      this.timeout(0);
      const counter = exactCounter(encoding);
      const below = seeded(STRINGS_SEED);
      for (let index = 0; index < STRINGS; index++) {
        const text = randomText(below, 8);
        if (counter.countTokens(text) !== referenceCount(encoding, text)) {
          assert.fail(`${JSON.stringify(text)}: ${counter.countTokens(text)}, not ${referenceCount(encoding, text)}`);
        }
      }
    });

    it(`on every character of every alphabet alone, doubled and between words, ${encoding}`, () => {
      const counter = exactCounter(encoding);
      for (const element of Object.values(ALPHABETS).flat()) {
        for (const text of [
          element,
          element + element,
          `a${element}b`,
          `A ${element} B`,
          `\n${element}\n`,
          `中${element}中`,
        ]) {
          assert.equal(counter.countTokens(text), referenceCount(encoding, text), JSON.stringify(text));
        }
      }
    });

    it(`on real files, ${encoding} (KARL_SEED=${SEED})`, function () {
      this.timeout(120_000);
      const counter = exactCounter(encoding);
      const files = globSync(REAL_FILES, { cwd: new URL('../../..', import.meta.url) });
      assert.ok(files.length > 100, `only ${files.length} files found`);
      // Others in each run.
      const every = 4 / cases(4);
      for (const file of files.filter((_, index) => (index + SEED) % every === 0)) {
        const content = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
        const text = content
          .split('\n')
          .filter((line) => line.length < LONGEST_LINE)
          .join('\n');
        assert.equal(counter.countTokens(text), referenceCount(encoding, text), file);
      }
    });
  }
});

it('text that looks like a special token is counted as the text that it is', () => {
  const counter = exactCounter();
  for (const text of ['<|endoftext|>', 'a <|endofprompt|> b', '<|endoftext|>'.repeat(50)]) {
    assert.equal(counter.countTokens(text), referenceCount('o200k_base', text));
    assert.ok(counter.countTokens(text) > 1);
  }
});

it('a lone surrogate counts as the replacement character that encoders make of it', () => {
  const counter = exactCounter();
  for (const lone of ['\ud800', '\udfff']) {
    for (const around of ['', 'a', '中', ' ', '😀']) {
      assert.equal(counter.countTokens(around + lone + around), counter.countTokens(`${around}\ufffd${around}`));
    }
  }
});
