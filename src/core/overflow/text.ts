import { joinLines, joinWords } from './lines.ts';

/** Characters of one string that are looked at: its head and its tail. Providers state the cause at either end. */
const HEAD_CHARACTERS = 8_000;
const TAIL_CHARACTERS = 4_000;
/** Characters of all strings of one failure together; bounds the time on hostile text. */
export const TOTAL_CHARACTERS = 40_000;
/** A sentence is looked at in pieces of at most this many characters. */
const CLAUSE_CHARACTERS = 500;

/** A log line of a tokenizer that often stands before the real error; its figures are of nothing that was refused. */
const TOKENIZER_WARNING =
  /token indices sequence length is longer than [^().]{0,120}\(\d{1,9} > \d{1,9}\)(?:\. running this sequence through the model will result in indexing errors)?/g;

/** A long string's head and tail. */
export function clip(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  return `${text.slice(0, HEAD_CHARACTERS)}\n…\n${text.slice(-TAIL_CHARACTERS)}`;
}

/**
 * Text in the one form that every rule reads: lower case, full-width characters and escapes undone, quotes and braces removed,
 * addresses left out, lines joined (`lines.ts`), numbers as plain digits (`128,000`, `128_000` and `128k` are all
 * `128000`), runs of blanks as one.
 */
export function normalise(text: string): string {
  const plain = text
    .replace(COLOUR, '')
    .replace(HARD_BLANK, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ENTITY, (entity) => ENTITIES[entity.replace(/^\\+/, '').replace(/;$/, '')] ?? ' ')
    .replace(TIMESTAMP, ' ')
    .replace(/https?:\/\/\S{1,300}/g, ' ')
    .replace(/\\{1,8}[nr]/g, '\n')
    .replace(/\\{1,8}t/g, ' ')
    .replace(PROSE_FIELD, '; ');
  const words = joinLines(plain)
    .replace(RETRIES, ' ')
    .replace(/[\\"'`*‘’“”„«»]/g, '')
    .replace(/[{}]/g, ' ')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim();
  return normaliseNumbers(joinWords(words).replace(TOKENIZER_WARNING, ' '));
}

/** When a log line was written. */
const TIMESTAMP = /(?<!\d)20\d\d[-/]\d\d[-/]\d\d[t ]{1,2}\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?/g;

/** How often a client tried: no part of what the server says. */
const RETRIES = /\bafter \d{1,3} (?:retries|attempts|tries|turns|steps|iterations)\b/g;

/** The name of a field that holds a sentence: no word of that sentence. */
const PROSE_FIELD =
  /\\{0,8}["'](?:message|msg|error_?message|error_?msg|detail|details|description|title|text|content|body|messagetext)\\{0,8}["']\s{0,3}:/g;

/** What a terminal's colours leave in a text. */
const COLOUR = /(?![\n\r\t])\p{Cc}\[[\d;]{0,20}m/gu;
/** Signs as HTML and the JSON of Go write them. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&gt': '>',
  '&lt': '<',
  '&amp': '&',
  '&quot': '"',
  '&#39': "'",
  '&nbsp': ' ',
  u003e: '>',
  u003c: '<',
  u0026: '&',
  u0027: "'",
  u0022: '"',
};
const ENTITY = /&(?:gt|lt|amp|quot|nbsp|#39);|\\{1,8}u00(?:3e|3c|26|27|22)/g;

/** Blanks that only ever stand within a number: no-break, thin and narrow. */
const HARD_BLANK = /(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g;

function normaliseNumbers(text: string): string {
  return text
    .replace(/(?<![\d.,])\d{1,3}(?:[,_]\d{3}){1,3}(?![\d_])/g, (figure) => figure.replace(/[,_]/g, ''))
    .replace(/(?<![\d.,])\d{1,2}(?:,\d{2}){1,3},\d{3}(?![\d,])/g, (figure) => figure.replace(/,/g, ''))
    .replace(/(?<![\d.,])\d{1,3}(?: \d{3}){1,3}(?= ?(?:tokens?|jetons?|токен))/g, (figure) => figure.replace(/ /g, ''))
    .replace(/(?<![\w.,-])\d{1,3}(?:\.\d{3}){1,3}(?= ?(?:tokens?|jetons?|токен))/g, (figure) =>
      figure.replace(/\./g, ''),
    )
    .replace(/(\d{2})\.0(?![\d.])/g, '$1')
    .replace(/(?<![\w.,-])(\d{1,4})(?:\.(\d{1,3}))?([km])(?![\w])/g, scale);
}

function scale(_figure: string, whole: string, fraction: string | undefined, unit: string): string {
  const factor = unit === 'k' ? 1_000 : 1_000_000;
  return String(Math.round(Number(`${whole}.${fraction ?? '0'}`) * factor));
}

/** The sentences of a normalised text in pieces of at most 500 characters, each of which shares half with the one before. */
export function clauses(text: string): readonly string[] {
  return text
    .split(/[\n;!?。؟]+|\.(?=\s|$)(?! (?:max|maximum|limit)\b[^.;\n]{0,30} \d{2,9} (?:input )?tokens\b)/)
    .flatMap((sentence) => slices(sentence.trim()))
    .filter((clause) => clause !== '');
}

function slices(sentence: string): readonly string[] {
  const parts = [sentence.slice(0, CLAUSE_CHARACTERS)];
  for (let from = CLAUSE_CHARACTERS / 2; from + CLAUSE_CHARACTERS / 2 < sentence.length; from += CLAUSE_CHARACTERS / 2)
    parts.push(sentence.slice(from, from + CLAUSE_CHARACTERS));
  return parts;
}

/** Parts of a clause that are looked at alone. */
const PART_LIMIT = 12;

/**
 * What stands behind or before a colon, dash, bracket or field name of a clause, and each two neighbours: a client writes what it was doing
 * before the server's sentence, in words that are no part of it.
 */
export function parts(clause: string): readonly string[] {
  const pieces = clause.split(/: | [-–—|] | \((?=[a-z])|\) |,(?=[a-z_]{2,30}:)/).slice(0, PART_LIMIT);
  if (pieces.length < 2) return [];
  return [...pieces, ...pieces.slice(1).map((piece, position) => `${pieces[position]}: ${piece}`)];
}
