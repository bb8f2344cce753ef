import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { classifyModelError, type ModelError } from '../../../src/core/model/classify.ts';
import { phrase } from '../../../src/core/phrase.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { cases } from '../../attack/seed.ts';

const TOO_LONG = 'prompt is too long: 210042 tokens > 200000 maximum';

/** An error with further fields, as clients throw them. */
const failure = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);

function assertTooLong(error: unknown): void {
  const found = classifyModelError(error);
  assert.equal(found.kind, 'overflow', inEnglish(found.evidence));
  assert.equal(found.actualTokens, 210042);
  assert.equal(found.limitTokens, 200000);
}

describe('classifyModelError', () => {
  describe('finds the cause wherever it is nested', () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: TOO_LONG } };
    const json = JSON.stringify(body);
    const provider = (raw: unknown) => ({
      error: { message: 'Provider returned error', code: 400, metadata: { raw } },
    });
    const failed = { status: 'failed', error: { code: null, message: TOO_LONG } };
    const python = `{'type': 'error', 'error': {'type': 'invalid_request_error', 'message': '${TOO_LONG}'}}`;
    const places: readonly (readonly [string, unknown])[] = [
      ['a string', TOO_LONG],
      ['an Error', failure(`400 ${TOO_LONG}`)],
      ['a parsed body', body],
      ['the error of a client', failure('400 status code (no body)', { status: 400, error: body.error })],
      ['a raw body kept beside a lost message', failure('400 status code (no body)', { status: 400, body: json })],
      ['a cause of a cause', failure('agent failed', { cause: failure('call failed', { cause: failure(TOO_LONG) }) })],
      ['an AggregateError', new AggregateError([failure('first'), failure(TOO_LONG)], 'all failed')],
      ['a response', failure('Bad Request', { response: { status: 400, data: body } })],
      ['JSON in a string', `API Error: ${json}`],
      ['JSON in JSON in a string', JSON.stringify({ error: { message: json, code: 400 } })],
      ['metadata.raw as a string', provider(json)],
      ['metadata.raw as an object', provider(body)],
      ['value.error_message', failure('Bad Request', { value: { error_message: TOO_LONG } })],
      ['a Python repr', `Error code: 400 - ${python}`],
      ['a bytes literal', `AnthropicException - b'${json}'`],
      ['truncated JSON', `upstream said ${json.slice(0, -4)}`],
      ['curly quotes', `Data: {“details”:“${TOO_LONG}”}`],
      ['a Rust Debug string', `ValidationException { message: Some("${TOO_LONG}") }`],
      ['an SSE line', `event: error\ndata: ${json}\n\n`],
      ['an array body', [{ error: { code: 400, message: TOO_LONG } }]],
      ['a body of HTTP 200 without choices', { id: 'gen-1', error: { code: 400, message: TOO_LONG } }],
      ['a failed response event', { type: 'response.failed', response: failed }],
      ['an error event', { type: 'error', error: { message: TOO_LONG } }],
      ['eight wrappers', [...Array(8).keys()].reduce<unknown>((inner) => ({ error: inner }), { message: TOO_LONG })],
    ];
    for (const [place, error] of places) it(place, () => assertTooLong(error));
  });

  it('takes the last attempt of a client that tried several times', () => {
    const attempts = [failure('Rate limit reached', { statusCode: 429 }), failure(TOO_LONG, { statusCode: 400 })];
    const error = failure(`Failed after 2 attempts. Last error: ${TOO_LONG}`, {
      name: 'AI_RetryError',
      reason: 'errorNotRetryable',
      errors: attempts,
      lastError: attempts[1],
    });
    assertTooLong(error);
    assert.equal(classifyModelError({ ...error, lastError: failure('x', { name: 'AbortError' }) }).kind, 'cancelled');
  });

  it('takes a structured code for an overflow where no sentence says so', () => {
    for (const error of [
      { error: { code: 'context_length_exceeded' } },
      failure('400', { code: 'context_length_exceeded' }),
      '("type": "invalid_request_error","code":"context_length_exceeded", "message" : "no")',
      { stop_reason: 'model_context_window_exceeded' },
      { error: { code: 1261, message: 'x' } },
    ]) {
      assert.equal(classifyModelError(error).kind, 'overflow');
    }
  });

  it('reads the counts of llama.cpp from their fields, at any status', () => {
    const said = { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' };
    const found = classifyModelError({ error: { code: 500, ...said, n_prompt_tokens: 9100, n_ctx: 8192 } });
    assert.deepEqual([found.kind, found.actualTokens, found.limitTokens, found.status], ['overflow', 9100, 8192, 500]);
    assert.equal(found.retryable, false);
  });

  describe('does not take for evidence what only repeats the request', () => {
    const echoes: readonly (readonly [string, unknown])[] = [
      ['a request field', { error: { message: 'Invalid role' }, request: { prompt: TOO_LONG } }],
      ['the body of a client', failure('Bad Request', { status: 400, requestBodyValues: { messages: [TOO_LONG] } })],
      ['an axios configuration', failure('Request failed with status code 400', { config: { data: TOO_LONG } })],
      ['a cut echo', `{"error":{"message":"Invalid parameter: role"},"echo":"${TOO_LONG} and then the te`],
      ['a validation error', `Input should be a valid list [type=list_type, input_value='${TOO_LONG}']`],
      ['output of a tool', { message: 'Tool call failed validation', tool_output: TOO_LONG }],
      ['what the model wrote', { choices: [{ message: { content: TOO_LONG }, finish_reason: 'stop' }] }],
      ['a stack', Object.assign(failure('Invalid role'), { stack: `Error: ${TOO_LONG}` })],
    ];
    for (const [place, error] of echoes) {
      it(place, () => assert.equal(classifyModelError(error).kind, 'other'));
    }
  });

  describe('abort and timeout go by type, outermost first', () => {
    it('an abort of the user', () => {
      for (const error of [
        new DOMException('This operation was aborted', 'AbortError'),
        failure('Request was aborted.', { name: 'APIUserAbortError' }),
        failure(TOO_LONG, { name: 'AbortError' }),
        failure('fetch failed', { cause: new DOMException('x', 'AbortError') }),
      ]) {
        const found = classifyModelError(error);
        assert.deepEqual([found.kind, found.retryable], ['cancelled', false]);
      }
    });

    it('a timeout, even one whose text speaks of the context', () => {
      class APIConnectionTimeoutError extends Error {}
      for (const error of [
        new APIConnectionTimeoutError('Request timed out.'),
        failure('connect failed', { code: 'ETIMEDOUT' }),
        failure('maximum context length exceeded: context deadline exceeded'),
        failure('Request timeout after 60s. Try reducing input length'),
        failure('Gateway Timeout', { status: 504 }),
      ]) {
        const found = classifyModelError(error);
        assert.deepEqual([found.kind, found.retryable], ['timeout', true]);
      }
    });

    it('but an answer of the server outranks the transport beneath it', () => {
      assertTooLong(failure(TOO_LONG, { status: 400, cause: failure('x', { code: 'ETIMEDOUT' }) }));
    });
  });

  describe('finds the cause by arithmetic, and never misreads a figure', () => {
    for (const [what, said, expected] of [
      [
        'the output alone fills the window: no compaction helps',
        "This endpoint's maximum context length is 262000 tokens. However, you requested about 263500 tokens (700 of text input, 800 of tool input, 262000 in the output).",
        { kind: 'output-limit', limitTokens: 262000, outputTokens: 262000 },
      ],
      [
        'the tools alone fill the window',
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 350564 tokens (100 in the messages, 350464 in the functions). Please reduce the length of the messages or functions.",
        { kind: 'overflow', tools: true, actualTokens: 350564 },
      ],
      [
        'messages and tools together do not blame the tools',
        "This model's maximum context length is 16000 tokens. However, your messages resulted in 20000 tokens (18000 in the messages, 2000 in the functions).",
        { kind: 'overflow', tools: undefined, actualTokens: 20000 },
      ],
      [
        'a lower bound says that it is one, and is never the limit',
        "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains at least 3997 input tokens, for a total of at least 4097 tokens. (parameter=input_tokens, value=3997)",
        { kind: 'overflow', limitTokens: 4096, actualTokens: 4097, lowerBound: true },
      ],
      [
        'a status is no limit',
        'Error code: 400 - prompt exceeds the maximum context length',
        { kind: 'overflow', status: 400, limitTokens: undefined },
      ],
      [
        'a quota is no window',
        'Request too large for model `m` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
        { kind: 'rate-limit', limitTokens: undefined, actualTokens: undefined },
      ],
    ] as const)
      it(what, () => {
        const found: Partial<ModelError> = classifyModelError(said);
        for (const [name, value] of Object.entries(expected))
          assert.equal(found[name as keyof ModelError], value, name);
      });

    it('reads separators and multiples', () => {
      for (const [stated, limit] of [
        ['128,000', 128000],
        ['128_000', 128000],
        ['128 000', 128000],
        ['128\u202f000', 128000],
        ['128k', 128000],
        ['1M', 1000000],
      ] as const) {
        const said = `The prompt exceeds the context window of ${stated} tokens`;
        assert.equal(classifyModelError(said).limitTokens, limit, stated);
      }
    });
  });

  describe('says when to try again', () => {
    const DATE = Date.parse('2026-01-05T10:00:00Z');

    it('from headers, seconds, milliseconds or a date', () => {
      const later = 'Mon, 05 Jan 2026 10:00:30 GMT';
      for (const [headers, wait] of [
        [{ 'retry-after': '20' }, 20_000],
        [new Headers({ 'Retry-After': '1.5' }), 1_500],
        [{ 'Retry-After-Ms': '750', 'Retry-After': '9' }, 750],
        [{ 'retry-after': later }, 30_000],
        [{ 'retry-after': later, date: 'Mon, 05 Jan 2026 10:00:10 GMT' }, 20_000],
        [{ 'retry-after': 'soon' }, undefined],
      ] as const)
        assert.equal(classifyModelError(failure('429', { status: 429, headers }), DATE).retryAfterMs, wait);
    });

    it('from text', () => {
      for (const [text, wait] of [
        ['Please try again in 20s.', 20_000],
        ['Please try again in 340ms.', 340],
        ['Please try again in 7m12.5s.', 432_500],
        ['Please retry after 12 seconds.', 12_000],
        ['Please retry in 33.3s.', 33_300],
        ['Please try again later.', undefined],
      ] as const)
        assert.equal(classifyModelError(`Rate limit reached. ${text}`).retryAfterMs, wait, text);
    });

    it('and whether a retry is worthwhile: for a rate limit or a server fault, not for a used-up quota or credit', () => {
      const quota = 'You exceeded your current quota, please check your plan and billing details.';
      for (const [error, kind, spent, retryable] of [
        [{ status: 429, error: { code: 'insufficient_quota', message: quota } }, 'rate-limit', true, false],
        [{ status: 429, error: { message: `${quota} Please retry in 33.3s.` } }, 'rate-limit', undefined, true],
        [{ status: 402 }, 'rate-limit', true, false],
        [{ status: 429 }, 'rate-limit', undefined, true],
        [{ error: { code: 402, message: 'Insufficient credits' } }, 'rate-limit', true, false],
        [failure('Too Many Requests', { status: 429 }), 'rate-limit', undefined, true],
        [failure('Overloaded', { status: 529 }), 'other', undefined, true],
        [failure('socket', { code: 'ECONNRESET' }), 'other', undefined, true],
        ['fetch failed: other side closed', 'other', undefined, true],
        [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'other', undefined, true],
        [failure('bad key', { status: 401 }), 'other', undefined, false],
        [TOO_LONG, 'overflow', undefined, false],
      ] as const) {
        const found = classifyModelError(error);
        assert.deepEqual([found.kind, found.spent, found.retryable], [kind, spent, retryable], JSON.stringify(error));
      }
    });
  });

  describe('evidence', () => {
    it('is short', () => {
      const long = classifyModelError(`${'x y '.repeat(500)}. ${TOO_LONG}. ${'z '.repeat(500)}`);
      assert.ok(inEnglish(long.evidence).length <= 300);
      assert.match(inEnglish(classifyModelError(TOO_LONG).evidence), /210042 tokens > 200000/);
    });

    it("is the server's own reason where a status or a code decides that a rate limit was reached", () => {
      const reason = 'Quota of 3 requests per minute.';
      const spoken: readonly unknown[] = [
        { status: 429, body: JSON.stringify({ error: { message: reason, type: 'rate_limit_error' } }) },
        failure(`429 ${reason}`, { status: 429, code: 'rate_limit_exceeded', error: { message: reason } }),
        { status: 429, body: reason },
        { error: { code: 'insufficient_quota', message: reason } },
      ];
      for (const error of spoken) assert.equal(classifyModelError(error).evidence, reason);
      const status = phrase('error.status', '429');
      assert.deepEqual(classifyModelError({ status: 429 }).evidence, status);
      assert.deepEqual(classifyModelError(failure('429 status code (no body)', { status: 429 })).evidence, status);
      const body = `Slow down, key sk-abcdef1234567890. ${'x y '.repeat(500)}`;
      const long = classifyModelError({ status: 429, body });
      assert.match(inEnglish(long.evidence), /^Slow down, key \*\*\*/);
      assert.ok(inEnglish(long.evidence).length <= 300);
    });

    it('carries no key', () => {
      for (const [said, secret] of [
        ['Request with sk-proj-4f9aK2mQ81xyzABCDEF12 failed', '4f9aK2mQ81xyz'],
        ['Request with Bearer abcDEF123456ghi failed', 'abcDEF123456ghi'],
        ['Request with AIzaSyA1234567890abcdefgHIJ failed', 'SyA1234567890'],
        ['Request with gsk_1a2B3c4D5e6F7g8H failed', '1a2B3c4D5e6F7g8H'],
        ['Incorrect API key provided: sk-abcdef1234567890', 'abcdef1234567890'],
        ['Visit https://user:secret@example.com', 'secret'],
        ['{"api_key":"topsecretvalue"}', 'topsecretvalue'],
        ['Authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
      ] as const) {
        const { evidence } = classifyModelError(`${said}: ${TOO_LONG}`);
        assert.ok(!inEnglish(evidence).includes(secret), inEnglish(evidence));
      }
    });
  });

  describe('survives anything', () => {
    it('cycles, throwing getters, null prototypes, symbols', () => {
      const cycle: { error?: unknown; message: string } = { message: TOO_LONG };
      cycle.error = cycle;
      assertTooLong(cycle);
      const no = (): never => assert.fail('no');
      assertTooLong(Object.defineProperty({ error: { message: TOO_LONG } }, 'cause', { enumerable: true, get: no }));
      assertTooLong(Object.assign(Object.create(null), { message: TOO_LONG }));
      assert.equal(classifyModelError(Symbol('x')).kind, 'other');
      assert.equal(classifyModelError(new Proxy({}, { ownKeys: no })).kind, 'other');
    });

    it('any value, without throwing', () => {
      fc.assert(
        fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), (value) => {
          const found = classifyModelError(value);
          assert.ok(inEnglish(found.evidence).length <= 300);
        }),
        { numRuns: cases(300) },
      );
    });

    it('a hundred thousand fields, in bounded time', () => {
      const wide = Object.fromEntries([...Array(100_000).keys()].map((index) => [`field${index}`, TOO_LONG]));
      classifyModelError({ error: wide, list: Array(100_000).fill({ message: 'x' }) });
    });
  });
});
