import assert from 'node:assert/strict';
import { findEntry, measureValue } from '../../../src/adapters/gateway/jsonBytes.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

describe('JSON in bytes', () => {
  it('is looked through in short steps, even a string or name of nothing but escapes', () => {
    const escapes = JSON.stringify('"\\'.repeat(500_000));
    const list = Buffer.from(`[${escapes}] `);
    assert.equal(runAtOnce(measureValue(list, 0)).end, list.length - 1);
    assert.equal(runAtOnce(measureValue(list, 1)).end, list.length - 2);
    const body = Buffer.from(`{${escapes}:1,"messages":[]}`);
    assert.equal(runAtOnce(findEntry(body, 'messages')), body.indexOf('[]'));
    for (const steps of [measureValue(list, 0), measureValue(list, 1), findEntry(body, 'messages')])
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
      assert.equal(text.slice(0, runAtOnce(measureValue(Buffer.from(text), 0)).end), value);
  });

  it('has at least as many values as are in it', () => {
    for (const [text, values] of [
      ['"a,[{"', 1],
      ['7,8', 1],
      ['[1,2,[3]]', 5],
      ['{"a":{},"b":[]}', 5],
    ] as const)
      assert.equal(runAtOnce(measureValue(Buffer.from(text), 0)).values, values);
  });

  it('has as many names as are written in it', () => {
    for (const [text, names] of [
      ['"a:b":1', 0],
      ['{}', 0],
      ['{"a:":{"b" : [{"c":":"}]},"a:":1}:', 4],
    ] as const)
      assert.equal(runAtOnce(measureValue(Buffer.from(text), 0)).names, names);
  });

  it('has as many levels as lists and objects are nested', () => {
    for (const [text, levels] of [
      ['"[{"', 0],
      ['[]', 1],
      ['[[],{"a":[1,{}]},[]],[[[[[[', 4],
    ] as const)
      assert.equal(runAtOnce(measureValue(Buffer.from(text), 0)).levels, levels);
  });
});
