import { anyOf } from '../messages/anyOf.ts';
import { clauses, parts } from './text.ts';

/**
 * The words from which servers build their sentences, for one clause of normalised text (`text.ts`). Each part is a
 * plain alternation without nested repetition, so that matching takes linear time.
 */

/** Names for what is sent to a model. */
const INPUT = anyOf(
  /\b(?:prompts?|inputs?|requests?|requested|messages?|conversations?|context|history|sequence|contents?|text|query)\b/,
  /\b(?:chat|dialog(?:ue)?|transcript|thread|total length|payload|body)\b|(?:prompt|input)_/,
);
export const TOKENS = /\btokens?\b|_tokens\b|\btokens_/;
/** Names for a model's window. */
export const WINDOW = anyOf(
  /context[ _-]?(?:length|window|size|limit|budget|capacity|len\b|space|memory)|\bn_ctx|\bnum_ctx|\bctx\b/,
  /\bmax_?(?:model|seq|sequence|input|prompt|context|total|position|kv)_?(?:len|length|tokens|size|embeddings)/,
  /(?:max(?:imum)?|models?) (?:model|context|prompt|input|sequence)(?: token)? (?:length|size|len\b|window|limit)/,
  /(?:than|past|beyond|exceed(?:s|ed|ing)?|too \w{3,5} for|into) (?:\w+ ){0,2}(?:model )?context\b/,
  /context of (?:only )?\d|context (?:is )?(?:limited|full|exceeded|exhausted|overflow)|\b(?:out of|enough) context/,
  /models? \w+ length/,
);
/** More than there is room for. */
const OVER = anyOf(
  /exceed|\bover(?:flow(?:s|ed|n)?|run|ran)?\b|beyond|surpass|outgr[eo]w|\babove\b|[^-=]>|\bpast the\b|\bfull\b/,
  /exhausted|\b(?:greater|larger|longer|bigger|more|higher) (?:\w+ ){0,2}than|too (?:long|large|big|many|much)\b/,
  /\bcapped\b|\b(?:out of|not enough|no|insufficient) (?:context|room|space)\b(?! left on)|\b(?:ran|run) out/,
  /(?:limit|length|window|max(?:imum)?|size|context)(?: of)?(?: \d{1,9})?(?: tokens?)? (?:was |is |has been )?(?:reached|hit)/,
  /\b(?:reached|hit|hits|fills?|filled) (?:up )?(?:the |its |your |a |all )?(?:whole )?(?:models? )?(?:max|limit|context)/,
  /only \d{1,9} (?:\w+ ){0,3}(?:available|allowed)|\b(?:not have )?enough context/,
  /(?:not|doesnt|wont|cant|cannot|longer|unable to|fails? to) (?:be )?fits?\b/,
);
/** Too long, as said about the input itself. */
const TOO_LONG = anyOf(
  /\b(?:too|overly|excessively) (?:long|large|big|lengthy)\b|\btoo(?:long|large)\b|\btoo_(?:long|large|many)/,
  /\b(?:length|size) (?:limit )?(?:was |is |has been )?exceeded/,
);
/** Must be less than something. */
const MUST_BE_LESS = anyOf(
  /\b(?:must|should|needs? to|can ?not|cant|can|may|expected|keep)\b[^.;]{0,50}\b(?:exceed|more than)\b|\bat most \d/,
  /\b(?:must|should|may|keep|expected)\b[^.;]{0,50}(?:at most|less|fewer|under|below|shorter|no more|within)/,
  /\b(?:must|should|expected|ensure)\b[^.;]{0,40}(?: <=?| (?:be )?in [[(]\d)|\bmust fit\b/,
  /\b(?:supports?|accepts?|allows?|takes?|limits|capped at)\b[^.;]{0,40}\d/,
);
/** A limit in words. */
const LIMIT = anyOf(
  /\bmax(?:imum|imal)?\b|\blimit(?:s|ed)?\b|\bcapacity\b|\bpermitted\b|\bbudget\b|\bcap\b|max_|\bmodels?\b/,
);
/** A limit with its figure. */
const STATED = anyOf(
  /\b(?:max(?:imum)?|input|prompt|context)\b[^.;,\d]{0,24}\b(?:limit|length|tokens?|window) ?(?:is|of|:|=) ?\d{3}/,
  /limited to (?:an? )?context (?:window )?of \d/,
);
/** Advice to send less. */
const SHORTEN = anyOf(
  /\b(?:reduc(?:e|ing)|shorten|trim|truncate|decrease|cut)(?: down)? (?:\w+ ){0,4}(?:length|size|number|amount) of/,
  /\b(?:reduce|shorten|trim|decrease) (?:\w+ ){0,2}(?:prompt|input|context|messages?|conversation|history|tokens)\b/,
);
/** In other languages: what is sent. */
const OTHER_INPUT = anyOf(
  /上下文|输入|提示|prompt|token|对话|会话|消息|messages|文本|窗口|input|历史|字数/,
  /入力|対話|会話|プロンプト|トークン|メッセージ|컨텍스트|입력|프롬프트|토큰|메시지|контекст/,
  /\bcontext[eo]?\b|\bkontext|\beingabe|\bnachricht|\bentr[ée]e|\bentrada|\bjetons?\b|токен|запрос|\bconversa/,
  /\bgespräch|\bunterhaltung|\bingresso\b/,
);
/** In other languages: over a limit. */
const OTHER_OVER = anyOf(
  /超过|超出|超限|超长|过长|太长|过大|过多|超了|不能大于|不得超过|大于|溢出|已满|最多(?:支持|接受)/,
  /超え|超過|長すぎ|大きすぎ|上限を|초과|넘(?:었|습|어|는)|überschreite|zu lang/,
  /zu groß|höchstens|dépass|trop (?:long|de)|excede|superad?|supera\b|demasiad|muito long|excedeu|ultrapass|превыша/,
  /превышен|слишком (?:длин|больш|много)|troppo lung|troppi token|demais|excéd/,
);
/** Other things that may be limited and that the model does not read. */
const OTHER_THING = anyOf(
  /\b(?:file|attachment|document|parameter|argument|cookie|password|field|word|upload|queue|schema|diff|diagram)s?\b/,
  /\b(?:call_?id|cache_key|name|key|url|uri|header|title|subject|id|label|menu|description)s?\b(?! \w+exceeded)/,
  /\b(?:temperature|top_[pk]|derived|template|nesting|depth|grammar|sampler|budget_tokens|complexity|duration|values)\b/,
  /\b(?:memory|seconds|commit|log|sms|toast|branch|tweet|parallel|disk|audio|vocab\w*|draft model|array|batch(?!:))\b/,
  /\bnumber of (?:tools|functions|items|requests|choices|messages (?:exceeds?|\d+))\b|\bstop sequences?\b/,
  /\bquery strings?\b|(?<!after \d{1,3} )\b(?:turns|iterations|retries|steps|entries|rows|lines)\b/,
  /\bsequence (?:diagrams?|numbers?|of tool)|\b(?:search|sql|database) quer(?:y|ies)\b|\btokens of (?:audio|video)/,
  /\btool(?: call)? (?:inputs?|arguments?|output|result)\b/,
);
/** Access tokens, or tokens of a lexer. */
const CREDENTIAL = anyOf(
  /\b(?:api|access|auth\w*|bearer|refresh|session|csrf|id|jwt|oauth|invalid|unexpected) ?tokens?\b|\bjwt\b|\bexpire/,
  /\blifetime\b|\bfor (?:this|the|your|each|a) (?:api )?key\b|\d keys\b/,
);
/** A setting that must be larger: a minimum, which nothing can exceed. */
const MINIMUM =
  /\b(?:must|should|needs? to) be (?:strictly )?(?:greater|larger|higher|more|at least|positive)\b|\bminimum\b|\btoo short\b/;
/** Sizes that are not tokens. */
const CHARACTERS =
  /\bcharacters?\b|\bchars\b|\bbytes?\b|\d ?(?:[km]b|[kmg]ib|gb)\b|\bmegabytes?\b|字符|字节|图片|图像|文件|秒/;
/** Signs that a clause is not about tokens sent to a model. */
export const NOT_INPUT = anyOf(OTHER_THING, CREDENTIAL, MINIMUM, CHARACTERS);
/** A family of sentences that say, in any server's words, that the input is too long, within one clause. */
export interface Wording {
  readonly all: readonly RegExp[];
  readonly isFirm: boolean; // what is too long is named too: the clause says it alone, whatever stands beside it
  readonly example: string;
}
const wording = (isFirm: boolean, example: string, ...all: readonly RegExp[]): Wording => ({ all, isFirm, example });
const IS_OVER = anyOf(OVER, TOO_LONG);
const OF_TOKENS = anyOf(TOKENS, WINDOW);
/** Tried in order; the first that matches is the evidence. */
export const WORDINGS: readonly Wording[] = [
  wording(true, 'Your input exceeds the context window of this model.', WINDOW, IS_OVER),
  wording(true, 'The total length of all messages is too long.', INPUT, TOO_LONG),
  wording(true, 'Prompt exceeds max length', INPUT, OVER, anyOf(TOKENS, LIMIT)),
  wording(true, 'Total tokens 40000 exceeds maximum allowed 32768', TOKENS, IS_OVER, LIMIT),
  wording(false, 'The prompt must not exceed 8192 tokens', INPUT, MUST_BE_LESS, anyOf(OF_TOKENS, /\blength\b/)),
  wording(false, 'Please reduce the length of the messages or completion.', SHORTEN, INPUT),
  wording(false, 'the max input token length is 5120', STATED, OF_TOKENS),
  wording(false, '输入内容过长，请缩短后重试', OTHER_INPUT, OTHER_OVER),
];

/** The first wording in a clause of normalised texts, or a firm one in a part of a clause, `without` other words. */
export function findWording(texts: readonly string[], without?: RegExp): (Wording & { clause: string }) | undefined {
  const candidates = (all: readonly string[]): readonly string[] =>
    all.filter((one) => !NOT_INPUT.test(one) && without?.test(one) !== true);
  const sentences = texts.flatMap(clauses);
  const firm = WORDINGS.filter(({ isFirm }) => isFirm);
  return match(candidates(sentences), WORDINGS) ?? match(candidates(sentences.flatMap(parts)), firm);
}

function match(sentences: readonly string[], wordings: readonly Wording[]): (Wording & { clause: string }) | undefined {
  return wordings.flatMap((one) => {
    const clause = sentences.find((sentence) => one.all.every((part) => part.test(sentence)));
    return clause === undefined ? [] : [{ ...one, clause }];
  })[0];
}
