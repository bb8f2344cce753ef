import assert from 'node:assert/strict';
import { PassedReply } from '../../../src/adapters/openai/readAnswer.ts';
import { ReplyReader } from '../../../src/adapters/openai/replyReader.ts';
import type { ModelDelta, ModelRequest } from '../../../src/core/model/modelClient.ts';
import { EDITOR_MODELS } from '../../../src/core/model/providers.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import {
  type AskEditorModel,
  createEditorModelClient,
  type EditorChunk,
  type EditorRequest,
} from '../../../src/host/editorModels/editorModelClient.ts';
import { describeFault, SELECT_MODEL, SELECT_SERVER } from '../../../src/host/notices/describeModelError.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { inEnglish } from '../../../src/language/language.ts';

const TOOL = { type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: {} } } as const;

const profile = resolveProfile({ model: 'copilot/gpt-4.1', baseUrl: EDITOR_MODELS }).profile;

const request: ModelRequest = {
  profile: { ...profile, extra: { temperature: 0.2 } },
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [TOOL],
};

/** What VS Code throws: its errors are no more than this, seen from outside. */
function refusal(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

async function* parts(...all: readonly (EditorChunk | Error)[]): AsyncIterable<EditorChunk> {
  for (const part of all) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

const SILENCE: AsyncIterable<EditorChunk> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
};

async function complete(
  ask: AskEditorModel,
  change: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
) {
  const deltas: ModelDelta[] = [];
  const client = createEditorModelClient(ask, async (asked, told) => new PassedReply(new ReplyReader(asked), told));
  const result = await client.complete({ ...request, ...change }, (delta) => deltas.push(delta), signal);
  return { result, deltas };
}

const failureOf = async (thrown: Error) => {
  const { result } = await complete(async () => parts(thrown));
  return result.ok ? assert.fail('it did not fail') : result.error;
};

describe('a model of VS Code', () => {
  it('is asked by name with messages, tools and extras; text and calls arrive as they stream in', async () => {
    const asked: EditorRequest[] = [];
    const made: EditorChunk = { callId: 'c1', name: 'read_file', input: { path: 'a.ts' } };
    const { result, deltas } = await complete(async (one) => {
      asked.push(one);
      return parts('Let me ', 'look.', made);
    });
    const { messages } = request;
    assert.deepEqual(asked, [{ model: 'copilot/gpt-4.1', messages, tools: [TOOL], options: { temperature: 0.2 } }]);
    const call = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
    const message = { role: 'assistant', content: 'Let me look.', tool_calls: [call] };
    assert.deepEqual(result, { ok: true, value: { message, finishReason: 'tool_calls' } });
    assert.deepEqual(deltas, [
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
      { type: 'tool-call', index: 0, name: 'read_file', arguments: '{"path":"a.ts"}' },
    ]);
  });

  it('that takes no tools gets them in the prompt, and its calls are read from the text', async () => {
    const block = '```tool_call\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n```';
    let sent: EditorRequest | undefined;
    const { result, deltas } = await complete(
      async (one) => {
        sent = one;
        return parts('I look. ``', block.slice(2));
      },
      { profile: { ...profile, tools: false } },
    );
    assert.deepEqual(sent?.tools, []);
    assert.match(JSON.stringify(sent?.messages), /You can call these tools/);
    assert.ok(result.ok);
    assert.equal(result.value.message.content, 'I look.');
    assert.equal(result.value.message.tool_calls?.[0]?.function.arguments, '{"path":"a.ts"}');
    assert.deepEqual(deltas[0], { type: 'text', text: 'I look. ' });
  });

  it('gets the limit of its reply', async () => {
    const extra = { temperature: 0.2, max_completion_tokens: 9000 };
    let sent: EditorRequest | undefined;
    await complete(
      async (one) => {
        sent = one;
        return parts('Short.');
      },
      { profile: { ...profile, extra }, maxTokens: 500 },
    );
    assert.deepEqual(sent?.options, { temperature: 0.2, max_tokens: 500 });
  });

  it("has calls with different ids, even if the vendor's are empty or equal", async () => {
    const ids = ['', 'c1', 'c1', 'call00005', ''];
    const calls = ids.map((id): EditorChunk => ({ callId: id, name: 'read_file', input: {} }));
    const { result } = await complete(async () => parts(...calls));
    assert.ok(result.ok);
    const given = result.value.message.tool_calls?.map(({ id }) => id) ?? [];
    assert.deepEqual([given[1], given[3]], ['c1', 'call00005']);
    assert.deepEqual([new Set(given).size, given.includes('')], [ids.length, false]);
  });

  it('that sends nothing counts as not having answered', async () => {
    const { result } = await complete(async () => parts());
    assert.ok(!result.ok);
    assert.deepEqual([result.error.error.answered, result.error.error.retryable], [true, true]);
  });

  it('that breaks off keeps the part that arrived', async () => {
    const { result } = await complete(async () => parts('Half of', new Error('net::ERR_CONNECTION_RESET')));
    assert.ok(!result.ok);
    assert.deepEqual(result.error.partial, { role: 'assistant', content: 'Half of' });
  });

  it('is stopped with its request, even if its vendor continues', async () => {
    const user = new AbortController();
    let stopped: AbortSignal | undefined;
    const ask: AskEditorModel = async (_request, signal) => {
      stopped = signal;
      queueMicrotask(() => user.abort());
      return SILENCE;
    };
    const { result } = await complete(ask, {}, user.signal);
    assert.ok(!result.ok);
    assert.deepEqual([result.error.error.kind, stopped?.aborted], ['cancelled', true]);
  });

  it('that stops in the middle is a timeout', async () => {
    const { result } = await complete(async () => SILENCE, { profile: { ...profile, timeoutMs: 1 } });
    assert.ok(!result.ok);
    assert.equal(result.error.error.kind, 'timeout');
  });
});

describe('an error of VS Code or a vendor', () => {
  const told = async (thrown: Error) => {
    const { error } = await failureOf(thrown);
    return describeProblem({ kind: 'model', error, attempts: 1, interrupted: false });
  };

  it('has a sentence for each code, says what to do next, and is not retried', async () => {
    const sentences = {
      NoPermissions: /^VS Code does not let Karl use this model: Not allowed\.$/,
      Blocked: /^The vendor of this model blocks the request: Not allowed\.$/,
      NotFound: /^VS Code no longer has this model: Not allowed\.$/,
    };
    for (const [code, sentence] of Object.entries(sentences)) {
      const { what, cures } = await told(refusal(code, 'Not allowed.'));
      assert.match(what, sentence);
      assert.deepEqual(cures, [SELECT_MODEL, SELECT_SERVER]);
      assert.equal((await failureOf(refusal(code, 'Not allowed.'))).error.retryable, false);
    }
  });

  it('is an overflow or a rate limit if the vendor says so', async () => {
    const said = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.";
    const long = new Error(said);
    const overflow = (await failureOf(refusal('Unknown', 'failed', long))).error;
    assert.deepEqual([overflow.kind, overflow.limitTokens, overflow.actualTokens], ['overflow', 8192, 9001]);
    const limited = await failureOf(refusal('Blocked', 'Rate limit exceeded: try again in 20 s'));
    assert.equal(limited.error.kind, 'rate-limit');
  });

  it('does not ask for a key if the account is empty', async () => {
    const empty = Object.assign(new Error('You have no premium requests left.'), { status: 402 });
    const { what, cures } = await told(refusal('Unknown', 'errored', empty));
    assert.equal(what, 'The vendor of this model blocks the request (402): You have no premium requests left.');
    assert.deepEqual(cures, [SELECT_MODEL, SELECT_SERVER]);
  });

  it("otherwise repeats the vendor's words without keys, and offers what helps in VS Code", async () => {
    const said = 'Sorry, the Gateway of Acme answered 502 Bad Gateway for key sk-abcdef1234567890';
    const problem = await told(refusal('Unknown', `Language model 'x' errored: Error: ${said}`, new Error(said)));
    assert.equal(problem.what, `The model could not answer: ${said.replace(/sk-\w+/, '***')}.`);
    assert.equal(problem.next, 'Retry, or select another model (karl.model) or server (karl.baseUrl).');
    assert.deepEqual(problem.cures, [SELECT_MODEL, SELECT_SERVER]);
    const signIn = Object.assign(new Error('Sign in first.'), { status: 401 });
    const refused = await told(refusal('Unknown', 'errored', signIn));
    assert.equal(refused.what, 'The model could not answer (401): Sign in first.');
    assert.ok(refused.cures.every(({ kind }) => kind !== 'set-key'));
    const { error } = await failureOf(new Error('read ECONNRESET'));
    assert.deepEqual([error.retryable, inEnglish(describeFault(error))], [true, 'The model could not answer.']);
  });
});
