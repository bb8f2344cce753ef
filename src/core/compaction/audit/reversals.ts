import { isRule } from '../../ledger/words/ruleStems.ts';
import { anyOf, groupOf } from '../../messages/anyOf.ts';

/** Says that something is no longer so, or is not to happen again, by language. */
const NO_LONGER = anyOf(
  /\b(?:no longer|any ?more)\b|\b(?:not|never)\b.{1,40}\bagain\b/iu,
  /(?<!\p{L})(?:nicht|nie|kein\p{L}*)(?!\p{L}).{0,40}(?<!\p{L})(?:mehr|länger|wieder)(?!\p{L})/iu,
  /(?<!\p{L})n(?:e |['\u2019]).{1,40}(?<!\p{L})plus(?!\p{L})/iu,
  /(?<!\p{L})(?:ya no|já não|(?:no|nunca|não|non|mai) .{0,40}(?:más|mais|più))(?!\p{L})/iu,
  /(?<!\p{L})(?:больше|уже) не(?!\p{L})|(?<!\p{L})(?:już|więcej) nie(?!\p{L})/iu,
  /不再|[无無不]需再|不用再|もう.{0,20}ない|더 ?이상/u,
);

/** Lets something through, by language; not what is denied: "can't", "not allowed", "darf nicht". */
const YES = new RegExp(
  String.raw`(?<!\b(?:not|no|não|non|nie|kein) |не |[不没])${groupOf(
    /\b(?:ok(?:ay)?|yes|yep|fine|sure|go ahead|allow\w*|can|may|approv\w+|agree\w*|proceed)\b/iu,
    /\b(?:changed my mind|never ?mind|forget|scratch|sorry|instead)\b/iu,
    /(?<!\p{L})(?:ja|klar|gerne?|einverstanden|erlaub\p{L}*|darf\p{L}*|kann\p{L}*|vergiss|egal|stattdessen)(?!\p{L})/iu,
    /(?<!\p{L})(?:oui|d['\u2019]accord|peu[xt]|pouvez|permi\p{L}*|autoris\p{L}*|oublie\p{L}*|plutôt)(?!\p{L})/iu,
    /(?<!\p{L})(?:s[íì]|sim|vale|claro|pued\p{L}*|pode\p{L}*|puoi|permit\p{L}*|olvid\p{L}*|va bene)(?!\p{L})/iu,
    /(?<!\p{L})(?:да|ладно|хорошо|можно|може\p{L}*|разреш\p{L}*|забудь\p{L}*|tak|dobrze|możesz)(?!\p{L})/iu,
    /可以|好的|行吧|允许|允許|同意|不用|はい|大丈夫|して(?:も)?いい|괜찮|네[,. ]/iu,
  )}(?!['\u2019]t\b| ?not\b| nicht\b| pas\b)`,
  'giu',
);

/** Turns something down. */
const NO =
  /\b(?:no|not|never|nope|instead|rather|stop|pause|cancel|skip|wrong|drop|remove|leave|without|close|interrupted)\b|n't\b|doesnt|dont/i;

/** Says that something was allowed or taken back. */
const LIFTED = anyOf(
  /\b(?:lifted|permit\w*|relax\w*|waived?|withdr(?:ew|awn)|t(?:ook|aken) back|allow\w*|approved|accept\w*)\b/iu,
  /\b(?:after all|does not mind|(?<!\bonly .{0,80})may(?! not| never)|reversed|(?<!\bbe )changed)\b/iu,
  /(?<!\p{L})(?:erlaub|genehmig|gestatte|aufgehoben|autoris|autoriz|permi[st]|разреш)|允许|允許|同意|許可|허용/iu,
  NO_LONGER,
);

/**
 * How a statement claims that the user took something back, allowed or declined it (`claimed`), and what a sentence
 * of the user must then say (`said`).
 */
const REVERSALS: readonly { readonly claimed: RegExp; readonly said: (sentence: string) => boolean }[] = [
  {
    claimed: LIFTED,
    said: letsThrough,
  },
  {
    claimed: /\b(?:reject\w*|declin\w+|dropped|paused?|closed|gave up|given up|stopped)\b/i,
    said: (sentence) => NO.test(sentence),
  },
];

/** True for a text that says that something was taken back, allowed or turned down. */
export function isReversal(text: string): boolean {
  return REVERSALS.some(({ claimed }) => claimed.test(text));
}

/** True for a text that says that something was allowed or taken back: only a message of the user can show that. */
export function saysLifted(text: string): boolean {
  return LIFTED.test(text);
}

/** True for a text that says that something is no longer so. */
export function isNoLonger(text: string): boolean {
  return NO_LONGER.test(text);
}

/** Whether a sentence of the user supports every reversal that a text claims. */
export function saysReversal(text: string, sentence: string): boolean {
  return REVERSALS.every(({ claimed, said }) => !claimed.test(text) || said(sentence));
}

/** Whether a sentence lets something through, or says that it is no longer so, and is no rule besides. */
function letsThrough(sentence: string): boolean {
  const rest = sentence.replace(YES, ' ');
  return (rest !== sentence || NO_LONGER.test(sentence)) && !isRule(rest.replace(/gilt nicht mehr/i, ' '));
}
