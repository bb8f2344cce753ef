import { groupOf } from '../result.ts';

/** The kinds of failure of a model request. Only `overflow` is cured by compaction. */
export type ModelErrorKind =
  | 'overflow'
  | 'output-limit'
  | 'payload-too-large'
  | 'rate-limit'
  | 'timeout'
  | 'cancelled'
  | 'other';

/** An error wording of servers: its meaning, and how to find it and its figures in a normalised text. */
export interface Wording {
  readonly kind: ModelErrorKind;
  /** Who says it, or where it was found. */
  readonly from: string;
  readonly example: string;
  /** Has a named group for each figure. Runs in linear time, since each part has a bounded length. */
  readonly pattern: RegExp;
}

/**
 * The figures in a wording, in tokens: `#actual` the size of the request, `#limit` its limit; `#input`, `#output`, `#tools`
 * parts of the request; `#cap` the limit of an answer.
 */
const FIGURE = /#(actual|limit|input|output|tools|cap)/g;
/** A figure is not part of a name or another number, and does not count something else. */
const OTHER_UNIT =
  '(?:input )?char\\w{0,6}|bytes|[kmg]i?b|messages|images|pages|turns|lines|files|rows|attachments|seconds|m?s|requests|attempts|times|tools';
const AS_FIGURE = `(?<![\\w.-])(?<!\\bby (?:about |at least )?)(?<$1>\\d{1,9})(?![\\d%]|[.,]\\d|-(?!token)\\w| ?(?:${OTHER_UNIT})\\b)`;
/** Up to 60 characters of a sentence, without a figure. */
const GAP = '(?:[^\\d;.\\n]|\\.(?! )){0,60}?';

/** Words that a wording refers to by a name in braces. */
const WORDS: Readonly<Record<string, string>> = {
  name: '[\\w./:@-]{1,80}',
  input: groupOf(
    /\b(?:prompts?|inputs?|messages?|conversation|history|requests?|requested|context|chat|thread|total|text|sequence length)\b/,
    /\b(?:number of (?:input |prompt )?tokens|tokenized|(?:prompt|input|message)_[a-z]{1,12})\b/,
  ),
  window: groupOf(
    /\b(?:context|prompt|input|sequence|tokens?|model)(?:[ _-]tokens?)?[ _-](?:length|window|size|limit|budget|capacity|len)\b|\b(?:n_|num_)?ctx\b|\bn_ctx\w{0,12}/,
    /\bmax(?:imum)?[ _](?!(?:(?:new|output|completion)[ _])?tokens\b)(?:[a-z]{1,12}[ _]){0,4}?(?:length|len|tokens?|size|context|window|limit|embeddings)\b/,
    /\bmax_(?!new|(?:output_|completion_)?tokens\b)[a-z_]{2,24}|\btruncation_length\b/,
  ),
  over: groupOf(
    />=?|\bexceed(?:s|ed|ing)?\b|\b(?:over|above|beyond|past)\b|\b(?:long|larg|great|bigg|high)er than\b|\bmore than\b/,
    /\btoo (?:long|large|big|many)\b|\bsurpass\w{0,4}|\boverflow\w{0,4}|\b(?:not|wont|doesnt|cant) fit\b/,
  ),
  most: /(?:\b(?:limit|max(?:imum)?|allow(?:s|ed)|capacity|only|supports|takes?|accepts?|available|context|window)\b|{window})/
    .source,
  under: groupOf(
    /<=?|\b(?:less|fewer|shorter|smaller|lower) than\b(?: or equal to\b)?|\bat most\b|\bunder\b|\bup to\b/,
  ),
  cap: groupOf(
    /\bmax_?(?:new_?|output_?|completion_?)?tokens\b|\bmax(?:imum)? (?:(?:output|new|completion) )?tokens\b|\bnum_predict\b/,
    /\b(?:output|completion|generated) (?:tokens?|length)\b|\bmaximum (?:output|completion)\b/,
  ),
  asked:
    /(?:requested|contains?|has|have|got|received|given|gave it|sent|submitted|supplied|provided|passed|used|actual|current|yours|resulted in)/
      .source,
};

function compile(wording: RegExp): RegExp {
  const spell = (source: string): string =>
    source.replace(/\{([a-z]+)\}/g, (_all, name: string) => spell(WORDS[name] ?? ''));
  return new RegExp(spell(wording.source).replaceAll('…', GAP).replace(FIGURE, AS_FIGURE));
}

