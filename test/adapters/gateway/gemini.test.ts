import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { ContentsForm } from '../../../src/adapters/gateway/dialects/gemini/answer.ts';
import { TranslatedContents } from '../../../src/adapters/gateway/dialects/gemini/contents.ts';
import { callsReply, errorReply, textReply } from '../server/reply.ts';
import { beforeServer, cutView, eventsIn, eventsOf, TOKEN, useGateway } from './openGateway.ts';

const CONTEXT = { text: '<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n' };

/** Two calls in one message; the API gave them no ids. */
const CONTENTS = [
  { role: 'user', parts: [CONTEXT, { text: 'Read both.' }] },
  {
    role: 'model',
    parts: [
      { text: 'I do.' },
      { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
      { functionCall: { name: 'read', args: { path: 'b' } } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'read-1', name: 'read', response: { output: 'A'.repeat(100) } } },
      { functionResponse: { id: 'read-2', name: 'read', response: { error: 'no such file' } } },
      { text: 'Go on.' },
    ],
  },
];

describe("contents of Gemini's API", () => {
  const request = new TranslatedContents({ parts: [{ text: 'You help.' }] }, CONTENTS);

  it("are the client's own objects where all of one is kept, and what the client says about itself is separate", () => {
    const roles = request.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'user', 'assistant', 'tool', 'tool', 'user']);
    assert.equal(request.messages[2]?.content, 'Read both.');
    const sent = request.fromChat(request.messages);
    assert.equal(sent.length, CONTENTS.length);
    for (const [index, content] of sent.entries()) assert.equal(content, CONTENTS[index]);
  });

  it('have each result at its call where there are no ids, and keep signature and kind of what is changed', () => {
    const calls = request.messages.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
    const results = request.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    assert.deepEqual(results, calls);
    assert.equal(new Set(calls).size, 2);
    const [, model, user, ...rest] = request.fromChat(cutView(request.messages));
    assert.deepEqual(rest, []);
    assert.deepEqual(model?.parts, [
      { text: 'I do.' },
      { functionCall: { name: 'read', args: { path: '…' } }, thoughtSignature: 'c2ln' },
      CONTENTS[1]?.parts[2],
    ]);
    assert.deepEqual(user, {
      role: 'user',
      parts: [
        { functionResponse: { id: 'read-1', name: 'read', response: { output: '…' } } },
        { functionResponse: { id: 'read-2', name: 'read', response: { error: '…' } } },
        { text: 'Go on.' },
      ],
    });
  });
});

const chunk = (parts: readonly object[], about: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...about }],
  modelVersion: 'gemini-test',
});

it('the answer to a client of Gemini keeps a signature that comes with the end, has one end, and no recall', () => {
  const form = new ContentsForm(true);
  const recall = { functionCall: { name: 'karl_recall', args: { query: 'x' } }, thoughtSignature: 'cg' };
  const signed = { text: '', thoughtSignature: 'c2ln' };
  const sent = [
    chunk([{ text: 'I look.' }]),
    chunk([recall], { finishReason: 'STOP' }),
    { usageMetadata: { promptTokenCount: 9 } },
    chunk([{ text: 'Fine.' }]),
    chunk([signed], { finishReason: 'STOP' }),
  ].map((event) => form.take(event));
  assert.equal(form.keepAlive().trim(), '');
  assert.deepEqual(
    eventsIn(`${sent.join('')}${form.end()}`).map(({ candidates: [{ content, finishReason }] }) => [
      content.parts,
      finishReason,
    ]),
    [
      [[{ text: 'I look.' }], undefined],
      [[{ text: 'Fine.' }], undefined],
      [[signed], undefined],
      [[{ text: '' }], 'STOP'],
    ],
  );
});

const DECLARED = { name: 'read', parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } } } };
const ASK = {
  contents: CONTENTS,
  systemInstruction: { parts: [{ text: 'You help.' }] },
  tools: [{ functionDeclarations: [DECLARED] }, { googleSearch: {} }],
  toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  generationConfig: { topK: 64, maxOutputTokens: 100 },
};
const STREAM = '/models/gemini-test:streamGenerateContent?alt=sse';

