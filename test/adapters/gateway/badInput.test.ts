import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { APIError } from 'openai';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import { brokenReply, errorReply, textReply } from '../server/reply.ts';
import { eventsOf, openGateway, TOKEN, useGateway } from './openGateway.ts';

const HELLO = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hello' }] };

/** Too deep to be written by recursion. */
const DEEP = `${'{"type":"text","text":"","a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

const withField = (name: string, json: string) => `${JSON.stringify(HELLO).slice(0, -1)},"${name}":${json}}`;

interface Told {
  readonly status: number;
  readonly error: Readonly<Record<'message' | 'type' | 'code' | 'param', string>>;
}

describe('what a client is told', () => {
  const opened = useGateway();

  async function told(answer: Promise<Response>): Promise<Told> {
    const response = await answer;
    const { error } = (await response.json()) as Pick<Told, 'error'>;
    assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'type']);
    return { status: response.status, error };
  }
  const post = (body: object | string, init: RequestInit = {}) => told(opened().post(body, undefined, init));

  for (const [what, authorization] of [
    ['no token', ''],
    ['a wrong token', 'Bearer something-else'],
    ['the token in another scheme', `Basic ${TOKEN}`],
  ] as const)
    it(`without the right to ask: ${what}`, async () => {
      const { status, error } = await post(HELLO, { headers: { authorization } });
      assert.equal(status, 401);
      assert.equal(error.code, 'invalid_api_key');
      assert.equal(opened().requests().length, 0);
    });

  it('to send its body (Expect: 100-continue) only with the token', async () => {
    /** Whether the body was asked for, and the status. */
    const wantsToSend = async (authorization: string) => {
      const headers = { authorization, expect: '100-continue', 'content-type': 'application/json' };
      const request = http.request(`${opened().gateway.url}/chat/completions`, { method: 'POST', headers });
      let isAsked = false;
      request.on('continue', () => {
        isAsked = true;
        request.end(JSON.stringify(HELLO));
      });
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      request.destroy();
      return [isAsked, response.statusCode] as const;
    };
    assert.deepEqual(await wantsToSend('Bearer something-else'), [false, 401]);
    opened().server.enqueue(textReply('Hello.'));
    assert.deepEqual(await wantsToSend(`Bearer ${TOKEN}`), [true, 200]);
  });

  /** `fetch` does not allow these headers to be set. */
  async function askRaw(headers: Record<string, string>): Promise<number | undefined> {
    const sent = { authorization: `Bearer ${TOKEN}`, ...headers };
    const request = http.request(`${opened().gateway.url}/models`, { headers: sent }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it('to hold connections: idle ones, and the body of a refused request, are ended', async () => {
    const { hostname, port, host } = new URL(opened().gateway.url);
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n`;
    const sockets = ['', head, `${head}\r\n{`].map((text) => {
      const socket = net.connect(Number(port), hostname).resume();
      socket.write(text);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
  }).timeout(40_000);

  it('under another host, and from a web page of another origin', async () => {
    const { host } = new URL(opened().gateway.url);
    const disguised = ['127.0.0.1.evil.example', 'evil.example@127.0.0.1', '127.0.0.1#.evil.example', '127.0.0.1/x'];
    const others = ['evil.example', `evil.example:${host.split(':')[1]}`, 'a@b', '2130706433', '192.168.0.7'];
    for (const wrong of [...others, ...disguised]) assert.equal(await askRaw({ host: wrong }), 403, wrong);
    const pages = ['https://evil.example', 'http://localhost.evil.example', 'vscode-webview://abc', 'null'];
    for (const origin of [...pages, 'http://127.0.0.1:1', `https://${host}`])
      assert.equal(await askRaw({ origin }), 403, origin);
    // The test's server has no list of models: the gateway passes on its answer if the request is allowed.
    for (const right of [host, 'localhost:1234', '[::1]:80', 'LOCALHOST'])
      assert.equal(await askRaw({ host: right }), 502);
    assert.equal(await askRaw({ origin: `http://${host}` }), 502);
  });

  for (const [what, body, param] of [
    ['no JSON', '{"model": ', null],
    ['an array', '[]', null],
    ['nothing', '', null],
    ['no model', { messages: HELLO.messages }, 'model'],
    ['no messages', { model: 'a' }, 'messages'],
    ['messages that are none', { model: 'a', messages: 'hello' }, 'messages'],
    ['an empty list', { model: 'a', messages: [] }, 'messages'],
    ['a message without a role', { model: 'a', messages: [HELLO.messages[0], { content: 'x' }] }, 'messages[1].role'],
    ['a message that is none', { model: 'a', messages: [null] }, 'messages[0]'],
    ['a part that is none', { model: 'a', messages: [{ role: 'user', content: [7] }] }, 'messages[0].content[0]'],
    ['a message that is too deep', `{"model":"a","messages":[{"role":"user","content":[${DEEP}]}]}`, null],
    ['a field that is too deep', withField('metadata', DEEP), null],
    ['a tool that is too deep', withField('tools', `[${DEEP}]`), null],
    ['tools that are none', { ...HELLO, tools: ['look'] }, 'tools'],
    ['a stream that is no boolean', { ...HELLO, stream: 'yes' }, 'stream'],
  ] as const)
    it(`of a body with ${what}`, async () => {
      const { status, error } = await post(body);
      assert.equal(status, 400);
      assert.equal(error.param, param);
      assert.equal(error.type, 'invalid_request_error');
      assert.equal(opened().requests().length, 0);
    });

  const schema = { type: 'object' };
  for (const [path, body] of Object.entries<object>({
    '/chat/completions': {
      ...{
        model: 'm',
        tool_choice: 'auto',
        tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
      },
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'r' },
      ],
    },
    '/messages': {
      ...{ model: 'm', max_tokens: 9, tool_choice: { type: 'auto' }, tools: [{ name: 'f', input_schema: schema }] },
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'r' }] }] },
      ],
    },
    '/responses': {
      ...{ model: 'm', tool_choice: 'auto', tools: [{ type: 'function', name: 'f', parameters: schema }] },
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==' }] },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'r' },
      ],
    },
    '/v1beta/models/m:generateContent': {
      tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'r' } } }] },
      ],
    },
  }))
    it(`of a body, if anything is wrong, whatever one of its values is: ${path}`, async () => {
      for (let place = 0, values = 1; place < values; place += 1)
        for (const odd of [null, { toString: 1 }]) {
          values = 0;
          const changed = JSON.parse(JSON.stringify(body), (_, value) => (values++ === place ? odd : value));
          const { status } = await opened().post(changed, path);
          assert.ok(status === 200 || status === 400, `${status}: ${JSON.stringify(changed)}`);
        }
    });

  it('of paths and methods that the gateway does not know', async () => {
    const { status, error } = await told(opened().post({}, '/embeddings'));
    assert.equal(status, 404);
    assert.match(error.message, /not POST \/v1\/embeddings\.$/);
    assert.equal((await told(opened().ask('/chat/completions'))).status, 405);
    assert.equal((await told(opened().ask('/%E0%A4%A'))).status, 404);
  });

  it('is the same under a base URL with and without the version', async () => {
    for (const path of ['/v1/chat/completions', '/../chat/completions'])
      assert.equal((await opened().post(HELLO, path)).status, 200, path);
  });

  it('of a compressed body', async () => {
    const body = gzipSync(JSON.stringify(HELLO));
    const { status, error } = await post('', { body, headers: { 'content-encoding': 'gzip' } });
    assert.deepEqual([status, error.code], [415, 'unsupported_encoding']);
    assert.match(error.message, /gzip.*uncompressed/);
  });

  it('of a body of 100 MB, which the gateway does not keep', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const before = process.memoryUsage().rss;
    for (const length of [true, false]) {
      let pieces = 0;
      const body = new ReadableStream({
        pull: (controller) => {
          pieces += 1;
          if (pieces > 100) controller.close();
          else controller.enqueue(piece);
        },
      });
      const sent: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
      const { status, error } = await post('', length ? { body: Buffer.alloc(100 * 1024 * 1024, ' ') } : sent);
      assert.deepEqual([status, error.code], [413, 'request_too_large']);
      assert.match(error.message, /64 MB/);
    }
    assert.ok(process.memoryUsage().rss - before < 600 * 1024 * 1024);
  });

  it('when the server is down', async () => {
    await opened().server.close();
    for (const stream of [true, false]) {
      const { status, error } = await post({ ...HELLO, stream });
      assert.equal(status, 502);
      assert.match(error.message, /connection refused/);
    }
  });

  for (const [what, status, words, code, retry, wait = null] of [
    ['nobody knows the model', 404, 'The model `x` does not exist', 'model_not_found', 'false'],
    ['its key is wrong', 401, 'Incorrect API key', 'upstream_error', 'false'],
    ['it limits requests', 429, 'Slow down', 'rate_limit_exceeded', null, '7'],
    ['it fails', 500, 'boom', 'upstream_error', null],
    ['it refuses a field', 400, 'Unknown parameter: foo', 'upstream_error', 'false'],
    ['it answers with a web page', 502, '<html><body>Welcome</body></html>', 'upstream_error', 'false'],
  ] as const)
    it(`when the server says no, and whether and when to ask again: ${what}`, async () => {
      const headers: Record<string, string> = wait === null ? {} : { 'retry-after': wait };
      const isPage = words.startsWith('<');
      const reply = isPage ? errorReply(200, words) : errorReply(status, { error: { message: words } }, headers);
      opened().server.enqueue(reply, reply);
      for (const stream of [true, false]) {
        const response = await opened().post({ ...HELLO, stream });
        const { error } = (await response.json()) as Told;
        assert.deepEqual([response.status, error.code], [status, code]);
        const hints = ['x-should-retry', 'retry-after'].map((name) => response.headers.get(name));
        assert.deepEqual(hints, [retry, wait]);
      }
      // The client asks again by itself; the gateway does not.
      assert.equal(opened().requests().length, 2);
    });

  it('when the stream is cut in the middle: what came, then an error, and no end', async () => {
    opened().server.enqueue(brokenReply('half of it', { cut: true }));
    const events = await eventsOf(await opened().post({ ...HELLO, stream: true }));
    assert.match(JSON.stringify(events), /half/);
    assert.match((events.at(-1) as Told).error.message, /broke off|ended before/);
    opened().server.enqueue(brokenReply('half of it', { cut: true }));
    await assert.rejects(opened().client.chat.completions.stream(HELLO).finalMessage(), APIError);
    opened().server.enqueue(brokenReply('half of it', { cut: true }));
    assert.equal((await post(HELLO)).status, 502);
  });

  it('when the newest message alone is too long: never by an overflow, which clients answer with a summary, for ever', async () => {
    const stated = { '/v1/models': { object: 'list', data: [{ id: 'scripted', max_model_len: 2_000 }] } };
    // A server that states its window may cut such a request without a word, so it is not asked.
    for (const [pages, requests] of [
      [{}, 1],
      [stated, 0],
    ] as const) {
      const small = await openGateway({ window: 2_000, pages });
      const messages = [{ role: 'user' as const, content: 'one two three '.repeat(4_000) }];
      const asked = small.client.chat.completions.create({ model: 'scripted', messages });
      await assert.rejects(asked, (error: APIError) => {
        assert.deepEqual([error.status, error.code], [400, 'karl_prompt_too_large']);
        assert.match(error.message, /come to 1\d,\d{3} tokens, but there is room for only [12],\d{3}\./);
        assert.equal(classifyModelError(error).kind, 'other');
        return true;
      });
      assert.equal(small.requests().length, requests);
      await small.close();
    }
  });
});
