import assert from 'node:assert/strict';
import type http from 'node:http';
import { text } from 'node:stream/consumers';
import { type EventStep, eventsReply, jsonReply, textReply } from '../server/reply.ts';
import { beforeServer, eventsOf, TOKEN, useGateway } from './openGateway.ts';

const MESSAGES = [{ role: 'user', content: 'hello' }];
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } };
const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15, cost: 0.25 };

/** A chunk with fields that Karl has never heard of. */
function oddChunk(delta: object, choice: object = {}, chunk: object = {}): EventStep {
  const fields = {
    id: 'chatcmpl-7',
    object: 'chat.completion.chunk',
    created: 7,
    model: 'odd',
    system_fingerprint: 'fp',
  };
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }];
  return { event: { ...fields, provider: { name: 'odd', hops: [1, 2] }, choices, ...chunk } };
}

const ODD: readonly EventStep[] = [
  oddChunk({ role: 'assistant', content: '', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }),
  oddChunk({ content: 'hel' }, { logprobs: { content: [{ token: 'hel', logprob: -0.1, bytes: [104, 101, 108] }] } }),
  oddChunk({ content: 'lo', annotations: [{ type: 'url_citation' }] }),
  oddChunk({}, { finish_reason: 'stop', native_finish_reason: 'STOP' }, { service_tier: 'flex' }),
];