describe('the gateway in front of a server that speaks Gemini', () => {
  it('asks for no other path of it than that of a model', async () => {
    const asked: unknown[] = [];
    const serve: http.RequestListener = ({ url }, response) => {
      asked.push(url);
      response.end('{}');
    };
    await beforeServer(serve, '/v1beta', async (address) => {
      for (const model of ['../../admin', 'a/%2E./admin']) {
        // `fetch` would resolve the dots itself.
        const { port } = new URL(address);
        const path = `/v1beta/models/${model}:generateContent`;
        const request = http.request({ port, path, method: 'POST', headers: { 'x-karl-token': TOKEN } });
        const [response] = (await once(request.end(JSON.stringify(ASK)), 'response')) as [http.IncomingMessage];
        assert.equal(response.resume().statusCode, 404, model);
      }
    });
    assert.deepEqual(asked, []);
  });

  it("asks it in the client's own words with the client's own key, and takes Karl's calls out of the answer", async () => {
    const asked: { readonly url: string; readonly key: unknown; readonly body: Record<string, unknown> }[] = [];
    const serve: http.RequestListener = async (request, response) => {
      const body = await text(request);
      if (!request.url?.includes(':')) return void response.writeHead(404).end('{}');
      asked.push({ url: request.url, key: request.headers['x-goog-api-key'], body: JSON.parse(body) });
      const recall = { functionCall: { name: 'karl_recall', args: { query: 'numbers' } }, thoughtSignature: 'cmVj' };
      const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 3 };
      const parts = asked.length === 1 ? [recall] : [{ text: 'Fine.' }];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of [chunk(parts), { ...chunk([{ text: '' }], { finishReason: 'STOP' }), usageMetadata }])
        response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
      response.end();
    };
    await beforeServer(serve, '/v1beta', async (address) => {
      const headers = { 'x-karl-token': TOKEN, 'x-goog-api-key': 'own-key' };
      const post = (path: string) => fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(ASK) });
      const events = (await eventsOf(await post(`/v1beta${STREAM}`))) as ReturnType<typeof chunk>[];
      const parts = events.map(({ candidates: [candidate] }) => candidate?.content.parts);
      assert.deepEqual(parts, [[{ text: 'Fine.' }], [{ text: '' }]]);
      const [first, second] = asked;
      assert.deepEqual([first?.url, first?.key], [`/v1beta${STREAM}`, 'own-key']);
      const { contents, systemInstruction, tools, generationConfig } = first?.body ?? {};
      assert.deepEqual([contents, systemInstruction], [CONTENTS, ASK.systemInstruction]);
      assert.deepEqual(generationConfig, ASK.generationConfig);
      assert.deepEqual((tools as object[]).slice(0, 2), ASK.tools);
      // The recall, with its signature, and its result follow in the next request.
      const [called, result] =
        (second?.body.contents as { parts: Record<string, object>[] }[] | undefined)?.slice(-2) ?? [];
      assert.deepEqual(called?.parts[0]?.thoughtSignature, 'cmVj');
      assert.deepEqual(Object.keys(result?.parts[0]?.functionResponse ?? {}), ['name', 'response']);
      const whole = (await (
        await post('/v1beta1/publishers/google/models/gemini-test:generateContent')
      ).json()) as object;
      assert.deepEqual((whole as ReturnType<typeof chunk>).candidates[0], {
        content: { role: 'model', parts: [{ text: 'Fine.' }, { text: '' }] },
        index: 0,
        finishReason: 'STOP',
      });
    });
  });
});

describe('the gateway with a client of Gemini in front of a server that speaks chat completions only', () => {
  const opened = useGateway();

  it('answers by translation, and names once what that leaves out', async () => {
    const lost: string[] = [];
    const call = { id: 'call_1', name: 'read', arguments: { path: 'c' } };
    const onLoss = (sentence: string) => void lost.push(sentence);
    await opened.reopen({ respond: () => callsReply([call], { text: 'I read.' }) }, { onLoss });
    for (let round = 0; round < 2; round += 1) {
      const events = (await eventsOf(await opened().post(ASK, STREAM))) as ReturnType<typeof chunk>[];
      const parts = events.flatMap(({ candidates: [candidate] }) => candidate?.content.parts ?? []);
      assert.deepEqual(parts.at(-2), { functionCall: { id: 'call_1', name: 'read', args: { path: 'c' } } });
    }
    const { messages = [], tools, tool_choice, max_tokens } = opened().requests()[0]?.body ?? {};
    const roles = messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'user', 'assistant', 'tool', 'tool', 'user']);
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    assert.deepEqual(tools?.[0], { type: 'function', function: { name: 'read', parameters } });
    assert.deepEqual([tool_choice, max_tokens], ['required', 100]);
    const left = lost.map((sentence) => /no place for (.*): left out/.exec(sentence)?.[1]);
    assert.deepEqual(left, ['the field topK', 'tools of the type googleSearch']);
  });

  it('ends a stream that fails with the body of an error, which is what its library reads', async () => {
    const hasHeaders = Promise.withResolvers<void>();
    await opened.reopen({}, { graceMs: 1 });
    opened().server.enqueue({
      ...errorReply(401, { error: { message: 'wrong key' } }),
      headersAfter: hasHeaders.promise,
    });
    const response = await opened().post(ASK, STREAM);
    hasHeaders.resolve();
    const told = JSON.parse(await response.text());
    assert.deepEqual([told.error.code, told.error.status], [401, 'UNAUTHENTICATED']);
  });

  it('states errors in the form of the API, and counts tokens', async () => {
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await opened().post(body, path, { headers });
      return { status: answer.status, told: (await answer.json()) as { error?: object; totalTokens?: number } };
    };
    opened().server.enqueue(errorReply(429, { error: { message: 'slow down' } }), textReply('never'));
    for (const [path, body, headers, status, name] of [
      [STREAM, ASK, {}, 429, 'RESOURCE_EXHAUSTED'],
      [STREAM, ASK, { 'x-goog-api-key': 'wrong', authorization: '' }, 401, 'UNAUTHENTICATED'],
      [STREAM, { ...ASK, contents: [] }, {}, 400, 'INVALID_ARGUMENT'],
      [STREAM.replace('?alt=sse', ''), ASK, {}, 400, 'INVALID_ARGUMENT'],
    ] as const) {
      const { status: got, told } = await post(path, body, headers);
      assert.equal(got, status);
      assert.equal((told.error as { status: string }).status, name);
    }
    const counted = await post('/models/gemini-test:countTokens', { contents: CONTENTS });
    assert.ok((counted.told.totalTokens ?? 0) > 20);
    const all = await post('/models/gemini-test:countTokens', { generateContentRequest: ASK });
    assert.ok((all.told.totalTokens ?? 0) > (counted.told.totalTokens ?? 0));
  });
});
