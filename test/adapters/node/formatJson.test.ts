import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatJson } from '../../../src/adapters/node/durableWrite.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { cases } from '../../attack/seed.ts';

describe('a file of JSON', () => {
  it('has what JSON.stringify writes, however deep and long it is', () => {
    const long = Array.from({ length: 3_000 }, (_, index) => ({
      role: 'user',
      content: `line\n${index} 🎉`,
      none: undefined,
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (value) => {
        const content = {
          v: 1,
          left: undefined,
          messages: long,
          list: [undefined, null, [], {}, [[[[[value]]]]]],
          ...value,
        };
        const written = JSON.parse(runAtOnce(formatJson(content)).toString());
        assert.equal(JSON.stringify(written), JSON.stringify(content));
      }),
      { numRuns: cases(40) },
    );
  });

  it('is written in short steps', () => {
    assert.ok([...formatJson({ messages: Array.from({ length: 1_000 }, () => 'x') })].length > 1_000);
  });
});
