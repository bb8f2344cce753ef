/** Sentences that rule out an overflow although its words occur. All read normalised text and are linear. */

/** Tokens a minute, quotas, credits, throttling. */
export const RATE =
  /rate[ _-]?limit|ratelimit|too many requests|too_many_requests|(?:\d|tokens) (?:an?|this) (?:minute|hour|day|week|month)\b|\b(?:each|every|for this|for the) (?:minute|hour|day|week|month)\b|\bresets (?:at|in) (?:\d|midnight)|tokens (?:in|within|over|every) (?:any |each )?\d{1,4} ?(?:s|sec|seconds|minutes|hours)\b|tokens?[-_]remaining\b|\bincluded usage\b|\brolling (?:\d|window of \d|minute|hour|day)|\btimes (?:a|per) (?:day|minute|hour)\b|(?:daily|monthly|weekly|hourly) (?:input |prompt )?(?:token |usage )?(?:budget|cap|maximum|allowance)|tokens? ?(?:per|\/) ?(?:min|minute|day|hour|month|second)|\/ ?min(?:ute)?\b|\b(?:tpm|tpd|rp[md](?! ?[:=]? ?\d{1,6}(?!\d|[,.]\d| ?(?:exceeded|reached|hit)))|itpm|otpm)\b|per[ -](?:minute|day|hour|month|second)\b|(?:last|past|this|next) (?:minute|hour|day)|\bquotas?(?:\b|_)|enqueued tokens?|insufficient[ _](?:credits?|balance|funds|quota)|credit balance|out of credits|tokens?_per_(?:minute|min|day)|(?:more|enough|no|your) credits|credits? (?:exhausted|remaining|limit)|can only afford|paid account|resource[ _]?exhausted(?![^\n]{0,80}larger than max)|payment method|\brequest rate (?:\w+ ){0,2}(?:exceeded|increased|grew|too)|resource has been exhausted|usage limit|(?:free|daily|monthly) allocation|used up (?:your|the|all)|usage credits|(?:reached|hit) (?:the|your) (?:message limit|limit for messages)|message limit reached|until tomorrow|\btotal request limit|too many concurrent|credits? (?:are |is )?required|key limit exceeded|(?:daily|monthly|weekly|hourly|free) (?:maximum )?(?:token |usage |tier )?(?:limit|allowance)|(?:daily|monthly|weekly|hourly) (?:tokens|credits|requests|messages)\b|sent too many messages|extra usage|\b(?:for|used|spent|left|quota|limit|tokens|requests|credits|messages|allowance) today\b|allotment|\d-hour|spending limit|tier capacity|usagelimit|account(?: \[?\w{1,24}\]?)? has reached|budgetexceeded|\bmax budget\b|current (?:cost|spend)\b|payment required|concurren(?:cy|t) (?:limit|request|connection)|速率|频率|限流|余额|配额|欠费|额度|限额|使用上限|请求过多|请求次数|并发/;

/** What a wrapper also advises where the cause is another. */
export const RATE_HINT =
  /\b(?:usage|rate|higher) tier\b|throttl|\bbalance\b|please wait before|slow down|billing|\brp[md]\b/;

/** Money and allowances: waiting a moment does not help. */
export const SPENT =
  /insufficient[ _](?:credits?|balance|funds|quota)|credit balance|credits|can only afford|paid account|payment required|payment method|exceeded your current quota|billing|spending limit|\bmax budget\b|extra usage|余额|欠费/;

