import { withoutStatus } from './status.ts';
import { CHARACTERS, CREDENTIAL, MINIMUM, OTHER_THING } from './vocabulary.ts';

/** What was sent and what is allowed, tokens; `actual` is the larger. */
export interface Excess {
  readonly actual: number;
  readonly limit: number;
}

/** The smallest figure that can be a size of an input or a window. */
const SMALLEST_FIGURE = 256;
/** Characters of one line that are read; a statement of two figures is short. */
const LINE_CHARACTERS = 400;

const FIGURE = /(?<![\w.\-/#$])\d{3,9}(?![\w/%]|\.\d|-[a-z](?!oken))/g;

/** The line speaks of tokens, or of a window by name. */
const TOKEN_UNIT =
  /\btokens?\b|_tokens\b|\bjetons?\b|токен|トークン|토큰|\bcontext (?:window|length|size)|\bctx ?[=:]|\bmax_(?:model|seq|sequence|prompt|input|context)_?len/;
/** The line speaks of what was sent. */
const SENT =
  /\b(?:prompts?|inputs?|messages?|conversation|history|sequence|text|query|chat|dialog(?:ue)?|transcript|thread|request|payload|contents?|context|eingabe|anfrage|nachrichten?|entr[ée]e|entrada|ingresso|conversa|sent|supplied|was given|requête|submitted|gave)\b|\b(?:prompt|input|seq)_(?:len|length|tokens)\b|запрос|контекст|ввод|프롬프트|컨텍스트|请求|入力|输入|입력|上下文/;
/** The figures may count something else: a reply, an allowance, training data, or be a lower bound or what is left. */
const NOT_INPUT =
  /\b(?:output|completions?|generat\w{0,5}|repl(?:y|ies)|respon(?:se|d)\w{0,3}|answers?|writ(?:e|es|ten)|produce|emit|reasoning|thinking)\b|max_?(?:new_|output_|completion_)?tokens|\b(?:batch|(?<!position )(?<!positional )embeddings?|training|fine-tun\w{1,4}|dataset|logit_bias|stop|vocab\w{0,6}|tokenizer|plan|tier|used|spent|remaining|left|minimum|at least|require[sd]?|cach(?:e|ed|ing) (?:control|breakpoint|prefix)|words|upgrade|switch|instead|price|cost|usd|per|ago|warning)\b|\$|only \d{1,9} (?:tokens )?(?:are |is )?available in/;

/** Directly before the figure that is the limit. */
const LIMIT_BEFORE =
  /(?:\b(?:at most|no more than|not more than|up to|only|under|below|within|less than|fewer than|maximum|maximale?|max|limit(?:ed to)?|capped at|tops out at|limits? (?:prompts?|inputs?|requests?) to|(?:context|window|limit|maximum) (?:for|of) (?:model )?[a-z][a-z0-9.:-]{1,40}(?= is)|limite|l[íi]mite|m[áa]xim[oae]|capacity|ceiling|cap|window|kv cache|n_ctx|(?:stops?|ends?) (?:reading )?at|largest|longest|biggest|ctx|context (?:that )?the model (?:was|is) (?:loaded|trained|served|started) with|(?:can|able to) (?:only )?(?:handle|read|take(?: in)?|process|accept|see|hold|fit)(?: in (?:one|a single) (?:request|go|call|pass))?|fenster|kontextfenster|ventana de contexto|context|contexto|contexte|kontext|allow(?:s|ed|ance)?|accepts?|takes?|reads?|holds?|handles?|supports?|fits?|sees?|admits?|serves?|than)\b|max_[a-z_]{2,20}|上限|最大|最多(?:接受|支持|允许)?|不超过|최대(?: 컨텍스트| 토큰| 입력)?(?: 길이| 수)?|контекста|максимум|лимит[а-я]{0,2})(?: ?(?:[:=([]|no more than|at most|only|up to|the|an?|is|are|was|of|to|von|de|del|di|for|est|this|model|input|prompt|context|window|length|size|limit|tokens?|accepted|allowed|that|here|du|modelo|modell|mod[èe]le)){0,5} ?$/;
/** Directly after it. */
const LIMIT_AFTER =
  /^(?:[ -]?tokens?)? ?[)\]]?(?: of context| of input)? ?(?:,? ?(?:fit\b|at most|at maximum|max(?:imum)?\b|or (?:fewer|less)|is (?:the|its|our|this models?) (?:most|limit|maximum|max|ceiling|cap)|are (?:available|allowed|supported|permitted|accepted)|is (?:available|allowed|supported|permitted|accepted|all)|allowed|available|supported|permitted|(?:that |which )?(?:it|the model|this model|the (?:served|chosen|selected) model) (?:can|may|is able|was|accepts|takes|reads|supports|handles|has)|(?:context|window|limit|maximum|available context)\b))/;
/** Directly after the figure of a limit that a comparison sets before the size. */
const MORE_THAN_LIMIT =
  /\b(?:exceed(?:s|ed|ing)?|over|above|beyond|past|surpass(?:es|ed)?|overshoots?)(?: (?:the|its|our|your|an?|model|models|input|prompt|context|window|length|size|limit|maximum|of)){0,6} ?[(:]? ?$/;
/** What was sent `holds` and `takes` too: then the figure is its size. */
const SIZE_BEFORE =
  /\b(?:prompt|input|conversation|history|chat|thread|transcript|request|message|query|text)s? (?:now |already |alone )?(?:holds?|takes?|fits?|reads?|carr(?:y|ies))(?: up)? ?$|\b(?:smaller|lower|shorter|less) than (?:the |your )?(?:prompt|input|request|messages|conversation) ?\(? ?$/;

/** The figure is what is too much. */
const EXCESS_BEFORE = /\bby (?:about |at least |approximately |another )?$/;

/**
 * Reads a line with exactly two sizes of which the smaller stands in the place of a limit and the larger does not,
 * in words that no rule knows as a whole: `the model takes 32768 at most; 33512 tokens were supplied as input`.
 * Undefined where anything speaks against it, since a wrong limit is worse than none.
 */
export function readTwoFigures(text: string): Excess | undefined {
  for (const line of text.split('\n')) {
    const found = line.length > LINE_CHARACTERS ? undefined : readLine(line);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readLine(line: string): Excess | undefined {
  const text = withoutStatus(line);
  if (!TOKEN_UNIT.test(text) || !SENT.test(text) || NOT_INPUT.test(text)) return undefined;
  if ([OTHER_THING, CHARACTERS, CREDENTIAL, MINIMUM].some((one) => one.test(text))) return undefined;
  const figures = [...text.matchAll(FIGURE)].filter((match) => Number(match[0]) >= SMALLEST_FIGURE);
  const [larger, ...smaller] = figures.sort((one, other) => Number(other[0]) - Number(one[0]));
  if (larger === undefined || !isComplete(larger, smaller) || isLimit(text, larger)) return undefined;
  if (EXCESS_BEFORE.test(text.slice(Math.max(0, larger.index - 40), larger.index))) return undefined;
  const limits = smaller.filter((one) => isLimit(text, one));
  const [limit] = limits;
  if (limit === undefined || limits.length > 1 || limit[0] === larger[0]) return undefined;
  return { actual: Number(larger[0]), limit: Number(limit[0]) };
}

/** One other figure, or a limit and the excess that add up to the larger. */
function isComplete(larger: RegExpExecArray, smaller: readonly RegExpExecArray[]): boolean {
  if (smaller.length === 1) return true;
  return smaller.length === 2 && smaller.reduce((sum, one) => sum + Number(one[0]), 0) === Number(larger[0]);
}

function isLimit(text: string, figure: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, figure.index - 80), figure.index);
  const after = text.slice(figure.index + figure[0].length, figure.index + figure[0].length + 60);
  if (SIZE_BEFORE.test(before)) return false;
  return LIMIT_BEFORE.test(before) || MORE_THAN_LIMIT.test(before) || LIMIT_AFTER.test(after);
}
