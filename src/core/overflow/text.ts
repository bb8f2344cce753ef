/** How much is read of the head and of the tail of a string: providers state the cause at either end. Characters. */
const HEAD_CHARACTERS = 8_000;
const TAIL_CHARACTERS = 4_000;
/** How much is read of all strings of one failure together, which bounds the time on hostile text. Characters. */
export const TOTAL_CHARACTERS = 40_000;
/** A sentence is read in pieces of at most twice this many characters, and in a limited number of parts. */
const HALF_CLAUSE = 250;
const PART_LIMIT = 12;

/** The head and tail of a long string. */
export function clip(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  return `${text.slice(0, HEAD_CHARACTERS)}\n…\n${text.slice(-TAIL_CHARACTERS)}`;
}

/** The name of a field that contains a sentence: it is not a word of that sentence. */
const PROSE_FIELD =
  /\\{0,8}["'](?:message|msg|error_?message|error_?msg|details?|description|title|text|content|body)\\{0,8}["']\s{0,3}:/g;
/** A log line of a tokenizer that often precedes the real error; its figures are not about what was refused. */
const TOKENIZER_WARNING =
  /token indices sequence length is longer than [^().]{0,120}\([\d,]{1,12} > [\d,]{1,12}\)(?=\. running|[.\s]*(?:$|error))/g;
/** Applied in order; each takes linear time on what the previous ones left. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/(?![\n\r\t])\p{Cc}\[[\d;]{0,20}m/gu, ''], // a terminal's colours
  [/&gt;|\\{1,8}u003e/g, '>'], // signs as HTML and the JSON of Go write them
  [/&(?:lt|amp|quot|nbsp|#39);|\\{1,8}u00(?:3c|26|27|22)/g, ' '],
  [/(?<!\d)20\d\d[-/]\d\d[-/]\d\d[t ]{1,2}\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?/g, ' '], // a time
  [/https?:\/\/\S{1,300}/g, ' '],
  [/\\{1,8}[nr]/g, '\n'],
  [/\\{1,8}t/g, ' '],
  [PROSE_FIELD, '; '],
  [/[^\S\n]+/g, ' '],
  [/ ?[│┃|]? ?\n ?[│┃|]? ?/g, '\n'], // the box around a message
  [/\n{2,}|\n(?=at [^\n]{1,120}:\d{1,6}|file "|traceback \()/g, '\0'], // ends a sentence; any other break means nothing
  [/\s+/g, ' '],
  [/\0/g, '\n'],
  [/[\\"'`*‘’“”„«»]/g, ''],
  [/[{}]/g, ' '],
  [/[^\S\n]{2,}/g, ' '],
  [TOKENIZER_WARNING, ' '],
];
/** Numbers with thousands separators; only a unit makes sure that spaces and full stops are separators. */
const UNIT = String.raw`(?= ?(?:tokens?|jetons?|токен))`;
const GROUPED: readonly RegExp[] = [
  /(?<![\d.,])\d{1,3}(?:[,_]\d{3}){1,3}(?![\d_])/g,
  /(?<![\d.,])\d{1,2}(?:,\d{2}){1,3},\d{3}(?![\d,])/g,
  new RegExp(String.raw`(?<![\d.,])\d{1,3}(?: \d{3}){1,3}${UNIT}|(?<![\w.,-])\d{1,3}(?:\.\d{3}){1,3}${UNIT}`, 'g'),
];

/**
 * Text in the single form that every rule reads: lower case, escapes undone, no quotes, braces or addresses, lines
 * joined, numbers as plain digits (`128,000`, `128_000` and `128k` are all `128000`), one space for all white space.
 */
export function normalise(text: string): string {
  const blanksInNumbers = /(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g;
  const plain = text.replace(blanksInNumbers, '').normalize('NFKC').toLowerCase();
  const words = STEPS.reduce((so, [pattern, by]) => so.replace(pattern, by), plain).trim();
  return GROUPED.reduce((so, marks) => so.replace(marks, (figure) => figure.replace(/\D/g, '')), words)
    .replace(/(\d{2})\.0(?![\d.])/g, '$1')
    .replace(/(?<![\w.,-])(\d{1,4}(?:\.\d{1,3})?)([km])(?!\w)/g, (_figure, count: string, unit: string) =>
      String(Math.round(Number(count) * (unit === 'k' ? 1_000 : 1_000_000))),
    )
    .replace(/(?<=\b(?:is|of|was))(?=\d{2,9}\b)|(?<=[a-z]{2})(?=\d{3,9} ?tokens?\b)|(?<=\d)(?=tokens?\b)/g, ' ');
}

/** Statuses that model servers and their gateways answer with. `512` and other sizes are not among them. */
const STATUS = String.raw`(?:200|40\d|41[0-8]|42[1-9]|431|451|49[79]|50\d|52\d)`;
/** What precedes a status directly: the start of a text or line, or a word that a status follows. */
const STATUS_WORD =
  /[a-z.]{0,60}(?:error|exception)|code|status|http(?:\/\d(?:\.\d)?)?|failed|(?:returned|responded)(?: with)?/.source;
const BEFORE = String.raw`(?:(?:^|[;{])[\s\W]{0,8}|\b(?:${STATUS_WORD})[_ ]?(?:code|status)?[ :=-]{0,3}[([]?)`;
const AFTER = String.raw`(?:(?: | - |: )[([ \]]{0,4}${STATUS})?(?![\d.,]\d|\d|[\w%])`;
const STATUS_FIGURE = new RegExp(`(${BEFORE})${STATUS}${AFTER}`, 'gm');

/** The first error status in a normalised text. */
export function findStatus(text: string): number | undefined {
  const figure = /[45]\d\d(?=\D*$)/.exec(text.match(STATUS_FIGURE)?.[0] ?? '');
  return figure === null ? undefined : Number(figure[0]);
}

/** Removes HTTP statuses from a normalised text: they are never counts. */
export function withoutStatus(text: string): string {
  const bare = text.replace(/<\d{3}>|: [45]\d\d\s*$/g, ' ');
  return bare.replace(STATUS_FIGURE, '$1 ').replace(/ {2,}/g, ' ');
}

const CLAUSE_END = /[\n;!?。؟]+|\.(?=\s|$)(?! (?:max|maximum|limit)\b[^.;\n]{0,30} \d{2,9} (?:input )?tokens\b)/;

/** The sentences of a normalised text, in pieces of at most 500 characters that overlap by half. */
export function clauses(text: string): readonly string[] {
  return text.split(CLAUSE_END).flatMap((piece) => {
    const sentence = piece.trim();
    const count = sentence === '' ? 0 : Math.max(1, Math.ceil(sentence.length / HALF_CLAUSE) - 1);
    return Array.from({ length: count }, (_none, at) => sentence.slice(at * HALF_CLAUSE, (at + 2) * HALF_CLAUSE));
  });
}

/**
 * The parts of a clause around a colon, dash, bracket or comma, and each two neighbouring parts: before the server's
 * sentence, a client may write what it was doing, in words that do not belong to it.
 */
export function parts(clause: string): readonly string[] {
  const pieces = clause.split(/: | [-–—|] | \((?=[a-z])|\) |,(?=[a-z_]{2,30}:)|, /).slice(0, PART_LIMIT);
  const pairs = pieces.slice(1).map((piece, position) => `${pieces[position]}: ${piece}`);
  return pairs.length === 0 ? [] : [...pieces, ...pairs];
}
