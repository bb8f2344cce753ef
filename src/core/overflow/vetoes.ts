import { anyOf } from '../messages/anyOf.ts';

/** Families of words of failures that no compaction cures. All read normalised text and are linear. */
/** Tokens a minute, quotas, money: means nothing else. */
export const RATE = anyOf(
  /(?:\bper|\/|tokens?_per_)[ -]?(?:min(?:ute)?|hour|day|week|month|second)\b|\b(?:tpm|tpd|itpm|otpm)\b|\d-hour\b/,
  /(?:\d|tokens|requests|times|each|every|for this|for the|last|past|next) (?:an? |this )?(?:minute|hour|day|week|month)\b/,
  /\btokens (?:in|within|over|every) (?:any |each )?\d{1,4} ?(?:s|sec|seconds|minutes|hours)\b|\brolling \d|\bthis month/,
  /\b(?:daily|monthly|weekly|hourly) (?:\w+ ){0,2}(?:limit|budget|quota|cap|allo\w+|tokens|credits|requests|rate)\b/,
  /\b(?:for|used|limit|tokens|requests|credits|budget) today\b|until tomorrow|\bresets (?:at|in) |tier capacity/,
  /rate[ _-]?limit|too[ _]many[ _](?:concurrent[ _])?requests|\bquotas?(?:\b|_)|\brequest rate\b|enqueued tokens?/,
  /resource[ _]?(?:has been )?exhausted(?!.{0,80}larger than)|total request limit|\brate exceeded|insufficient funds/,
  /(?:usage|message|spending|key) ?limit (?:reached|exceeded|for)|usage ?limit|limit for messages|used up|sent too many/,
  /\bcredits?\b|can only afford|paid (?:account|plan)|payment (?:method|required)|\ballotment|\ballowance|current spend/,
  /concurren(?:cy|t) (?:limit|request|connection|quota)|included usage|budgetexceeded|\bmax budget\b|free allocation/,
  /\baccount(?: \[?\w{1,24}\]?)? has reached|速率|频率|频繁|限流|余额|配额|欠费|额度|限额|请求过多|请求次数|并发/,
);
/** What a wrapper may also advise when the cause is something else. */
export const RATE_HINT =
  /\b(?:usage|rate|higher|free) tier\b|throttl|\bbalance\b|please wait before|slow down|billing|\brp[md]\b/;
