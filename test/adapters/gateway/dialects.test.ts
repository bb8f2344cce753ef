import assert from 'node:assert/strict';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { agentOf } from '../../../src/adapters/gateway/dialects/dialect.ts';
import { MessageReading } from '../../../src/adapters/gateway/dialects/messages/answer.ts';
import { type Block, blocksOf, TranslatedMessages } from '../../../src/adapters/gateway/dialects/messages/blocks.ts';
import { OwnServers } from '../../../src/adapters/gateway/dialects/ownServers.ts';
import { ItemReading } from '../../../src/adapters/gateway/dialects/responses/answer.ts';
import { TranslatedItems } from '../../../src/adapters/gateway/dialects/responses/items.ts';
import { Exchange } from '../../../src/adapters/openai/exchange.ts';
import { readAnswer } from '../../../src/adapters/openai/readAnswer.ts';
import { err, ok } from '../../../src/core/result.ts';
import { brokenReply, callsReply } from '../server/reply.ts';
import { beforeServer, cutView, listen, TOKEN, useGateway } from './openGateway.ts';

const TURN = [
  { role: 'user', content: [{ type: 'text', text: 'Read both.', cache_control: { type: 'ephemeral' } }] },
  { role: 'system', content: 'Agents: none.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' }, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { path: 'b' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A'.repeat(100), is_error: false },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'B' }] },
      { type: 'text', text: 'Go on.' },
    ],
  },
];

describe("messages of Anthropic's API", () => {
  it("are the client's own objects where all of one is kept", () => {
    const request = new TranslatedMessages('You help.', TURN);
    const roles = request.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'system', 'assistant', 'tool', 'tool', 'user']);
    const sent = request.fromChat(request.messages);
    assert.equal(sent.length, TURN.length);
    for (const [index, message] of sent.entries()) assert.equal(message, TURN[index]);
  });

  it('keep results in the message after their calls, and thoughts before a call that was changed', () => {
    const request = new TranslatedMessages('You help.', TURN);
    const [, , assistant, user, ...rest] = request.fromChat(cutView(request.messages));
    assert.deepEqual(rest, []);
    const blocks = assistant?.content as readonly Block[];
    assert.deepEqual(blocks[0], { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' });
    assert.deepEqual(blocks[1]?.input, { path: '…' });
    assert.equal(blocks[2], blocksOf(TURN[2]?.content)[2]);
    const results = user?.content as readonly Block[];
    const types = results.map(({ type }) => type);
    assert.deepEqual(types, ['tool_result', 'tool_result', 'text']);
    const content = [{ type: 'text', text: '…' }];
    assert.deepEqual(results[0], { type: 'tool_result', tool_use_id: 'toolu_1', content, is_error: false });
  });
});

describe('items of the Responses API', () => {
  const ITEMS = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You help.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read it.' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'I do.' }],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'exec', arguments: '{"cmd":"cat a"}' },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'apply_patch', input: '*** Begin' },
    { type: 'function_call_output', call_id: 'call_1', output: 'A'.repeat(100) },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done.' },
  ];

  it("are the client's own where a message is kept, and keep their kind where a result is shortened", () => {
    const request = new TranslatedItems(undefined, ITEMS);
    for (const [index, item] of request.toItems(request.messages).entries()) assert.equal(item, ITEMS[index]);
    const view = request.messages.map((one) => (one.tool_call_id === 'call_2' ? { ...one, content: '…' } : one));
    const changed = request.toItems(view);
    assert.equal(changed[6], ITEMS[6]);
    assert.deepEqual(changed[7], { type: 'custom_tool_call_output', call_id: 'call_2', output: '…' });
  });

  it('keep calls that were made at once in one message, whatever the model thought between them', () => {
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'exec', arguments: '{}' });
    const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: id });
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'ZW5j' };
    const request = new TranslatedItems(undefined, [call('a'), reasoning, call('b'), output('a'), output('b')]);
    const shapes = request.messages.map(({ role, tool_calls = [], tool_call_id }) =>
      [role, tool_call_id ?? tool_calls.length].join(' '),
    );
    assert.deepEqual(shapes, ['assistant 2', 'tool a', 'tool b']);
  });
});

