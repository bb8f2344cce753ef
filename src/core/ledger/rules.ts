import { cutHead, cutTail } from '../chat/cut.ts';
import type { Found } from './fact.ts';
import type { Reading } from './reading.ts';
import { looksLikeCode, normalizeWords, sentencesIn } from './text.ts';

/** At most this many rules are taken from one text; the rest of a longer list stays in the text itself. */
const MOST_PER_TEXT = 60;

/** Only the beginning and the end of longer prose are read. Characters. */
const LONGEST_PROSE = 48_000;

/** A longer quotation of a rule is cut. Characters. */
const LONGEST_RULE = 300;

/** What may stand between a rule and the sentence that says what it is about. */
const BETWEEN = /^[\s\d\-*+•>.)#[\]xX、]{0,20}$/;

/** A question, the heading of a list, a numbered line of a file, or text within JSON. */
const NO_STATEMENT = /[?\uff1f]["')\]]?$|[:\uff1a]$|^\d{1,6}\s?[:|→]|\\n/;

/**
 * Rules that the human stated explicitly: in a message, or when answering a tool or declining its call. What lifts a rule
 * counts in messages only.
 */
export function findConstraints(reading: Reading): Found[] {
  const written = reading.human === undefined ? [] : [{ rules: rulesIn(reading.human), at: reading.at }];
  const replies = reading.uses.flatMap(({ result }) =>
    result?.reply === undefined ? [] : [{ rules: rulesIn(result.reply).filter((rule) => !lifts(rule)), at: result.at }],
  );
  return [...written, ...replies].flatMap(({ rules, at }) =>
    rules.map((value): Found => {
      return { class: 'constraint', value, key: normalizeWords(value), at };
    }),
  );
}

/**
 * The rules in a text, in order, at most `MOST_PER_TEXT`. Each keeps what it is about ("never exceed it"): the sentence
 * before it, or the end of a long one, if that is no rule itself and nothing but blanks and list marks is between them.
 */
export function rulesIn(text: string): string[] {
  const half = LONGEST_PROSE / 2;
  const prose = text.length <= LONGEST_PROSE ? text : `${cutHead(text, half)}\n${cutTail(text, half)}`;
  const spans = sentencesIn(prose);
  const isRule = spans.map(({ start, end }) => saysRule(prose.slice(start, end)));
  const rules = spans.flatMap(({ start, end }, index) => {
    if (!isRule[index]) return [];
    const before = isRule[index - 1] === false ? spans[index - 1] : undefined;
    const isLed = before !== undefined && BETWEEN.test(prose.slice(before.end, start));
    const room = Math.max(0, LONGEST_RULE - (end - start));
    const lead = isLed ? cutTail(prose.slice(before.start, start), room).replace(/^[\s,;:)]+/, '') : '';
    const rule = lead + prose.slice(start, end);
    return [cutHead(rule.replace(/(?<!\s)\s*\n\s*/g, ' '), LONGEST_RULE).trimEnd()];
  });
  return rules.slice(0, MOST_PER_TEXT);
}

/** True for a sentence that says outright what must or must not be, or that something no longer must. */
function saysRule(sentence: string): boolean {
  if (NO_STATEMENT.test(sentence) || looksLikeCode(sentence)) return false;
  return RULE.test(sentence.toLowerCase()) || lifts(sentence);
}

/** Lower-case Latin and Cyrillic letters; the full Unicode classes take far longer to compile. */
const LETTERS = 'a-zß-ɏа-џ';

/**
 * Words that make a sentence of the human a rule, by language: prohibitions, obligations, limits. Where a stem ends
 * with `*`, more letters may follow (`долж` matches `должна`). No letter may touch a word on either side (`must` is not
 * in `mustard`); scripts without spaces are matched anywhere.
 */
