import assert from 'node:assert/strict';
import { findEntry, valueEnd } from '../../../src/adapters/gateway/jsonBytes.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

describe('JSON in bytes', () => {
  it('is looked through in steps that are short, also one string or name of nothing but escapes', () => {
    const escapes = JSON.stringify('"\\'.repeat(500_000));
    const list = Buffer.from(`[${escapes}] `);
    assert.equal(runAtOnce(valueEnd(list, 0)), list.length - 1);
    assert.equal(runAtOnce(valueEnd(list, 1)), list.length - 2);
    const body = Buffer.from(`{${escapes}:1,"messages":[]}`);
    assert.equal(runAtOnce(findEntry(body, 'messages')), body.indexOf('[]'));
    for (const steps of [valueEnd(list, 0), valueEnd(list, 1), findEntry(body, 'messages')])
      assert.ok([...steps].length >= 7);
  });

  it('has values that end where JSON ends them', () => {
    for (const [text, value] of [
      ['"a",', '"a"'],
      ['"a\\"b" :', '"a\\"b"'],
      ['"a\\\\"b', '"a\\\\"'],
      ['"a\\', '"a\\'],
      ['12,', '12'],
      ['true}', 'true'],
      ['["]",{"a":"}"}],', '["]",{"a":"}"}]'],
      ['{"a":["\\"]"]}]', '{"a":["\\"]"]}'],
      ['["a', '["a'],
    ] as const)
      assert.equal(text.slice(0, runAtOnce(valueEnd(Buffer.from(text), 0))), value);
  });
});
