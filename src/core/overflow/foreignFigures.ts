import type { FigureRule } from './figures.ts';

/** What the limit of a context is called by; a limit of any other thing is none of it. */
const OWN_NOUN =
  'context|tokens?|length|len|window|size|inputs?|prompts?|models?|requests?|sequence|seq|conversation|messages?|chat|history|total|text|query|body|capacity|server|endpoint|deployment|number|position|kv|ctx|the|an?|its|this|that|your|our|their|current|hard|soft|upper|safe|effective|actual|allowed|supported|permitted|available|configured|stated|given|exceed(?:s|ed|ing)?|surpass(?:es|ed)?|reached|hit|over|past|above|beyond|than|only|of|and|or|but|with|while|vs|versus|against|is|was|are|has|have|had|to|at|for|by|in|exceeding|limit(?:ed)?|max|maximum|sum|accepted|tokenized|cache|output|completion|new|generated';
const FOREIGN_NOUN = String.raw`\b(?!(?:${OWN_NOUN})(?![a-z]))[a-z]{3,20}`;

/** A limit by name directly before its figure. */
function limitOf(noun: string): RegExp {
  const value = '(?: ?[=:(]| is| of)? ?(?:limited to )?$';
  return new RegExp(
    `${noun}[ _](?:size |count )?(?:limit|max(?:imum)?|cap|size|budget|threshold)${value}|\\b(?:max|maximum)[ _](?:number of )?${noun}s?${value}|\\b(?:messages?|requests?) (?:limit|max|maximum|cap)${value}|\\b(?:max|maximum)(?: number of)? messages?${value}`,
  );
}

/**
 * Figures that are no size of the input and no limit of it: identifiers, counts of other things, limits of the reply or of a queue,
 * what another model has. A limit learned from one of them would be wrong for good, so these come before all other rules.
 */
export const FOREIGN_FIGURES: readonly FigureRule[] = [
  {
    role: 'other',
    left: /(?:\b(?:pid|port|line|uid)[=: ]{1,2}|\d:|\b(?:id|no\.)[:= #]{1,2}|\((?:request|trace|job|ref|case) #?|\bfor (?:request|trace|job|session|conversation|user|run) #?)$/,
    right: /^(?! ?(?:input |prompt |total )?tokens)/,
  },
  // Counts of other things.
  {
    role: 'other',
    right:
      /^ ?(?:characters?|chars?|bytes?|[kmg]i?b\b|images?|messages\b(?! result)|pages|files|tools\b|seconds?|secs?|ms\b|s\b|minutes?|mins?|%|percent|times|requests?|words|lines|rows|turns|chunks|retries|attempts|steps|iterations|hours|days|workers|threads|slots|users|documents|docs|attachments|neurons|layers|(?:tool )?calls|字符|字节|元|items|(?:log )?entries|records|draft)(?![a-z_])/,
  },
  { role: 'other', left: /\bnext (?:message|turn|request|reply|step) (?:needs|takes|uses|has) $/ },
  // Advice: what another model has.
  {
    role: 'other',
    left: /\b(?:upgrade|switch|move|try|choose|select|consider|use (?:an?|the|another))\b[^.;\d]{0,50}$/,
  },
  {
    role: 'other',
    left: /\b(?:upgrade|switch|move|try|choose|select|consider|use)(?: to)? (?=[\w./:-]{0,40}\d)[a-z][\w./:-]{2,40}(?: model| which| that| with| has| supports| for| an?| its| limit| context| window| maximum| length| of| up to| \(){1,8} ?$/,
  },
  { role: 'other', right: /^(?:[- ]tokens?)?[^.;]{0,12}\b(?:beta|try that|instead|billed|charged|priced)\b/ },
  {
    role: 'other',
    left: /\b(?:enable|unlock|turn on|opt in(?:to)?|upgrading|pieces|parts|chunks|segments|slices|summari[sz]e[sd]?|compact(?:ed|ing)?|minimum)\b[^.;:\d]{0,40}$|\b(?:(?:other|larger|bigger|newer|some|embedding) models|(?:each|every) [a-z]{3,20}|files|documents|attachments|tool results) [^.;:\d]{0,30}$|\bsystem prompt (?:uses|takes|is|has) $|\bsession (?:has )?used $|\bin (?:this |the )?session:? $/,
  },
  // `Snippets above 4096 tokens are cut`: a sentence about things that are no part of the input.
  {
    role: 'other',
    left: new RegExp(
      `[.;] (?!(?:exceed|support|allow|accept|read|take|hold|need|require|request|get|serve|handle|thi|ha|doe|wa|include|contain|alway)s )${FOREIGN_NOUN}s (?:longer than|larger than|above|over|up to|beyond|below|under|of) $`,
    ),
  },
  // `timeout limit: 600`, `max messages: 50`, `file limit 2000`: limits of other things.
  { role: 'other', left: limitOf(FOREIGN_NOUN), right: /^(?! tokens)/ },
  // Limits of the reply and of other parts of the request, in tokens.
  {
    role: 'other',
    left: /\b(?:output|completion|thinking|reasoning|reply|response|answer|generation|compaction|summary|tool (?:result|output)|embedding)(?: tokens?)? (?:limit|max(?:imum)?|cap|budget|size|threshold)(?: ?[=:(]| is| of)? ?$/,
  },
];
