import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import { normalise } from '../../../src/core/model/gather.ts';
import { type ModelErrorKind, WORDINGS } from '../../../src/core/model/wordings.ts';
import { inEnglish } from '../../../src/language/language.ts';

/**
 * What a server says, after the figures that are expected: for an overflow its size, limit and output (`-`: not
 * stated), for an output limit the cap. A body that is not text is the first of a list.
 */
type Row = string | readonly [said: object, ...figures: (number | undefined)[]];

function readRow(row: Row): readonly [said: unknown, ...figures: (number | undefined)[]] {
  if (typeof row !== 'string') return row;
  const [figures = '', ...said] = row.split('| ');
  return [said.join('| '), ...figures.split(' ').map((figure) => (/\d/.test(figure) ? Number(figure) : undefined))];
}

const OVERFLOWS: readonly Row[] = [
  // OpenAI's sentence and its variants.
  "20110 16385 | This model's maximum context length is 16385 tokens. However, your messages resulted in 20110 tokens.",
  '2310 2048 1000 | maximum context length is 2048 tokens, however you requested 2310 tokens (1310 in your prompt; 1000 for the completion)',
  "70012 65536 4000 | This endpoint's maximum context length is 65536 tokens. However, you requested about 70012 tokens (66012 of text input, 4000 in the output).",
  '300411 272000 | Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300411 tokens.',
  '17000 16384 | The maximum context length of some-model-32k-0324 is 16384. However, answering your request will take 17000 tokens.',
  "70000 65536 4000 | Requested token count exceeds the model's maximum context length of 65536 tokens. You requested a total of 70000 tokens: 66000 tokens from the input messages and 4000 tokens for the completion.",
  "- 32768 4096 | This model's maximum context length is 32768 tokens. However, you requested 4096 output tokens and your prompt contains 200000 characters (more than 130688 characters, which is the upper bound for 28672 input tokens).",
  // Vendors.
  '1150321 1048576 | The input token count (1,150,321) exceeds the maximum number of tokens allowed (1,048,576).',
  '1200000 1048576 | Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.',
  '9999 8192 | 400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9999 ',
  '| ValidationException: The model returned the following errors: Input is too long for requested model.',
  [{ base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } }],
  '71023 65536 | Please reduce the length of the messages or completion. Current length is 71023 while limit is 65536',
  '140000 131071 | The prompt is too long: 140000, model maximum context length: 131071',
  '40000 32768 | Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  '70213 64000 | prompt token count of 70213 exceeds the limit of 64000',
  '5120 4081 | too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5120.',
  '| prompt too long; exceeded max context length by 100918 tokens',
  '- 8992 | too many tokens: size limit exceeded by 1200 tokens. The limit for this model is 8992 tokens.',
  "34000 32000 4000 | 'max_tokens' is too large: 4000. This model's maximum context length is 32000 tokens and your request has 30000 input tokens (4000 > 32000 - 30000).",
  [
    { code: 20015, message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.' },
    204703,
    202752,
  ],
  '8200 8192 | the number of input tokens 8200 cannot exceed the total tokens limit 8192 for this model',
  [{ errors: [{ code: 'token_quantity_exceeded', message: 'The input is over quantity' }] }],
  [{ error: { code: '1261', message: 'Prompt 超长' } }],
  '| tokens in request more than max tokens allowed',
  '| Total tokens of image and text exceed max message tokens. Request id: 02175',
  [{ error_code: 336007, error_msg: 'the max input token length is 5120' }, undefined, 5120],
  [{ Response: { Error: { Code: 'InvalidParameterValue', Message: '模型输入长度超过最大限制' } } }],
  '140210 128000 | Bad request: prompt token count (140210) exceeds the maximum context length of 128000 tokens',
  '| Request input tokens exceed model token limit. Reduce the input size.',
  '256000 128000 | Model context window is 128k tokens, you requested 256k tokens',
  '- 8000 | 413 Request body too large for cohere-command-a model. Max size: 8000 tokens.',
  '9500 8000 | AiError: The estimated number of input and maximum output tokens (9500) exceeded this model context window limit (8000).',
  // Servers.
  '33056 32768 | the request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it',
  '| the request exceeds the available context size. try increasing the context size or enable context shift',
  '5210 4096 | ValueError: Requested tokens (5210) exceed context window of 4096',
  '2662 512 | Number of tokens (2662) exceeded maximum context length (512).',
  '41003 32768 | The decoder prompt (length 41003) is longer than the maximum model length of 32768.',
  '33000 32768 | Input length (33000) exceeds maximum context length (32768).',
  '9123 8192 | Prompt length (9123) exceeds maximum sequence length (8192). Set log level to info',
  '9000 8192 2000 | The sum of prompt length (7000.0) and query length max_tokens (2000) should not exceed max_num_tokens (8192)',
  '40213 32768 | Context length 40213 is greater than max_seq_len 32768',
  "400013 262144 | The input (400013 tokens) is longer than the model's context length (262144 tokens).",
  '5210 4095 | Input validation error: `inputs` must have less than 4095 tokens. Given: 5210',
  '15028 7424 | Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
  '- 4096 | Reached context length of 4096 tokens, but this model does not support mid-generation context overflow.',
  '10530 8192 | The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10530>= n_ctx: 8192).',
  '| Context size has been exceeded',
  '| the input length exceeds the context length',
  '5101 4096 | rpc error: code = InvalidArgument desc = prompt exceeds context size (ctx=4096, prompt tokens=5101)',
  // Agents and gateways.
  '140000 128000 | Context window exceeded (140000/128000 tokens)',
  '9000 | litellm.ContextWindowExceededError: Hosted_vllmException - Input length 9000 exceeds model limit',
  "| Codex ran out of room in the model's context window. Start a new thread.",
  '| La entrada excede la longitud máxima de contexto del modelo',
  // Figures of other things.
  '| Prompt exceeds the context window (142 messages)',
  '| context window exceeded (max_tokens: 4096)',
  '| Token limit exceeded: 9310',
  '| prompt is too long (took 9120 ms)',
  '| prompt is too long for gpt-4-32768',
  '| Prompt too long. Use a model with a 200000 token context window.',
  '| Context window exceeded, compaction target 50000 tokens',
  '| The request exceeded the model context window (size: 9310 tokens)',
  '- 8000 | Request 7000 input tokens exceeds the maximum context length 8000',
];

