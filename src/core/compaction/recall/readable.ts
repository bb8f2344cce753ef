import type { Message, ToolCall } from '../../chat/message.ts';
import { parseJson } from '../../chat/parseJson.ts';
import { fieldName, parseStructure, readFields } from '../../ledger/outcome.ts';
import { commandOf } from '../../ledger/reading.ts';

/** JSON with a longer line, or without any line end, was not printed for reading. Characters. */
const LONGEST_LINE = 700;

/** Longer JSON is not parsed at once. Characters. */
const LONGEST_JSON = 400_000;

/** Arguments nested deeper are given as the model wrote them. */
const DEEPEST_READ = 8;

/**
 * The arguments of a call as a person would write them down: a command after `$`, an edit as a diff, other fields as
 * `name: value` with real line breaks. Arguments that are not JSON, or that would change if written again, stay as they
 * are.
 */
export function readableCall(call: ToolCall): string {
  const parsed = parseStructure(call.arguments);
  if (typeof parsed === 'string') return parsed;
  if (typeof parsed !== 'object' || parsed === null) return call.arguments;
  if (isDeep(parsed, DEEPEST_READ) || holdsInexactNumber(parsed, 0)) return call.arguments;
  const command = commandOf(readFields(call.arguments));
  if (command === undefined) return writeFields(parsed).join('\n');
  const others = Object.entries(parsed).filter(([, value]) => !isCommand(value, command));
  return [`$ ${command}`, ...writeFields(Object.fromEntries(others))].join('\n');
}

/** The text of a message as recall gives it: a tool's JSON without lines is made readable. */
export function readableText(message: Message): string {
  const isOutput = message.role === 'tool' || (message.role === 'user' && message.by === 'client');
  return isOutput ? readableJson(message.text) : message.text;
}

/** JSON without lines as one line a field, with the line breaks of its strings; all other text as it is. */
export function readableJson(text: string): string {
  if (text.length > LONGEST_JSON || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-80))) return text;
  if (text.includes('\n') && text.split('\n').every((line) => line.length <= LONGEST_LINE)) return text;
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) return text;
  if (isDeep(parsed, DEEPEST_READ) || holdsInexactNumber(parsed, 0)) return text;
  return writeFields(parsed).join('\n');
}

function isCommand(value: unknown, command: string): boolean {
  if (Array.isArray(value)) return value.includes(command) || value.join(' ') === command;
  return value === command;
}

function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeep(item, depth - 1));
}

function writeFields(value: object): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => write('-', item));
  const edit = editOf(value);
  const others = Object.entries(value).filter(([name]) => edit === undefined || !edit.names.includes(name));
  return [...others.flatMap(([name, item]) => write(`${name}:`, item)), ...(edit?.lines ?? [])];
}

function write(head: string, value: unknown): string[] {
  if (typeof value === 'string') return value.includes('\n') ? [head, ...value.split('\n')] : [`${head} ${value}`];
  if (typeof value !== 'object' || value === null) return [`${head} ${String(value)}`];
  const fields = writeFields(value);
  if (fields.length === 0) return [`${head} ${Array.isArray(value) ? 'none' : ''}`.trimEnd()];
  if (head === '-') return [`- ${fields[0]}`, ...fields.slice(1).map((line) => (isFlat(value) ? `  ${line}` : line))];
  return [head, ...fields];
}

function isFlat(value: object): boolean {
  return Object.values(value).every((item) => typeof item !== 'string' || !item.includes('\n'));
}

/**
 * The old and new text of an edit as a diff: two fields whose names differ in `old` and `new`, or `search` and
 * `replace`.
 */
function editOf(value: object): { names: readonly string[]; lines: string[] } | undefined {
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  for (const [oldName, before] of texts) {
    const wanted = NEW_NAMES.map(([old, now]) => fieldName(oldName).replace(old, now));
    const found = texts.find(([name]) => name !== oldName && wanted.includes(fieldName(name)));
    if (found === undefined) continue;
    return { names: [oldName, found[0]], lines: diffLines(before, found[1]) };
  }
  return undefined;
}

const NEW_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^old/, 'new'],
  [/^search/, 'replace'],
];

/** What an edit changed, line by line: `- ` removed, `+ ` added, two spaces for what stayed around. Nothing is left out. */
export function diffLines(before: string, after: string): string[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(0, start).map(same),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...old.slice(old.length - end).map(same),
  ];
}

function same(line: string): string {
  return `  ${line}`;
}

/** Values nested deeper are not looked at: endless nesting must not exhaust the stack. */
export const MOST_DEPTH = 12;

/** True when a number is too long to be read exactly: written again it would be a different one. */
export function holdsInexactNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (depth >= MOST_DEPTH || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsInexactNumber(item, depth + 1));
}
