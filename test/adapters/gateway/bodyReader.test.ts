import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { BodyReader } from '../../../src/adapters/gateway/bodyReader.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { parseJson } from '../../../src/core/messages/parseJson.ts';
import { SEED } from '../../attack/seed.ts';
import { Random } from '../../bench/retention/random.ts';

const read = async (reader: BodyReader, body: string): Promise<unknown> => (await reader.read(Buffer.from(body))).value;

/** Reads a body with and without knowledge of earlier ones; both must give what `JSON.parse` gives. */
async function check(reader: BodyReader, body: Buffer): Promise<unknown> {
  const wanted = parseJson(body.toString());
  const { value: found, written } = await reader.read(body);
  assert.deepStrictEqual(found, wanted, body.toString());
  // The order of keys must be the same too.
  assert.equal(JSON.stringify(found), JSON.stringify(wanted));
  if (!isUtf8(body)) assert.equal(written, undefined);
  for (const [index, message] of (written?.messages ?? []).entries()) {
    if (message === undefined) continue;
    assert.equal(message, found instanceof Object && 'messages' in found && (found.messages as unknown[])[index]);
    assert.deepStrictEqual(parseJson(`${written?.slice(index, index + 1)}`), message);
  }
  return found;
}

function messagesOf(body: unknown): readonly ChatMessage[] {
  const messages = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : undefined;
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return list.filter((message): message is ChatMessage => typeof message === 'object' && message !== null);
}

