import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseLongJson } from '../../../src/core/chat/parseJson.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { cases } from '../../attack/seed.ts';

/** A value or the kind of error. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'no JSON';
  }
}

function same(text: string): void {
  const parsed = outcome(() => runAtOnce(parseLongJson(Buffer.from(text))));
  const expected = outcome(() => JSON.parse(text));
  assert.deepStrictEqual(parsed, expected);
}

/** Alone longer than what is parsed at once. */
const LONG = 'x'.repeat(70_000);

describe('a long JSON text', () => {
  it('is parsed as JSON.parse does, whatever it holds and however it is written', () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const texts = Array.from({ length: 40 }, (_, index) => LONG.slice(index * 1_500));
        const entries = texts.map((text, index) => ({ [`a"\\${index}`]: value, text }));
        for (const whole of [entries, { entries, more: { deep: [entries, { '': LONG }] } }])
          same(JSON.stringify(whole, null, indent));
      }),
      { numRuns: cases(20) },
    );
  });

  it('is refused where JSON.parse refuses it', () => {
    const list = JSON.stringify(Array.from({ length: 6_000 }, (_, index) => ({ id: `m${index}` })));
    const entries = Array.from({ length: 6_000 }, (_, index) => [`k${index}`, index]);
    const object = JSON.stringify(Object.fromEntries(entries));
    for (const text of [list, object, `{"data":${list}}`]) {
      same(text);
      for (const [from, to] of Object.entries({ ',': ',,', '"': '', ':': '', '}': ']', '{': '[' })) {
        same(text.replace(from, to));
        const last = text.lastIndexOf(from);
        same(text.slice(0, last) + to + text.slice(last + 1));
      }
      for (const broken of [`${text},`, text.slice(1), text.slice(0, -1), `${text}]`, `[${text},]`, `[,${text}]`])
        same(broken);
    }
  });

  it('keeps names that are special and the last of two that are equal', () => {
    same(`{"__proto__":["${LONG}"],"10":1,"2":[1],"a":"${LONG}","a":2}`);
  });

  it('is parsed in short steps', () => {
    const text = JSON.stringify({ data: Array.from({ length: 50_000 }, (_, index) => ({ id: `m${index}` })) });
    assert.ok([...parseLongJson(Buffer.from(text))].length > text.length / 40_000);
  });

  it('is looked through in short steps, even a string or name of nothing but escapes', () => {
    const long = '"'.repeat(500_000);
    for (const value of [[long], { name: long }, { [long]: 1 }]) {
      const text = JSON.stringify(value);
      assert.ok([...parseLongJson(Buffer.from(text))].length > text.length / 70_000);
      same(text);
    }
  });
});