/** The cap on the completion is at fault: its name with what is wrong about it, in one sentence. */
export const OUTPUT_CAP: readonly RegExp[] = [
  /(?:^|[\].:;(\n-] ?|\d )max ?tokens (?:\(?\d{1,9}\)? )?(?:exceeds?|is (?:greater|larger|more|higher) than|is above)\b/,
  /\bmax_?(?:new_?|output_?|completion_?)?tokens\b(?:[^\n.;]|\.(?=\S)){0,60}(?:too large|too big|too high|too many|invalid(?!_)|非法|(?:must|should) be >=? ?\d{1,9} and <|(?:must|should) be (?!greater|at least|positive|an? |>)|must not|(?:is|be) (?:not )?(?:less|at most|smaller) |cannot|can not|exceed|(?<!must be |should be )greater than|larger than|more than|above|at most|out of range|outside\b|> ?\d{1,9}|not supported|supports?|valid range|value of \d{1,9}|range is|is limited|not in range|超过|不能|范围|大于|错误)/,
  /(?:invalid|illegal|range of|value for|valid range of|too large|unsupported value).{0,40}\bmax_?(?:new_?|output_?|completion_?)?tokens\b/,
  /maxoutputtokens|max output tokens|max_completion_tokens value|(?:output|completion|generation) tokens? (?:limit|cap|maximum|exceed|must|cannot)|(?:maximum|max|limit) (?:number )?of (?:output|completion|generated) tokens|(?:at most|up to|only|maximum of) \d{1,9} (?:output|completion|generated) tokens|maximum tokens you requested|\b(?:output|completion|generation) length (?:of )?\d{0,9} ?exceed|(?:requested|maximum) (?:output|completion|generation)(?: tokens| length)? (?:exceed|is too|tokens? exceed)|number of (?:output|completion|generated) tokens|\bmax_tokens: limit of \d|max_tokens_to_sample|num_predict|\bmax tokens (?:must|should|can ?not|value|parameter|is too)|(?:maximum|max) (?:output|completion|generation) (?:length|tokens|limit|size|of \d)/,
  /\d{1,9} (?:tokens )?(?:that )?(?:this|the) model (?:can|may|is able to) (?:generate|write|produce|emit|output)\b/,
  /(?:can|may|able to|will)(?: ?not)? (?:only )?(?:generate|write|produce|emit|output) (?:no more than|more than|at most|up to|only)? ?\d|(?:requested|asked for|wanted) \d{1,9} (?:output|completion) tokens/,
  /\b(?:repl(?:y|ies)|answers?|responds?) with (?:at most |up to |no more than )?\d{1,9} tokens\b/,
  /\b(?:output|completion) tokens: ?\d{1,9} (?:asked|requested|wanted)\b/,
  /生成(?:长度|token)|最大输出|输出(?:长度|token)/,
];

/** The completion was cut by its own limit: an outcome, whatever figures stand beside it. */
export const OUTPUT_CUT =
  /(?:response|reply|output|completion|answer) (?:was|is) longer than|max_?(?:new_?|output_?|completion_?)?tokens (?:was |is |has been )?(?:reached|hit)\b|max_?tokens or (?:the )?model output limit was reached|(?:finish|stop)_?reason:? (?:length|max_tokens)|\bincomplete(?:_details)?\b[^\n]{0,80}\bmax_(?:output_|completion_)?tokens\b|\b(?:reached|hit) (?:the |its )?max_?(?:new_?|output_?|completion_?)?tokens\b|output length limit|length limit was reached|(?:output|response|completion|reply|answer) (?:was |is )?(?:truncated|cut (?:off|short|after))|out of (?:output|completion) tokens|(?:due to|because of) (?:a |the |exceeding )?max_?(?:new_?|output_?|completion_?)?tokens\b|exceeded (?:the |its )?output (?:token )?limit|\b(?:reply|response|answer|completion|generation) (?:has )?(?:reached|hit|stopped at|ended at) \d|\b(?:maximum|limit|cap) (?:for|of|per) (?:an? |one |each )(?:single )?(?:reply|response|answer|completion|generation)\b|(?:response|completion|reply|output) (?:has )?(?:hit|reached) (?:the |its )?(?:maximum )?(?:length|token) limit|\b(?:increase|raise) (?:the |your )?max(?:imum)?[ _]?(?:new_?|output_?|completion_?)?tokens?\b/;

