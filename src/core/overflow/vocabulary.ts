/**
 * The words from which providers build their sentences, for normalised text (`text.ts`). Each is a plain alternation
 * without nested repetition, so that looking for it takes linear time.
 */

/** What is too long. */
export const SUBJECT =
  /\b(?:prompts?|inputs?|requests?|messages?|conversation|context|history|tokens?|sequence|contents?|text|query|chat|dialog(?:ue)?|instructions?|input_ids|input_tokens|transcript|thread)\b/;

/** A model's window by name. */
export const WINDOW =
  /context[ _-]?(?:length|window|size|limit|budget|capacity|len\b|space|memory)|\bn_ctx|\bnum_ctx|\bctx[ _-]?(?:len|size|limit|window)|\bmax_?(?:model|seq|sequence|input|prompt|context|total|position)_?(?:len|length|tokens|size|embeddings)|(?:maximum|max\.?|models?) (?:model|sequence|context|prompt|input)(?: token)? (?:length|size|len\b|window)|maximum context|max context|(?:(?:larger|longer|bigger|greater) than|past|beyond|exceed(?:s|ed|ing)?|overflow(?:s|ed)?|too (?:long|large|big) for) (?:(?:the|its|this|our) )?(?:available )?(?:models? )?context\b|context of (?:only )?\d{1,9}|context (?:is )?limited|\d[ -]token (?:context|window|limit)|\bmodel(?:s)? (?:input |token )?(?:limit|window)|\bkv[ _-]?(?:cache|size)\b|\b(?:model|session|sequence|prompt|input) max(?:imum)? (?:length|len\b|tokens)/;

/** Over a limit, said without doubt. */
export const OVER =
  /exceed|exceeds|\bover(?:flow(?:s|ed|n)?|run|ran|sized?)?\b|contextoverflow|beyond|(?:greater|larger|longer|bigger|more|higher) than|surpass|too (?:long|large|big|many|much)|outgr[eo]w|\babove\b|\bhigher\b|[^-=]>|(?:maximum|max|limit|window|length|size|context)(?: of)?(?: \d{1,9})?(?: tokens?)? (?:was |is |has been |have been )?(?:reached|hit|full)|(?:reached|reaches|hit|hits) (?:the |its |your |a )?(?:models? )?(?:maximum|max|limit|context)|\b(?:ran|run|running) out\b|\bout of (?:context|room|space)|\b(?:context|ctx) full\b|not (?:be )?fit|no longer fits?\b|(?:doesn?t|wont|cant|cannot|can not|didnt) (?:be )?fit|unable to fit|context(?: window| size| length)? (?:is|was) too (?:small|short) (?:for|to)\b|\bfull\b|not enough (?:room|space|context)|insufficient context|context(?: window)?(?: of \d{1,9})? (?:tokens )?(?:is |was |has been )?exhausted|went past|\bpast the\b/;

/** Must be less than something. */
export const MUST_BE_LESS =
  /\bkeep [a-z ]{1,30} (?:under|below|within)\b|(?:must|should|needs? to|ha(?:s|ve) to|can ?not|can ?only|cant|may|required to|expected)(?: not)?(?: be| have| contain| exceed| use| fit| accept| take| process| handle)?(?: at most| up to| less| fewer| smaller| shorter| lower| no more| no longer| below| under| within| in| <| a maximum| the maximum| \d)|must not exceed|(?:can ?not|may not|should not|cant) exceed|(?:can ?not|cant|should not|may not|must not) be (?:more|greater|larger|longer|higher)|ha(?:s|ve) at most|supports? (?:only |at most |up to |a maximum |no more )|(?:only|at most|up to) supports?/;

/** A limit in words or as a figure. */
export const LIMIT =
  /\bmax(?:imum|imal)?\b|\blimit(?:s|ed|ation)?\b|\ballow(?:ed|s|able)\b|\bcapacity\b|\bpermitted\b|\bsupport(?:ed|s)?\b|\bthreshold\b|\bbudget\b|\bcap\b|model length|max_/;

/** Chinese: a limit, input or context is exceeded, or too long. */
export const CHINESE_OVER =
  /超过|超出|超过了|超限|超长|过长|太长|过大|过多|超了|不能大于|不得超过|不能超过|(?:达到|已达|到达)[^，。,.]{0,14}上限|大于|溢出|已满|应小于|应在|需小于|必须小于|最多支持|仅支持/;
export const CHINESE_INPUT =
  /上下文|输入|提示词|提示|prompt|token|对话|会话|消息|messages|请求(?:内容|文本|长度)|文本|窗口|input|历史|字数/;

/** Things whose number or size may be limited and that are not the conversation's tokens. */
export const OTHER_THING =
  /\d items\b|\bimages?\b(?! and text| prompts?\b)|\bfiles?\b|\bbatch\b(?!:)|\bstop sequences?\b|\bnumber of (?:messages|tools|functions|images|items|requests|choices)\b|\b(?:call_?id|cache_key|name|key|url|uri|header)s?\b.{0,20}too long|\barray\b|\btemperature\b|\btop_[pk]\b|\bderived\b|\btemplate\b(?!\.)|\bnesting\b|\b(?:depth|turns|iterations|retries|steps|entries)\b|\buser-specified\b|\bspeculative\b|\bdraft model\b|\bprice|\bpricing\b|\bparallel (?:tool|function|request|call|slot|sequence)s?\b|\bgrammar\b|\bsampler\b|\battachments?\b|\bdescription\b|\bbudget_tokens\b|\b(?:search|sql|database) quer(?:y|ies)\b|\bcomplexity\b|\bduration\b|\bmemory (?:limit|usage)\b|\bexecution context\b|\btokens of (?:audio|video)\b|\btimeout\b|\bseconds\b|\bcancell?ed\b|\bdeadline\b|\bquery strings?\b|\bsubject (?:of|line)\b|\b(?:messages?|inputs?|prompts?|conversation|chat|thread|context) (?:subject|title|name|id|menu|key|label)s? (?:is |was )?(?:too|exceed)|\bsequence (?:diagrams?|numbers?|ids?|names?)\b|(?<!of )\btool(?: call)? (?:inputs?|arguments?|parameters?)\b(?! tokens)|\b(?:parameters?|arguments?) (?!prompt|inputs?|messages|context)\w{1,24} (?:is )?too (?:long|large)\b|\bsequence of (?!tokens|\d)|\b(?:commit|log|sms|toast|branch|tweet) (?:or )?messages?\b/;
/** Tokens that open doors. */
export const CREDENTIAL =
  /\b(?:api|access|auth(?:entication|orization)?|bearer|refresh|session|csrf|id|jwt|expired|invalid) ?tokens?\b|\blifetime\b|\bfor (?:this|the|your|each|a) (?:api )?key\b|\d keys\b|\bexpire|\bunexpected token\b/;
/** A setting that must be larger: a minimum, which nothing is over. */
export const MINIMUM = /\b(?:must|should|needs? to) be (?:strictly )?(?:greater|larger|higher|more|at least)\b/;
/** Sizes that are not tokens. */
export const CHARACTERS = /\bcharacters?\b|\bchars\b|\bbytes?\b|\d ?(?:kb|mb|mib|kib|gb)\b|\bmegabytes?\b|字符|字节/;
