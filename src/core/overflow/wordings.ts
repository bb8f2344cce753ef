import {
  CHARACTERS,
  CHINESE_INPUT,
  CHINESE_OVER,
  CREDENTIAL,
  LIMIT,
  MINIMUM,
  MUST_BE_LESS,
  OTHER_THING,
  OVER,
  SUBJECT,
  WINDOW,
} from './vocabulary.ts';

/** One family of sentences that say: the input does not fit. */
export interface Wording {
  readonly name: string;
  /** All must be found in one sentence of the normalised text. */
  readonly all: readonly RegExp[];
  /** None may be found in that sentence. */
  readonly none?: readonly RegExp[];
  /** Says it even as a part of a sentence whose other words are of files or images. */
  readonly isComplete?: true;
  /** States the window as such: stands even beside words of rate limits. */
  readonly strong?: true;
  /** Sentences of this family as servers write them. */
  readonly examples: readonly string[];
}

/** Tried in order; the first that matches is the evidence. */
export const WORDINGS: readonly Wording[] = [
  {
    name: 'window stated',
    strong: true,
    all: [
      /(?:maximum|max) context (?:length|window|size) (?:of|for) [\w./:-]{2,60} is \d|(?:maximum|max\.?|total) (?:context|model|sequence|input|prompt)(?: (?:length|window|size|limit))? ?(?:is|of|was|:|=|\() ?(?:only |limited to )?\d|context (?:length|window|size|limit) ?(?:is|of|was|:|=|\() ?(?:only |limited to )?\d{2}|\d{1,9} (?:tokens? )?maximum context|(?:maximum|max) (?:input|prompt|context) tokens? (?:length|limit|count|number)? ?(?:is|:|=) ?\d|supports? (?:a )?(?:maximum|max) context (?:length|window)|context (?:length|window)? ?(?:is )?limited to \d|limited to (?:a |an )?(?:context|window) of (?:only )?\d|\b(?:input|prompt|context) tokens? (?:limit|maximum) ?(?:is|of|:|=) ?\d{2}/,
    ],
    none: [
      /\bderived\b|user-specified|\bconfig\b|must be (?:positive|an)|warning|not available|unavailable|not found|does not exist|\bregion\b|\bdeprecated\b|\bretired\b/,
    ],
    examples: [
      "This model's maximum context length is 16385 tokens. However, your messages resulted in 20110 tokens.",
      "This endpoint's maximum context length is 98304 tokens.",
      'Context limit is 40960 tokens; prompt=43008 leaves 0 output tokens',
      'Prompt 70001 > 65536 maximum context length',
      'This model is limited to a context of 12288 tokens',
    ],
  },
  {
    name: 'window exceeded',
    strong: true,
    isComplete: true,
    all: [WINDOW, OVER],
    none: [
      OTHER_THING,
      /\bhigher (?:than )?max_tokens\b|context (?:window|length|size)s? (?:larger|greater|longer|bigger|more) than|\bplan\b|forbidden/,
    ],
    examples: [
      'Your input exceeds the context window of this model.',
      'the request exceeds the available context size, try increasing it',
      'The remaining context window is too small to go on with this turn.',
      'Requested tokens (610) exceed context window of 512',
      'The decoder prompt (length 9001) is longer than the maximum model length of 8192.',
      "Input length (70330) exceeds model's maximum context length (65536).",
      'Context window is full. Start a new conversation.',
      'prompt does not fit in the context window',
      'Cannot truncate prompt with n_keep (9028) >= n_ctx (4096)',
    ],
  },
  {
    name: 'token limit stated',
    all: [/\b(?:maximum|max) token (?:limit|length|count) (?:is|of|:) ?\d{4}/],
    none: [OTHER_THING, CREDENTIAL, /\bper\b|\b(?:key|account|user|plan|tier)\b/],
    examples: ['maximum token limit is 196608'],
  },
  {
    name: 'larger window required',
    all: [
      /context (?:window|length|size) of at least \d|(?:requires?|needs?) (?:a )?context (?:window|length|size) of \d|(?:requires?|needs?) (?:an? )?(?:bigger|larger|longer) context(?: window| length| size)? than|\bno (?:endpoints?|models?|providers?|deployments?|backends?)\b[^,;]{0,30}(?:\bcontext of at least \d|handle \d{1,9} tokens)|\bcannot truncate to \d{2,9}, required \d/,
    ],
    none: [/\bminimum\b|\bconfig|\bset \w+ to\b|\bplan\b/],
    examples: ['A context window of at least 70000 tokens is required; the model has 32768.'],
  },
  {
    name: 'input tokens over',
    all: [
      /\b(?:tokens?|token_count|input_tokens)\b/,
      /exceed|\bover (?:the |its |your )|over limit|beyond|(?:greater|larger|longer|bigger|more|higher) than|more (?:\w{1,10} )?tokens than|surpass|too (?:long|large|big|many|much)|\babove the\b|[^-=]>/,
      /\b(?:prompts?|inputs?|requests?|messages?|conversation|context|history|sequence|contents?|text|query|chat|payload|body|input_tokens)\b/,
    ],
    none: [OTHER_THING, CHARACTERS, CREDENTIAL, MINIMUM],
    examples: [
      'prompt is too long: 210042 tokens > 200000 maximum',
      'The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).',
      'Number of input tokens exceeds maximum length. Please update the input to try again.',
      'Request too long: 51692 input tokens over the limit of 32768',
      'prompt token count of 135000 exceeds the limit of 128000',
      'Input tokens exceed the configured limit of 272000 tokens.',
      'tokens in request more than max tokens allowed',
    ],
  },
  {
    name: 'tokens over a model limit',
    all: [
      /\btokens?\b|\btokens_|_tokens\b/,
      /(?:exceed|over|beyond|greater than|larger than|more than|surpass|above|reached|hit|too many)/,
      /\b(?:models?|max(?:imum)?|allowed|supported|limit)\b/,
    ],
    none: [OTHER_THING, CHARACTERS, CREDENTIAL, MINIMUM],
    examples: [
      'exceed max message tokens',
      'Total tokens 40000 exceeds maximum allowed token size 32768',
      'Token limit exceeded: 9000 tokens, limit 8192',
      'The number of tokens (5021) is larger than the limit of this model (4096)',
    ],
  },
  {
    name: 'input too long',
    isComplete: true,
    all: [
      /(?<!\b(?:tool|field|function) )\b(?:prompts?|inputs?|conversation|context|chat|chat history|message|model) (?:length|size) (?:limit )?(?:(?:was|is|has been) )?exceeded\b|\b(?:prompts?|inputs?|conversation|context|chat|thread|history|messages|sequence|query|total length|dialog(?:ue)?|transcript|request(?= (?:is |was )?too long))\b[^:]{0,80}? (?:(?:is|are|was|were|became|has become|got|length|size) )?(?:is )?(?:far |much |way )?(?:too|overly|excessively) (?:long|large|big|lengthy)|^(?:error: )?(?:prompt|input|context|text) (?:is )?too (?:long|large|big)|\b(?:prompt|input|context|message)_too_(?:long|large)|\bmessage[^:]{0,30} too long\b|\bis \d{1,9} tokens? long\b/,
    ],
    none: [OTHER_THING, CHARACTERS, /\bstring too long\b/],
    examples: [
      'Input is too long for requested model.',
      'The total length of all messages is too long.',
      'Prompt too long; please shorten it',
      'invalidArgument: Prompt length exceeded',
      'The conversation has become too long for this model',
    ],
  },
  {
    name: 'input longer than the maximum',
    all: [
      /\b(?:prompts?|inputs?|conversation|messages|sequence|query|request (?:length|tokens?)|context|total length|chat history|message history)\b[^,;]{0,100}(?:exceed|\bover (?:the )?(?:max|limit)|beyond|(?:greater|larger|longer|bigger) than|surpass|reached (?:the |its )?max)/,
      LIMIT,
    ],
    none: [OTHER_THING, CHARACTERS, MINIMUM, /\bstring\b|\bnumber of (?!tokens|input tokens|prompt tokens)/],
    examples: [
      'Prompt exceeds max length',
      'Input length 9000 exceeds model limit',
      'Input length 70393 exceeds the maximum allowed input length of 65536 tokens.',
    ],
  },
  {
    name: 'length over a figure',
    all: [
      /\b(?:prompt|input|sequence|context)(?: sequence| token)?s? (?:length|len|size) (?:is |was )?(?:greater|larger|longer|bigger|more) than (?:the )?\d{2,9}|\blength\b.{0,40}(?:exceeds?|(?:greater|larger|longer|more) than) (?:the )?(?:models? )?max_?length\b|\b(?:prompt|input) exceeds (?:the )?(?:max |maximum |allowed )?length\b|\bmaximum length (?:was |is )?exceeded|\bmax(?:imum)? (?:conversation|chat|thread|prompt|context|input) length (?:was |is |has been )?(?:reached|exceeded)\b|\b(?:conversation|chat|thread|context|prompt|history)\b[^,;]{0,60}\breached (?:the |its )?max(?:imum)? (?:length|size)\b|\b(?:conversation|chat|thread|context|prompt|history|input)\b[^,;]{0,30}\bover the (?:length|size|token) limit|exceed(?:s|ed|ing)? the (?:maximum )?length (?:limit )?(?:for|of) (?:this|the|your) (?:chat|conversation|thread|model)\b|\breached (?:the |its )?maximum length (?:for|of) (?:this |the |a )?(?:conversation|chat|thread)|\binput_?(?:size|len|length)\b.{0,30}\bnot less than max_?(?:num_?)?tokens\b/,
    ],
    none: [OTHER_THING, CHARACTERS, /\bstring\b|\bfield\b|\bheader\b/],
    examples: [
      'prompt sequence length is greater than 8192',
      'Current length of row(9001) is larger than the max_length(8192).',
      'You have reached the maximum length for this conversation.',
    ],
  },
  {
    name: 'no room for output',
    all: [
      /max_?(?:new_|completion_|output_)?tokens must be (?:at least|greater than|>=?) ?[01]\b.{0,20}(?:got|received|was|is|given):? ?-\d/,
    ],
    examples: ['max_tokens must be at least 1, got -812.'],
  },
  {
    name: 'cache too small',
    all: [/requires? \d{1,9} (?:pages|blocks)\b/, /only \d{1,9} (?:are |is )?(?:available|free)/],
    none: [/\b(?:gpu|vram|ram|disk|device)\b/],
    examples: ['Job requires 36 pages (only 32 available) and cannot be enqueued.'],
  },
  {
    name: 'no slot in the cache',
    all: [/(?:could not|cannot|failed to|unable to) find (?:a |any )?(?:free )?kv (?:cache )?slot|context too small\b/],
    examples: ['could not find a KV slot for the batch (increase the context)', 'context too small: 9000 needed'],
  },
  {
    name: 'input must be shorter',
    all: [
      /\b(?:prompts?|inputs?|requests?|messages|conversation|sequence|query|tokens|context|text|input_tokens|prompt_tokens)\b/,
      MUST_BE_LESS,
      /\btokens?\b|new_tokens|context|\blength of (?:the )?(?:prompt|input|messages)\b|\bprompt length\b|\binput length\b|sequence length/,
    ],
    none: [
      OTHER_THING,
      CHARACTERS,
      /\bgreater than (?:0|1|zero)\b|\bpositive\b|\bnon-negative\b|(?<!(?:\+|\bplus|\band) (?:the )?)max_tokens (?:must|should)/,
    ],
    examples: [
      '`inputs` must have less than 1024 tokens. Given: 1200',
      '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 500 `max_new_tokens`',
      'The prompt must not exceed 8192 tokens',
    ],
  },
  {
    name: 'input length range',
    all: [/range of (?:input|prompt|message)s?(?: tokens?)? length should be/],
    examples: ['<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'],
  },
  {
    name: 'does not fit',
    all: [
      /(?:not|doesnt|dont|wont|cant|cannot|didnt|unable to|fails? to|failed to) (?:be )?(?:fit|hold)\b|no (?:room|space) (?:left )?(?:for|in)|leaves? (?:0|no|only \d{1,9}|-\d{1,9}) (?:output |completion )?(?:tokens|room|space)|not enough (?:room|space|tokens|context)|(?:uses?|used|takes?|fills?|filled|occupies) (?:up )?(?:all|the whole|the entire)\b[^,;]{0,25}\b(?:context|window)\b|\b(?:context|ctx) (?:is |was |has been )?full\b|not have enough (?:room|space|context)\b|but only \d{1,9} (?:tokens )?(?:are|is) (?:available|left|allowed)|(?:beyond|outgr(?:own|ew|ows)|(?:longer|larger|bigger|more|greater) than) (?:what )?(?:the|this|our|your) model (?:can|is able|was trained|accepts|reads|supports|handles)\b/,
      SUBJECT,
    ],
    none: [OTHER_THING, CHARACTERS, /\b(?:gpu|vram|ram|disk|device)\b/],
    examples: ['The prompt does not fit into the model', 'prompt leaves no room for output tokens in the context'],
  },
  {
    name: 'too many tokens',
    all: [
      /too many (?:input |prompt |total |context |request )?tokens\b|\b(?:ran|run|running) out of context\b|too_many_tokens|\btoo much context\b|\b(?:context|ctx)[ _]over(?:flow|run)\b|\b(?:context|ctx) (?:is |was |has been )?(?:exceeded|exhausted)\b|\b(?:tokens|token count|token number) (?:is |are )?(?:too (?:large|high|many|long|big)|over(?:flow| (?:the )?limit))|token (?:limit|length|budget) (?:was |is |has been )?(?:exceeded|reached|overflow)|(?:exceeded|reached|over) (?:the )?(?:models? )?(?:maximum |max )?(?:input |prompt |context )?token (?:limit|length|count|budget)/,
    ],
    none: [OTHER_THING, CHARACTERS, CREDENTIAL],
    examples: [
      'Too many input tokens. Max input tokens: 128000, request input token count: 140000',
      'Token limit exceeded',
    ],
  },
  {
    name: 'context class name',
    all: [
      /contextwindowexceeded|contextlengthexceeded|contextoverflow|prompttoolong|inputtoolong|tokenlimitexceeded|maxtokensexceeded|contextwindowoverflow|contexttoolong|(?:prompt|input)(?:larger|longer|bigger|greater)than(?:the)?(?:context|model|window)/,
    ],
    examples: ['litellm.ContextWindowExceededError: the call failed'],
  },
  {
    name: 'shorten the input',
    all: [
      /\b(?:prompts?|inputs?|messages|conversation|context|history) must be (?:shortened|trimmed|reduced)\b|(?:reduce|shorten|trim|truncate|decrease|cut)(?: down)? (?:the |your |its )?(?:(?:total |overall )?(?:length|size|number|amount) of )?(?:the |your |all )?(?:input |previous )?(?:messages?|prompts?|inputs?|conversation|context|chat history|history|tokens)\b/,
    ],
    none: [OTHER_THING, CHARACTERS],
    examples: ['Please reduce the length of the messages or completion.', 'Please shorten your prompt and try again'],
  },
  {
    name: 'fewer messages or shorter ones',
    all: [
      /\b(?:reduc(?:e|ing)|shorten(?:ing)?|decreas(?:e|ing)|trim(?:ming)?)\b/,
      /\bnumber of (?:the |your )?messages\b/,
      /\b(?:length|size|shorten|shorter|prompts?|completion)\b|\bconversation,? (?:or|and)\b/,
      /\b(?:or|and)\b/,
    ],
    none: [CHARACTERS, /\b(?:images?|files?|batch|tools|queue|per|rate)\b|maximum (?:number )?of|\d messages/],
    examples: ['Please reduce the length of the messages or number of messages'],
  },
  {
    name: 'chinese',
    all: [CHINESE_INPUT, CHINESE_OVER],
    none: [/图片|图像|文件|频率|并发|次数|余额|字节|秒/],
    examples: [
      '已达到对话长度上限，请新建对话',
      '输入内容过长，请缩短后重试',
      '请求的 tokens 总数超过了模型的最大上下文长度 32768',
      'Prompt 超长',
    ],
  },
  {
    name: 'japanese and korean',
    all: [
      /コンテキスト|入力|対話|会話|プロンプト|トークン|メッセージ|컨텍스트|입력|프롬프트|토큰|메시지/,
      /超え|超過|長すぎ|大きすぎ|上限|オーバー|초과|너무 (?:길|깁|긴|큽)|넘(?:었|습|어|는)|제한/,
    ],
    examples: [
      '入力がモデルの最大コンテキスト長を超えています',
      '프롬프트가 너무 깁니다',
      '최대 토큰 수를 초과했습니다',
    ],
  },
  {
    name: 'european languages',
    all: [
      /\bcontext[eo]?\b|\bkontext|\beingabe|\banfrage\b|\bnachricht|\bentr[ée]e|\bentrada|\bprompt|\btokens?\b|\bjetons?\b|контекст|токен|\bconversa|\bgespräch|\bunterhaltung|\bmensa(?:je|gem)|запрос|\bingresso\b|\binput\b/,
      /überschreite|überschritten|zu lang|zu groß|dépass|trop long|excede|superad?|supera\b|demasiado larg|muito long|excedeu|ultrapass|троп|превыша|превышен|слишком (?:длин|больш|много)|troppo lung|trop de (?:tokens|jetons)|zu viele token|demasiados tokens|troppi token|tokens demais|excéd/,
    ],
    examples: [
      'Die Eingabe überschreitet die maximale Kontextlänge von 32768 Tokens',
      'La longueur du contexte dépasse la limite',
      'El prompt excede el límite de contexto',
      'Превышена максимальная длина контекста',
    ],
  },
];