/** The input counts too in this sentence: a cap that fits the window, with an input that does not. */
export const INPUT_STATED =
  /not enough context available|input_?(?:length|tokens|len)\b[^+\n]{0,14}\+|(?:reduce|shorten) (?:the |your )?(?:length|number|size) of (?:the |your )?(?:messages?|prompt|input)|(?:prompt|inputs?|query|message)(?: (?:tokens?|length|count|size)){0,2}(?: \(?\d{1,9}(?: tokens?)?\)?)? (?:and|plus|\+) (?:the )?(?:max(?:imum)? |requested |expected |query length )?_?(?:output|completion|prediction|max_?tokens|max_new_tokens|generat)|sum of (?:the )?(?:prompt|input)|input length and max_tokens exceed|\d{1,9}(?: prompt)? \+ \d{1,9}(?: \w{1,20})?\)? ?(?:>|exceeds?)|in (?:the|your) (?:messages?|prompt)\b|of text input|\d{1,9} (?:input|prompt|inputs) tokens|input(?:s)? tokens \+|inputs? \+ max|from the input|prompt tokens|prompt (?:contains|has|is) \d{1,9}|prompt ?=? ?\d{1,9}|\binput tokens? ?[(:=] ?\d{1,9}|your (?:request|prompt|messages?|input) (?:has|have|contains?|is|resulted) |(?:prompt|input)_tokens/;

/** Bytes, characters, images and uploads: shortening one item helps, fewer turns do not. */
export const BYTES: readonly RegExp[] = [
  /string too long|\bstring (?:value )?length\b[^\n]{0,20}exceed|string_above_max_length|\bmaxlength\b|at most \d{1,9} characters|\d{1,9} ?(?:characters|chars)\b|characters? limit|字符|字节/,
  /\b(?:\d+(?:\.\d{1,9})? ?(?:kb|mb|mib|kib|gb|bytes|megabytes)|bytes)\b/,
  /total message size \d{1,9} exceeds|(?<!tokens of )image.{0,60}(?:too large|too big|exceed|maximum|dimension|pixels|at most|too many)|(?:too many|number of|maximum of \d{1,9}) images|\bpixels\b|(?:pdf|pages|document|attachment|file).{0,40}(?:too large|exceeds? (?:the )?(?:maximum |max )?(?:size|limit))|max(?:imum)? (?:file|image|upload|attachment) size|(?<!requires? )\b\d{1,9} (?:pdf )?pages/,
];

/** A body is too large, whatever it holds. */
export const BODY =
  /\b413 status code|error \(413\)|request entity (?:is )?too large|payload[ _]too[ _]large|content too large|entity too large|request body (?:is )?too large|request_too_large|body exceeds|body (?:is )?larger than|maximum (?:request |body |payload |allowed )+size|body size|message larger than max|larger than max \(\d{1,9} vs|failed to buffer the request body|(?<!(?:prompt|input|context|message|history|conversation|model) )length limit exceeded/;

/** Long strings of fields that are not content: nothing to do with size. */
export const SHORT_FIELD =
  /(?:call_id|cache_key|tool_call_id|\bname|\bid|\buser|\bkey|metadata)(?:\[\d{1,9}\])?:? (?:\w+ )?(?:string too long|is too long|too long)|array too long|expected an array|maximum length \d{1,3}\b|at most \d{1,3} characters|max_?length:? (?:of )?\d{1,3}\b/;

/** A log line of a tokenizer, a start-up complaint of a server, a tool that refuses, a batch of embeddings, training data: not a
 * rejected conversation. */
export const NOT_A_REJECTION =
  /token indices sequence length is longer|user-specified max_model_len|derived max_model_len|failed to (?:load|initialize)|(?:context|ctx).{0,30}not available|context canceled|context cancelled|error computing context|n_ctx_train|insufficient (?:gpu |vram |system )?memory|out of memory|more memory|not loaded|\bpreempt|below the minimum [^\n]{0,20}required|budget (?:of \d{1,9} )?(?:tokens )?is below the minimum|max retries exceeded with url|failed to start|\btraining context\b|\bcache (?:miss|hit)\b|argumentvalidation|tokens that can be stored in (?:the )?kv|gpu_memory_utilization|file content \(\d|offset and limit parameters|\btool \S{1,80} (?:response|result|output) \(\d|truncate_prompt_tokens value|truncation size|\blogit_bias\b|\btop_?logprobs\b|\brerank|\bfine-?tuning (?:examples?|files?|jobs?|data)|\btraining (?:examples?|files?|data|rows?)\b|\b(?:tokens? in|your|per(?: submitted)?) batch\b|\btool \S{1,80} returned \d|\btool (?:result|output|response) (?:is |was )?too (?:large|long)\b|(?:maximum|limit) (?:for|of|per) (?:an? |one |each )?tool (?:result|output|response|call)\b|\benum values\b|\btruncating input prompt\b|\btool (?:call|execution|invocation) failed|\btoken too long\b|\bdoes(?: not|nt) support (?:a )?context (?:size|length|window) of\b|\brequested context (?:size |length )?(?:is )?too (?:large|big)\b|\bnum_ctx\b[^\n]{0,20} too (?:large|big|high)\b|\bmodel (?:is )?too (?:large|big) (?:for|to)\b|\b(?:context (?:size|length|window)|num_ctx|n_ctx) (?:of |= ?)?\d{1,9} (?:is )?(?:too (?:large|big)|(?:larger|greater|bigger) than (?:what )?(?:the |this )?model)\b|\b(?:lower|decrease|decreasing|lowering) (?:the )?(?:num_ctx|max_model_len|n_ctx|context size)\b|\bmax_model_len \(?\d{1,9}\)? is (?:larger|greater) than\b/;

/** A server or network gave up waiting. */
export const TIMED_OUT =
  /deadline exceeded|deadline_exceeded|\btimed[ -]?out\b|\betimedout\b|\besockettimedout\b|(?:request|connection|connect|read|gateway|headers|body|response|upstream|operation|stream|socket|idle|server|invocation)[ _]?time-?out|due to (?:a )?timeout|timeout (?:of|after|error|exceeded|reached|while)|und_err_(?:connect|headers|body)_timeout|请求超时|超时/;
