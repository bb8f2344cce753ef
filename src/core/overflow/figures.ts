import { FOREIGN_FIGURES } from './foreignFigures.ts';

/** What a figure in a sentence stands for; `maybe`: a total, if nothing better is stated and a limit
 * confirms it; `weak`: a limit only where a larger total confirms it; `over`: behind `exceeds the limit:`, where either the limit or the size may stand. */
export type FigureRole =
  | 'window'
  | 'limit'
  | 'over'
  | 'total'
  | 'maybe'
  | 'weak'
  | 'input'
  | 'output'
  | 'tools'
  | 'lower'
  | 'other';

/** Characters before and after a figure that tell what it stands for. */
const LEFT_CHARACTERS = 90;
const RIGHT_CHARACTERS = 60;
/** Figures of one text that are looked at. */
const FIGURE_LIMIT = 60;

/** What stands beside a figure and what it therefore stands for. */
export interface FigureRule {
  readonly role: FigureRole;
  /** What stands directly before the figure. */
  readonly left?: RegExp;
  /** What stands directly after it. */
  readonly right?: RegExp;
}

/** Between a word and its figure: `is`, `of`, brackets, colons. */
const TO = String.raw`(?: ?(?:is|are|was|were|of|to|at|=|:|\(|\[|,|only|currently|set|limited|that is|for (?:this|the) (?:model|endpoint|request|deployment|server)|has|size|value|about|approximately|at least|~|≈|为|是|は|exactly|just|du mod[èe]le|del modelo|do modelo|up|within|length|von|de|del|di|do|es|est|ist|от))* ?[(:=[]? ?$`;
const to = (words: string): RegExp => new RegExp(`(?:${words})${TO}`);

