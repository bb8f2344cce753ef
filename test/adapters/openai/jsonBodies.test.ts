import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BodyParser, writeBody } from '../../../src/adapters/openai/jsonBodies.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

type Fields = Readonly<Record<string, unknown>>;

const read = (parser: BodyParser, text: string | Buffer) => runAtOnce(parser.parse(Buffer.from(text))) as Fields;

const write = (body: object) => Buffer.concat(runAtOnce(writeBody(body))).toString();

const list = (body: Fields) => body.messages as readonly unknown[];

/** A body with these texts between the brackets of its list. */
const bodyOf = (...items: readonly string[]) => `{"model":"m","messages":[${items.join(',')}],"tools":[{"a":1}]}`;

const message = (content: string) => JSON.stringify({ role: 'user', content: content.repeat(40) });

describe('the bodies of one agent', () => {
  it('are what JSON.parse makes of them, and are written again as the same, whatever came before', () => {
    const outcome = (parse: () => unknown) => {
      try {
        const value = parse();
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'no object';
      } catch (error) {
        assert.ok(error instanceof SyntaxError, String(error));
        return 'no JSON';
      }
    };
    const value = fc.dictionary(fc.constantFrom('a', '', '"[', '__proto__', '1'), fc.array(fc.jsonValue()));
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), fc.constantFrom(...' ,:[]{}"\\1é'));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), fc.array(change), (body, indent, changes) => {
        const parser = new BodyParser();
        let text = JSON.stringify(body, null, indent);
        for (const [place, removed, added] of [[1, 0, ''] as const, ...changes]) {
          const at = Math.floor(place * text.length);
          text = text.slice(0, at) + added + text.slice(at + removed);
          const parsed = outcome(() => read(parser, text));
          const expected = outcome(() => JSON.parse(text));
          assert.deepStrictEqual(parsed, expected);
          if (typeof parsed === 'object') assert.deepStrictEqual(JSON.parse(write(parsed)), parsed);
          else text = JSON.stringify(body, null, indent);
        }
      }),
    );
  });

  it('have the same objects for what has come before, up to where it differs, and the same list where nothing does', () => {
    const parser = new BodyParser();
    const history = ['a', 'b', 'c', 'd'].map(message);
    const first = read(parser, bodyOf(...history));
    const same = (body: Fields) => list(body).map((item, index) => item === list(first)[index]);
    const grown = read(parser, bodyOf(...history, message('e')));
    assert.deepEqual(same(grown), [true, true, true, true, false]);
    assert.equal(grown.tools, first.tools);
    // Another conversation that begins as this one leaves it as it is.
    for (const items of [['x', 'y', 'z'].map(message), [...history.slice(0, 3), message('x')]]) {
      const differs = items.findIndex((item, index) => item !== history[index]);
      const expected = items.map((_, index) => index < differs);
      assert.deepEqual(same(read(parser, bodyOf(...items))), expected);
    }
  });

  it('have an object of its own for each place', () => {
    const parser = new BodyParser();
    for (let round = 0; round < 2; round += 1) {
      const messages = list(read(parser, bodyOf(message('a'), message('a'), message('a'))));
      assert.equal(new Set(messages).size, 3);
    }
  });

  it('do not take over a number of the last body that continues in this one', () => {
    const parser = new BodyParser();
    for (const items of [['1'], ['12'], ['12 ', '1'], ['12']])
      assert.deepEqual(list(read(parser, bodyOf(...items))), items.map(Number));
  });

  it('are written with the bytes that their items came in, and with others as they are', () => {
    const parser = new BodyParser();
    const items = ['{"n": 1.0}', ' {"n":"\\u0061"}', '{"n":2}', '{"n":3}'];
    const [first, second, third, last] = list(read(parser, bodyOf(...items)));
    const written = (messages: readonly unknown[]) => /"messages":\[(.*)\]/.exec(write({ messages }))?.[1];
    assert.equal(written([first, second, third, last]), items.join(','));
    assert.equal(
      written([{ made: true }, second, last, undefined, first]),
      `{"made":true},${items[1]},${items[3]},null,${items[0]}`,
    );
    read(parser, bodyOf(...items.slice(0, 3), '{"n":4}'));
    assert.equal(written([first, last]), `${items[0]},{"n":3}`);
    assert.equal(write({ gone: undefined, messages: [] }), '{"messages":[]}');
    const torn = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? first : { index }));
    assert.ok(runAtOnce(writeBody({ torn })).length < 100);
  });

  it('are written as they were read where a name is repeated, since other readers may take the first of its values', () => {
    const twice = [
      '{"a":1,"a":2}',
      ' {"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":{}}',
      '{"a":[[{"b":1,"b":1}]]}',
      `{"a":{"b":"${'x'.repeat(70_000)}","c":0},"a":{"b":1}}`,
      '[{"a":1,"a":2}]',
    ];
    const once = [
      '{ "a":{"a":1}, "b":[{"a":1},{"a":2}] }',
      '{"a":"{\\"a\\":1, \\"a\\":2}", "a : b":":\\\\"}',
      '{"__proto__" : []}',
    ];
    const items = [...once, ...twice, ...once];
    const parser = new BodyParser();
    const expected = items.map((item) => (twice.includes(item) ? JSON.stringify(JSON.parse(item)) : item));
    // Read, and known from before.
    for (let round = 0; round < 2; round += 1) assert.equal(write(read(parser, bodyOf(...items))), bodyOf(...expected));
    assert.equal(write(read(parser, `{"a":[1],"n":{"b":0,"b":1},"a":[{"c" :2}]}`)), '{"a":[{"c" :2}],"n":{"b":1}}');
  });

  it('are read as Node decodes them where they are not UTF-8, and sent on like that', () => {
    const bytes = Buffer.concat([Buffer.from('{"messages":[{"a":"'), Buffer.from([0xff]), Buffer.from('"}]}')]);
    const pieces = runAtOnce(writeBody(read(new BodyParser(), bytes)));
    assert.deepEqual(Buffer.concat(pieces), Buffer.from('{"messages":[{"a":"\ufffd"}]}'));
  });

  it('are forgotten once many others have come, or large ones', () => {
    for (const [others, length] of [
      [40, 1],
      [3, 11_000_000],
    ] as const) {
      const parser = new BodyParser();
      const [first] = list(read(parser, bodyOf('{"n": 1}')));
      for (let other = 0; other < others; other += 1) read(parser, `{"${other}":"${'x'.repeat(length)}"}`);
      assert.equal(write({ first: [first] }), '{"first":[{"n":1}]}');
    }
  });
});
