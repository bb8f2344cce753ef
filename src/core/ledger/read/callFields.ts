import { parseJson } from '../../messages/parseJson.ts';

/** The arguments of a tool call as flat text fields, names lower-cased without `_` and `-` (`file_path` = `filePath`). */
export interface CallFields {
  readonly parsed: unknown;
  readonly text: ReadonlyMap<string, readonly string[]>;
}

/** The depth and number of fields up to which arguments are read. */
const DEEPEST = 4;
const MOST_FIELDS = 500;

/** Reads a call's arguments. From text that is not JSON, only string fields that can be recognised. */
export function readFields(source: string): CallFields {
  const parsed = parseStructure(source);
  const text = new Map<string, string[]>();
  if (parsed === undefined) collectLoose(source, text);
  else collect(parsed, '', { text, left: MOST_FIELDS }, 0);
  return { parsed, text };
}

/** A field's name in the form in which it is compared. */
export function fieldName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** The object, list or string that a JSON text contains; undefined for anything else. */
export function parseStructure(source: string): unknown {
  return /^\s*[[{"]/.test(source) ? parseJson(source) : undefined;
}

function collect(
  value: unknown,
  name: string,
  into: { text: Map<string, string[]>; left: number },
  depth: number,
): void {
  if (into.left <= 0 || depth > DEEPEST) return;
  if (typeof value === 'string') {
    into.left -= 1;
    add(into.text, name, value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, name, into, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, fieldName(key), into, depth + 1);
  }
}

/** Collects string fields from JSON that was cut off or is slightly malformed. */
function collectLoose(source: string, text: Map<string, string[]>): void {
  for (const match of source.slice(0, 20_000).matchAll(/"(\w{1,40})"\s*:\s*"((?:[^"\\]|\\.){0,4000})"/g)) {
    add(text, fieldName(match[1] ?? ''), (match[2] ?? '').replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1'));
  }
}

function add(text: Map<string, string[]>, name: string, value: string): void {
  const list = text.get(name);
  if (list === undefined) text.set(name, [value]);
  else list.push(value);
}
