import assert from 'node:assert/strict';
import { randomText, seeded } from '../../adapters/tiktoken/randomText.ts';
import { ENCODINGS, exactCounter } from '../../adapters/tiktoken/reference.ts';
import { cases, SEED } from '../../attack/seed.ts';

describe('a text that arrives in parts', () => {
  for (const encoding of ENCODINGS) {
    it(`has as many tokens as the whole text, wherever it is cut, ${encoding}, seed ${SEED}`, function () {
      this.timeout(60_000);
      const counter = exactCounter(encoding);
      const below = seeded(SEED);
      for (let round = 0; round < cases(20_000); round++) {
        const text = randomText(below, 12);
        const stream = counter.stream();
        let at = 0;
        while (at < text.length) {
          const end = at + 1 + below(6);
          stream.append(text.slice(at, end));
          at = end;
        }
        assert.equal(stream.finish(), counter.countTokens(text), JSON.stringify(text));
      }
    });
  }

  it('can be followed by another text', () => {
    const stream = exactCounter().stream();
    stream.append('one two three\ud800');
    stream.finish();
    stream.append('hello');
    assert.equal(stream.finish(), 1);
    assert.equal(stream.finish(), 0);
  });

  it('takes a long run letter by letter in linear time', function () {
    this.timeout(20_000); // looking at the whole run for each letter would take hours
    const stream = exactCounter().stream();
    for (let letter = 0; letter < 1_000_000; letter++) stream.append('中');
    assert.equal(stream.finish(), 1_000_000);
  });
});
