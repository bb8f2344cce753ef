import { overflow, type Variant } from './variant.ts';

/** What was refused is the prompt, whatever its frame, its code or the status of a body say beside it. */
export const SENTENCES_IN_FRAMES: readonly Variant[] = [
  overflow(
    "Failed to start sampling: [input_too_large] Your prompt is too long for this model's context window (301200 tokens > 256000 tokens)",
    301200,
    256000,
  ),
  overflow('Failed to start stream: 400 prompt is too long: 204100 tokens > 200000 maximum', 204100, 200000),
  overflow(
    "Failed to initialize chat: This model's maximum context length is 8192 tokens. However, your messages resulted in 9100 tokens.",
    9100,
    8192,
  ),
  overflow({ error: { message: 'Your input is too long for the requested model', type: 'request_too_large' } }),
  overflow(
    {
      type: 'error',
      error: { type: 'request_too_large', message: 'Prompt contains too many tokens: 240000 > 200000' },
    },
    240000,
    200000,
  ),
  overflow(
    {
      error: {
        code: 'payload_too_large',
        message: "The conversation exceeds the model's context window of 131072 tokens.",
      },
    },
    undefined,
    131072,
  ),
  overflow('Please reduce the length or number of messages.'),
  overflow('Please reduce the number of messages or their length and try again'),
  overflow('Please shorten your messages or start a new conversation.'),
  overflow("The sum of input tokens and max_tokens must not exceed the model's context length."),
  overflow('Prompt tokens + max_new_tokens must be less than or equal to the context window of the model'),
  overflow('input length + max_tokens exceeds context limit'),
  overflow({ error: { message: 'prompt is too long (1039)', code: 1039 } }),
  overflow('invalid params, context window exceeds limit (2013)'),
  overflow(
    "This model's maximum context length is 4096 tokens. However, your request has 120 input tokens plus 4000 'max_tokens'.",
    4120,
    4096,
  ),
  overflow(
    "This model's maximum context length is 4096 tokens. However, your request has 3000 input tokens plus 2000 `max_completion_tokens`.",
    5000,
    4096,
  ),
  overflow('Input exceeded limit (210000 tokens). Compact the conversation and retry.'),
  overflow('Context window exceeded (212000 tokens, max 200000)', 212000, 200000),
  overflow('Prompt exceeded the context limit: 41020 tokens (max 40960)', 41020, 40960),
  overflow({ error: { message: 'prompt too long; account limits: rpm 500, see docs', code: 'bad_request' } }),
  overflow('[context_too_large] conversation is 402000 tokens, model accepts at most 400000', 402000, 400000),
  overflow(
    "rpc error: code = InvalidArgument desc = prompt (9000 tokens) is longer than the model's context window (8192 tokens)",
    9000,
    8192,
  ),
  overflow('APIError: 400 The request is too large for this model: 150000 tokens, limit 128000 tokens', 150000, 128000),
  overflow({ detail: 'Input too long: 33000 tokens. Max allowed: 32768.' }, 33000, 32768),
  overflow(
    { message: 'The model returned the following errors: input is too long for requested model, max 200000 tokens' },
    undefined,
    200000,
  ),
  overflow(
    {
      error: {
        message: 'Error from provider (DeepInfra): Requested input length 163900 exceeds maximum input length 163840',
      },
    },
    163900,
    163840,
  ),
  overflow(
    'Unable to submit request because the input token count is 32800 but model only supports up to 32768. Reduce the input token count and try again.',
    32800,
    32768,
  ),
  overflow(
    {
      error: {
        message:
          'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 8100>= n_ctx: 8096).',
      },
    },
    8100,
    8096,
  ),
  overflow(
    'error: 413 tokens_limit_reached Request body too large for o1-mini model. Max size: 4000 tokens.',
    undefined,
    4000,
  ),
  overflow(
    { error: { message: 'max_tokens (4096) + input (6000) > context window (8192)', type: 'invalid_request_error' } },
    10096,
    8192,
  ),
  overflow('Agent stopped: model context exhausted, 199800 of 200000 tokens used and the next message needs 4100.'),
  overflow(
    'The input plus the requested output (12000 + 8000 tokens) is more than this model can hold (16384).',
    20000,
    16384,
  ),
  overflow(
    {
      errors: [
        {
          code: 5021,
          message:
            'AiError: The estimated number of input and maximum output tokens (9300) exceeded this model context window limit (8192).',
        },
      ],
    },
    9300,
    8192,
  ),
  overflow(
    { object: 'error', message: 'Requested tokens (5000) exceed context window of 4096', code: 400 },
    5000,
    4096,
  ),
  overflow('message: Your chat history is too long for this model. Remove some messages.'),
  overflow(
    {
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    210000,
    200000,
  ),
  overflow(
    'ValidationException: The model returned the following errors: prompt is too long: 201345 tokens > 200000 maximum',
    201345,
    200000,
  ),
  overflow('Ollama: prompt length 9000 exceeds num_ctx 8192', 9000, 8192),
  overflow(
    "Failed to load completion: HTTP 400 - This endpoint's maximum context length is 65536 tokens. However, you requested about 70012 tokens (66012 of text input, 4000 in the output).",
    70012,
    65536,
  ),
  overflow(
    'Task could not be started. Failed to start agent turn: input is too long for the model (180000 tokens, limit 131072 tokens)',
    180000,
    131072,
  ),
  overflow(
    'Max retries exceeded with url: /v1/chat: 400 prompt is too long: 210009 tokens > 200000 maximum',
    210009,
    200000,
  ),
  overflow({
    type: 'error',
    error: { type: 'request_too_large', message: 'Prompt is too long for claude-x: 230000 tokens' },
    request_id: 'req_1',
  }),
  overflow(
    "Error code: 413 - {'error': {'message': 'The conversation is too long for this model. Start a new chat.', 'type': 'request_too_large'}}",
  ),
  overflow(
    { error: { message: 'request_too_large: context window of 32768 tokens exceeded by the request', code: 413 } },
    undefined,
    32768,
  ),
  overflow('Reduce the length of the messages or the number of messages and try again.'),
  overflow('400 Please reduce the length of either one, or use the "middle-out" transform. prompt too long'),
  overflow('The combined length of the prompt and max_tokens is larger than the context window of the selected model'),
  overflow('`prompt` tokens + `max_tokens` must be <= context size of the model'),
  overflow({
    error: {
      message: 'Input tokens + max_completion_tokens exceed model context length',
      type: 'invalid_request_error',
    },
  }),
  overflow('context length exceeded (1210)'),
  overflow('bad_request_error: prompt too long (1261)'),
  overflow(
    "The request has 9 input tokens plus 4090 max_tokens, more than the model's maximum context length of 4096 tokens.",
    4099,
    4096,
  ),
  overflow(
    "This model's maximum context length is 32768 tokens. However, you requested 33000 tokens (25000 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
    33000,
    32768,
  ),
  overflow('model error: total tokens 70100 (prompt 66000 + max output 4100) exceeds 65536', 70100, 65536),
  overflow('Input too long: expected at most 8192 tokens but got 9001', 9001, 8192),
  overflow('Your message is too long. The model accepts 32000 tokens; yours has 35120.', 35120, 32000),
  overflow('[context_length_exceeded] Input is 512 tokens over the limit of 16000', undefined, 16000),
  overflow('[E4009] context budget exceeded for model: used=140000 max=128000', 140000, 128000),
  overflow(
    { success: false, errors: [{ message: 'prompt tokens (9120) exceed max sequence length (8192)' }] },
    9120,
    8192,
  ),
  overflow(
    'Kimi: Invalid request: Your request exceeded model token limit: 262144 (requested: 271000)',
    271000,
    262144,
  ),
  overflow('Error: Request exceeds the maximum context (131072). Actual: 145000', 145000, 131072),
  overflow('The prompt needs 9000 tokens of KV cache but only 8192 are available', 9000, 8192),
  overflow({ message: 'Input is too long.', __type: 'ValidationException' }),
  overflow(
    'com.openai.errors.BadRequestException: 400: Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300411 tokens. Please reduce the length of the messages.',
    300411,
    272000,
  ),
  overflow(
    'upstream: {"code":20015,"message":"length of prompt_tokens (33000) must be less than max_seq_len (32768)."}',
    33000,
    32768,
  ),
  overflow('error code 400 ctx exceeded: 40k tokens given, 32k allowed', 40000, 32000),
  overflow("The selected model's context window was exceeded. Try /compact."),
  overflow('Conversation too long. Press esc twice to go up a few messages and try again.'),
  overflow({
    error: { code: 'InvalidParameter', message: 'Total tokens of image and text exceed max message tokens' },
  }),
  overflow('Request failed: model ran out of context while reading the prompt'),
  overflow(
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  ),
  overflow('Agent error: maximum prompt length is 131072 but the request contains 144210 tokens.', 144210, 131072),
  overflow(
    { error: { message: 'messages: at least 210500 tokens, which is over the 200000 token limit' } },
    210500,
    200000,
  ),
  overflow({ error: { message: 'max prompt length exceeded for this model', type: 'invalid_request_error' } }),
  overflow(
    'Failed to initialize stream: 413 {"error":{"type":"request_too_large","message":"prompt is too long: 220000 tokens > 200000 maximum"}}',
    220000,
    200000,
  ),
  overflow(
    "Error starting sampling: grpc InvalidArgument: This model's maximum prompt length is 256000 but the request contains 300123 tokens.",
    300123,
    256000,
  ),
  overflow(
    'The request cannot be loaded into the model: it has 9001 tokens and the context window is 8192 tokens',
    9001,
    8192,
  ),
  overflow({
    type: 'error',
    error: {
      type: 'request_too_large',
      message: 'This conversation is too long to continue. Start a new conversation.',
    },
  }),
  overflow('[request_too_large] Input tokens (40100) exceed the maximum (32768) of this deployment', 40100, 32768),
  overflow(
    { error: { message: 'Payload Too Large: context length of 8192 tokens exceeded', code: 413 } },
    undefined,
    8192,
  ),
  overflow('Please decrease the length of your messages, or the number of messages.'),
  overflow('Please reduce your prompt; or completion length.'),
  overflow('Shorten the conversation or reduce the number of messages to fit.'),
  overflow("Prompt length + max_tokens should be no more than the model's max length"),
  overflow('The total of prompt tokens and max_tokens must not be greater than max_model_len'),
  overflow({ base_resp: { status_code: 2013, status_msg: 'invalid params, prompt is too long (2013)' } }),
  overflow('InvalidParameter: input too long (20013)'),
  overflow('The context of this chat exceeded limit (132000 tokens). Start a new chat.'),
  overflow('Token count (132000) exceeded limit (131072)', 132000, 131072),
  overflow("LLM request rejected: input length 131500 exceeds the model's limit of 131072 tokens", 131500, 131072),
  overflow(
    {
      error: {
        code: 400,
        message: 'The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1050000,
    1048576,
  ),
  overflow(
    {
      message:
        "too many tokens: size limit exceeded by 1240 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'. The limit for this model is 128000 tokens.",
    },
    undefined,
    128000,
  ),
  overflow(
    '400 {"object":"error","message":"Input length (9210 tokens) exceeds the maximum allowed length (8186 tokens). Use a shorter input or enable `--allow-auto-truncate`.","type":"BadRequestError"}',
    9210,
    8186,
  ),
  overflow('ValueError: Input prompt (9210 tokens) is too long and exceeds the capacity of block_manager', 9210),
  overflow('Prompt length of 9210 is longer than the maximum model length of 8192.', 9210, 8192),
  overflow(
    {
      error: {
        message: 'The engine prompt length 9210 exceeds the max_model_len 8192. Please reduce prompt.',
        type: 'BadRequestError',
        code: 400,
      },
    },
    9210,
    8192,
  ),
  overflow('ERROR: context overflow in slot 0: n_past = 4096, n_ctx = 4096', undefined, 4096),
  overflow('Requested 9000 tokens but n_ctx is 8192', 9000, 8192),
  overflow(
    "This request would exceed the model's context window. Input: 199000 tokens, max output: 8000 tokens, window: 200000 tokens.",
    207000,
    200000,
  ),
  overflow(
    'Copilot: prompt token count of 140100 exceeds the limit of 128000 (code: model_max_prompt_tokens_exceeded)',
    140100,
    128000,
  ),
  overflow(
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"error":{"message":"This model\'s maximum context length is 131072 tokens. However, you requested 24000 output tokens and your prompt contains at least 107073 input tokens, for a total of at least 131073 tokens."}}',
        },
      },
    },
    131073,
    131072,
  ),
  overflow(
    'Bedrock: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
  ),
  overflow('Your prompt exceeds the limit of 131072 tokens by 2400 tokens', undefined, 131072),
  overflow('Input is too long for requested model. Input length: 140000, model limit: 131072', 140000, 131072),
  overflow('ContextWindowExceededError: Bedrock Exception: too many input tokens'),
  overflow({ error: { message: "'messages' exceed the model context: 70000/65536 tokens" } }, 70000, 65536),
  overflow('The message you submitted was too long, please reload the conversation and submit something shorter.'),
  overflow('Message exceeds context limit; prompt truncated is not allowed for this endpoint'),
  overflow('messages too long: 70000 tokens in total (at most 65536 tokens)', 70000, 65536),
  overflow('Agent execution failed to start: prompt is too long: 201100 tokens > 200000 maximum', 201100, 200000),
  overflow(
    'failed to load response: {"error":{"message":"This model\'s maximum context length is 40960 tokens. However, you requested 41000 tokens (40000 in the messages, 1000 in the completion).","code":"context_length_exceeded"}}',
    41000,
    40960,
  ),
  overflow('Tool call failed: subagent error: prompt is too long: 204000 tokens > 200000 maximum', 204000, 200000),
  overflow(
    { error: { type: 'request_too_large', message: 'Request has too many tokens for this model (max 128000)' } },
    undefined,
    128000,
  ),
  overflow({ error: { type: 'payload_too_large', message: 'prompt exceeds the context window' } }),
  overflow('PayloadTooLargeError: your prompt is too long for the selected model'),
  overflow('Please reduce the number of messages in the conversation or shorten them.'),
  overflow('Reduce the length of the prompt or the number of messages.'),
  overflow("Input tokens plus max_tokens must fit in the model's context window."),
  overflow("The sum of `inputs` and `max_new_tokens` exceeds the model's maximum length"),
  overflow({
    type: 'error',
    error: {
      type: 'bad_request_error',
      message: 'invalid params, context window exceeds limit (2013)',
      http_code: '400',
    },
  }),
  overflow('chat error 2013: prompt too long'),
  overflow('maximum context length is 2048 tokens, but 5 input tokens plus 2044 max_tokens were requested', 2049, 2048),
  overflow("Your request has 60000 input tokens plus 8000 'max_tokens' which exceeds 65536", 68000, 65536),
  overflow('prompt (140,233 tokens) exceeded context limit (131,072 tokens)', 140233, 131072),
  overflow('Model context limit exceeded (131072 tokens)'),
  overflow('prompt too long. Your plan: rpd 1000. Model: x'),
  overflow(
    'GenerateContent: The input token count exceeds the maximum number of tokens allowed 1048576.',
    undefined,
    1048576,
  ),
  overflow(
    'HTTP 422: inputs tokens + max_new_tokens must be <= 4096. Given: 4000 inputs tokens and 512 max_new_tokens',
    4512,
    4096,
  ),
  overflow(
    'vllm: The decoder prompt (length 5012) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    5012,
    4096,
  ),
  overflow(
    "sglang: Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 33500 tokens: 33000 tokens from the input messages and 500 tokens for the completion.",
    33500,
    32768,
  ),
  overflow(
    'LM Studio: Trying to keep the first 12000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.',
    12000,
    8192,
  ),
  overflow('Context size has been exceeded.'),
  overflow('500 the request exceeds the available context size (8192 tokens), try increasing it', undefined, 8192),
  overflow(
    {
      error: {
        code: 400,
        message: 'request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9120,
        n_ctx: 8192,
      },
    },
    9120,
    8192,
  ),
  overflow('Groq: Please reduce the length of the messages or completion.'),
  overflow('Fireworks: The prompt is too long: 140000, model maximum context length: 131071', 140000, 131071),
  overflow(
    'Together: Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8000 `inputs` tokens and 512 `max_new_tokens`',
    8512,
    8193,
  ),
  overflow(
    'Mistral: Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    40000,
    32768,
  ),
  overflow(
    "DeepSeek: This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (132000 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
    140000,
    131072,
  ),
  overflow(
    'Cerebras: Please reduce the length of the messages or completion. Current length is 9100 while limit is 8192',
    9100,
    8192,
  ),
  overflow('qwen: Range of input length should be [1, 98304]', undefined, 98304),
  overflow('Zhipu: Prompt 超长'),
  overflow('doubao: Input length 33000 exceeds the maximum length 32768', 33000, 32768),
  overflow('stepfun: the input tokens 33000 + max_tokens 1000 exceed 32768', 34000, 32768),
  overflow(
    "xAI: Failed to start sampling: The prompt (520000 tokens) exceeds the model's context window of 500000 tokens.",
    520000,
    500000,
  ),
  overflow(
    'failed to start completion request: code 400: "Input tokens exceed limit: 131500 > 131072"',
    131500,
    131072,
  ),
  overflow(
    'Could not complete the request: your conversation (210500 tokens) is larger than the 200000-token context window of the model.',
    210500,
    200000,
  ),
  overflow({
    error: {
      message: 'The messages are too long for the context window of this model',
      type: 'request_too_large',
      code: 'request_too_large',
    },
  }),
  overflow(
    { type: 'error', error: { type: 'request_too_large', message: 'Total tokens 131100 exceed model limit 128000' } },
    131100,
    128000,
  ),
  overflow('413 Payload Too Large: prompt token count 9000 exceeds 8000', 9000, 8000),
  overflow('Try reducing the length of your messages or the number of messages.'),
  overflow('Please reduce the length of the input messages.'),
  overflow('prompt_tokens + max_tokens must be less than context_length for this deployment'),
  overflow("Prompt and completion tokens together exceed the model's context length"),
  overflow('Error code 2013: invalid params, context window exceeds limit'),
  overflow('context too long (4001)'),
  overflow(
    "This model's maximum context length is 8192 tokens, however you requested 8201 tokens (9 in your prompt; 8191 for the completion). Please reduce your prompt; or completion length.",
    8201,
    8192,
  ),
  overflow('The request has 6 prompt tokens plus 4091 max_tokens; the context window is 4096 tokens', 4097, 4096),
  overflow('Prompt size exceeded limit (41000 tokens)'),
  overflow('This request exceeded the token limit: 45000 tokens requested, 32768 allowed', 45000, 32768),
  overflow('Your input (34,120 tokens) is more than the 32,768 tokens this model can process', 34120, 32768),
  overflow(
    "OpenRouter: This endpoint's maximum context length is 262144 tokens. However, you requested about 270000 tokens (238000 of text input, 32000 in the output). Please reduce the length of either one, or use the context-compression plugin.",
    270000,
    262144,
  ),
  overflow(
    'Unexpected API response status 400: Input length 33123 exceeds maximum allowed token size 32768',
    33123,
    32768,
  ),
  overflow('RuntimeError: prompt with 4500 tokens does not fit n_ctx=4096', 4500, 4096),
  overflow(
    '[ERROR] The request was rejected: the context (150k tokens) does not fit the model (128k tokens)',
    150000,
    128000,
  ),
  overflow('ClineError: {"message":"Input is too long for requested model.","status":400}'),
  overflow(
    'The chat completion failed. The number of tokens in the prompt, 70000, is over the model maximum of 65536.',
    70000,
    65536,
  ),
  overflow({ errors: { message: 'context_length_exceeded', detail: 'max 32768, got 35001' } }, 35001, 32768),
  overflow(
    { code: '400', msg: 'The total token of input and output exceeds the model limit of 32768' },
    undefined,
    32768,
  ),
  overflow('Maximum conversation length reached. Start a new conversation to continue.'),
  overflow('This thread is too long for the model to continue. Fork it or start a new one.'),
  overflow('ERR: max_seq_len 4096 < prompt length 5000', 5000, 4096),
  overflow('exceeded context window: 33000 > 32768 tokens', 33000, 32768),
  overflow('ollama: input length exceeds the context length'),
  overflow({ error: 'the input length exceeds the maximum context length' }),
  overflow(
    'TensorRT-LLM: Prompt length (9000) exceeds maximum input length (8192). Set truncation or shorten.',
    9000,
    8192,
  ),
  overflow("Request is too large for this model's context window, compact the session and retry"),
  overflow('Snowflake: max tokens of 32768 exceeded. Token count of prompt: 41000', 41000, 32768),
  overflow('The conversation no longer fits into the context window of the model.'),
];