/** A server that speaks Messages only; its first answer calls `karl_recall`, the next ones end. */
function makeMessagesServer() {
  const bodies: Record<string, unknown>[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const serve: http.RequestListener = async (request, response) => {
    const body = await text(request);
    if (!request.url?.startsWith('/v1/messages')) return void response.writeHead(404).end('{}');
    bodies.push(JSON.parse(body));
    headers.push(request.headers);
    const message = { id: `msg_${bodies.length}`, role: 'assistant', content: [], usage: { input_tokens: 9 } };
    const [content_block, delta, stop_reason] =
      bodies.length === 1
        ? [
            { type: 'tool_use', id: 'toolu_r', name: 'karl_recall', input: {} },
            { type: 'input_json_delta', partial_json: '{"query":"numbers"}' },
            'tool_use',
          ]
        : [{ type: 'text', text: '' }, { type: 'text_delta', text: 'Fine.' }, 'end_turn'];
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  };
  return { serve, bodies, headers };
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const ASK = {
  model: 'claude-test',
  max_tokens: 100,
  system: [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }],
  messages: TURN,
  tools: [{ name: 'Read', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }],
  metadata: { user_id: 'u' },
};

describe('the gateway in front of a server that speaks Messages', () => {
  it("asks it in the client's own words with the client's own key, and takes Karl's calls out of the answer", async () => {
    const { serve, bodies, headers } = makeMessagesServer();
    await beforeServer(serve, '/v1', async (address) => {
      const ask = async (stream: boolean) =>
        fetch(`${address}/v1/messages?beta=true`, {
          method: 'POST',
          headers: { 'x-karl-token': TOKEN, 'x-api-key': 'sk-own', 'anthropic-beta': 'one,two' },
          body: JSON.stringify({ ...ASK, stream }),
        });
      const streamed = await (await ask(true)).text();
      assert.doesNotMatch(streamed, /karl_recall/);
      assert.equal(
        streamed.match(/(?<=^event: )\w+/gm)?.join(' '),
        'message_start content_block_start content_block_delta content_block_stop message_delta message_stop',
      );
      const { messages, system, metadata, tools } = bodies[0] ?? {};
      assert.deepEqual([messages, system, metadata, lengthOf(tools)], [TURN, ASK.system, ASK.metadata, 2]);
      const told = ['x-api-key', 'anthropic-beta', 'x-karl-token'].map((name) => headers[0]?.[name]);
      assert.deepEqual(told, ['sk-own', 'one,two', undefined]);
      // The recall and its result follow in the next request.
      assert.equal(lengthOf(bodies[1]?.messages), TURN.length + 2);
      const whole = (await (await ask(false)).json()) as { content: unknown; stop_reason: string };
      assert.deepEqual(whole.content, [{ type: 'text', text: 'Fine.' }]);
      assert.equal(whole.stop_reason, 'end_turn');
    });
  });
});

describe('an answer of which the client has a citation, a piece of a call, or anything unknown', () => {
  it('has begun: the model is not asked again', () => {
    const reading = new MessageReading();
    reading.take({ type: 'content_block_start', content_block: { type: 'text', text: '' } });
    for (const type of ['citations_delta', 'unknown_delta'])
      assert.equal(reading.take({ type: 'content_block_delta', delta: { type } }).length, 1);
    for (const type of ['response.output_item.added', 'response.function_call_arguments.delta'])
      assert.equal(new ItemReading().take({ type, output_index: 0 }).length, 1);
  });
});

describe('the answer of a server that speaks Messages', () => {
  for (const index of [0, -1, 0.5, 4_000_000_000, { toString: 1 }])
    it(`is read whatever the number of a block and the depth of an input: ${JSON.stringify(index)}`, () => {
      const reading = new MessageReading();
      const partial_json = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
      reading.take({ type: 'content_block_start', index, content_block: { type: 'tool_use', id: 'a', name: 'f' } });
      reading.take({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } });
      reading.take({ type: 'message_stop' });
      const read = reading.result();
      assert.ok(read?.ok);
      assert.equal(read.value.message.tool_calls?.[0]?.function.arguments, JSON.stringify({ malformed: partial_json }));
    });
});

