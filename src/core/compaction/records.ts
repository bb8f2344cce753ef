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
/** A number this many standard deviations from the mean is an outlier; evenly spread numbers (ids, times) have none. */
const OUTLIER = 2;
/** A record longer than this keeps what makes it differ and its first fields; each value is cut. Characters. */
const LONGEST_ITEM = 600;
const LONGEST_VALUE = 300;
/** What is around the list may be this long. Characters. */
const LONGEST_FRAME = 2_000;

/** How much a record differs: an error counts more than a rare field or value, and that more than an unusual number. */
const ERROR_WEIGHT = 100;
const RARE_WEIGHT = 10;

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

/** A record's place in its list, how it is written, and how much it differs from the others; 0: not at all. */
interface Rated {
  readonly at: number;
  readonly text: string;
  readonly differs: number;
}

/** How many characters of records stay: of any, and of those that differ besides. */
export interface RecordRoom {
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

function rate(items: readonly unknown[]): Rated[] {
  const read = items.map((item) => valuesOf(item));
  const fields = new Map<string, Field>();
  for (const values of read)
    for (const [name, value] of values) {
      const field = fields.get(name) ?? newField();
      fields.set(name, field);
      note(field, value);
    }
  const isFailing = read.filter((values) => values.some(saysError)).length <= items.length / 2;
  return items.map((item, at) => {
    const differing = new Map<string, number>();
    for (const one of read[at] ?? []) {
      const [name, value] = one;
      const weight = (isFailing && saysError(one) ? ERROR_WEIGHT : 0) + unusual(fields.get(name), value, items.length);
      const top = name.split('\u0000', 1)[0] ?? '';
      if (weight > 0) differing.set(top, Math.max(differing.get(top) ?? 0, weight));
    }
    return { at, text: writeItem(item, differing), differs: Math.max(0, ...differing.values()) };
  });
}

/** What all records have in one field. */
interface Field {
  count: number;
  readonly values: Map<unknown, number>;
  numbers: number;
  sum: number;
  squares: number;
}

function newField(): Field {
  return { count: 0, values: new Map(), numbers: 0, sum: 0, squares: 0 };
}

function note(field: Field, value: unknown): void {
  field.count += 1;
  if (typeof value === 'number') {
    field.numbers += 1;
    field.sum += value;
    field.squares += value * value;
  } else field.values.set(shapeOf(value), (field.values.get(shapeOf(value)) ?? 0) + 1);
}

/** Texts that differ in figures only are alike: `heartbeat 7` and `heartbeat 8`. */
function shapeOf(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\d+/g, '#') : value;
}

/** How unusual a value is among those of its field. */
function unusual(field: Field | undefined, value: unknown, items: number): number {
  if (field === undefined) return 0;
  const rare = Math.max(1, items * RARE);
  if (field.count <= rare) return RARE_WEIGHT;
  if (typeof value === 'number') {
    const mean = field.sum / field.numbers;
    const deviation = Math.sqrt(Math.max(0, field.squares / field.numbers - mean * mean));
    const far = deviation === 0 ? 0 : Math.abs(value - mean) / deviation;
    return far > OUTLIER ? Math.min(far, RARE_WEIGHT - 1) : 0;
  }
  const usual = Math.max(0, ...field.values.values());
  return usual >= items * USUAL && (field.values.get(shapeOf(value)) ?? 0) <= rare ? RARE_WEIGHT : 0;
}

function saysError([name, value]: readonly [string, unknown]): boolean {
  if (typeof value === 'string') return ERROR_VALUE.test(value) || (ERROR_KEY.test(name) && value !== '');
  return ERROR_KEY.test(name) && value !== null && value !== false && value !== 0;
}

/** The values of a record with the names of their fields, nested ones joined. */
function valuesOf(item: unknown): (readonly [string, unknown])[] {
  const values: (readonly [string, unknown])[] = [];
  const read = (name: string, value: unknown, depth: number): void => {
    if (values.length >= MOST_VALUES) return;
    if (typeof value !== 'object' || value === null) values.push([name, value]);
    else if (depth < MOST_DEPTH)
      for (const [key, inner] of Object.entries(value))
        read(name === '' ? key : `${name}\u0000${key}`, inner, depth + 1);
  };
  read('', item, 0);
  return values;
}

/** A record on one line; of a long one, what makes it differ and as many of its first fields as fit. */
function writeItem(item: unknown, differing: ReadonlyMap<string, number>): string {
  const whole = JSON.stringify(item);
  if (whole.length <= LONGEST_ITEM) return whole;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return `${cutHead(whole, LONGEST_ITEM)}…`;
  const written = Object.entries(item).map(([key, value]) => {
    const text = JSON.stringify(value) ?? 'null';
    const cut = text.length > LONGEST_VALUE ? `${cutHead(text, LONGEST_VALUE)}…` : text;
    return { key, text: `${JSON.stringify(key)}:${cut}` };
  });
  const weight = ({ key }: { readonly key: string }): number => differing.get(key) ?? 0;
  const shown = new Set<string>();
  let left = LONGEST_ITEM;
  for (const one of written.toSorted((first, other) => weight(other) - weight(first))) {
    left -= one.text.length + 1;
    if (left < 0 && shown.size > 0) break;
    shown.add(one.key);
  }
  const fields = written.filter(({ key }) => shown.has(key)).map(({ text }) => text);
  return `{${fields.join(',')}${fields.length < written.length ? ',…' : ''}}`;
}