const SAID = { role: 'assistant', content: 'hello', refusal: null, annotations: [], reasoning_content: 'hm' };
const WHOLE = {
  ...{ id: 'chatcmpl-9', object: 'chat.completion', created: 9, model: 'odd-2026' },
  ...{ system_fingerprint: 'fp_9', service_tier: 'default' },
  choices: [{ index: 0, message: SAID, logprobs: { content: [] }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6, cost: 0.1 },
};

const whole = jsonReply(WHOLE);

describe('what passes through the gateway', () => {
  const opened = useGateway();
  const post = (change: object) => opened().post({ model: 'odd', messages: MESSAGES, ...change });

  it('is every field of a request, known or not', async () => {
    await opened.reopen({}, { key: 'sk-upstream-secret' });
    const messages = [
      { role: 'system', content: 'Be brief.', cache_control: { type: 'ephemeral' } },
      { role: 'user', content: [{ type: 'text', text: 'what is this?' }, IMAGE], name: 'anna' },
    ];
    const odd = {
      temperature: 0.3,
      top_p: 0.9,
      max_tokens: 100,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      tool_choice: 'auto',
      parallel_tool_calls: false,
      logit_bias: { 42: -100 },
      provider: { order: ['a'], allow_fallbacks: false },
      x_never_heard_of: [{ deep: [1, null, 'two'] }],
    };
    const tools = [
      { type: 'function', function: { name: 'look', strict: true, parameters: { type: 'object', properties: {} } } },
      { type: 'custom', custom: { name: 'shell', format: { type: 'text' } } },
    ];
    const response = await post({ model: 'scripted', messages, tools, stream: true, ...odd });
    assert.equal(response.status, 200, await response.text());
    const [sent] = opened().requests();
    assert.deepEqual(sent?.body.messages, messages);
    assert.deepEqual(sent?.body.tools?.slice(0, 2), tools);
    for (const [field, value] of Object.entries(odd)) assert.deepEqual(sent?.body[field], value, field);
    assert.equal(sent?.body.stream, true);
    assert.equal(sent?.headers.authorization, 'Bearer sk-upstream-secret');
    assert.ok(!JSON.stringify(sent).includes(TOKEN));
  });

  it('is each message in the bytes of the client, except what repeats a name: of that only what Karl read', async () => {
    const bodies: string[] = [];
    const serve: http.RequestListener = async (request, response) => {
      if (request.method === 'POST') bodies.push(await text(request));
      response.writeHead(request.method === 'POST' ? 200 : 404).end(JSON.stringify(WHOLE));
    };
    const plain = '{ "role":"user", "content":"\\u0041 \\"content\\": 1" }';
    const asked = [
      plain,
      '{"role":"user","content":"UNREAD","content":"read"}',
      '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"UNREAD","\\u0061rguments":"{}"}}]}',
      '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"UNREAD","text":"read"}]}',
      plain,
    ];
    const fields = '"extra":{"a":"UNREAD","a":1},"model":"UNREAD","model":"odd"';
    const tools = '[{"type":"function","function":{"name":"f","description":"UNREAD","description":"read"}}]';
    const body = (messages: readonly string[]) =>
      `{"messages":[{"role":"user","content":"UNREAD"}],"tools":${tools},${fields},"m\\u0065ssages":[${messages}]}`;
    await beforeServer(serve, '/v1', async (address) => {
      // The second time, all but the last message is known.
      for (const messages of [asked, [...asked, asked[1] ?? '']]) {
        const init = { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` }, body: body(messages) };
        const response = await fetch(`${address}/v1/chat/completions`, init);
        assert.equal(response.status, 200, await response.text());
        const sent = bodies.at(-1) ?? '';
        assert.doesNotMatch(sent, /UNREAD/);
        assert.equal(sent.split(plain).length, 3);
        const { messages: read, extra } = JSON.parse(sent);
        assert.deepEqual([read, extra], [messages.map((message) => JSON.parse(message)), { a: 1 }]);
      }
    });
  });

  it('is every chunk of a stream, as the server sent it', async () => {
    opened().server.enqueue(eventsReply(...ODD));
    const response = await post({ stream: true });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.deepEqual(await eventsOf(response), [...ODD.map(({ event }) => event), '[DONE]']);
  });

  it('is the usage at the end of a stream, when the client asked for it', async () => {
    opened().server.enqueue(textReply('hi', { usage: USAGE }), textReply('hi', { usage: USAGE }));
    const usages = async (options: object) => {
      const events = await eventsOf(await post({ stream: true, ...options }));
      return events.filter((event) => JSON.stringify(event).includes('"usage"'));
    };
    const stated = [{ object: 'chat.completion.chunk', choices: [], usage: USAGE }];
    assert.deepEqual(await usages({ stream_options: { include_usage: true } }), stated);
    assert.deepEqual(await usages({}), []);
    // Karl's own count needs it either way.
    assert.deepEqual(opened().requests()[1]?.body.stream_options, { include_usage: true });
  });

  it('is a whole answer, as the server gave it', async () => {
    opened().server.enqueue(whole);
    const response = await post({});
    assert.deepEqual(await response.json(), WHOLE);
    assert.equal(opened().requests()[0]?.body.stream, false);
    assert.equal(opened().requests()[0]?.body.stream_options, undefined);
  });

  it('is a stream made of a whole answer, and a whole answer made of a stream, where the server does the other', async () => {
    opened().server.enqueue(whole, textReply('all of it', { usage: USAGE }));
    const events = await eventsOf(await post({ stream: true }));
    const [chunk, end] = events as [typeof WHOLE & { choices: [{ delta: { content: string } }] }, string];
    assert.equal(chunk.object, 'chat.completion.chunk');
    assert.equal(chunk.choices[0].delta.content, 'hello');
    assert.equal(end, '[DONE]');
    const answer = (await (await post({})).json()) as typeof WHOLE;
    assert.equal(answer.object, 'chat.completion');
    assert.equal(answer.choices[0]?.message.content, 'all of it');
    assert.deepEqual(answer.usage, USAGE);
  });

  it('is what each chunk adds, from a server that calls a chunk an answer or repeats with each what was said', async () => {
    const chunks = ['hello', ' you'].map((content, index) => {
      const message = { role: 'assistant', content: index === 0 ? 'hello' : 'hello you' };
      return oddChunk({ content }, { message, finish_reason: index === 0 ? null : 'stop' }, { object: WHOLE.object });
    });
    opened().server.enqueue(eventsReply(...chunks), eventsReply(...chunks));
    assert.deepEqual(await eventsOf(await post({ stream: true })), [...chunks.map(({ event }) => event), '[DONE]']);
    const { choices } = (await (await post({})).json()) as typeof WHOLE;
    assert.equal(choices[0]?.message.content, 'hello you');
  });

  it('are several whole answers in any order, and no event that says nothing', async () => {
    const [first] = WHOLE.choices;
    const other = { ...first, index: 1, message: { ...SAID, content: 'other' } };
    const several = { ...WHOLE, choices: [other, first] };
    opened().server.enqueue(jsonReply(several), { steps: [{ raw: 'data: null\n\ndata: 5\n\n' }, ...ODD] });
    assert.deepEqual(await (await post({ n: 2 })).json(), several);
    assert.equal((await eventsOf(await post({ stream: true }))).length, ODD.length + 1);
  });

  for (const finish_reason of ['length', 'content_filter'])
    it(`is an empty answer that says why it is empty: ${finish_reason}`, async () => {
      const message = { role: 'assistant', content: null, reasoning_content: 'Let me see' };
      const empty = { ...WHOLE, choices: [{ ...WHOLE.choices[0], message, finish_reason }] };
      const reply = jsonReply(empty);
      opened().server.enqueue(reply, reply);
      const response = await post({});
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), empty);
      const next = [...MESSAGES, { role: 'assistant', content: '' }, { role: 'user', content: 'Go on.' }];
      const events = await eventsOf(await post({ messages: next, stream: true }));
      assert.equal(events.at(-1), '[DONE]');
      assert.ok(JSON.stringify(events[0]).includes(finish_reason));
    });

  it('are several answers to one request', async () => {
    const chunks = [0, 1].map((index) => oddChunk({ content: `answer ${index}` }, { index }));
    const ends = [0, 1].map((index) => oddChunk({}, { index, finish_reason: 'stop' }));
    opened().server.enqueue(eventsReply(...chunks, ...ends));
    const events = await eventsOf(await post({ stream: true, n: 2 }));
    assert.deepEqual(events, [...[...chunks, ...ends].map(({ event }) => event), '[DONE]']);
    assert.equal(opened().requests()[0]?.body.tools, undefined);
  });

  it('is an error where the list of models could not be written', async () => {
    const page = `{"data":[{"id":${'['.repeat(9_000)}${']'.repeat(9_000)}},{"id":"a"},null]}`;
    await opened.reopen({ pages: { '/v1/models': page } });
    const response = await opened().ask('/models');
    assert.deepEqual([response.status, /nested more than 100 levels/.test(await response.text())], [502, true]);
    assert.deepEqual(await (await opened().ask('/models/a')).json(), { id: 'a' });
  });

  it('is the list of models, and one of them', async () => {
    const models = {
      object: 'list',
      data: [{ id: 'vendor/odd:8b', object: 'model', context_length: 8192, odd: true }],
    };
    await opened.reopen({ pages: { '/v1/models': models } });
    assert.deepEqual(await (await opened().ask('/models')).json(), models);
    for (const name of ['vendor%2Fodd%3A8b', 'vendor%2Fodd:8b', 'vendor/odd:8b'])
      assert.deepEqual(await (await opened().ask(`/models/${name}`)).json(), models.data[0]);
    assert.equal((await opened().ask('/models/nobody')).status, 404);
    assert.equal((await opened().ask('/models/100%')).status, 404);
  });

  it('is marked in a header: nothing was done', async () => {
    const response = await post({});
    assert.match(response.headers.get('x-karl') ?? '', /^passed; used=\d+; window=unknown; accepted=\d+; thread=\w+$/);
    await response.text();
  });
});
