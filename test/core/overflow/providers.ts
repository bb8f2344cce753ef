import type { ModelErrorKind } from '../../../src/core/overflow/modelError.ts';

/** A failure as one provider states it, with what must be read from it. */
export interface ProviderExample {
  readonly from: string;
  readonly error: unknown;
  readonly kind: ModelErrorKind;
  readonly actual?: number;
  readonly limit?: number;
  readonly output?: number;
}

function overflow(from: string, error: unknown, actual?: number, limit?: number): ProviderExample {
  return {
    from,
    error,
    kind: 'overflow',
    ...(actual === undefined ? {} : { actual }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Wordings of providers and servers, with figures of our own. */
export const OVERFLOWS: readonly ProviderExample[] = [
  overflow(
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 140321 tokens.",
    140321,
    131072,
  ),
  overflow(
    'xAI flat',
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 256000 but the request contains 300120 tokens.",
    },
    300120,
    256000,
  ),
  overflow(
    'SambaNova',
    'litellm.BadRequestError: SambanovaException - The maximum context length of DeepSeek-V3-0324 is 32768. However, answering your request will take 41010 tokens. Please reduce the length of the messages or the specified max_completion_tokens value.',
    41010,
    32768,
  ),
  overflow(
    'Moonshot',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 270412)',
    270412,
    262144,
  ),
  overflow(
    'Moonshot bare',
    { error: { message: 'Your request exceeded model token limit: 131072', type: 'invalid_request_error' } },
    undefined,
    131072,
  ),
  overflow('MiniMax', 'invalid params, context window exceeds limit (2013)'),
  overflow('MiniMax body', {
    base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' },
  }),
  overflow('Groq', {
    error: {
      message: 'Please reduce the length of the messages or completion.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  }),
  overflow(
    'Cerebras',
    {
      message: 'Please reduce the length of the messages or completion. Current length is 71023 while limit is 65536',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    71023,
    65536,
  ),
  overflow('Perplexity-like', 'Input is too long: 140000 tokens. Maximum allowed is 127072 tokens.', 140000, 127072),
  overflow(
    'Databricks',
    '{"error_code":"BAD_REQUEST","message":"Bad request: prompt token count (140210) exceeds the maximum context length of 128000 tokens"}',
    140210,
    128000,
  ),
  overflow(
    'Databricks input',
    'BAD_REQUEST: Input exceeds max tokens. Prompt tokens: 9000, max tokens: 8192',
    9000,
    8192,
  ),
  overflow('llama-cpp-python', 'ValueError: Requested tokens (5210) exceed context window of 4096', 5210, 4096),
  overflow(
    'llama-cpp-python server',
    "This model's maximum context length is 2048 tokens, however you requested 2310 tokens (1310 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length.",
    2310,
    2048,
  ),
  overflow('ctransformers', 'Number of tokens (2662) exceeded maximum context length (512).', 2662, 512),
  overflow(
    'llama.cpp slot',
    'slot context shift is disabled: input (12000 tokens) is larger than the context size (8192 tokens). skipping',
    12000,
    8192,
  ),
  overflow('llama.cpp old', 'the request exceeds the available context size, try increasing it'),
  overflow(
    'llama.cpp embedding',
    'input (2231 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    2231,
  ),
  overflow(
    'TensorRT-LLM',
    'Cannot process new request: Prompt length (5056) exceeds maximum input length (2048)',
    5056,
    2048,
  ),
  overflow(
    'TensorRT-LLM new',
    'Encountered an error when fetching new request: Prompt length (9123) exceeds maximum sequence length (8192). Set log level to info',
    9123,
    8192,
  ),
  overflow(
    'TensorRT-LLM default',
    'The sum of prompt length (7000.0) and query length max_tokens (2000) should not exceed max_num_tokens (8192)',
    9000,
    8192,
  ),
  overflow('NIM', 'Input length 40000 exceeds maximum allowed token size 32768', 40000, 32768),
  overflow('TabbyAPI', 'Context length 40213 is greater than max_seq_len 32768', 40213, 32768),
  overflow('ExLlamaV2', 'Prompt length 9121 is greater than max_seq_len 8192', 9121, 8192),
  overflow(
    'TGI',
    {
      error: 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5210',
      error_type: 'validation',
    },
    5210,
    4095,
  ),
  overflow(
    'TGI sum',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 512 `max_new_tokens`',
      error_type: 'validation',
    },
    4412,
    4096,
  ),
  overflow(
    'SGLang',
    {
      object: 'error',
      message: "The input (400013 tokens) is longer than the model's context length (262144 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
    400013,
    262144,
  ),
  overflow(
    'SGLang sum',
    "Requested token count exceeds the model's maximum context length of 65536 tokens. You requested a total of 70000 tokens: 66000 tokens from the input messages and 4000 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
    70000,
    65536,
  ),
  overflow(
    'SGLang old',
    "ValueError: The input is too long: the length (9000 tokens) is longer than the model's context length (8192 tokens)",
    9000,
    8192,
  ),
  overflow(
    'vLLM 0.4',
    {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 9150 tokens in the messages, Please reduce the length of the messages.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    9150,
    8192,
  ),
  overflow(
    'vLLM decoder',
    'The decoder prompt (length 41003) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    41003,
    32768,
  ),
  overflow('vLLM new', 'Input length (33000) exceeds maximum context length (32768).', 33000, 32768),
  overflow(
    'LM Studio',
    'Error: The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10530>= n_ctx: 8192). Try to load the model with a larger context length, or provide a shorter input.',
    10530,
    8192,
  ),
  overflow(
    'LM Studio generic',
    'Reached context length of 4096 tokens, but this model does not support mid-generation context overflow.',
    undefined,
    4096,
  ),
  overflow('Ollama', 'ollama: context length exceeded for llama3'),
  overflow('Ollama embed', { error: 'the input length exceeds the context length' }),
  overflow('Ollama limit', 'input exceeds maximum context length and cannot be truncated further'),
  overflow('koboldcpp', 'Prompt is too long: 9000 tokens exceeds max context 8192', 9000, 8192),
  overflow(
    'LocalAI',
    'rpc error: code = InvalidArgument desc = prompt exceeds context size (ctx=4096, prompt tokens=5101)',
    5101,
    4096,
  ),
  overflow('MLX', 'ValueError: Prompt length 40000 exceeds max_kv_size / context window 32768', 40000, 32768),
  overflow(
    'text-generation-webui',
    'Prompt exceeds the context length of the loaded model (truncation_length 2048)',
    undefined,
    2048,
  ),
  overflow(
    'Bedrock converse',
    'ValidationException: The model returned the following errors: input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    210000,
    200000,
  ),
  overflow('Bedrock jamba', 'ValidationException: The input is too long'),
  overflow('Bedrock max', 'ValidationException: Input exceeds the max input token limit'),
  overflow(
    'Bedrock llama',
    "An error occurred (ValidationException) when calling the InvokeModel operation: This model's maximum context length is 8192 tokens. Please reduce the length of the prompt",
    undefined,
    8192,
  ),
  overflow(
    'Bedrock titan',
    '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9999 ',
    9999,
    8192,
  ),
  overflow(
    'Bedrock mantle',
    {
      error: {
        message: 'The input token count of 1050000 exceeds the maximum number of input tokens 1000000 for this model.',
      },
    },
    1050000,
    1000000,
  ),
  overflow(
    'Gemini',
    '{"error":{"code":400,"message":"Unable to submit request because the input token count is 1200000 but model only supports up to 1048576. Reduce the input token count and try again.","status":"INVALID_ARGUMENT"}}',
    1200000,
    1048576,
  ),
  overflow(
    'Vertex',
    'Request contains an invalid argument: The input token count (1051000) exceeds the maximum number of tokens allowed (1048576).',
    1051000,
    1048576,
  ),
  overflow(
    'Vertex separators',
    'The input token count (1,150,321) exceeds the maximum number of tokens allowed (1,048,576).',
    1150321,
    1048576,
  ),
  overflow('PaLM', 'The model supports up to 8192 input tokens, but received 9011.', 9011, 8192),
  overflow(
    'watsonx',
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            "Invalid input argument for Model 'ibm/granite': the number of input tokens 8200 cannot exceed the total tokens limit 8192 for this model",
        },
      ],
      trace: 'ab',
      status_code: 400,
    },
    8200,
    8192,
  ),
  overflow('watsonx code', { errors: [{ code: 'token_quantity_exceeded', message: 'The input is over quantity' }] }),
  overflow(
    'Cohere',
    {
      message:
        'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5120. Try using a shorter prompt, or enabling prompt truncating.',
    },
    5120,
    4081,
  ),
  overflow('Cohere max', "total tokens exceeds the model's max of 4096", undefined, 4096),
  overflow(
    'Mistral',
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'value_error',
            msg: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
          },
        ],
      },
      type: 'invalid_request_error',
    },
    40000,
    32768,
  ),
  overflow(
    'Mistral old',
    'Prompt contains 35012 tokens, too large for model with 32768 maximum context length',
    35012,
    32768,
  ),
  overflow('Zhipu', { error: { code: '1261', message: 'Prompt 超长' } }),
  overflow('Zhipu English', { error: { code: '1210', message: 'tokens in request more than max tokens allowed' } }),
  overflow(
    'DashScope',
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
    undefined,
    30720,
  ),
  overflow('DashScope text', 'Input length 40123 should be in [1, 30720] tokens', 40123, 30720),
  overflow('Doubao', {
    error: {
      code: 'InvalidParameter',
      message: 'Total tokens of image and text exceed max message tokens. Request id: 02175',
      param: '',
      type: 'BadRequest',
    },
  }),
  overflow('Doubao Chinese', '输入的 tokens 数量 140000 超过模型最大上下文长度 131072', 140000, 131072),
  overflow('Chinese', '请求失败：输入内容过长，请缩短后重试'),
  overflow('Chinese window', '当前对话已超出模型的上下文窗口限制'),
  overflow(
    'StepFun',
    'The total number of tokens in messages is 33100, which exceeds the context window of the model 32768',
    33100,
    32768,
  ),
  overflow('Baichuan', 'prompt tokens too long: input token number 33000 exceeds limit 32768', 33000, 32768),
  overflow('ERNIE', { error_code: 336007, error_msg: 'the max input token length is 5120' }, undefined, 5120),
  overflow('Hunyuan', { Response: { Error: { Code: 'InvalidParameterValue', Message: '模型输入长度超过最大限制' } } }),
  overflow(
    'Yi',
    "This model's maximum context length is 16384 tokens. However, you requested 20000 tokens (18000 in the messages, 2000 in the completion).",
    20000,
    16384,
  ),
  overflow(
    'Together',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8100 `inputs` tokens and 512 `max_new_tokens`',
    8612,
    8193,
  ),
  overflow('Together new', "The input token count of 33,000 is over the model's limit of 32,768 tokens", 33000, 32768),
  overflow('Fireworks', 'The prompt is too long: 140000, model maximum context length: 131071', 140000, 131071),
  overflow(
    'Anyscale',
    'Input too long. Received 5000 tokens, but the maximum input length is 4096 tokens. (Internal Error)',
    5000,
    4096,
  ),
  overflow(
    'Anyscale prompt',
    'PromptTooLongError: Input too long. Recieved 4550 tokens, but the maximum input length is 4096 tokens.',
    4550,
    4096,
  ),
  overflow('DeepInfra', 'inference error: prompt too long: 41000 > 32768 tokens', 41000, 32768),
  overflow('Novita', 'the input tokens exceeds the context length limit'),
  overflow('Nebius', 'The request is too long: requested 140000 tokens, limit 131072', 140000, 131072),
  overflow(
    'Hyperbolic',
    {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 39000 tokens in total (31000 in the messages, 8000 in the completion).",
      code: 40303,
    },
    39000,
    32768,
  ),
  overflow('Replicate', 'E1002 PromptTooLong: Prompt length exceeds maximum input length'),
  overflow(
    'HF inference',
    { error: ['Error in `inputs`: ensure this value has at most 1024 tokens'] },
    undefined,
    1024,
  ),
  overflow(
    'Cloudflare',
    {
      errors: [
        {
          message:
            'AiError: The estimated number of input and maximum output tokens (9500) exceeded this model context window limit (8000).',
          code: 5021,
        },
      ],
      success: false,
    },
    9500,
    8000,
  ),
  overflow(
    'GitHub Models',
    {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    },
    undefined,
    8000,
  ),
  overflow(
    'Copilot',
    {
      error: {
        message: 'prompt token count of 70213 exceeds the limit of 64000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    70213,
    64000,
  ),
  overflow(
    'Azure Responses',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  ),
  overflow(
    'Azure functions',
    "This model's maximum context length is 16384 tokens. However, your messages resulted in 20100 tokens (18000 in the messages, 2100 in the functions). Please reduce the length of the messages or functions.",
    20100,
    16384,
  ),
  overflow(
    'OpenAI schemas',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 132166 tokens (including 317 in the response_format schemas.). Please reduce the length of the messages or schemas.",
    132166,
    128000,
  ),
  overflow(
    'OpenAI realtime',
    'Conversation is too long: the context window of 32k tokens was exceeded',
    undefined,
    32000,
  ),
  overflow(
    'Portkey',
    { status: 'failure', message: 'anthropic error: prompt is too long: 205000 tokens > 200000 maximum' },
    205000,
    200000,
  ),
  overflow(
    'Vercel gateway',
    {
      name: 'GatewayInternalServerError',
      statusCode: 500,
      message: 'Bad Request',
      value: { error_message: 'The prompt is too long: 205321 tokens exceeds 200000', error_code: 400 },
    },
    205321,
    200000,
  ),
  overflow(
    'Helicone wrapper',
    '[Helicone] upstream 400: {"error":"context length of 65536 exceeded by request with 70000 tokens"}',
    70000,
    65536,
  ),
  overflow('Writer', 'input is too long, max 32000 tokens', undefined, 32000),
  overflow('Reka', 'The conversation history is too long for the model'),
  overflow(
    'AI21',
    { detail: 'Prompt and completion tokens exceed the model limit of 262144 tokens' },
    undefined,
    262144,
  ),
  overflow('generic gateway', 'Too many tokens in the prompt: got 5012, maximum is 4096', 5012, 4096),
  overflow('generic must', 'messages: total tokens must be at most 32768, got 40100', 40100, 32768),
  overflow(
    'generic fit',
    'The prompt (41,200 tokens) does not fit into the context window (32,768 tokens)',
    41200,
    32768,
  ),
  overflow('generic budget', 'Context budget exceeded: used 210000 of 200000 tokens', 210000, 200000),
  overflow('generic slash', 'Context window exceeded (140000/128000 tokens)', 140000, 128000),
  overflow('generic k', 'Your prompt is over the 128k token limit', undefined, 128000),
  overflow(
    'German',
    'Die Anfrage mit 40000 Tokens überschreitet die maximale Kontextlänge von 32768 Tokens',
    40000,
    32768,
  ),
  overflow('French', 'Le prompt est trop long : 40000 jetons, maximum 32768', 40000, 32768),
  overflow('Spanish', 'La entrada excede la longitud máxima de contexto del modelo'),
  overflow('Japanese', '入力トークン数がモデルの最大コンテキスト長を超えています'),
  overflow('Korean', '입력 토큰이 최대 컨텍스트 길이를 초과했습니다'),
  overflow('Russian', 'Превышена максимальная длина контекста модели'),
];
