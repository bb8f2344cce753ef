import { cutHead } from '../messages/cut.ts';
import { parseJson } from '../messages/parseJson.ts';
import { holdsInexactNumber } from './recall/readable.ts';

/** Longer JSON is not read at once. Characters. */
const LONGEST = 200_000;
/** Fewer items are no list of records. */
const LEAST_ITEMS = 6;
/** How deep lists are looked for, and the values of a record. */
const MOST_DEPTH = 4;
/** How many values of a record are compared with those of the others. */
const MOST_VALUES = 60;
/** A field or a value that at most this share of the records has is rare; where this share has the same, others differ. */
const RARE = 0.05;
const USUAL = 0.8;
/** A record longer than this keeps what makes it differ and its first fields; each value is cut. Characters. */
const LONGEST_ITEM = 600;
const LONGEST_VALUE = 300;
/** What is around the list may be this long. Characters. */
const LONGEST_FRAME = 2_000;

const ERROR_KEY = /error|exception|fail|fatal|panic|stderr|traceback/i;
const ERROR_VALUE =
  /\b(?:\w*errors?|\w*exceptions?|fail(?:ed|ures?|ing)?|fatal|critical|panic(?:ked)?|traceback|denied|refused)\b/i;

/** A list of records in JSON, and what the JSON has around it. */
export interface Records {
  readonly items: readonly unknown[];
  readonly before: string;
  readonly after: string;
}

/** Reads a list of records: the longest array of a JSON text, or one JSON object a line. Undefined for other text. */
export function readRecords(text: string): Records | undefined {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-80))) return undefined;
  const parsed = parseJson(text);
  if (parsed === undefined) return readLines(text);
  if (holdsInexactNumber(parsed, 0)) return undefined;
  const items = longestList(parsed, 0);
  if (items.length < LEAST_ITEMS) return undefined;
  const mark = '\u0000';
  const framed = JSON.stringify(parsed, (_, value: unknown) => (value === items ? [mark] : value));
  const [before = '', after = ''] = framed.split(JSON.stringify(mark));
  return before.length + after.length > LONGEST_FRAME ? undefined : { items, before, after };
}

function readLines(text: string): Records | undefined {
  const lines = text.trim().split('\n');
  if (lines.length < LEAST_ITEMS || !lines.every((line) => line.startsWith('{'))) return undefined;
  const items = lines.map((line) => parseJson(line));
  if (items.some((item) => item === undefined || holdsInexactNumber(item, 0))) return undefined;
  return { items, before: '', after: '' };
}

function longestList(value: unknown, depth: number): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.length >= LEAST_ITEMS) return value;
  if (depth >= MOST_DEPTH) return [];
  const lists = Object.values(value).map((inner) => longestList(inner, depth + 1));
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
}

/** How many characters of records stay: of any, and of those that differ besides. */
interface RecordRoom {
  readonly any: number;
  readonly differing: number;
}

/**
 * Records within a room, a line each: the first and the last, those that differ (errors, rare fields and values,
 * outliers), then others from both ends. More room only adds to them. `mark` writes what stands where something is left
 * out.
 */
export function shortenRecords(
  { items, before, after }: Records,
  room: RecordRoom,
  mark: (leftOut: number, of: number) => string,
): string {
  const rated = rate(items);
  const ends = rated.map((_, index) => (index % 2 === 0 ? index / 2 : items.length - (index + 1) / 2));
  const differing = rated
    .filter(({ differs }) => differs > 0)
    .sort((left, right) => right.differs - left.differs)
    .map(({ at }) => at);
  const shown = new Set(ends.slice(0, 2));
  const fill = (order: readonly number[], most: number): void => {
    let left = most;
    for (const at of new Set(order)) {
      left -= (rated[at]?.text.length ?? 0) + 2;
      if (left < 0) break;
      shown.add(at);
    }
  };
  fill(differing, room.differing);
  fill([...ends.slice(0, 2), ...differing, ...ends], room.any - before.length - after.length);
  const lines: string[] = [];
  const leftOut = items.length - shown.size;
  let isMarked = false;
  for (const { at, text } of rated) {
    if (shown.has(at)) lines.push(at < items.length - 1 ? `${text},` : text);
    else if (at > 0 && shown.has(at - 1)) {
      lines.push(isMarked ? '[…]' : mark(leftOut, items.length));
      isMarked = true;
    }
  }
  if (!isMarked) lines.push(mark(leftOut, items.length));
  return [before, ...lines, after].filter((line) => line !== '').join('\n');
}