function rows(kind: ModelErrorKind, table: Readonly<Record<`${string} | ${string}`, RegExp>>): readonly Wording[] {
  return Object.entries(table).map(([row, wording]) => {
    const [from = '', example = ''] = row.split(' | ');
    return { kind, from, example, pattern: compile(wording) };
  });
}

/**
 * All wordings in the order in which they are tried; the first match decides, unless its figures contradict it. Wordings
 * with a single meaning come first, mere hints last.
 */
export const WORDINGS: readonly Wording[] = [
  // Not refused for its length, or for a length that compaction cannot change.
  ...rows('other', {
    "Karl's gateway | Karl cannot send this: its prompt, tool definitions and newest message come to 12,000 tokens":
      /^karl cannot send this\b|^the tool definitions alone do not fit\b/m,
    'Claude Code, a tool | File content (40123 tokens) exceeds maximum allowed tokens (25000). Use offset and limit':
      /file content…#actual|\btool (?:result|output|response|input|call arguments?)s? (?:was |is )?(?:too|exceeds?|failed)/,
    'Go, a cancelled call | maximum context length: context canceled': /\bcontext cancell?ed\b/,
    'llama.cpp, Ollama, at start-up | failed to load model: requested context 131072 needs more memory than available':
      /failed to (?:load|initiali[sz]e|start) (?:the )?(?:model|server|llama|context|mcp|session)|n_ctx_train|memory than|(?:out of|for|available) memory|\bgpu|\bvram\b|\bnum_ctx…(?:larger|must be)|length \d{1,9} is not available|\bbatch size exceeds/,
    'vLLM, at start-up | max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=32768)':
      /derived max_model_len|(?:lower|decrease) (?:the )?(?:num_ctx|max_model_len)|does not support a context/,
    'Hugging Face tokenizers, a log line | Token indices sequence length is longer than the specified maximum (18294 > 16384). Running this':
      /sequence length is longer than[^;\n]{0,160} running this/,
    'OpenAI, a short field | Invalid input[2].call_id: string too long. Expected a string with maximum length 64':
      /maximum length \d{1,3}\b|at most \d{1,3} characters|\barray too long|\bnumber of (?:messages|tools|requests|items) exceeds/,
    'Access tokens | The access token expired: token exceeds its lifetime':
      /\b(?:access|api|auth\w{0,10}|bearer|refresh|invalid|unexpected) (?:token|key)\b|\b(?:header|cookie|field|title|name)s?\b[\w ]{0,20} too (?:long|large)/,
    'OpenAI, Anthropic, a field of the reply | `max_tokens` must be greater than `thinking.budget_tokens`':
      /unsupported parameter|unrecognized|(?:must|should) be (?:greater|larger|more) than|must be at least|not permitted|positive integer/,
  }),
  ...rows('payload-too-large', {
    'OpenAI | string too long. Expected a string with maximum length 1048576, but got a string with length 1891965':
      /\bstring (?:is )?too long|string_above_max|\bstring (?:value )?length[ \d]{1,12}exceed/,
  }),
  ...rows('overflow', {
    'vLLM, serving_engine.py | length is 8192 tokens. However, you requested 512 output tokens and your prompt contains at least 7681 input tokens':
      /length is #limit tokens\. however, you requested #output output tokens(?: and your prompt contains (?<least>at least )?#input input)?/,
    "vLLM, serving_engine.py | 'max_tokens' is too large: 4096. This model's maximum context length is 32768 tokens and your request has 29000 input tokens":
      /too large: #output\. this models maximum context length is #limit tokens and your request has #input input/,
    'OpenAI, DeepSeek, OpenRouter, vLLM | maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion)':
      /(?:length|of) (?:is )?#limit tokens[.,] (?:however,? )?you[a-z]{0,2}(?: [a-z]{1,12}){1,4} #actual(?! output)[^\n]{0,90}? #output (?:tokens )?(?:in|for) the (?:completion|output)/,
    "Azure | This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens (100 in the messages, 8900 in the functions)":
      /length is #limit tokens[.,] (?:however,? )?you[a-z]{0,2}(?: [a-z]{1,12}){1,4} #actual tokens \d{1,9} in the messages, #tools in the functions/,
    "OpenAI, xAI, SambaNova | This model's maximum prompt length is 131072 but the request contains 140321 tokens.":
      /(?:context|prompt|sequence|input) length (?:(?:of|for) {name} )?is (?:only )?#limit(?: tokens)?[.,;]? (?:however,? |but |and )?(?:your \w{1,12}|you|the request|answering your request) (?:resulted in|requested|will take|requires|has|have|contains?)(?: a total of| about| over)? #actual(?! (?:in|out)put)/,
    'SambaNova | The provided prompt is 4309 tokens long, so generating 1 tokens requires a sequence length of 4310, but the maximum supported sequence length is just 4096':
      /prompt is #input tokens long, so generating #output tokens requires a sequence length of \d{1,9}, but the {window} is (?:just )?#limit/,
    'Perplexity | Requested 115120 to generate tokens, following a prompt of length 40055, which exceeds the max limit of 128000 tokens.':
      /requested #output to generate tokens, following a prompt of length #input, which exceeds the max limit of #limit/,
    'Anthropic, Bedrock, docs.anthropic.com/errors | input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000':
      /{input}[^\d\n]{0,60}#input[^\d;\n]{0,40}(?:[+]|plus|and)[^\d;\n]{0,40}#output(?! draft| ?[+=])(?:[^\d;.\n]{0,40}?{over}|[^\d;.\n]{0,40} (?:must|should|can) ?not exceed)…#limit/,
    'Gateways | input length + max_tokens exceeds context limit':
      /{input}[^.;\n]{0,30}(?:[+]|\bplus\b|\band\b) (?:the )?{cap}[^.;\n]{0,24}(?:exceed|{over}|{under}|<=)…(?:{window}|model)(?: of)?(?: #limit)?/,
    'TGI, Together, router/src/validation.rs | `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 512 `max_new_tokens`':
      /must be <= #limit\. given: #input inputs tokens and #output max_new/,
    "llama.cpp, SGLang, Mistral, NIM, TensorRT-LLM, TabbyAPI | The input (400013 tokens) is longer than the model's context length (262144 tokens).":
      /{input}…#actual(?: tokens?)?(?: and \d{1,9} draft tokens)?…{over}(?=[^;\n]{0,80}?{window})…#limit/,
    'Cohere | total number of tokens in the prompt cannot exceed 4081 - received 5120':
      /number of tokens…exceed #limit - received #actual/,
    'Cohere, older | size limit exceeded by 1200 tokens. The limit for this model is 8992 tokens.':
      /size limit exceeded by \d{1,9} tokens[^\n]{0,60}\bthe limit for this model is #limit/,
    'GitHub Models | Request body too large for gpt-4o model. Max size: 8000 tokens.':
      /body too large(?: for {name} model)?\. max size: #limit tokens/,
    'Snowflake Cortex | max tokens of 8192 exceeded': /\bmax tokens of #limit exceeded/,
    'LiteLLM, Amazon Q, OpenAI, a code in the text | litellm.ContextWindowExceededError: litellm.BadRequestError':
      /(?:context|prompt|input|content)_?(?:length|window|size|tokens?)?_?(?:limit_?)?(?:exceed|overflow|too_?(?:long|large))|\btokens?_(?:limit_reached|quantity_exceeded)|exceed_context_size/,
  }),
  ...rows('timeout', {
    'Go, gRPC, undici, gateways | context deadline exceeded (Client.Timeout exceeded while awaiting headers)':
      /\bdeadline[ _]exceeded\b|\btimed[ -]?out\b|\btime-?out (?:of|after|error|reached|while)\b|超时/,
    'Gateways, agents | Request timeout after 60s. Try reducing input length':
      /\b(?:request|connect(?:ion)?|read|gateway|headers|body|response|upstream|stream|idle|due to)(?: a)?[ _]time-?out/,
  }),
  ...rows('rate-limit', {
    'OpenAI, Groq, Anthropic | Request too large on tokens per minute (TPM): Limit 6000, Requested 14810':
      /(?:\bper|\/|_per_)[ -]?(?:min(?:ute)?|hour|day|week|month|second)\b|\b(?:[io]?tp[md]|rp[md])\b/,
    'Codex | too many tokens in the last minute':
      /\b(?:last|past|next|each|every|this|a) (?:minute|hour|day|week|month)\b|\b(?:daily|weekly|monthly|hourly) [\w ,]{0,20}(?:limit|quota|allo\w{2,8}|budget|cap)\b/,
    'OpenAI, Vertex, Bedrock | ThrottlingException: Too many tokens, please wait before trying again.':
      /\brate[ _-]?limit|\btoo[ _]many[ _](?:concurrent[ _])?requests|throttl|slow down|\brequest rate\b|\bplease wait before\b|\bresource ?_?(?:has been )?exhausted/,
    'OpenAI, OpenRouter, DeepSeek | This request requires more credits, or fewer max_tokens. You can only afford 4000':
      /\bquotas?\b|_quota\b|\bcredits?\b|can only afford|insufficient[ _](?:balance|funds)|\bbilling\b|\bpayment (?:method|required)|\bpaid (?:account|plan)/,
    'Copilot, Anthropic, gateways | You have exceeded your premium request allowance':
      /\b(?:usage|spending|request|message) limit (?:reached|exceeded|for)|\ballowance\b|\bextra usage\b|\bmax budget\b|free allocation|free tokens|\bper-model limit|tier capacity|\bconcurren(?:cy|t) (?:limit|request)/,
    'DashScope, Zhipu | 您的账户已达到速率限制': /速率|频率|频繁|限流|余额|配额|欠费|额度|限额|请求过多|并发/,
  }),
  ...rows('overflow', {
    'Anthropic, OpenAI, agents | Context window exceeded. Output limit is 8192 tokens.':
      /\b(?:context|prompt|conversation|chat)(?: (?:length|window|size|limit|history|is|was|has|been)){0,3} (?:exceeded|overflow|too (?:long|large))/,
  }),
  ...rows('output-limit', {
    'Anthropic | max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens':
      /{cap}:? \d{1,9} >=? #cap/,
    'OpenAI | max_tokens is too large: 50000. This model supports at most 16384 completion tokens':
      /supports? (?:at most|up to|only) #cap (?:completion|output) tokens/,
    'Gemini | it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)':
      /range is from \d inclusive to #cap (?<exclusive>exclusive)?/,
    'DeepSeek, DashScope | Invalid max_tokens value, the valid range of max_tokens is [1, 8192]':
      /{cap}(?: (?:is|should be|must be))?[^\d;\n]{0,24} \d(?:,| and| to) ?#cap/,
    'OpenAI Responses | Invalid max_output_tokens: integer above maximum value. Expected a value <= 32768':
      /{cap}[^\n]{0,120}? expected a value <= #cap/,
    'Bedrock, Groq, Cohere, Databricks | max_tokens must be less than or equal to 32768':
      /(?:{cap}|maximum tokens you requested)(?: of| value of| for {name})?(?:[:=]? ?\d{1,9})?(?: tokens)?…(?:{over}|{under}|exceed|maximum|<=)…#cap/,
    'Gateways | You requested 20000 output tokens, but the output limit of the model is 16384':
      /\boutput(?: (?:tokens? )?limit)?(?: of the model)? (?:is|of|:) ?#cap/,
    'OpenAI, a finished reply | Could not parse response content as the length limit was reached':
      /\blength limit was reached|(?:finish|stop)_?reason:? (?:is |= ?)?(?:length|max_tokens)\b/,
    "Codex, Claude Code | Claude's response exceeded the 32000 output token maximum.":
      /\b(?:reached|hit|due to|exceed(?:ed|s)|reason:?)[^.;\n]{0,30}?(?:max_?\w{0,12}tokens|max output|output tokens? (?:limit|maximum))|\b(?:response|output|reply)[a-z ]{0,16} (?:truncated|cut off|incomplete|longer than)/,
    'Zhipu, gateways | max_tokens参数非法。请检查文档。':
      /{cap}[^.;\n]{0,40}(?:{over}|{under}|exceed|invalid|illegal|参数非法|range|limit|maximum|reached|not valid)|(?:limit|maximum)…{cap}/,
  }),
  ...rows('payload-too-large', {
    'Anthropic, Vertex, gRPC | Request exceeds the maximum allowed number of bytes.':
      /\bbytes\b|\d ?(?:[kmg]b|[km]ib)\b|\d (?:characters|chars)\b|\bpixels\b|\bfile size\b|\bmaxlength\b|larger than max \d|total message size/,
    'Anthropic | messages: too many images: 120 > 100':
      /(?<!tokens of )\bimages?\b…(?:too (?:large|many|big)|exceeds?|{over})|too many images|pages allowed|pdf pages/,
    'nginx, Express | 413 Request Entity Too Large':
      /\b(?:entity|payload|content|body|request)[ _]?(?:is )?too[ _]?large(?![^\n]{0,80}(?:tokens|\bmodel\b))|\bmaxbodylength|failed to buffer the request body|body (?:size )?(?:exceeds|exceeded|larger)/,
  }),
  ...rows('overflow', {
    'Anthropic, Gemini, Copilot, Fireworks, Cerebras | prompt is too long: 210042 tokens > 200000 maximum':
      /(?:{input}|{over}|\bcurrent length)…#actual(?: (?:input|prompt))?(?: tokens?)?…(?:{over}|{under}|{most})…#limit/,
    'Agents | Context window exceeded (140000/128000 tokens)':
      /(?:{window}|{over})…#actual(?: tokens?)?(?: used)? ?(?:\/|of|vs|>=?) ?#limit/,
    'LM Studio | Trying to keep the first 9210 tokens when context the overflows. However, the model is loaded with context length of only 8192':
      /keep the first #actual tokens[^\d\n]{0,120}context length of (?:only )?#limit/,
    'Gateways | This request has 41200 tokens. The maximum is 32768 tokens':
      /#actual (?:[a-z]{1,7} )?tokens?\b[^\d\n]{0,60}?(?:{most}|>=?)[^\d;.\n]{0,24}?#limit/,
    'Clients | InputTooLongError: 9000 > 8192': /(?:too ?long|overflow|exceeded)[^\d\n]{0,24}#actual >=? #limit/,
    'Moonshot, Amazon Nova, TGI, Anyscale | Your request exceeded model token limit: 262144 (requested: 270412)':
      /(?:{most}|{under}|capped at)…#limit[^\d\n]{0,60}?(?:{asked}|\b(?:prompt|input|context|request)\b)[^\d\n]{0,16}#actual(?! output)/,
    'NovelAI | the model has 8192 tokens maximum, 9310 tokens of context were requested':
      /#limit (?:max )?tokens?\b[^\d\n]{0,50}#actual tokens?(?: of| in| as)?(?: the| your)? ?(?:context|prompt|requested|were\b)/,
    'DashScope | Range of input length should be [1, 30720]':
      /(?:input|prompt|messages?) length (?:#actual )?should be (?:in )?\d, ?#limit/,
    'OpenRouter, Gemini, ERNIE | This endpoint maximum context length is 65536 tokens.':
      /(?<!exceeded (?:the |its )?)(?:{window}(?: for {name})?(?: (?:is|of|only|allowed)| ?[:=]){1,3}|\bexceeds? (?:the )?(?:[a-z]{1,12} )?{window}) ?#limit(?! of)(?![^\n]{0,40}\d{4})/,
    'Writer, gateways | input is too long, max 32000 tokens':
      /(?:too (?:long|large)|exceeded)[^\d\n]{0,40}?(?<!output |exceeded )\b(?:max(?:imum)?|limit)\b(?: (?:of|is|allowed|number of tokens)|[.:]){0,3} #limit tokens/,
    'TGI, AI21 | `inputs` must have less than 4096 tokens':
      /{input}…(?:exceeds?|(?:must|should|can|could|ensure)(?: [a-z]{1,10}){1,3})(?: [a-z]{1,10}){0,5} #limit(?: (?:input )?tokens?\b| context)(?![^\n]{0,40}\d{4})/,
    'vLLM | Input prompt (41000 tokens) is too long and exceeds the capacity of block_manager':
      /{input}(?: (?:length|tokens?|size|count|has|of|is)){0,3} #actual(?: tokens?)?[a-z, ]{0,60}?{over}(?![^\n]{0,60}\d{4})/,
    'OpenAI | Your input exceeds the context window of this model.':
      /\b(?:prompts?|inputs?|messages?|conversation|history|context|tokens|chat|thread|total)\b[^:;\n]{0,60}?{over}[^;\n]{0,60}?(?:{window}|\blimits?\b|\bmaximum|\bmax\b|\bcapacity)/,
    'Bedrock, Cohere, agents | Input is too long for requested model.':
      /\b(?:prompts?|inputs?|conversation|messages?|history|chat|thread|context|request|length)\b[ \w]{0,40}?\b(?:too (?:long|large|big)|(?:length|size|limit) (?:was |is |has )?(?:been )?exceeded)/,
    'MiniMax, LM Studio | invalid params, context window exceeds limit (2013)':
      /\b(?:context|n_ctx|ctx)[ _]?(?:\w{1,8}[ _]){0,4}?(?:exceed|overflow|full|exhausted|reached|hit)|\bout of context|{over}[^;\n]{0,30}\bcontext/,
    'Groq | Please reduce the length of the messages or completion.':
      /\b(?:reduce|shorten|decrease|trim)\b[^.;\n]{0,40}\b(?:prompt|input|messages?|conversation|context)/,
    'DashScope, Zhipu, Doubao | 输入内容过长，请缩短后重试':
      /(?:上下文|输入|提示|prompt|tokens?|对话|消息|文本)[^\n]{0,40}?(?:超过|超出|超限|超长|过长|太长|过大|过多)|(?:超过|超出)[^\n]{0,20}(?:上下文|长度)/,
    'Servers in other languages | Die maximale Kontextlänge von 32768 Tokens ist überschritten':
      /kontext|\bcontext[eo]\b|контекст|токен|トークン|コンテキスト|토큰|컨텍스트/,
    'A hint alone | Total tokens exceed what the deployment takes':
      /\btoo many (?:input |prompt )?tokens|{input}[^.;\n]{0,40}\btokens\b[^.;\n]{0,60}{over}|\btokens? limit\b|\bcontext window\b[^\n]{0,40}\b(?:full|room|space)|\b(?:out of|no|fills?)\b[^.;\n]{0,30}\bcontext window/,
  }),
];

/** The kinds that codes, types and names of errors stand for. */
export const CODES: readonly (readonly [kind: ModelErrorKind, codes: RegExp])[] = [
  ['other', /^karl_/],
  [
    'rate-limit',
    /^(?:rate_?limit\w*|429|.*throttl.*|resource_?exhausted|too_many_requests|.*quota_?exceeded\w*|insufficient_(?:quota|credits|balance|funds)|payment_required|billing_\w+)$/,
  ],
  [
    'overflow',
    /^(?:\w{0,24}(?:context|prompt|input)_?(?:length|window|size|tokens?)?_?(?:limit_?)?(?:exceed|overflow|too_?(?:long|large))\w*|\w{0,8}tokens?_(?:limit_reached|quantity_exceeded)|exceed_context_size\w*|content_length_exceeds_threshold|1261|3051)$/,
  ],
  ['timeout', /^(?:deadline_?exceeded|(?:request_|gateway_)?timeout(?:_error)?)$/],
  ['output-limit', /^(?:lengthfinishreasonerror|max_tokens_exceeded|invalid_max_tokens|max_output_tokens)$/],
  ['payload-too-large', /^(?:string_above_max_length|string_too_long|image_too_large)$/],
];

/** Errors that may quote a reply, a refused text or the error of another attempt. */
export const QUOTING = new RegExp(
  groupOf(
    /\b(?:pars(?:e|ed|er|ing)|json|yaml|xml|syntax|malformed|decod\w+|deseriali\w+|unmarshal\w*|template|grammar|schema)\b/,
    /\bunexpected (?:token|end|character|value|type)|\bat (?:pos|position|offset|line|char)\b/,
    /\bfilter\w*|\bpolic(?:y|ies)\b|moderat\w+|\bflagged\b|\bblocked\b|\bsafety\b|guardrail|\bviolat|\b(?:censor|refus|harm|sensitive|jailbreak)\w*/,
    /fall(?:en|ing)?[ _-]?backs?\b(?!=none)|\b(?:previous|earlier|original|other|another|secondary)(?:ly)?\b|\battempt|\bretr(?:y|ied|ies)\b|overloaded|unavailable/,
    /\b(?:all|every|both|each|any) (?:\w+ ){0,3}(?:models?|providers?|deployments?|endpoints?|backends?)\b|\breroute|\bswitch(?:ed|ing)\b/,
    /\b(?:models?|assistant|llm|reply|response|completion|output|generation) (?:text )?(?:said|says|wrote|answered|generated|was|reads|contain(?:s|ed))\b/,
    /\b(?:tool|function)[ _]?(?:call|use|result|output)|\b(?:generated|received|returned|raw) (?:text|content|output|body)\b|\bquot(?:e|ed|ing)\b/,
  ),
);

/** The first HTTP status of an error in a normalised text. */
export function findStatus(text: string): number | undefined {
  const [, status] =
    /(?:^|\n|\b(?:error|code|status|http\/?\d?\.?\d?)[:= ]{1,2})([45][0-3]\d)(?![\d.,]|\w)/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}
