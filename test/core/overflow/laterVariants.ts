import { failure, other, overflow, type Variant } from './variant.ts';

/** Wordings of servers, gateways and clients that were collected after the table was written, with figures of our own. */
export const LATER_VARIANTS: readonly Variant[] = [
  overflow('ERROR: The prompt is3120tokens and the context window is2048!', 3120, 2048),
  overflow("{'error': {'message': 'model max length exceeded, max length:16384'}}", undefined, 16384),
  overflow('code: 10012, msg: EngineInternalError, message: input token limit is 64512', undefined, 64512),
  overflow('Illegal param: prefill 812 tokens exceed n_ctx_per_seq, try reducing parallel or the tokens', 812),
  overflow({ object: 'error', message: 'max_tokens must be at least 1, got -1310.' }),
  overflow('Job requires 70 pages (only 64 available) and cannot be enqueued. Total cache is 64 * 256 = 16384 tokens'),
  overflow('WARNING: exceed session max length. Please restart the session.'),
  overflow(
    'infer.template.base.MaxLengthError: Current length of row(7100) is larger than the max_length(4096).',
    7100,
    4096,
  ),
  overflow('the expanded image prompt has 8300 tokens, which exceeds the context window; reduce the resolution', 8300),
  overflow(
    'Estimated payload (90,000 input + 10,000 output = 100,000 tokens) exceeds the context window of model-x (64,000 tokens).',
    100000,
    64000,
  ),
  overflow('prompt sequence length is greater than 8192, perhaps consider truncating it', undefined, 8192),
  overflow('the input token total len + 1 is too long > max_req_total_len:12000', undefined, 12000),
  overflow('the input prompt token len 7000 is too long > 6144', 7000, 6144),
  overflow('Maximum length exceeded: prefix 7 + current 3000 exceeds pre-allocated maximum 1024', 3007, 1024),
  overflow(
    'The model has hit a token limit!\nInput tokens: ~70,000 of 64,000 -- possibly exhausted context window!',
    70000,
    64000,
  ),
  overflow('OUT_OF_RANGE: current_step(0) + input_size(1700) was not less than maxTokens(1536)', 1700, 1536),
  overflow('Status.PromptLargerThanContext'),
  overflow({ error: { code: 500, message: 'Failed to decode the batch: KV cache is full - try increasing it' } }),
  overflow({ error: { message: 'Provider returned error', metadata: { error_type: 'token_limit_exceeded' } } }),
  overflow('Your input is 70,500 tokens long, which is longer than what the model can take (64,000).', 70500, 64000),
  // What is left is no limit.
  overflow('Sending this message (41,000 tokens) might exceed the remaining context window (9,000 tokens left).'),
  overflow(
    "Prompt is too long for this session's budget: ~5,500 tokens against a 5000-token limit set at load.",
    5500,
    5000,
  ),
  overflow('The chat is longer than the model can read; start another one'),

  // A minimum, a relation of settings, a start-up complaint: nothing was sent that is too long.
  other('other', 'The model returned an error: `max_tokens` must be greater than `thinking.budget_tokens`.'),
  other('other', 'Failed to start: ArgumentValidation("`max_input_tokens`(8193) must be < `max_total_tokens`(8192)")'),
  other(
    'other',
    "The model's max seq len (65536) is larger than the maximum number of tokens that can be stored in KV cache (16384).",
  ),
  other('other', 'max_tokens is not valid: max_tokens and max_completion_tokens cannot be set at the same time'),
  other(
    'other',
    'truncate_prompt_tokens value (7000) is greater than max_model_len (4096). Select a smaller truncation size.',
  ),
  other('other', "The 'max_tokens' field is required and cannot be left empty."),
  other('other', "Value at 'inferenceConfig.maxTokens' failed: Member must have value greater than or equal to 1"),
  other('other', 'body.max_tokens: Input should be greater than or equal to 0'),
  other('other', "Invalid value for 'max_tokens': must be a positive integer."),
  // Tools that refuse to answer at length.
  other(
    'other',
    'File content (31000 tokens) exceeds maximum allowed tokens (25000). Please use offset and limit parameters',
  ),
  other('other', 'Tool "list" response (41000 tokens) exceeds maximum allowed tokens (25000). Please use pagination'),

  other('other', 'Tool "fetch" response (52000 tokens) exceeds maximum allowed tokens (25000).'),

  other('output-limit', 'Sorry, the response hit the length limit. Please rephrase your prompt.'),
  other('output-limit', 'Response was truncated: the model ran out of output tokens.'),
  other('output-limit', 'max_tokens for `model-3.1-8b` must be less than or equal to 6000'),
  other('output-limit', 'parameter check failed, max_completion_tokens range is [2, 2048]'),
  other('output-limit', 'Malformed input request: #/max_tokens: 9000 is not less or equal to 4096'),
  other(
    'output-limit',
    'Model token limit (2048) exceeded before any response was generated. Increase the `max_tokens` model setting.',
  ),
  other('output-limit', 'Range Not Satisfiable - max_completion_tokens is limited for this model'),
  other('output-limit', 'max_tokens must be >= 1 and <= 4096'),
  other('output-limit', 'max_tokens: limit of 4096'),
  other('output-limit', 'IncompleteOutputException: The output is incomplete due to a max_tokens length limit.'),
  other(
    'output-limit',
    'The model has hit a token limit! Input tokens: ~4,000 of 100,000 Output tokens: ~4,096 of 4,096 -- possibly exceeded output limit!',
  ),
  other('output-limit', {
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  }),

  other('rate-limit', { message: 'Service tier capacity exceeded for this model.', code: '3505' }),
  other('rate-limit', 'BudgetExceededError: Budget has been exceeded! Current cost: 0.03, Max budget: 0.02'),
  other('rate-limit', 'Your account [77] has reached the set inference limit for the model.'),
  other('rate-limit', { error: { code: '1308', message: '已达到 5 小时的使用上限。您的限额将在明天重置。' } }),
  other('rate-limit', { error: { code: 'token_limit_exceeded', message: 'Your monthly token limit is reached' } }),
  other('rate-limit', { error: { message: 'Provider returned error', metadata: { error_type: 'payment_required' } } }),
  other('payload-too-large', {
    error: { message: 'Provider returned error', metadata: { error_type: 'string_too_long' } },
  }),
  other('rate-limit', 'quota_exhausted: no tokens left for this window'),
  other('rate-limit', 'Enqueued token limit reached for model-x. Limit: 70,000 enqueued tokens.'),
  other('timeout', 'The deployment failed: FUNCTION_INVOCATION_TIMEOUT'),
  other('payload-too-large', failure({ message: 'Request Too Long', status: 413 })),
  overflow(failure({ message: 'Prompt too long', status: 413 })),
  other('rate-limit', 'UsageLimitExceeded: Exceeded the total_tokens_limit of 2000 (total_tokens=2100)'),

  overflow("You've reached the maximum length of this chat, but you can keep talking by starting a new one."),
  overflow('Context of 8192 exhausted (prompt 9100)', 9100, 8192),
  other('rate-limit', 'You have sent too many messages. Try again in a moment.'),
  other('rate-limit', 'You exceeded the weekly maximum token limit of 500000 tokens for your team.'),
  other('rate-limit', 'You have used 90% of your weekly tokens.'),
];