describe("an error of a server of the client's own API", () => {
  it("does not repeat the user's key", async () => {
    const secret = 'sk-secret-123456';
    const server = http.createServer((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { message: `invalid x-api-key: ${secret}` } }));
    });
    const address = `${await listen(server)}/v1/messages`;
    const call = { address, headers: { 'x-api-key': secret }, body: [], timeoutMs: 5_000 };
    const reading = { take: () => [], isFinished: false, result: () => undefined };
    const exchange = new Exchange({ ...call, signal: new AbortController().signal });
    const answered = await readAnswer(exchange, reading, () => undefined, undefined);
    server.close();
    assert.match(JSON.stringify(answered), /invalid x-api-key/);
    assert.ok(!JSON.stringify(answered).includes(secret));
  });
});

describe('the name of an agent', () => {
  for (const [headers, name] of [
    [{ 'user-agent': 'claude-cli/2.1.197 (external, sdk-cli)' }, 'Claude Code'],
    [{ 'user-agent': 'codex_exec/0.171.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.171.0)' }, 'Codex'],
    [{ 'user-agent': 'OpenAI/JS 5.0', 'x-title': 'Cline' }, 'Cline'],
    [{ 'user-agent': 'mine/1.0' }, 'mine'],
    [{}, ''],
  ] as const)
    it(`is "${name}" for ${JSON.stringify(headers)}`, () => assert.equal(agentOf(headers), name));
});

describe('which API a server speaks', () => {
  const failed = (status: number) =>
    err({ error: { kind: 'other', retryable: false, evidence: `status ${status}`, status } } as const);
  const reply = ok({ message: { role: 'assistant', content: 'Fine.' }, finishReason: 'stop' } as const);
  const place = { dialect: 'messages', baseUrl: 'http://127.0.0.1:9/v1' } as const;

  it('is found out by an answer, not by what failed: a model may be unknown, or a key wrong', async () => {
    const servers = new OwnServers({ getKey: async () => undefined });
    let asked = 0;
    const own = (answer: ReturnType<typeof failed> | typeof reply) => async () => {
      asked += 1;
      return answer;
    };
    assert.deepEqual(await servers.ask(place, own(failed(404)), async () => failed(404)), failed(404));
    assert.deepEqual(await servers.ask(place, own(failed(404)), async () => failed(401)), failed(401));
    assert.deepEqual(await servers.ask(place, own(reply), async () => failed(500)), reply);
    assert.equal(asked, 3);
  });

  it('is remembered once a translated request was answered', async () => {
    const servers = new OwnServers({ getKey: async () => undefined });
    const translated = async () => reply;
    for (const own of [async () => failed(404), () => assert.fail('asked again')])
      assert.deepEqual(await servers.ask(place, own, translated), reply);
  });
});

