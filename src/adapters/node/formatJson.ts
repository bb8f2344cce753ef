import type { Steps } from '../../core/steps.ts';

/** Nested lists and objects are written entry by entry down to this depth; anything deeper is written at once. */
const DEEPEST = 4;
/** The number of characters that are encoded at once. */
const PART = 32_768;

/** Formats a JSON file, indented by one space a level like `JSON.stringify` does, in steps: it may be long. */
export function* formatJson(value: object): Steps<Buffer> {
  const parts: Buffer[] = [];
  let text = '';
  for (const piece of piecesOf(value, '\n', 0)) {
    text += piece;
    if (text.length > PART) {
      parts.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(`${text}\n`)]);
}

/** `line` is a line end with the indentation of this level. */
function* piecesOf(value: unknown, line: string, depth: number): Generator<string> {
  if (depth === DEEPEST || typeof value !== 'object' || value === null) {
    yield (JSON.stringify(value, undefined, 1) ?? 'null').replaceAll('\n', line);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const entry: unknown = value[name as keyof typeof value];
    if (entry === undefined && !isList) continue;
    yield `${before}${line} ${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* piecesOf(entry, `${line} `, depth + 1);
    before = ',';
  }
  const end = isList ? ']' : '}';
  yield before === ',' ? `${line}${end}` : `${before}${end}`;
}