describe('the bodies of requests', () => {
  it('may be shorter than what precedes the messages of an earlier one', async () => {
    const reader = new BodyReader();
    const messages = [{ role: 'user', content: 'hello' }];
    await check(reader, Buffer.from(JSON.stringify({ model: 'm', user: 'x'.repeat(500), messages })));
    await check(reader, Buffer.from(JSON.stringify({ model: 'm', messages })));
    await check(reader, Buffer.from('{"model":"m"'));
  });

  it('that continue an earlier one have its messages and tools as the very same objects', async () => {
    const reader = new BodyReader();
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const history: object[] = [
      { role: 'system', content: 'Monday' },
      { role: 'user', content: 'Grüße, 你好, "quoted" \\ and 🙂' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] },
    ];
    const ask = async (messages: readonly object[], indent?: string) =>
      (await read(reader, JSON.stringify({ model: 'm', messages, tools }, null, indent))) as {
        messages: readonly object[];
        tools: object;
      };
    const first = await ask(history);
    history[0] = { role: 'system', content: 'Tuesday' };
    history.push({ role: 'tool', content: 'seen' });
    const second = await ask(history);
    assert.deepEqual(second.messages, history);
    assert.deepEqual(
      second.messages.map((message, index) => message === first.messages[index]),
      [false, true, true, false],
    );
    assert.equal(second.tools, first.tools);
    // Another conversation in between, and the same one formatted differently.
    await ask([{ role: 'user', content: 'something else' }]);
    assert.equal((await ask(history)).messages[1], first.messages[1]);
    assert.notEqual((await ask(history, '  ')).messages[1], first.messages[1]);
    assert.deepEqual((await ask(history, '  ')).messages, history);
  });

  it('mean what they mean to JSON.parse: repeated or escaped names, other values in place of messages', async () => {
    const reader = new BodyReader();
    for (const body of [
      '{"messages":[{"a":1}],"model":"m"}',
      '{"messages":[{"a":1}],"messages":[{"b":2}]}',
      '{"messages":[{"a":1}],"messages":7}',
      '{"messages":7,"messages":[{"a":1}]}',
      '{"messages":[{"a":1}],"m\\u0065ssages":[{"b":2}]}',
      '{"m\\u0065ssages":[{"b":2}],"messages":[{"a":1}]}',
      '{"inside":{"messages":[{"a":1}]},"messages":[{"a":1,"a":2}]}',
      '{"inside":["messages",[{"a":1}]],"text":"\\"messages\\":[{}]","messages":[{"a":1}]}',
      '{"messages":[]}',
      ' {"messages" : [ ] } ',
      '{"messages":[1,12,"x",null,true,[[]],{}]}',
      '{"messages":[12,1]}',
      '{"messages":[{"__proto__":{"a":1},"1":2,"0":3}],"__proto__":{"b":2}}',
      '{"messages":[{"a":1}{"a":1}]}',
      '{"messages":[{"a":1},]}',
      '{"messages":[,{"a":1}]}',
      '{"messages":[{"a":1}',
      '{"messages":[{"a":1}]',
      '{"messages":[{"a":1}]}}',
      '{"messages":[{"a":1}]},',
      '\u{feff}{"messages":[{"a":1}]}',
      '{"messages":[\u{a0}{"a":1}]}',
      '{"messages":[{"a":1}\u{b}]}',
      '{"messages":[{"a":"\n"}]}',
      '[{"messages":[]}]',
      '"messages"',
      '',
      `{"${'k'.repeat(9_000_000)}":1,"messages":[{"a":1}]}`,
      `{"messages":[${'['.repeat(500)}${']'.repeat(500)}]}`,
    ])
      for (let times = 0; times < 2; times += 1) await check(reader, Buffer.from(body));
    for (const bytes of [[0xff], [0xe2, 0x82], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x99]])
      for (let times = 0; times < 2; times += 1) {
        const text = [Buffer.from('{"messages":[{"a":"'), Buffer.from(bytes), Buffer.from('"},{"b":1}]}')];
        await check(reader, Buffer.concat(text));
      }
  });

  it('do not pass on the bytes of a message with a repeated name: not every reader takes the last one', async () => {
    const twice = [
      '{"role":"user","content":"FIRST","content":"second"}',
      '{"role":"user","content":"FIRST","c\\u006fntent":"second"}',
      '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"x","arguments":"1","arguments":"2"}}]}',
      '{"__proto__":1,"__proto__":2}',
      '{"a":{"b":[{"c":1}]},"a":{"b":[{"c":1}]}}',
    ];
    const once = [
      '{"a":{"id":1},"b":[{"id":1},{"id":2}]}',
      '{"content":"{\\"a\\":1,\\"a\\":2}","a : b":[":"]}',
      '{ "__proto__" : {} , "\\"a\\"" : 1 , "a" : { } }',
      '{"role":"user","content":null}',
    ];
    const reader = new BodyReader();
    // Once read for the first time, and once known from before.
    for (const gap of [',', ' ,']) {
      const { value, written } = await reader.read(Buffer.from(`{"messages":[${[...twice, ...once].join(gap)}]}`));
      assert.deepEqual(written?.messages, [...twice.map(() => undefined), ...messagesOf(value).slice(twice.length)]);
      assert.equal(`${written?.slice(twice.length, twice.length + once.length)}`, once.join(gap));
    }
  });

  it('are kept while they take little memory, also for many values; a very large one displaces no other', async () => {
    const reader = new BodyReader();
    const ask = async (said: string, messages = `[{"content":${said}}]`): Promise<object> => {
      const [first] = messagesOf(await read(reader, `{"model":"m","messages":${messages}}`));
      return first ?? assert.fail();
    };
    const lists = (count: number): string => `[${new Array(count).fill('[]').join()}]`;
    const small = await ask('"small"');
    // These take 120 MB as objects, and the next ones 80 MB.
    await ask(lists(300_000));
    const many = await ask(lists(200_000));
    assert.equal(await ask(lists(200_000)), many);
    assert.equal(await ask('"small"'), small);
    const crowd = `[{}${',0'.repeat(100_000)}]`;
    assert.notEqual(await ask('', crowd), await ask('', crowd));
    // Also around the messages; there is no room for both bodies.
    await read(reader, `{"messages":[{"content":"around"}],"tools":${lists(200_000)}}`);
    assert.notEqual(await ask(lists(200_000)), many);
  });

  it(`are read alike with and without knowledge of earlier ones (KARL_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const reader = new BodyReader();
    const histories = Array.from({ length: 4 }, () => [makeMessage(random)]);
    for (let round = 0; round < 1_500; round += 1) {
      const history = random.pick(histories);
      change(random, history);
      const body = Buffer.from(writeBody(random, history));
      // Damage such as truncated and altered bodies have.
      if (random.chance(0.3))
        body[random.integer(0, body.length - 1)] = random.pick([0x22, 0x5c, 0x7b, 0x5d, 0x2c, 0x20, 0xff]);
      await check(reader, random.chance(0.1) ? body.subarray(0, random.integer(0, body.length)) : body);
    }
  });
});

const TEXTS = [
  '',
  'a',
  '"',
  '\\',
  '\\"',
  ']',
  '}],',
  ',{"messages":[',
  'ü',
  '🙂',
  '\ud800',
  '\u{2028}',
  '\n',
  'long '.repeat(40),
];

function makeMessage(random: Random): string {
  const content = JSON.stringify(random.pick(TEXTS));
  const extra = random.pick([
    '',
    ',"n":1e400',
    ',"n":12345678901234567890',
    ',"role":"tool"',
    ',"deep":[[{"a":[]}]]',
    ',"a\\u0062":1',
  ]);
  const blank = random.pick(['', '', '', ' ', '\n\t']);
  return `{${blank}"role":${blank}"${random.pick(['user', 'assistant'])}",${blank}"content":${content}${extra}${blank}}`;
}

/** Histories grow; now and then something in them is changed, left out or inserted. */
function change(random: Random, history: string[]): void {
  const at = random.integer(0, history.length);
  const roll = random.next();
  if (roll < 0.1) history.splice(at, 1);
  else if (roll < 0.2) history.splice(at, 0, makeMessage(random));
  else if (roll < 0.3) history.splice(at, 1, makeMessage(random));
  else history.push(makeMessage(random));
  if (history.length > 30) history.splice(1, 20);
}

function writeBody(random: Random, history: readonly string[]): string {
  const gap = random.pick([',', ',', ', ', '\n,\n']);
  const entries = [`"messages":[${history.join(gap)}]`, '"model":"m"', `"tools":${random.pick(['[]', '[{"a":"]"}]'])}`];
  if (random.chance(0.05))
    entries.push(random.pick(['"messages":[{"x":1}]', '"messages":null', '"m\\u0065ssages":[]']));
  if (random.chance(0.5)) entries.reverse();
  return `{${entries.join(gap)}}`;
}
