import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonScan } from '../../../src/adapters/openai/bodies.ts';
import { Exchange } from '../../../src/adapters/openai/exchange.ts';
import { errorReply, textReply } from '../server/reply.ts';
import { askAt, useServer } from './asking.ts';

/** The chunks in a stream that comes in these pieces. */
async function read(
  pieces: Iterable<string | Buffer>,
  onChunk = (): unknown => undefined,
): Promise<readonly unknown[]> {
  const body = async function* () {
    for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  };
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  const exchange = new Exchange({
    ...{ address: 'http://localhost', headers: {}, body: [], timeoutMs: 60_000, signal: new AbortController().signal },
    fetch: async () => ({ status: 200, headers, body: body() }),
  });
  const chunks: unknown[] = [];
  for await (const chunk of exchange.post()) {
    chunks.push(chunk);
    onChunk();
  }
  return chunks;
}

describe('the events of a stream', () => {
  for (const [what, text, chunks] of [
    [
      'without what has no data',
      'event: ping\n\n: comment\n\ndata:\n\nid: 7\nretry: 9\n\ndata: {"a":1}\n\n',
      [{ a: 1 }],
    ],
    ['whatever their name is', 'event: error\ndata: {"a":1}\n\n', [{ a: 1 }]],
    ['with data of several lines', 'data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
    ['up to an end with blanks around it', 'data: [DONE] \n\ndata: {"a":1}\n\n', []],
    ['with an unfinished last line', 'data: {"a":1}', [{ a: 1 }]],
    ['with one line end between them', 'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n', [{ a: 1 }, { b: 2 }]],
  ] as const)
    it(`are read ${what}`, async () => assert.deepEqual(await read([text]), chunks));

  it('are read as they come, with one line end between them too', async () => {
    for (const end of ['\n', '\r\n']) {
      const events = [
        'event: a',
        'data: {"a":1} ',
        'data: {"b":',
        'data: 2}',
        ': c',
        'data: {"c":3}',
        'data: [DONE]',
        '',
      ];
      const seen: number[] = [];
      let given = 0;
      const pieces = function* () {
        for (const piece of events.join(end)) {
          given += 1;
          yield piece;
        }
      };
      const chunks = await read(pieces(), () => seen.push(given));
      assert.deepEqual(chunks, [{ a: 1 }, { b: 2 }, { c: 3 }]);
      // Each came before the event after it had ended.
      const ends = ['{"b":', '{"c":', '[DONE]'].map(
        (next) => events.join(end).indexOf(next) + next.length + end.length,
      );
      for (const [index, at] of seen.entries()) assert.ok(at <= (ends[index] ?? 0), `${at} ${ends[index]}`);
    }
  });

  it('have at most as many characters as a line, in however many lines', async () => {
    const line = `data: ${'a'.repeat(100_000)}\n`;
    await assert.rejects(read(Array(1_000).fill(line)), /a line of it has more than 48000000 bytes/);
  });

  it('are the same however lines end and wherever the stream is torn', async () => {
    const events = [
      'event: ping',
      '',
      ': c',
      'data: {"a":"日🎉"}',
      '',
      'data: {"b":',
      'data: 2}',
      '',
      'data: [DONE]',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(120), { maxLength: 12 }),
        async (end, cuts) => {
          const text = Buffer.from(events.map((line) => line + end).join(''));
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((place, index) => text.subarray(places[index], place));
          assert.deepEqual(await read(pieces), [{ a: '日🎉' }, { b: 2 }]);
        },
      ),
    );
  });
});

describe('a request to a server', () => {
  const server = useServer();

  it('may have any timeout, however long', async () => {
    server().enqueue({ ...textReply('Late.'), delayHeadersMs: 100 });
    const result = await askAt(server().baseUrl, { profile: { timeoutMs: 9_999_999_999 } });
    assert.equal(result.ok && result.value.message.content, 'Late.');
  });

  it('is not sent many times: all fields that a server refuses are left out together', async () => {
    const refused = ['reasoning_content', 'reasoning', 'thinking', 'annotations', 'audio'];
    const fields = Object.fromEntries(refused.map((name) => [name, 'a']));
    const message = { role: 'assistant', content: 'x', ...fields } as const;
    const before = server().requests.length;
    const refusal = errorReply(400, { error: { message: `Unsupported: stream_options, ${refused.join(', ')}` } });
    server().enqueue(refusal, textReply('Fine.'));
    assert.ok((await askAt(server().baseUrl, { messages: [message] })).ok);
    assert.equal(server().requests.length - before, 2);
    assert.deepEqual(Object.keys(server().requests.at(-1)?.body.messages?.[0] ?? {}), ['role', 'content']);

    const oneByOne = ['stream_options', ...refused].map((name) =>
      errorReply(400, { error: { message: `Unknown field ${name}` } }),
    );
    server().enqueue(...oneByOne);
    const asked = server().requests.length;
    assert.equal((await askAt(server().baseUrl, { messages: [message] })).ok, false);
    assert.equal(server().requests.length - asked, 4, 'and not without end');
  });
});

/** The verdict after each piece. */
function verdicts(pieces: readonly string[]): boolean[] {
  const end = new JsonScan();
  return pieces.map((piece, index) => {
    end.push(piece);
    return end.isWhole(pieces.slice(0, index + 1).join(''));
  });
}

describe('the end of JSON in pieces', () => {
  it('is found where the value is complete, wherever it is torn', () => {
    fc.assert(
      fc.property(fc.object(), fc.integer({ min: 1, max: 9 }), (value, length) => {
        const text = JSON.stringify(value);
        const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        const expected = pieces.map((_, index) => index === pieces.length - 1);
        assert.deepEqual(verdicts(pieces), expected);
      }),
    );
  });

  it('stays when white space follows, and is gone for good when anything else does', () => {
    assert.deepEqual(verdicts(['{"a":1}', '  ', '\n']), [true, true, true]);
    assert.deepEqual(verdicts(['{"a":1}', '{', '}']), [true, false, false]);
    assert.deepEqual(verdicts(['{"a":1}', ' ', '"b"']), [true, true, false]);
  });

  it('is found for values without brackets and quotes too', () =>
    assert.deepEqual(verdicts(['nu', 'll']), [false, true]));
});