const OUTPUT_LIMITS: readonly Row[] = [
  '393216 | Invalid max_tokens value, the valid range of max_tokens is [1, 393216]',
  '8192 | <400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]',
  '131072 | max_tokens参数非法：限制数值范围[1,131072]',
  '65536 | supported range is from 1 (inclusive) to 65537 (exclusive) for maxOutputTokens',
  '8192 | max_tokens (10000) cannot exceed 8192. Please reduce the length of max output tokens generated.',
  '4096 | max tokens must be less than or equal to 4096, the maximum output length for this model - received 8000.',
  [
    { detail: [{ loc: ['body', 'max_tokens'], msg: 'Input should be less than or equal to 32768', input: 100000 }] },
    32768,
  ],
  '4096 | too many tokens: max tokens must be less than or equal to 4096, the maximum output length - received 1000000.',
  "| This model's maximum context length is 8192 tokens. However, you requested 8246 tokens (54 in the messages, 8192 in the completion).",
  '| Incomplete response returned, reason: max_output_tokens',
];

const OTHERS: Readonly<Partial<Record<ModelErrorKind, readonly unknown[]>>> = {
  'rate-limit': [
    'Too many input tokens per minute: 40000 > 30000',
    'This request would exceed your organization’s rate limit of 40,000 input tokens per minute. Please reduce the prompt length',
    'request reached organization TPD rate limit, current: 1506556, limit: 1500000',
    { error: { code: 402, message: 'Prompt tokens limit exceeded: 18000 > 9000. Visit settings/credits' } },
    { object: 'error', message: 'Service tier capacity exceeded for this model.', code: '3505', status: 429 },
    { error: { code: '1302', message: '您当前使用该API的并发数过高，请降低并发' } },
  ],
  'payload-too-large': [
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    'messages.2.content.1.image.source.base64: image exceeds 5 MB maximum: 7000000 bytes > 5242880 bytes',
    'Sent message larger than max (5242880 vs. 4194304)',
    '400 total message size 2100954 exceeds limit 2097152',
    'messages.3.content: String should have at most 1048576 characters',
    { status: 413 },
  ],
  timeout: ['4 DEADLINE_EXCEEDED: Deadline exceeded after 60.0s', '<title>504 Gateway Time-out</title>'],
  other: [
    'Model context window too small (minimum is 128k tokens)',
    'Input should be less than or equal to 2',
    'Number of messages exceeds the maximum of 1000',
    'Please reduce the number of tools: 140 > 128',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 10 instead.",
    'Query returned 5088 rows. This exceeds the maximum number of rows allowed (2000).',
    'The response was filtered due to the prompt triggering content management policy',
    'run_command failed: grep: the context window is not configured',
    '400 status code (no body)',
    undefined,
  ],
};