/** A record as it is written, and how much it differs from the others; 0: not at all. */
interface Rated {
  readonly at: number;
  readonly text: string;
  readonly differs: number;
}

/** A value in a record: its field (nested names joined), and the value in the form in which it is compared. */
interface Leaf {
  readonly name: string;
  readonly form: string;
  readonly isError: boolean;
}

/**
 * Rates records by what sets them apart: an error where not most have one, a field that few have, and a value that few
 * have in a field in which most have the same. Fields with the same values everywhere, or other ones (ids), tell nothing.
 */
function rate(items: readonly unknown[]): Rated[] {
  const read = items.map(leavesOf);
  const fields = new Map<string, Map<string, number>>();
  for (const { name, form } of read.flat()) {
    const forms = fields.get(name) ?? new Map<string, number>();
    fields.set(name, forms.set(form, (forms.get(form) ?? 0) + 1));
  }
  const rare = Math.max(1, items.length * RARE);
  const counts = new Map([...fields].map(([name, forms]) => [name, [...forms.values()]]));
  const isRare = ({ name, form }: Leaf): boolean => {
    const all = counts.get(name) ?? [];
    if (all.reduce((sum, count) => sum + count, 0) <= rare) return true;
    return Math.max(...all) >= items.length * USUAL && (fields.get(name)?.get(form) ?? 0) <= rare;
  };
  const isFailing = read.filter((leaves) => leaves.some(({ isError }) => isError)).length <= items.length / 2;
  return items.map((item, at) => {
    const leaves = read[at] ?? [];
    const errors = leaves.filter(({ isError }) => isFailing && isError);
    const differing = [...errors, ...leaves.filter(isRare)];
    return {
      at,
      text: writeItem(item, differing),
      differs: 2 * Math.min(1, errors.length) + Math.min(1, differing.length),
    };
  });
}

/** The values of a record. Texts that differ in figures only are alike, and so are numbers of one order of magnitude. */
function leavesOf(item: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const read = (name: string, value: unknown, depth: number): void => {
    if (leaves.length >= MOST_VALUES) return;
    if (typeof value === 'object' && value !== null) {
      if (depth < MOST_DEPTH)
        for (const [key, inner] of Object.entries(value)) read(`${name}\u0000${key}`, inner, depth + 1);
      return;
    }
    const size = typeof value === 'number' ? Math.round(Math.log10(Math.abs(value) + 1)) : String(value);
    leaves.push({
      name,
      form: typeof size === 'number' ? String(size) : size.replace(/\d+/g, '#'),
      isError: saysError(name, value),
    });
  };
  read('', item, 0);
  return leaves;
}

function saysError(name: string, value: unknown): boolean {
  if (typeof value === 'string') return ERROR_VALUE.test(value) || (ERROR_KEY.test(name) && value !== '');
  return ERROR_KEY.test(name) && value !== null && value !== false && value !== 0;
}

/** A record on one line; of a long one what makes it differ and its first fields, each cut. */
function writeItem(item: unknown, differing: readonly Leaf[]): string {
  const whole = JSON.stringify(item);
  if (whole.length <= LONGEST_ITEM) return whole;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return `${cutHead(whole, LONGEST_ITEM)}…`;
  const telling = new Set(differing.map(({ name }) => name.split('\u0000')[1]));
  const fields = Object.entries(item).map(([key, value]) => {
    const text = JSON.stringify(value) ?? 'null';
    const cut = text.length > LONGEST_VALUE ? `${cutHead(text, LONGEST_VALUE)}…` : text;
    return { isTelling: telling.has(key), text: `${JSON.stringify(key)}:${cut}` };
  });
  const ordered = fields.toSorted((one, other) => Number(other.isTelling) - Number(one.isTelling));
  return `{${cutHead(ordered.map(({ text }) => text).join(','), LONGEST_ITEM)}…}`;
}