const SPACED: readonly string[] = [
  // English; without permissions, expectations, and what somebody does not like, have or do ("we don't have tests yet")
  '(?<!\\bcan )never',
  "(?<!\\b(?:i|we|they) (?:\\w{2,8}ly |just |still |also )?)(?:do not|don['’]?t) " +
    '(?!like|know|think|see|care|mind|remember|understand|need|worry)\\p{L}+(?:-\\p{L}+){0,4}',
  "must(?:n['’]?t)?(?! have)|shall not",
  "should(?:n['’]t| not| never| only| always) (?!we|i|it|happen|work|matter|take)\\p{L}+(?:-\\p{L}+){0,4}",
  "(?<!(?:\\b(?:is|are|was|were)|['’]s) )always|only (?:use|touch|edit|change|ever)|not allowed|forbidden|prohibited",
  'off[- ]limits|mandatory|non-negotiable|no (?:exceptions|new)|(?:under|in) no (?:circumstances|case)|hands off',
  '(?<!\\bto )avoid|refrain|at most|no more than|not exceed|without exception',
  'keep .{1,60} (?:under|below|within|unchanged|as is)|leave .{1,60} (?:alone|untouched|unchanged|as is)|stick to',
  // German
  'nie|niemals|immer|stets|muss|müss*|darf*|dürf*|verboten|zwingend|unbedingt|ausschließlich|auf keinen fall',
  'unter keinen umständen|nicht (?:ändern|anfassen|löschen|umbenennen|entfernen|verwenden|benutzen)|höchstens',
  'bitte (?:nicht|kein*|nur)|soll(?:en|te|ten|st)? (?:nicht|nie)|vermeide*',
  'lass(?:e|t)? .{1,60} (?:unverändert|in ruhe)',
  // French
  "jamais|toujours|il faut|doi(?:s|t|vent)|devez|^n(?:e |['’]).{1,40} (?:pas|plus|rien)|ne pas",
  'interdit*|uniquement|obligatoire*',
  'en aucun cas|surtout pas|évite[zr]?|au (?:plus|maximum)',
  // Spanish and Portuguese
  'nunca|jamás|siempre|sempre|deb(?:e|es|en)|deve[ms]?',
  'no (?:uses|toques|cambies|modifiques|borres|añadas|se (?:debe|puede))',
  'hay que|únicamente|somente|prohibido|proibido|bajo ningún concepto|como máximo|no máximo',
  'não (?:use|mude|toque|altere|apague)',
  // Italian and Dutch
  'mai|devi|devono|vietato|soltanto|non (?:usare|toccare|modificare|cambiare|aggiungere)',
  'nooit|altijd|moet*|mag niet|mogen niet',
  // Russian, Polish, Turkish, Swedish
  'никогда|всегда|нельзя|не (?:трогай|меняй|используй|изменяй|удаляй|добавляй)*|долж*|обязательно|запрещ*',
  'nigdy|zawsze|musi*|nie wolno|asla|her zaman|sadece|aldrig|alltid|måste',
];
const UNSPACED = [
  '不(?:要|能|得|可(?!能)|准|许|允许|超过)|禁止|严禁|必须|务必|一定要|一律|始终|总是|永远|[绝决]不|千万|[切请]勿|只(?:能|准|许|可)|最多',
  '必ず|絶対|決して|常に|ないで(?:ください)?|ては(?:いけ|なら)|のみ|なければなら|ないこと',
  '반드시|절대|항상|지 ?(?:마|말)|금지|해야|않도록',
].join('|');

/** A wish that says what is not wanted instead, by language: "I want examples in Python, not JavaScript." */
const WISHES: readonly (readonly [wish: string, contrast: string])[] = [
  ['want|prefer|need|use|write|would like', '(?<=, )(?:and )?not|instead of|rather than'],
  ['will|möchte|brauche|bevorzuge|nimm|nutze|verwende|schreib*', '(?<=, )(?:und )?nicht|statt|anstatt'],
  ['veux|voudrais|préfère|utilise[zr]?', '(?<=, )(?:et )?pas|plutôt que|au lieu'],
  ['quiero|prefiero|quero|prefiro|voglio|preferisco', '(?<=, )(?:e |y )?(?:no|não|non)|en (?:vez|lugar)|em vez|invece'],
];

/** What takes a rule back. */
const LIFTS = /(?<!\p{L})(?:(?:you|we) (?:may|can) now|gilt nicht mehr)(?!\p{L})|现在可以/iu;

/** How a sentence begins that refuses something: "No network calls in tests.", "Keine neuen Pakete.", "Pas de ...". */
const REFUSAL = [
  'no (?!problem|worries|idea|need|rush|issue|way|one|thanks|doubt|matter|,)',
  "kein(?:e|en|er|em)? (?!problem|ahnung|sorge|eile)|pas d(?:e |['’])(?!souci|problème)",
  'aucune? |nada de |nessun[ao]? |никаких ',
].join('|');

const RULE = new RegExp(
  [
    `^(?:${REFUSAL})\\S`,
    asWords(SPACED.join('|')),
    ...WISHES.map(([wish, contrast]) => `${asWords(wish)}.{1,120} (?:${contrast})(?![${LETTERS}])`),
    UNSPACED,
  ]
    .join('|')
    .replaceAll('\\p{L}', `[${LETTERS}]`),
);

function asWords(stems: string): string {
  return `(?<![${LETTERS}0-9_])(?:${stems.replaceAll('*', `[${LETTERS}]*`)})(?![${LETTERS}0-9_-])`;
}

/** True when a sentence says that something is allowed now. */
function lifts(sentence: string): boolean {
  return LIFTS.test(sentence);
}
