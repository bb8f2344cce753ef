import assert from 'node:assert/strict';
import http from 'node:http';
import { mock } from 'node:test';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import type { ChatMessage, ChatTool } from '../../../src/core/chat/wire.ts';
import type { AnswerChunk, ModelDelta } from '../../../src/core/model/modelClient.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useVariables } from '../folder.ts';
import {
  brokenReply,
  chunk,
  errorReply,
  eventsReply,
  eventText,
  overflowReply,
  type ScriptedReply,
  textReply,
} from '../server/reply.ts';
import { type Asked, askAt, KEY, useServer } from './asking.ts';

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const TOOL: ChatTool = {
  type: 'function',
  function: { name: 'read_file', description: 'Reads a file.', parameters },
};

const textOf = (deltas: readonly ModelDelta[]): string =>
  deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');

const JSON_BODY = { contentType: 'application/json' };

describe('OpenAIModelClient', () => {
  const server = useServer();

  afterEach(() => mock.timers.reset());

  const makeClient = () => new OpenAIModelClient({ getKey: async () => KEY });

  async function ask(reply: ScriptedReply | readonly ScriptedReply[], asked: Asked = {}) {
    server().enqueue(...[reply].flat());
    const before = server().requests.length;
    const deltas: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => {
      deltas.push(delta);
      asked.onDelta?.(delta);
    };
    const result = await askAt(server().baseUrl, { ...asked, onDelta });
    return { result, deltas, requests: server().requests.slice(before) };
  }

  async function fail(reply: ScriptedReply | readonly ScriptedReply[], asked: Asked = {}) {
    const { result } = await ask(reply, asked);
    return result.ok ? assert.fail('it answered') : { partial: undefined, ...result.error };
  }

  async function succeed(reply: ScriptedReply | readonly ScriptedReply[], asked: Asked = {}) {
    const done = await ask(reply, asked);
    return { ...done, reply: done.result.ok ? done.result.value : assert.fail(JSON.stringify(done.result)) };
  }

  /** Fails with this evidence; nothing of a reply is kept. */
  const failsWith = async (evidence: RegExp, reply: ScriptedReply, asked?: Asked) => {
    const { error, partial } = await fail(reply, asked);
    assert.match(inEnglish(error.evidence), evidence);
    assert.equal(partial, undefined);
    return error;
  };

  describe('a reply', () => {
    it('streams text and gives message, finish reason and usage', async () => {
      const usage = { prompt_tokens: 5, completion_tokens: 2 };
      const { reply, deltas } = await succeed(textReply('Hello world', { usage }));
      const message = { role: 'assistant', content: 'Hello world' };
      assert.deepEqual(reply, { message, finishReason: 'stop', usage });
      assert.deepEqual([deltas.length, textOf(deltas)], [3, 'Hello world']);
    });

    it('is passed on chunk by chunk, each after the previous one was handled', async () => {
      const reply = textReply('one two three four', { pieces: 6 });
      const chunks: AnswerChunk[] = [];
      let [busy, most] = [0, 0];
      const onChunk = async (chunk: AnswerChunk) => {
        busy += 1;
        most = Math.max(most, busy);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        chunks.push(chunk);
        busy -= 1;
      };
      await succeed(reply, { onChunk });
      assert.equal(most, 1);
      const sent = reply.steps.flatMap((step) => ('event' in step ? [step.event] : []));
      assert.deepEqual(chunks, sent);
    });
  });

  describe('a fault', () => {
    it('an overflow is read with its figures, from status 400 and from whatever servers send with status 200', async () => {
      const message =
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9100 tokens.";
      const figures = { n_prompt_tokens: 9_100, n_ctx: 8_192 };
      const words = 'the request exceeds the available context size, try increasing it';
      const llama = { code: 400, message: words, type: 'exceed_context_size_error', ...figures };
      const told = JSON.stringify({ error: llama });
      const loaded =
        'Trying to keep the first 9100 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.';
      const body = (value: object, end = '', contentType = 'application/json') => {
        return { contentType, steps: [{ raw: JSON.stringify(value) + end }] };
      };
      const event = (start: string, value: object) => ({ steps: [{ raw: `${start}${JSON.stringify(value)}\n\n` }] });
      const replies: Readonly<Record<string, ScriptedReply>> = {
        'OpenAI, 400': overflowReply(9_100, 8_192),
        'a body of status 200': body({ error: { message } }),
        'an event with a code': event('data: ', { error: { message, code: 400 } }),
        'an event named error': event('event: error\ndata: ', { message }),
        'JSON in place of a stream': { steps: [{ raw: JSON.stringify({ error: { message } }) }] },
        'a flat body': errorReply(400, { object: 'error', message, code: 400 }),
        'llama.cpp, a body': body({ error: llama }),
        'llama.cpp, an event': event('data: ', { error: llama }),
        'llama.cpp, a line of its own': event('error: ', llama),
        'Ollama, the error of its runner in a text': body({ error: told }),
        'Ollama, a line of JSON': body({ error: told }, '\n', 'application/x-ndjson'),
        'Ollama, an event with a text': event('data: ', { error: told }),
        'LM Studio, an event named error': event('event: error\ndata: ', { error: { message: loaded } }),
        'LM Studio, an event with a message': event('event: error\ndata: ', { message: loaded }),
        'LM Studio, a text': body({ error: loaded }),
      };
      for (const [where, reply] of Object.entries(replies)) {
        const { kind, actualTokens, limitTokens, evidence } = await failsWith(/./, reply);
        assert.deepEqual([kind, actualTokens, limitTokens], ['overflow', 9_100, 8_192], `${where}: ${evidence}`);
      }
    });

    it('slow chunks are no stall: only silence counts', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const late = [chunk({ content: 'late' }), chunk({}, 'stop')].map(eventText);
      async function* body() {
        for (const piece of [': still working\n\n', ': still working\n\n', ...late]) {
          mock.timers.tick(400);
          yield new TextEncoder().encode(piece);
        }
      }
      const headers = new Headers({ 'content-type': 'text/event-stream' });
      const fetch = async (_address: string, { signal }: { readonly signal?: AbortSignal }) => {
        signal?.addEventListener('abort', () => assert.fail('it was taken for a stall'));
        return { status: 200, headers, body: body() };
      };
      const { reply } = await succeed([], { profile: { timeoutMs: 450 }, options: { fetch } });
      assert.equal(reply.message.content, 'late');
    });

    it('nothing is kept of a call that was cut off', async () => {
      const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"pa' } };
      for (const content of [undefined, ' \n', [{ type: 'text', text: ' ' }]])
        await failsWith(/broke off while the/, { steps: [chunk({ content, tool_calls: [call] }), { cut: true }] });
    });

    it('an end without finish reason is an error, unless the stream says that it is done or its calls are whole', async () => {
      const calling = (text: string) =>
        chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: text } }] });
      const done = { raw: 'data: [DONE]\n\n' };
      for (const steps of [
        [],
        [calling('{"a"')],
        [calling('{"a"'), done],
        [calling('{"a":1}'), { cut: true as const }],
      ]) {
        const { partial } = await fail(brokenReply('half', ...steps));
        assert.equal(partial?.content, 'half');
      }
      const ends = [
        ['stop', [done]],
        ['tool_calls', [calling('{"a":1}')]],
        ['tool_calls', [calling('{"a":1}'), done]],
      ] as const;
      for (const [reason, steps] of ends)
        assert.equal((await succeed([brokenReply('half', ...steps)])).reply.finishReason, reason);
    });

    it('an error that is reported after the end of a reply does not undo it', async () => {
      const failure = { event: { error: { message: 'the log is full', code: 500 } } };
      const said = chunk({ role: 'assistant', content: 'All of it.' });
      const passed: AnswerChunk[] = [];
      const { reply } = await succeed(eventsReply(said, chunk({}, 'stop'), failure), {
        onChunk: async (event) => void passed.push(event),
      });
      assert.deepEqual([reply.message.content, passed.length], ['All of it.', 2]);
    });

    it('a request that cannot be written fails, and nothing is sent', async () => {
      const parameters: Record<string, unknown> = { type: 'object' };
      parameters.properties = { itself: parameters };
      const tool = { type: 'function' as const, function: { name: 'knot', parameters } };
      const { result, requests } = await ask([], { tools: [tool] });
      const evidence = inEnglish(result.ok ? '' : result.error.error.evidence);
      assert.match(evidence, /^The request cannot be written as JSON: .*circular/);
      assert.equal(requests.length, 0);
    });

    it('an empty answer and an empty reply are errors', async () => {
      await failsWith(/empty answer/, { ...JSON_BODY, steps: [] });
      await failsWith(/empty reply/, textReply(''));
      const reasoned = textReply('', { reasoning: 'The user wants', finishReason: 'length' });
      assert.deepEqual((await fail(reasoned)).error.empty, { reasoned: true, ended: 'cut-off' });
      const filtered = textReply('', { finishReason: 'content_filter' });
      assert.deepEqual((await fail(filtered)).error.empty, { reasoned: false, ended: 'filtered' });
    });

    describe('with more values than can be read at once', () => {
      const ones = (count: number): string => '1,'.repeat(count);
      const nested = (count: number): string => `${'{"a":'.repeat(50)}1${'}'.repeat(50)},`.repeat(count / 50);
      const quoted = (count: number): string => `"${'1,\\"{['.repeat(count)}",`;
      const message = (values: string) => `{"content":"hi","x":[${values}1]}`;
      const end = `"finish_reason":"stop"}]}`;
      const whole = (values: string): ScriptedReply => ({
        ...JSON_BODY,
        steps: [{ raw: `{"choices":[{"message":${message(values)},${end}` }],
      });
      const event = (values: string): ScriptedReply => ({
        steps: [{ raw: `data: {"choices":[{"delta":${message(values)},${end}\n\ndata: [DONE]\n\n` }],
      });
      const lines = (values: string): ScriptedReply => event(values.replaceAll(',', ',\ndata: '));
      const options = { limits: { values: 5_000 } };

      for (const reply of [whole, event, lines])
        it(`is stopped before it is parsed: ${reply.name}`, async () => {
          for (const values of [ones(8_000), nested(8_000)])
            await failsWith(/more than 5000 values/, reply(values), { options });
        });

      it('is found after a comment with a quotation mark', () =>
        failsWith(/more than 5000 values/, { steps: [{ raw: ': it"s\n' }, ...event(ones(8_000)).steps] }, { options }));

      it('does not apply to comments, or to a refusal, whose message is needed', async () => {
        const comments = { raw: ': still, here, and, waiting\n'.repeat(8_000) };
        await succeed({ steps: [comments, ...event(ones(10)).steps] }, { options });
        const message = `This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.`;
        const error = { message, code: 'context_length_exceeded', input: new Array(8_000).fill(1) };
        assert.equal((await fail(errorReply(400, { error }), { options })).error.status, 400);
      });

      it('does not count commas in strings, or values of earlier events', async () => {
        await succeed(whole(quoted(8_000)), { options });
        const some = chunk({ x: new Array(1_000).fill(1) });
        const events = [...new Array(9).fill(some), chunk({ content: 'hi' }), chunk({}, 'stop')];
        await succeed(eventsReply(...events), { options });
      });
    });

    it('a redirect is not followed and names where it leads', async () => {
      const reply = { status: 307, headers: { location: 'http://elsewhere.example/v1' }, steps: [] };
      const { retryable } = await failsWith(/redirects to http:\/\/elsewhere\.example/, reply);
      assert.equal(retryable, false);
    });

    it('another protocol is no answer, and ends the request', async () => {
      // On a connection that was used before, the request would be sent once more.
      http.globalAgent.destroy();
      const reply = { status: 101, headers: { connection: 'upgrade', upgrade: 'other' }, steps: [] };
      await failsWith(/No connection to .*: the connection was cut/, reply);
    });

    it('https to a server that speaks http says so', async () => {
      const { error } = await fail([], { profile: { baseUrl: server().baseUrl.replace('http:', 'https:') } });
      assert.match(inEnglish(error.evidence), /does not speak TLS/);
      assert.equal(error.retryable, false);
    });

    it('a server that is not there is named', async () => {
      const { error } = await fail([], { profile: { baseUrl: 'http://127.0.0.1:2/v1' } });
      assert.match(inEnglish(error.evidence), /No connection to http:\/\/127\.0\.0\.1:2: .*refused/);
    });
  });

  describe('cancelling', () => {
    it('before anything is sent sends nothing', async () => {
      const before = server().requests.length;
      const { result } = await ask([], { signal: AbortSignal.abort() });
      assert.equal(!result.ok && result.error.error.kind, 'cancelled');
      assert.equal(server().requests.length, before);
    });

    it('while the headers are awaited ends at once and closes the socket', async () => {
      const controller = new AbortController();
      const count = server().requests.length + 1;
      const asked = ask({ neverAnswer: true, steps: [] }, { signal: controller.signal });
      await server().received(count);
      controller.abort();
      const { result, requests } = await asked;
      assert.equal(!result.ok && result.error.error.kind, 'cancelled');
      await requests[0]?.clientLeft;
    });

    it('ends at once while a key is asked for', async () => {
      const controller = new AbortController();
      const asked = ask([], { signal: controller.signal, options: { getKey: () => new Promise(() => undefined) } });
      controller.abort();
      const { result } = await asked;
      assert.equal(!result.ok && result.error.error.kind, 'cancelled');
    });
  });

  describe('a request', () => {
    useVariables(() => ({ OPENAI_ORG_ID: 'org-of-another-provider' }));

    it('carries the extras of the profile, streams, and asks for usage', async () => {
      const { requests } = await succeed(textReply('ok'), {
        profile: { extra: { num_ctx: 4096, temperature: 0.1 } },
        tools: [TOOL],
        maxTokens: 99,
      });
      const body = requests[0]?.body;
      assert.deepEqual(
        [body?.num_ctx, body?.temperature, body?.stream, body?.stream_options, body?.max_tokens, body?.model],
        [4096, 0.1, true, { include_usage: true }, 99, 'scripted'],
      );
      assert.deepEqual(body?.tools, [TOOL]);
      assert.equal(requests[0]?.path, '/v1/chat/completions');
    });

    it('gives the key of the origin, and no header of the machine or the environment', async () => {
      const origins: string[] = [];
      const getKey = async (origin: string) => {
        origins.push(origin);
        return `${KEY}\n`;
      };
      const { requests } = await succeed(textReply('ok'), { options: { getKey } });
      assert.deepEqual(origins, [server().origin]);
      const headers = requests[0]?.headers ?? {};
      assert.equal(headers.authorization, `Bearer ${KEY}`);
      const sent = 'accept authorization connection content-length content-type host user-agent';
      assert.equal(Object.keys(headers).sort().join(' '), sent);
    });

    it('needs no key for a local server', async () => {
      const { requests } = await succeed(textReply('ok'), { options: { getKey: async () => undefined } });
      assert.equal(requests[0]?.headers.authorization, undefined);
    });

    it("leaves Karl's own marks out and makes unreadable arguments of earlier calls harmless", async () => {
      const calls = [{ id: 'c', type: 'function', extra: 1, function: { name: 'read_file', arguments: '{"path": ' } }];
      const messages: ChatMessage[] = [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'half', karl_interrupted: true, reasoning_content: 'kept' },
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'c', content: 'Error' },
      ];
      const { requests } = await succeed(textReply('ok'), { messages });
      const [, marked, called] = requests[0]?.body.messages ?? [];
      assert.deepEqual(marked, { role: 'assistant', content: 'half', reasoning_content: 'kept' });
      const safe = { name: 'read_file', arguments: '{"malformed":"{\\"path\\": "}' };
      assert.deepEqual(called?.tool_calls, [{ ...calls[0], function: safe }]);
      assert.equal(messages[1]?.karl_interrupted, true, 'the transcript is not changed');
    });

    it('is sent once more without stream_options when a server refuses them, which is remembered', async () => {
      const client = makeClient();
      const refusal = errorReply(400, { error: { message: 'Unrecognized request argument supplied: stream_options' } });
      const first = await succeed([refusal, textReply('ok')], { client });
      const second = await succeed(textReply('ok'), { client });
      const asked = [...first.requests, ...second.requests].map(({ body }) => 'stream_options' in body);
      assert.deepEqual(asked, [true, false, false]);
      const again = errorReply(400, { error: { message: 'stream_options again' } });
      assert.equal((await fail(again, { client })).error.kind, 'other');
    });

    it('uses max_completion_tokens if max_tokens is refused, and drops a refused reasoning field', async () => {
      const refusal = errorReply(400, {
        error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." },
      });
      const renamed = await succeed([refusal, textReply('ok')], { maxTokens: 50 });
      assert.deepEqual(
        [renamed.requests[1]?.body.max_completion_tokens, renamed.requests[1]?.body.max_tokens],
        [50, undefined],
      );
      const messages: ChatMessage[] = [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', reasoning_content: 'c' },
        { role: 'user', content: 'd' },
      ];
      const loc = ['body', 'messages', 1, 'assistant', 'reasoning_content'];
      const detail = [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }];
      const forbidden = errorReply(422, { detail });
      const dropped = await succeed([forbidden, textReply('ok')], { messages });
      assert.deepEqual(dropped.requests[1]?.body.messages?.[1], { role: 'assistant', content: 'b' });
    });

    it('is sent once more in the form that a server demands, which is remembered', async () => {
      const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
      const messages: ChatMessage[] = [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'c', content: 'd' },
      ];
      const client = makeClient();
      const refusals = [
        errorReply(500, { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } }),
        errorReply(400, { error: { message: 'messages.1.content: expected a string, got null' } }),
        errorReply(400, { error: { message: "'tool_choice' is only allowed when 'tools' are specified." } }),
      ];
      const asked = { client, messages, fields: { tool_choice: 'auto' } };
      const { requests } = await succeed([...refusals, textReply('ok')], asked);
      assert.equal('tool_choice' in (requests.at(-1)?.body ?? {}), false);
      const again = await succeed(textReply('ok'), asked);
      const last = [...requests.slice(-1), ...again.requests];
      const contents = last.map(({ body }) => body.messages?.map(({ content }) => content));
      assert.deepEqual(contents, [
        ['a\n\nb', '', 'd'],
        ['a\n\nb', '', 'd'],
      ]);
    });

    it('is not sent when the base URL is empty, no URL, or has credentials, which are not repeated', async () => {
      for (const [baseUrl, pattern] of [
        ['', /karl\.baseUrl is empty/],
        ['not a url', /karl\.baseUrl is not an http/],
        ['file:///etc/passwd', /karl\.baseUrl is not an http/],
        ['http://user:hunter2@host/v1', /karl\.baseUrl contains a user name, a password or a key/],
        ['http://host/v1?key=hunter2', /karl\.baseUrl contains a user name, a password or a key/],
        ['user:hunter2@host', /karl\.baseUrl/],
      ] as const) {
        const before = server().requests.length;
        const { error } = await fail([], { profile: { baseUrl } });
        assert.match(inEnglish(error.evidence), pattern);
        assert.ok(!inEnglish(error.evidence).includes('hunter2'));
        assert.equal(server().requests.length, before);
      }
    });
  });
});