/** Money and allowances: waiting a moment does not help. */
export const SPENT = anyOf(
  /insufficient[ _](?:credits?|balance|funds|quota)|\bcredits?\b|can only afford|paid account|billing|spending limit/,
  /payment (?:method|required)|exceeded your current quota|\bmax budget\b|extra usage|余额|欠费/,
);
/** The names of a reply's output limit. */
export const CAP = anyOf(
  /\bmax_?(?:new_?|output_?|completion_?)?tokens\b|(?:^|[:;.\])-] ?)max tokens\b|num_predict|max output tokens|生成|最大输出/,
  /\b(?:output|completion|generated)(?: (?:tokens?|length|limit|of \d)|s? exceed)|\bmaximum tokens you|输出/,
  /\bmax(?:imum)? (?:output|completion|generation)|\d model can write/,
  /\b(?:generate|write|produce|emit|repl(?:y|ies) with)\b[^.;]{0,30}\d/,
);
/** Something is wrong with its size. */
export const TOO_MUCH = anyOf(
  /invalid|illegal|非法|exceed|(?:greater|larger|longer|more|higher|above|less|smaller) than|\babove\b|at most|up to|≤/,
  /only|out of range|outside\b|> ?\d|<= ?\d|supports?\b|range|is limited|(?:must|should) (?:not )?be\b|maximum|超过|不能/,
  /\blimit\b|\ballowed\b|范围|大于|错误/,
);
/** The limit is named, but the request asks for too little, or the field itself is refused. */
export const NOT_TOO_MUCH = anyOf(
  /unsupported parameter|unrecognized|required|unknown|not permitted|below (?:the )?minimum|expected a value >=/,
  /(?:must|should) (?:be|have)[^.;\n]{0,12} (?:greater|larger|higher|more) than|at the same time|mutually exclusive/,
  /\b(?:must|should) be (?:an? )?(?:positive|integer|number)|only one of|budget_tokens|thinking budget|\bmissing\b/,
  /\bstop reason was\b/,
);
/** The completion was cut off by its own limit: that is an outcome, whatever figures are next to it. */
export const OUTPUT_CUT = anyOf(
  /(?:finish|stop)_?reason:? (?:is |= ?)?(?:length|max_tokens)\b|\b(?:reached|hit)\b[^\n;.]{0,20}max_?\w{0,12}tokens/,
  /\b(?:incomplete|reason|due to|increase|raise|higher|exceeding)\b[^\n;]{0,60}\bmax(?:imum)?[ _]?(?:\w+_)?tokens?\b/,
  /max_?\w{0,12}tokens (?:was |is )?(?:reached|hit)\b|length limit was reached|exceeded (?:the |its )?output/,
  /(?:output|response|completion|reply|answer) (?:was |is |has |stopped )?(?:truncated|cut|longer than|exceeded|reached|hit)/,
  /(?:single|one) (?:reply|response)\b/,
);
/** This text also counts the input: the output limit fits the window, but not together with the input. */
export const INPUT_STATED = anyOf(
  new RegExp(
    String.raw`\b(?:inputs?|prompt|query)(?:_tokens)?\b[^.;\n]{0,40}(?:\band\b|\bplus\b|\+)[^.;\n]{0,30}` +
      String.raw`(?:output|completion|max_?\w{0,12}tokens|generat|predict)`,
  ),
  /max_?\w{0,12}tokens[^.;\n\d]{0,12}\d{0,9}\)?(?: tokens)? ?(?:and|plus|\+)[^.;\n]{0,20}\b(?:prompt|input)/,
  /\b(?:in|from) (?:the|your) (?:messages?|prompt|input)\b|of text input|input_?(?:length|tokens)|context available/,
  /\b(?:input|prompt) tokens? ?[(:=] ?\d|prompt (?:tokens|length|contains|has|is|=)/,
);
/** The characters, bytes or pixels of one item: shortening that item helps, fewer turns do not. */
export const BYTES = anyOf(
  /string too long|\bstring (?:value )?length\b[^\n]{0,20}exceed|\bmaxlength\b|\d ?(?:characters|chars)\b|字符|字节/,
  /\d ?(?:kb|mb|mib|kib|gb)\b|\b(?:mega)?bytes\b|\bpixels\b|total message size|pdf pages|\bpages allowed/,
  /(?<!tokens of )\bimages?\b[^\n]{0,60}(?:too large|too big|too many|exceed|at most)|(?:too many|number of) images/,
  /max(?:imum)? (?:file|image) size/,
);
/** The body is too large, whatever it contains. */
export const BODY = anyOf(
  /error \(413\)|\b413 status code|(?:entity|payload|content|body)[ _](?:is )?too[ _]large|request_too_large|http 413|maxbodylength/,
  /body (?:is )?(?:larger|exceeds|size)|message larger than max|larger than max \(\d/,
  /failed to buffer the request body/,
);
/** Long strings in fields that are not content: this is not about the size of a request. */
export const SHORT_FIELD = anyOf(
  /(?:call_id|cache_key|\bname|\bid|\buser|\bkey|metadata)(?:\[\d{1,9}\])?:? (?:\w+ )?(?:is )?(?:string )?too long/,
  /expected an array|maximum length \d{1,3}\b|at most \d{1,3} characters|max_?length:? (?:of )?\d{1,3}\b/,
);
/** A server's complaint at start-up, a tool that refuses, a batch, training data: no request to a model was refused. */
export const NOT_A_REJECTION = anyOf(
  /failed to (?:load|initialize|start|create)|\b(?:not|isnt) (?:yet )?(?:available|configured|loaded)\b|n_ctx_train/,
  /\bmore (?:system )?memory\b|out of memory|insufficient .{0,12}memory|\bpreempt|max retries exceeded with url/,
  /\bcache miss\b|gpu_memory|\bvram\b|for this gpu|large for memory|file content \(|offset and limit parameters/,
  /\b(?:rerank|fine-?tuning|logit_bias|top_?logprobs)|\b(?:in|your|submitted) batch\b|one tool result|warning\b/,
  /\btool \S{1,80} (?:response|result|output|returned) \(?\d|\b(?:tool|enum)\b.{0,20} (?:values|limit)\b|grammar/,
  /\btool (?:result|output|response|call|input)s? (?:is |was )?(?:too|failed|exceed)|\btoken too long\b|in queue/,
  /num_ctx\b.{0,20} (?:too|larger)|\b(?:lower|decrease) (?:the )?(?:num_ctx|max_model_len|n_ctx|context size)/,
  /\bdoes not support a context|\bdeprecated\b|\bupgrade to pro\b|\bunknown parameter|does not exist|\bcancell?ed\b/,
  /error computing context|\bsetting\b/,
);
/** A server or network gave up waiting. */
export const TIMED_OUT = anyOf(
  /deadline[ _]exceeded|\btimed[ -]?out\b|due to (?:a )?timeout|und_err_\w{4,8}_timeout|超时/,
  /(?:request|connection|connect|read|gateway|headers|body|response|upstream|stream|socket|idle|server|invocation)[ _]?time-?out/,
  /\btimeout (?:of|after|error|reached|while)/,
);