const nameOf = (said: unknown): string => (typeof said === 'string' ? said : (JSON.stringify(said) ?? 'nothing'));

describe('wordings of servers', () => {
  describe('each row finds its own example', () => {
    for (const { kind, from, example, pattern } of WORDINGS) {
      it(`${kind}, ${from}: ${example}`, () => {
        const found = classifyModelError(example);
        const match = pattern.exec(normalise(example)) ?? assert.fail('no match');
        const { limit, output } = match.groups ?? {};
        const isFigure = kind === 'overflow' && limit !== undefined;
        assert.equal(found.kind, kind, inEnglish(found.evidence));
        assert.equal(found.limitTokens, isFigure ? Number(limit) : undefined);
        assert.equal(found.outputTokens, output === undefined ? undefined : Number(output));
      });
    }

    it('in time that grows with the length of a text: nothing in a row repeats without a bound', () => {
      for (const { from, pattern } of WORDINGS) {
        const outside = pattern.source.replace(/\\.|\[[^\]]*\]/g, '_');
        assert.doesNotMatch(outside, /[*+]|\{\d+,\}/, from);
        assert.equal(pattern.flags, '', 'no state between calls');
      }
    });
  });

  describe('that the input is too long, with the figures that they state', () => {
    for (const [said, ...figures] of OVERFLOWS.map(readRow)) {
      it(nameOf(said), () => {
        const { kind, actualTokens, limitTokens, outputTokens, evidence } = classifyModelError(said);
        assert.equal(kind, 'overflow', inEnglish(evidence));
        assert.deepEqual([actualTokens, limitTokens, outputTokens], [figures[0], figures[1], figures[2]]);
      });
    }
  });

  describe('that the answer asked for is too long, with what is allowed', () => {
    for (const [said, cap] of OUTPUT_LIMITS.map(readRow)) {
      it(nameOf(said), () => {
        const { kind, outputLimitTokens, evidence } = classifyModelError(said);
        assert.equal(kind, 'output-limit', inEnglish(evidence));
        assert.equal(outputLimitTokens, cap);
      });
    }
  });

  for (const [kind, all] of Object.entries(OTHERS)) {
    describe(`that compaction does not cure: ${kind}`, () => {
      for (const said of all) {
        it(nameOf(said), () => {
          const { actualTokens, limitTokens, ...found } = classifyModelError(said);
          assert.equal(found.kind, kind, inEnglish(found.evidence));
          assert.deepEqual([actualTokens, limitTokens], [undefined, undefined]);
        });
      }
    });
  }

  it('that are unknown cost one careful retry if the input is refused, and nothing otherwise', () => {
    const unknown = 'Total tokens exceed what this deployment takes';
    const { kind, actualTokens, limitTokens } = classifyModelError({ status: 400, body: unknown });
    assert.deepEqual([kind, actualTokens, limitTokens], ['overflow', undefined, undefined]);
    for (const status of [401, 403, 409, 502])
      assert.equal(classifyModelError({ status, body: unknown }).kind, 'other');
    assert.equal(classifyModelError({ status: 400, body: 'Something is wrong with the messages' }).kind, 'other');
  });
});