/** In order; the first that fits decides. */
const RULES: readonly FigureRule[] = [
  // `the context (150000 tokens) does not fit the model (128000 tokens)`.
  { role: 'total', right: /^ tokens\)? (?:does ?n[o']?t|can ?not|wont|will not) (?:be )?fit/ },
  // What stands left of `>` is never a limit.
  { role: 'total', right: /^\)? ?>=? ?$/ },
  ...FOREIGN_FIGURES,
  // Advice: `reduce it to 8000 tokens`.
  {
    role: 'limit',
    left: /\b(?:reduce|shorten|trim|cut|truncate)\b[^.;\d]{0,40} to (?:at most |fewer than |less than |under |below |no more than )?$/,
  },
  { role: 'limit', right: /^[- ]tokens? (?:kv )?cache\b/ },
  { role: 'input', left: /(?:cannot|cant|unable to|not) fit (?:the |your )?$/ },
  // `context window of 32768 tokens exceeded`.
  {
    role: 'window',
    left: /\b(?:context (?:window|length|size|limit)|limit|maximum)(?: of)? \(?$/,
    right: /^\)? (?:tokens )?(?:was |is |has been )?exceeded\b/,
  },
  // `4000 output tokens requested, 32768 maximum`.
  {
    role: 'limit',
    left: /[,;] $/,
    right: /^ (?:tokens )?(?:maximum|max|limit)(?=[.,;) ]|$)(?! ?(?:of|for|output|completion|tokens|new|is))/,
  },
  {
    role: 'total',
    left: /\b(?:tokens_in|in_tokens|requested_tokens|n_tokens|num_tokens|tokens_used|total|used|actual)[=:] ?$/,
  },
  { role: 'total', left: /\bresult(?:s|ed)? in (?:over |more than )$/ },
  // `2048 tokens maximum, 2584 tokens context requested`.
  {
    role: 'total',
    right:
      /^ (?:(?:context |prompt )?tokens? )?(?:of )?(?:context|input|prompt)? ?(?:was |were )?(?:requested|passed)\b/,
  },
  { role: 'total', left: /\brequested (?:context|prompt|input)(?: of| is|:)? $/ },
  // ExLlama: `Total cache allocated is 32 * 128 = 4096 tokens`.
  { role: 'limit', left: /\bcache (?:allocated|size|capacity)[^.;]{0,40}= ?$/ },
  {
    role: 'other',
    left: /(?:status(?: code)?|error(?: code)?|code|http(?:\/\d)?|line|port|version|attempt|index|id|at position|messages|tools|content|input|\bv)[:= ]{0,2}\[?$/,
    right: /^(?!\d)(?:[\]:]| [-–:{]| bad| error| \w+ (?:error|request)|$)/,
  },
  // `exceeds 64000 token limit (70100 tokens)`.
  { role: 'total', left: /\d (?:tokens? )?(?:limit|maximum|window|context(?: window| length)?) \($/ },
  // What the request needs, not what the model has.
  {
    role: 'total',
    left: /context (?:window|length|size) of at least $|\bno [a-z]{3,20}\b[^.;\d]{0,30}\bhandle $|(?:requires?|needs?) (?:a )?(?:(?:context|sequence) )?(?:window|length|size) of $/,
  },
  {
    role: 'limit',
    left: /(?:the|this|selected|loaded|available|largest|chosen) model (?:only )?(?:has|offers|provides|allows|accepts) (?:only )?$/,
  },
  // MiniMax ends with its own code: `invalid params, context window exceeds limit (2013)`.
  { role: 'other', left: /(?:invalid params[^(]{0,80}|window exceeds limit )\($/ },
  // `context exceeded: 31000 input tokens, 4000 output tokens`.
  { role: 'input', left: /exceeded ?[:(] ?$/, right: /^ (?:input|prompt) tokens, $/ },
  {
    role: 'over',
    left: /(?:exceed|supera|dépass|überschr|excede)[^.;:()]{0,60}(?:window|length|limit|size|context|tokens|maximum|max|m[áa]ximo|l[íi]mite): ?$/,
  },
  { role: 'output', left: /\bmax_?(?:new_?|output_?|completion_?)?tokens ?[:=] ?$/ },
  // `Context length exceeded (4181 tokens)`, `exceeded the limit (request size: 8237) tokens`: what was sent.
  {
    role: 'total',
    left: /(?:your|the|this) (?:context|prompt|input|conversation|history|messages) (?:now |already )?(?:has|have|holds?|contains?|comes? to|came to) $|\bthis (?:context|prompt|conversation|input) is $/,
  },
  { role: 'window', right: /^(?: tokens?)?\)? (?:is|are|was) too small|^ tokens (?:can ?not|cant) hold\b/ },
  { role: 'total', left: /(?:^|[;:,.] )context (?:has|contains) $/ },
  { role: 'limit', left: /exceeded [([]> ?$/ },
  // `Context limit exceeded (131072 tokens)`: the size or the limit.
  { role: 'maybe', left: /\blimit (?:was |is |has been )?exceeded \($/, right: /^ tokens\)/ },
  {
    role: 'total',
    left: /exceeded [([](?:about |approximately |roughly |currently |~ ?|≈ ?)?$/,
    right: /^ tokens?[)\]]/,
  },
  {
    role: 'other',
    left: /\b(?:last|latest|newest|first|longest|largest) (?:user )?(?:message|turn)s? (?:has|had|is|was|uses|contains|of) $/,
  },
  // Said of a model by name or as advice: true of the model that was asked, or of another.
  {
    role: 'weak',
    left: /(?<=^|[ ;,.])(?=[\w./:-]{0,40}\d)[a-z][\w./:-]{2,40} (?:has|supports|accepts|offers|handles|takes) (?:(?:an?|up to|at most|only) ){0,2}$|\b(?:increase|raise)\b[^.;\d]{0,30}$/,
  },
  { role: 'maybe', left: /(?:reached|hit) [([]$|exceed[^.;]{0,60}[([](?:size|length|count): $/ },
  { role: 'weak', left: /\bmax tokens(?: is|:)? $/ },
  {
    role: 'total',
    left: /(?:exceeded|too (?:long|large|big)):? ?[([](?:total )?(?:tokens?|size|length|count)(?: count)?(?:: |:|=| )$|too (?:long|large|big) [·•|] $/,
  },
  {
    role: 'total',
    left: /\((?:your )?(?:request|conversation|message|history|current|actual|estimated|used|requested|sent|(?:prompt|input)(?= (?:size|length)))(?: (?:size|length|tokens?|count)){0,2}[:=]? (?:about )?$/,
    right: /^(?! tokens? (?:max|limit|allowed))/,
  },
  { role: 'maybe', left: /exceeded ?[([:] ?$/ },
  // `prompt is too long (2013)`: a size, or the vendor's code.
  { role: 'maybe', left: /too (?:long|large|big) \($/, right: /^\)/ },
  // `Input exceeded limit (210000 tokens)`: the size or the limit.
  { role: 'maybe', left: /\b(?:has )?exceeded (?:the )?limit \($/, right: /^ tokens\)/ },
  // Written as fields: `prompt=51402`, `contextWindow: 8192`.
  { role: 'input', left: /\b(?:prompt|input|(?:prompt|input)_?(?:tokens|len|length|size)|n_prompt_tokens)[=:] ?$/ },
  { role: 'window', left: /\b(?:(?:max_?)?context_?(?:window|length|size)|max_context)[=:] ?$/ },
  { role: 'limit', left: /\b(?:limit|max|maximum)[=:] ?$/ },
  // `the prompt of 5000 tokens is too long > 4096`.
  { role: 'limit', left: /too (?:long|large|big|many) ?>=? ?$|: limited to $/ },
  { role: 'limit', left: /\bnot less than max_?(?:num_?)?tokens ?\($/ },
  // `longer than what the model can take (128000)`.
  { role: 'limit', left: /\bcan (?:take|handle|accept|process|hold) ?(?:in )?[(:]? ?(?:only |at most )?$/ },
  // `is 3500 tokens over the window`: an excess.
  { role: 'other', left: /\bis (?:about |over )?$/, right: /^ tokens over (?:the|its|your|this)/ },
  { role: 'other', left: /<$/, right: /^>/ },
  { role: 'other', left: /upper bound (?:for|of|on) $/ },
  {
    role: 'other',
    left: /(?:exceed(?:s|ed|ing)? (?:it |the limit |the maximum |this )?by|over by|by|excess(?: of)?|too (?:long|large|many) by|last|(?<!keep the )first|remaining|available|left|afford|over the limit by|reduce (?:\w+ ){0,4}by|remove|retry (?:in|after)|again in)(?: about| approximately| at least| roughly| around)? ?[(:]? ?$/,
  },
  {
    role: 'tools',
    right:
      /^ ?(?:tokens? )?(?:in|from|for|of|by) (?:the )?(?:functions?|tools?\b(?! input)|tool (?:definitions?|schemas?))/,
  },
  {
    role: 'output',
    right:
      /^ ?(?:tokens? )?(?:(?:in|for|from|of|as) (?:the |your |a )?(?:max(?:imum)? )?(?:output|completion|response|generation|max_tokens|max_new_tokens)|(?:output|completion|generated|response|new|max_new_tokens|max_tokens|max_completion_tokens|generation) ?(?:tokens?)?)/,
  },
  {
    role: 'input',
    right:
      /^ ?(?:tokens? )?(?:(?:in|from|of|for) (?:the |your )?(?:text input|tool input|image input|input|prompt|messages?|conversation|system prompt|text|history))/,
  },
  {
    role: 'total',
    left: to(
      String.raw`(?:inputs?|prompt)(?: tokens?)? (?:and|plus|\+) (?:the )?(?:maximum |max |requested |expected )?(?:output|completion|generated|max_?(?:new_?|output_?|completion_?)?tokens)(?: tokens?)?`,
    ),
  },
  {
    role: 'output',
    left: to(
      'max_?(?:new_?|output_?|completion_?)?tokens|(?:output|completion) tokens?(?: requested)?|max_new_tokens|requested output|max(?:imum)? output|(?:and|plus|\\+) (?:the )?max(?:imum)? tokens|completion|maxoutputtokens value|max_output_tokens|requested (?:max )?(?:output|completion)',
    ),
  },
  {
    role: 'total',
    right:
      /^[\])]? ?(?:(?:input |prompt |total )?tokens?,? ?)?[\])]?,? ?(?:which |that |and )?(?:exceed(?!ed(?: by|[^a-z ]|$))|is (?:greater|larger|longer|more|over|above|too|bigger|beyond|higher)|are (?:too|more|over|greater)|surpass|over the|beyond the|larger than|greater than|longer than|more than|too (?:large|long|many)|overflow|超过|超出|大于|超限|supera|excede|dépass|überschreit|превыш)/,
  },
  { role: 'output', left: /max_(?:new_|output_|completion_)?tokens is too (?:large|high|big): ?$/ },
  {
    role: 'limit',
    right: /^ (?:tokens )?(?:are|is) (?:allowed|supported|permitted|accepted|the (?:maximum|limit))/,
  },
  { role: 'total', right: /^ (?:tokens? )?(?:were|was) (?:given|sent|provided|received|requested|submitted)/ },
  // `only 500 are available` may be the room that is left.
  { role: 'other', right: /^ (?:tokens )?(?:are |is )?(?:available|left|remaining)\b/ },
  { role: 'other', left: /\bvalue=$/ },
  {
    role: 'total',
    right: /^\)? (?:must|can ?not|should not|may not) be (?:less|<|at most|smaller|no more|more|greater|larger|longer)/,
  },
  {
    role: 'window',
    left: /(?:context|prompt|input|model) (?:length|window|size|limit) (?:of|for) (?:the )?(?:model )?[\w./:-]{2,60} is $/,
  },
  {
    role: 'window',
    left: to(
      String.raw`(?:(?:contexto|contexte|kontext)|context(?: length| window| size| limit| len)?|context[_-](?:length|window|size|limit)|n_ctx(?:_slot|_seq)?|\bctx|truncation_length|kontextlänge|longueur(?: maximale)?(?: de contexte)?|l[ií]mite de contexto|límite de contexto|\bwindow|num_ctx|kv[-_ ]size|(?:kv )?cache size|max_model_len|max_seq_len|max(?:imum)? position embeddings?|max_(?:num|input|total|prompt|seq|context|position|kv|req)_\w{3,12}|\bmax_length|(?:maximum|max) (?:supported |allowed )?(?:model|sequence|context)(?: token)? (?:length|len|size|window|tokens|limit|count)|컨텍스트 길이|コンテキスト長|上下文(?:长度|窗口|限制)?|上限)(?: limit| allowed| supported)?(?: of (?:the |this )?model)?(?: tokens)?`,
    ),
  },
  { role: 'window', right: /^[- ]?(?:tokens? ?)?(?:maximum |max )?(?:context|window)|^ (?:tokens? )?maximum context/ },
  {
    role: 'limit',
    left: to(
      String.raw`(?:limit|limit reached(?: for (?:this|the) model)?|(?:maximum|max) (?:input|prompt)(?: token)? (?:length|len|size|window|tokens|limit|count)|maximum|max\.?|allowed|allowance|capacity|budget|threshold|cap|supports?|permitted|accepts?|handles?|holds?|fits?|at most|up to|no more than|<=|<|≤|less than(?: or equal)?|fewer than|smaller than|lower than|shorter than|below|under|within|not exceed|cannot exceed|surpass(?:es|ed)?(?: the)?|exceed(?:s|ed|ing)?(?: the)?|greater than|larger than|longer than|more than|bigger than|higher than|over the limit of|over|above|beyond|超过了?|超出了?|大于|小于|不能超过|限制|最大(?:\S{0,12})|最多|höchstens|maximal\w*|máxim[oa](?: permitid[oa])?|límite|limite|максим\S*|предел\S*|최대|制限)(?: (?:number |amount |count )?(?:of )?(?:the |a |an |its |this |your |model |models |input |prompt |total |allowed |supported |context |request |token |tokens |length |size |limit |count |window |model's )*(?:tokens?|length|limit|size|count|allowed|supported|value|window|maximum|model)?)?`,
    ),
  },
  { role: 'limit', left: /(?:should|must) be in [[(]\d+, ?$|between \d+ and $|\[1, ?$/ },
  {
    role: 'limit',
    right:
      /^[- ]?(?:tokens? ?)?(?![a-z ]{0,24}[:=])(?:(?:au |como |come )?m[aá]xim(?:um|o)|max\b|limit|allowed|token (?:limit|maximum|context|window)|is the (?:maximum|limit|max)|最大)/,
  },
  { role: 'input', right: /^ ?(?:input|prompt|inputs) ?tokens?/ },
  {
    role: 'input',
    left: to(
      String.raw`(?:input|prompt|inputs|request input|prompt_|input_)(?: |_)?tokens?(?: count)?|n_prompt_tokens|prompt length|input length|(?:input|prompt)_(?:length|len)|prompt|input|\binputs|n_keep|inputtokens|prompttokens`,
    ),
  },
  {
    role: 'total',
    left: to(
      '(?:it|prompt|input|request|messages?|conversation|text|chat|history|query) (?:already |now )?has|requested|resulted in|results in|too (?:long|large|big|many)|keep the first|got|given|contains?|contained|have|had|actual|received|uses|using|provided|supplied|submitted|current|sent|used|found|your request|token count|answering your request will take|will take|needs?|requires?|totall?ing|totals|total of|sum|实际|当前|共|为|you passed|passed|consumed|estimated|computed|includes|comprises|request|input length|prompt length|prompt size|current length|tokens? number|トークン数|number of tokens|token number',
    ),
  },
  { role: 'maybe', right: /^ (?:total )?(?:tokens?\b|jetons?\b|токен|토큰|トークン)/ },
  { role: 'maybe', left: to('length|size|count|with|having|total|has|messages|tokens?') },
];

/** A figure of two to nine digits that is not part of a name, a version or a decimal. */
const FIGURE = /(?<![\w.\-/#@])(?:\d{2,9}|\d(?= (?:input|prompt) tokens?\b))(?![\w/%]|\.\d|-(?!token))/g;

/** The figures of a normalised text by what they stand for, each role's values without repetitions of the same words. */
export function labelFigures(text: string): ReadonlyMap<FigureRole, readonly number[]> {
  const labelled = new Map<FigureRole, number[]>();
  const seen = new Set<string>();
  const matches = [...text.matchAll(FIGURE)].slice(0, FIGURE_LIMIT);
  for (const [position, match] of matches.entries()) {
    const end = match.index + match[0].length;
    const right = text.slice(end, Math.min(matches[position + 1]?.index ?? text.length, end + RIGHT_CHARACTERS));
    const left = text.slice(Math.max(0, match.index - LEFT_CHARACTERS), match.index);
    const role = RULES.find((rule) => (rule.left?.test(left) ?? true) && (rule.right?.test(right) ?? true))?.role;
    const key = `${match[0]} ${right.slice(0, 16)}`;
    if (role === undefined || seen.has(key)) continue;
    seen.add(key);
    labelled.set(role, [...(labelled.get(role) ?? []), Number(match[0])]);
    if (role !== 'other' && /at least(?: about)? $/.test(left)) labelled.set('lower', [Number(match[0])]);
  }
  return labelled;
}
