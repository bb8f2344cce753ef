import { anyOf, groupOf } from '../messages/anyOf.ts';
import { findComparison } from './providers.ts';
import { type StatedTokens, toTokens } from './tokens.ts';

/** What a figure means; `unclear`: a size if a limit confirms it; `other`: not compared here. */
type Role = 'window' | 'limit' | 'size' | 'input' | 'output' | 'tools' | 'unclear' | 'other';

/** A figure in its text; `isSure`: its words are enough to believe it without another figure that confirms it. */
interface Figure {
  readonly role: Role;
  readonly value: number;
  readonly isSure: boolean;
}

/** The smallest figure that is believed to be a limit, without and with the size that exceeds it. */
const SMALLEST_ALONE = 256;
const SMALLEST_BESIDE = 16;
/** How many characters beside a figure may tell what it means, and how many figures of a text are looked at. */
const LEFT_CHARACTERS = 90;
const RIGHT_CHARACTERS = 60;
const FIGURE_LIMIT = 60;
const NEXT = '#'; // stands at the end of the words after a figure where the next figure follows

/** A figure that is not part of a name, a version or a decimal. */
const FIGURE = /(?<![\w.\-/#@$])(?:\d{2,8}|\d(?= (?:input|prompt|output) tokens\b))(?![\w/%]|\.\d|-(?!token))/g;
/** Where the text turns to something else. */
const CUT =
  /(?<!\bmax|\[\d)[.;,!?|\n·] | - (?=\D)|[([](?=[a-z_])|: (?=[a-z_])|\b(?:but|while|and|however|whereas|when|so)\b(?! max)/g;

/** Words between the name of a figure and the figure that say nothing themselves. */
const FILLER = groupOf(
  /is|are|was|were|of|to|for|on|at|in|the|an|a|only|just|about|around|roughly|than|from|that|which|up|tokens|token|或/,
  /length|len|sizes?|count|number|window|context|inputs?|prompt|models|model|this|your|its|total|allowed|supported|为/,
  /permitted|accepted|available|requests?|value|set|currently|endpoint|deployment|safe|limited|limit|maximum|max|kv/,
  /cache|position|sequence|hard|est|de|du|ist|von|do|es|um|是|は/,
);
const GAP = String.raw`(?: ?(?:${FILLER}(?![a-z])|[:=([~≈,.]))*`;
const ends = (...words: readonly RegExp[]): RegExp => new RegExp(`${groupOf(...words)}${GAP} ?$`);

/** Words directly before a figure, by what they make it mean; the first match decides. */
const BEFORE: Readonly<Record<Exclude<Role, 'tools'> | 'counted', RegExp>> = {
  // Advice, excesses, what is left, what one of several models has.
  other: anyOf(
    /\b(?:try|use|using|switch|upgrade|choose|select|set|increase|raise|enable|retry|falling|might|kept)\b/,
    /\b(?:truncated|compact|compress|summar|split|chunk|remov|dropp|reserv|remaining|left|free|minimum)/,
    /\b(?:other|(?:larger|bigger|newer|older) models?|some|each|every|la(?:st|test)|plan|tier|session|system)\b/,
    /\b(?:upper bound (?:for|of|on)|first|id|no|code|index|page|line|step|turn|port|message)[:= #]{0,2}$/,
    /\b(?:exceed\w*|over|long|shortened|window|limit|beyond) by (?:about |at least |roughly )?$|keep at least $/,
  ),
  // `the prompt and the completion (4100)`, `your prompt has`, `resulted in`.
  size: ends(
    /\b(?:prompt|inputs?|query)(?: tokens?)? (?:and|plus|\+) [a-z_ ]{0,24}(?:completion|tokens)|window of at least/,
    /\b(?:prompt|inputs?|conversation|history|request|context) (?:now |already )?(?:has|have|holds?|takes?)\b/,
    /\bresult(?:s|ed) in(?: over)?/,
  ),
  output: ends(
    /\bmax_?(?:new_?|output_?|completion_?)?tokens\b(?: is too \w{3,5})?/,
    /\b(?:reply|reasoning|thinking|answer)\b(?: budget)?/,
  ),
  unclear: anyOf(
    /\b(?:exceeded|hit)\b[^.;:(]{0,24}\blimit ?[(:[]{1,2} ?$/,
    /\blimit (?:was |is )?(?:exceeded|reached) ?[(:[]{1,2} ?$/,
  ),
  window: ends(
    /\b(?:n_ctx|num_ctx|ctx|contextwindow|truncation_length)|\b(?:maximum|max|models?|of only|to a) context/,
    /\bcontext[ _-](?:window|length|limit|size|len)/,
  ),
  limit: ends(
    /\b(?:max(?:imum|imal\w*)?|limit(?:ed)?|allow(?:s|ed|ance)?|cap(?:ped at|acity)?|ceiling|budget)\b|[<≤]=?|>=?|上限/,
    /\b(?:supports?|accepts?|handles?|fits?|reads?|holds?|takes?|up to|at most|under|below|within)\b|\[\d, ?|限制|超过了?/,
    /\b(?:less|fewer|lower|shorter|longer|larger|greater|more|bigger|higher|beyond|over|above)\b(?: than)?|最多\S{0,4}/,
    /\b(?:exceed(?:s|ing)?|surpass(?:es)?(?: the)?|window|max_\w{3,24}|past|or equal to)\b|\btokens_max|最大\S{0,12}/,
    /超出了?|l[íi]mite|limite|maximal|höchstens|fenster|kontextl\S*|предел\S*|максим\S*(?: \S{3,12}){0,2}/,
    /최대(?: \S{2,6}){0,2}/,
  ),
  input: ends(/\b(?:prompt|input|n_prompt)_?(?:tokens|len|length|size)?\b/),
  counted: ends(
    /\b(?:requested|contains?|got|given|gave it|received|sent|submitted|supplied|provided|passed|used|uses?)\b|实际|当前/,
    /\b(?:needs?|required|current|actual|estimated|yours|has|have|had|having|too (?:long|large|big|many)|with)\b/,
    /\b(?:messages?|history|request|sequence|text|length|count|size|tokens|total)\b|トークン数|토큰 수|\btokens_(?:in|used)/,
    /\b(?:n|in|num|requested|total)_tokens|\bexceeded/,
  ),
};

const COUNTED = String.raw`[)\]]?(?:[- ](?:(?:input|prompt|total|context) )?tokens?(?: (?:prompt|input|request|long))?)?[)\]]?,? ?`;
const FOLLOWED = String.raw`(?!(?: (?:is|of|tokens?|for))*[ :=([]*${NEXT})`;
const starts = (...words: readonly RegExp[]): RegExp => new RegExp(`^${groupOf(...words)}`);
/** Words directly after a figure; they outrank the words before it, except advice and replies. */
const AFTER: Readonly<Record<Exclude<Role, 'other' | 'unclear'>, RegExp>> = {
  tools: /^ ?(?:tokens? )?(?:in|from|for|of|by) (?:the )?(?:functions?|tools?\b(?! input))/,
  output: starts(
    / ?(?:tokens? )?(?:(?:in|for|from|of|as) (?:the |a )?)?(?:max(?:imum)? )?(?:requested )?(?:output|completion)/,
    / ?(?:tokens? )?(?:(?:for|of) )?(?:response|generat|max_(?:completion_)?tokens|new tokens)/,
  ),
  input:
    /^ ?(?:tokens? )?(?:in|from|of|for) (?:the |your )?(?:(?:text|tool|image) input|input|prompt|messages?|text|history)\b/,
  size: new RegExp(
    String.raw`^${COUNTED}(?:(?:which |that |and |y |und )?(?:>|exceed(?!ed)|surpass|overflow|tops|supera|excede)|` +
      String.raw`(?:which )?(?:(?:is|are) (?:the )?)?(?:more|greater|larger|longer|over|above|too|bigger|beyond)\b|` +
      "must be|should be|do(?:es)? ?n[o']?t fit|will not|can ?not|dépass|überschr|超|が|초과|превыш)|" +
      '^ ?(?:(?:context )?tokens? )?(?:of )?(?:context )?(?:were |was )?' +
      String.raw`(?:given|sent|provided|received|requested|submitted|passed)\b`,
  ),
  window: starts(
    /[- ]?(?:tokens? ?)?(?:max(?:imum)? )?context(?: length| size| limit|$)| (?:tokens? )?max(?:imum)? context/,
  ),
  limit: starts(
    new RegExp(String.raw`[- ]?(?:tokens? ?)?\(?(?:max(?:imum|imo)?|limit|supported|window)\b${FOLLOWED}`),
    /[- ]?(?:tokens? ?)?(?:(?:is|are) )?(?:allowed|supported|at most|or less|fit\b|höchstens|最大)/,
    /[- ]?(?:tokens? ?)?(?:token (?:limit|maximum|context|window)|is the (?:maximum|limit|max))/,
  ),
};

/** What may follow a number of tokens. Anything else is what the number counts (`142 messages`). */
const COUNTABLE = anyOf(
  /^(?:$|#|[^\s\w]|\n| ?[^\s\w-])|^ [a-z_]{2,24} ?[=:]|^ токен/,
  /^[- ]?(?:jetons?|total|inputs?|prompt|context|max|maximum|limit|allowed|supported|window|in|of|for|from|but)\b/,
  /^ (?:which|that|and|or|exceed\w*|is|are|was|were|has|vs|than|given|requested|received|sent|leaves|at|by|over|tops)\b/,
  /^ (?:output|plus|larger|longer|more|greater|decrease|please|via|this|the|when|where|while|max_\w+|must)\b/,
  /^ (?:will|does|can|cannot|fit|tok\w*|supera|excede|y|would|should|bei|para)\b/,
);
/** Not tokens of what was refused. */
const NOT_THIS = anyOf(
  /^[- ](?:input |prompt )?tokens?[^.;,()\d]{0,24}\b(?:left|remaining|free|cached|beta|billed|per|instead|summary|saved)\b/,
  /^ tokens over(?! the (?:limit|max))|^ tokens are cut/,
);
/** A limit is believed without another figure if all words before it are about the model, its input or a limit. */
const OWN = groupOf(
  /exceed\w*|error|reached|hit|with|has|have|be|must|not|cannot|can|may|keep|please|over|under|below|above|than|less/,
  /fewer|longer|larger|greater|more|most|no|equal|allows?|accepts?|takes?|budget|threshold|capacity|cap|requested|or/,
  /capped|(?:n_|num_)?ctx|max_(?!out|step|num_b|tokens)[a-z_]+|conversation|messages|text|chat|history|loaded|body/,
  /tokens?|completion|ensure|truncation_length|range|upper|server|limits?|and|by|slot|full|n_past|too|long|our|slots/,
  /reduce|it/,
);
const OWN_WORDS = new RegExp(String.raw`^(?:[^a-z]|(?<![a-z])(?:${FILLER}|${OWN})(?![a-z]))*$`);

/** Reads the token figures of a normalised text without statuses; `known` is a limit stated elsewhere in it. */
export function readTokens(text: string, known?: number): StatedTokens {
  const written = findComparison(text);
  const compared = written?.figures;
  const figures = labelFigures(written?.rest ?? text);
  const of = (...roles: readonly Role[]): readonly Figure[] => figures.filter(({ role }) => roles.includes(role));
  const input = compared?.input ?? sum(of('input', 'tools'));
  const output = compared?.output ?? onlyOne(of('output'));
  const parts = { input, output, tools: sum(of('tools')) };
  const whole = input === undefined ? undefined : input + (output ?? 0);
  const limits = of('window', 'limit');
  const limit = compared?.limit ?? known ?? onlyOne(limits) ?? onlyOne(of('window'));
  const over = (some: readonly Figure[]): number | undefined =>
    onlyOne(some.filter((one) => one.value >= (limit ?? 0)));
  const sizes = of('size');
  const total = sizes.some(({ value }) => value === whole) || sizes.length === 0 ? whole : over(sizes);
  const actual = compared?.actual ?? total ?? over(of('unclear'));
  if (limit !== undefined && actual !== undefined && actual >= limit) {
    const stated = toTokens({ actual, limit: limit >= SMALLEST_BESIDE ? limit : undefined, ...parts });
    return { ...stated, ...(/\bat least \d/.test(text) ? { lowerBound: true } : {}) };
  }
  // None of the figures confirms another, so only those count that their own words make certain.
  const most = known ?? onlyOne(limits.filter(({ isSure }) => isSure));
  const size = limits.length > 0 ? undefined : onlyOne(of('size', 'input').filter(({ isSure }) => isSure));
  const isAlone = most !== undefined && onlyOne(limits) === most && most >= SMALLEST_ALONE;
  return toTokens({ actual: size, limit: isAlone ? most : undefined, ...parts });
}

function labelFigures(text: string): readonly Figure[] {
  const matches = [...text.matchAll(FIGURE)].slice(0, FIGURE_LIMIT);
  return matches.map((match, position) => {
    const [previous, next] = [matches[position - 1], matches[position + 1]];
    const end = match.index + match[0].length;
    const since = previous === undefined ? 0 : previous.index + previous[0].length;
    const to = Math.min(next?.index ?? text.length, end + RIGHT_CHARACTERS);
    const right = text.slice(end, to) + (to === next?.index ? NEXT : '');
    const left = text.slice(Math.max(since, match.index - LEFT_CHARACTERS), match.index);
    return { value: Number(match[0]), ...roleOf(left.split(CUT).at(-1) ?? '', right) };
  });
}

function roleOf(left: string, right: string): { role: Role; isSure: boolean } {
  const before = COUNTABLE.test(right) && !NOT_THIS.test(right) ? firstOf(BEFORE, left) : 'other';
  if (before === 'other' || before === 'output') return { role: before, isSure: false };
  const isUnit = /^[- ](?:input |prompt )?(?:tokens?|jetons?)\b/.test(right);
  const isInput = /^ ?(?:input|prompt|inputs) ?tokens?/.test(right) && before !== 'limit' && before !== 'window';
  const named = isInput ? 'input' : before === 'counted' ? 'size' : before;
  const after = firstOf(AFTER, right);
  const role = after ?? named ?? (isUnit ? 'unclear' : 'other');
  if (role === 'limit' || role === 'window')
    return { role, isSure: OWN_WORDS.test(left) && !/\bmax tokens/.test(left) };
  const isSize = isUnit && !/(?:^|[^a-z] ?)size:? ?$|^ (?:has|of|to) $/.test(left);
  return { role, isSure: after === 'size' || isSize };
}

function firstOf<Name extends string>(rules: Readonly<Record<Name, RegExp>>, text: string): Name | undefined {
  return (Object.keys(rules) as Name[]).find((name) => rules[name].test(text));
}

/** The value of the figures if they all have the same; undefined otherwise. */
function onlyOne(figures: readonly Figure[]): number | undefined {
  const first = figures[0]?.value;
  return figures.every(({ value }) => value === first) ? first : undefined;
}

function sum(figures: readonly Figure[]): number | undefined {
  const values = new Set(figures.map(({ value }) => value));
  return values.size === 0 ? undefined : [...values].reduce((total, value) => total + value, 0);
}