describe('the gateway in front of a server that speaks chat completions only', () => {
  const opened = useGateway();

  it('gives a client no call with incomplete arguments', async () => {
    const cut = { id: 'call_1', name: 'Bash', arguments: '{"command":"rm -rf /tmp/a' };
    opened().server.enqueue(callsReply([cut]));
    const { content } = (await (await opened().post(ASK, '/messages')).json()) as { content: Block[] };
    assert.deepEqual(content[0]?.input, { malformed: cut.arguments });
  });

  it('answers Messages and Responses by translation, and names once what that leaves out', async () => {
    const call = { id: 'call_1', name: 'Read', arguments: { path: 'a' } };
    const lost: string[] = [];
    const onLoss = (sentence: string) => void lost.push(sentence);
    await opened.reopen({ respond: () => callsReply([call]) }, { onLoss });
    const document = { type: 'document', source: { type: 'text', data: 'Terms' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Sum it up.' }, document] }, ...TURN.slice(2)];
    const search = { type: 'web_search_20250305', name: 'web_search' };
    for (const thinking of [undefined, { type: 'enabled', budget_tokens: 1_024 }]) {
      const asked = await opened().post({ ...ASK, messages, tools: [...ASK.tools, search], thinking }, '/messages');
      const message = (await asked.json()) as { content: Block[]; stop_reason: string };
      assert.deepEqual(message.content, [{ type: 'tool_use', id: 'call_1', name: 'Read', input: { path: 'a' } }]);
      assert.equal(message.stop_reason, 'tool_use');
    }
    const input = [{ type: 'message', role: 'user', content: 'Read it.' }];
    const tools = [
      { type: 'function', name: 'Read', parameters: {} },
      { type: 'namespace', name: 'web' },
    ];
    const tool_choice = { type: 'function', name: 'Read' };
    const answered = await opened().post({ model: 'm', input, tools, tool_choice, stream: true }, '/responses');
    const events = (await answered.text()).match(/^event: \S+/gm) ?? [];
    assert.equal(events[0], 'event: response.created');
    assert.equal(events.at(-1), 'event: response.completed');
    const sent = opened()
      .requests()
      .map(({ body }) => body);
    assert.deepEqual(sent.at(-1)?.tool_choice, { type: 'function', function: { name: 'Read' } });
    const said = sent[0]?.messages?.map(({ role, content }) => [role, content]);
    assert.deepEqual(said, [
      ['system', 'You help.'],
      ['user', 'Sum it up.'],
      ['assistant', null],
      ['tool', 'A'.repeat(100)],
      ['tool', 'B'],
      ['user', 'Go on.'],
    ]);
    assert.ok(sent.every((body) => (body.tools ?? []).every((tool) => (tool as Block).type === 'function')));
    const left = lost.map((sentence) => /no place for (.*): left out/.exec(sentence)?.[1]);
    assert.deepEqual(left, [
      'tools of the type web_search_20250305',
      'content of the type document',
      'the field thinking',
      'tools of the type namespace',
    ]);
  });

  it("passes a call's arguments on as the model wrote them, and refuses what only its own server knows", async () => {
    const args = '{"id": 1234567890123456789}';
    await opened.reopen({ respond: () => callsReply([{ name: 'Read', arguments: args }]) });
    const told = await (await opened().post({ ...ASK, stream: true }, '/messages')).text();
    assert.ok(told.includes(JSON.stringify(args)), told);
    for (const field of ['conversation', 'previous_response_id'])
      assert.equal((await opened().post({ model: 'm', input: 'Go on.', [field]: 'x' }, '/responses')).status, 400);
  });

  it('ends a stream that was cut in the middle of an event with an error of each API, and not as an answer', async () => {
    const halfAnEvent = { raw: 'data: {"id":"c1","choices":[{"index":0,"delta":{"content":"la' };
    for (const [path, body, error, end] of [
      ['/messages', { ...ASK, stream: true }, /^event: error$/m, /^event: message_stop$/m],
      [
        '/responses',
        { model: 'm', input: 'Go on.', stream: true },
        /^event: (?:error|response\.failed)$/m,
        /^event: response\.completed$/m,
      ],
    ] as const) {
      opened().server.enqueue(brokenReply('half of it', halfAnEvent, { cut: true }));
      const told = await (await opened().post(body, path)).text();
      assert.match(told, error, told);
      assert.doesNotMatch(told, end);
    }
  });

  it('offers the tools of each API, whatever was asked with the same bytes in another', async () => {
    const body = { ...ASK, messages: [{ role: 'user', content: 'Go on.' }] };
    for (const path of ['/chat/completions', '/messages']) await opened().post(body, path);
    const [, asked] = opened().requests();
    assert.deepEqual(asked?.body.tools?.[0], {
      type: 'function',
      function: { name: 'Read', parameters: { type: 'object' } },
    });
  });

  it('passes 30 MB of images on', async () => {
    const data = 'iVBORw0KGgo'.padEnd(10_000_000, 'A');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const content = [{ type: 'text', text: 'What is it?' }, image, image, image];
    const answered = await opened().post({ ...ASK, messages: [{ role: 'user', content }] }, '/messages');
    assert.equal(answered.status, 200, await answered.text());
    const [sent] = opened().requests();
    assert.ok(JSON.stringify(sent?.body.messages).length > 30_000_000);
  });

  it('states errors in the form of each API, counts tokens, and refuses a wrong key and a long name', async () => {
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await opened().post(body, path, { headers });
      return { status: answer.status, told: (await answer.json()) as Record<string, unknown> };
    };
    const wrong = await post('/messages', ASK, { 'x-api-key': 'wrong' });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.told.type, 'error');
    assert.equal((wrong.told.error as Block).type, 'authentication_error');
    assert.equal((await post('/messages', { ...ASK, messages: 1 })).status, 400);
    assert.equal((await post('/responses', { model: 'm', input: [], tools: [] })).status, 400);
    assert.equal((await post('/messages', { ...ASK, model: 'm'.repeat(300) })).status, 400);
    const counted = await post('/messages/count_tokens', { model: 'm', messages: TURN });
    assert.ok(Number(counted.told.input_tokens) > 20);
  });
});
