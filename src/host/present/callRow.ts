import { t } from '../../core/language.ts';
import { fileActions } from '../../core/ledger/files.ts';
import { fieldName, readFields, readOutcome } from '../../core/ledger/outcome.ts';
import { commandOf } from '../../core/ledger/reading.ts';
import type { ToolCall, ToolMessage } from '../../core/messages/message.ts';
import type { CallAction, CallEntry } from '../../protocol/entries.ts';

/** What a call is about, as its row says it. */
export type CallSubject = Pick<CallEntry, 'action' | 'target' | 'file'>;

/** How the call went. */
export type CallOutcome = Pick<CallEntry, 'outcome' | 'detail'>;

/** The longest target and the longest detail of a row, characters. */
const LONGEST_TARGET = 160;
const LONGEST_DETAIL = 80;

const SEARCHES = /grep|search|glob|find|list|tree|\bls\b/i;

const subjects = new WeakMap<ToolCall, CallSubject>();
const outcomes = new WeakMap<ToolMessage, CallOutcome>();

/**
 * Reads from a call what it is about: its command, the file and the lines asked for, or the first text it was given.
 */
export function subjectOf(call: ToolCall): CallSubject {
  const known = subjects.get(call) ?? readSubject(call);
  subjects.set(call, known);
  return known;
}

/** Reads from a result how the call went. */
export function outcomeOf(result: ToolMessage): CallOutcome {
  const known = outcomes.get(result) ?? readResult(result);
  outcomes.set(result, known);
  return known;
}

function readSubject(call: ToolCall): CallSubject {
  const { name, arguments: source } = call;
  const fields = readFields(source);
  if (name === 'karl_recall') return { action: 'recall', target: oneLine(firstValue(fields.parsed) ?? source) };
  const command = commandOf(name, fields, source);
  if (command !== undefined) return { action: 'run', target: oneLine(command) };
  if (SEARCHES.test(name)) return { action: 'search', target: oneLine(firstValue(fields.parsed) ?? source) };
  const [action] = fileActions({ name, fields, source, fromCall: true, at: 0 });
  if (action === undefined) return { action: 'other', target: oneLine(firstValue(fields.parsed) ?? source) };
  const { from, to } = readLines(fields.parsed);
  const range = from === undefined ? '' : `:${from}${to === undefined ? '' : `-${to}`}`;
  const kind: CallAction = action.kind === 'read' ? 'read' : 'change';
  return { action: kind, target: `${oneLine(action.path)}${range}`, file: { path: action.path, line: from ?? 1 } };
}

function readResult(result: ToolMessage): CallOutcome {
  const { failed, exitCode } = readOutcome(result.text, result.wire);
  const outcome = failed ? 'failed' : 'done';
  if (exitCode !== undefined) return { outcome, detail: t('exit {0}', String(exitCode)) };
  if (failed) return { outcome, detail: oneLine(result.text.trimStart().split('\n', 1)[0] ?? '', LONGEST_DETAIL) };
  const lines = result.text.trimEnd().split('\n').length;
  return { outcome, detail: lines === 1 ? t('1 line') : t('{0} lines', lines) };
}

/** The first text among the arguments says what the call is about (a query, an address); else the first value. */
function firstValue(parsed: unknown): string | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const values: readonly unknown[] = Object.values(parsed);
  const value = values.find((each) => typeof each === 'string' && each !== '') ?? values[0];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const FROM_FIELDS = new Set(['startline', 'fromline', 'linestart', 'start', 'line', 'offset']);
const TO_FIELDS = new Set(['endline', 'toline', 'lineend', 'end', 'startlineinclusive', 'endlineinclusive']);

/** The lines that a call asks for, where it says so: first and last, a first with how many, or a pair. */
function readLines(parsed: unknown): { readonly from?: number; readonly to?: number } {
  if (typeof parsed !== 'object' || parsed === null) return {};
  const fields = Object.entries(parsed).map(([name, value]): [string, unknown] => [fieldName(name), value]);
  const find = (names: ReadonlySet<string>) => fields.find(([name, value]) => names.has(name) && isLine(value))?.[1];
  const pair: unknown = fields.find(([name]) => name === 'viewrange' || name === 'range')?.[1];
  const [first, last] = Array.isArray(pair) ? pair : [find(FROM_FIELDS), find(TO_FIELDS)];
  if (!isLine(first)) return {};
  if (isLine(last)) return { from: first, to: last };
  const count = find(new Set(['limit', 'count']));
  return isLine(count) ? { from: first, to: first + count - 1 } : { from: first };
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function oneLine(text: string, longest: number = LONGEST_TARGET): string {
  return text.slice(0, longest).replace(/\s+/g, ' ').trim().toWellFormed();
}
