import type { Steps } from '../../core/steps.ts';
import { encodeInSteps } from './encodeInSteps.ts';

/** Nested lists and objects are written entry by entry down to this depth; anything deeper is written at once. */
const DEEPEST = 4;

/** Formats a JSON file, indented by one space a level like `JSON.stringify` does, in steps: it may be long. */
export function* formatJson(value: object): Steps<Buffer> {
  return yield* encodeInSteps(withLineEnd(value));
}

function* withLineEnd(value: object): Generator<string> {
  yield* piecesOf(value, '\n', 0);
  yield '\n';
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
