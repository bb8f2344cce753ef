import { type Attachment, readAttachments } from '../../core/chat/attachments.ts';
import { unfence } from '../../core/chat/fence.ts';
import type { Message, MessageId, ToolCall, ToolMessage } from '../../core/chat/message.ts';
import { contentText } from '../../core/chat/parse.ts';
import { type ChatMessage, readReasoning } from '../../core/chat/wire.ts';
import { fileActions } from '../../core/ledger/files.ts';
import { fieldName, readFields, readOutcome } from '../../core/ledger/outcome.ts';
import { commandOf } from '../../core/ledger/reading.ts';
import { toolList } from '../../core/ledger/todos.ts';
import { CONTINUE, INTERRUPTED_FIELD, NOT_RECORDED } from '../../core/session/continuation.ts';
import { TODO_TOOL } from '../../core/session/todoTool.ts';
import { readChange, readEnd, readFileLines } from '../../core/session/workResult.ts';
import { language, t } from '../../language/language.ts';
import type {
  AttachedState,
  CallAction,
  CallEntry,
  EntryState,
  MessageEntry,
  SentState,
  SummaryEntry,
} from '../../protocol/entries.ts';
import type { RunningState, Side, TodoState } from '../../protocol/viewState.ts';
import { callsIn, type SentBlock, type SentCall, type SentMessage } from './sent.ts';

/** The input of `presentBlock`. */
export interface RowsInput {
  readonly shows: Side;
  readonly pins: ReadonlySet<MessageId>;
  /** Tokens of one message with its overhead. */
  readonly count: (message: ChatMessage) => number;
  /** A turn is running: a call without a result may still get one. */
  readonly running: boolean;
  readonly command?: RunningState | undefined;
  /** The tool about which the user is asked. */
  readonly askedTool?: string | undefined;
  /** Messages whose turns changed files that can be restored. */
  readonly restorable?: ReadonlySet<MessageId> | undefined;
  /** The last message, if the user may continue after it. */
  readonly last?: MessageId | undefined;
}

/** The longest text of a row in a snapshot, characters; the intent `expand` gets the whole text. */
export const LONGEST_TEXT = 4000;
/** The same for a message that is not sent. */
const LONGEST_UNSENT = 400;

/** The rows of a block, in order: what was said, then each call with its result. */
export function presentBlock(sent: SentBlock, given: RowsInput): EntryState[] {
  const { block, messages } = sent;
  const input = { ...given, running: given.running && block.kind === 'tools' && block.open };
  const calls = callsIn(sent);
  return messages.flatMap((one): EntryState[] => {
    const { message } = one;
    if (message.role === 'tool')
      return calls.some(({ result }) => result === one) ? [] : [presentResult(one, message, input)];
    const said = presentMessage(one, input);
    const own = calls.filter(({ of }) => of === one);
    if (own.length === 0 || !isEmpty(said)) return [said, ...own.map((call) => presentCall(call, input))];
    // If nothing is said, the first call counts the tokens of the message.
    return own.map((call) => presentCall(call, input, call.index === 0 ? said.tokens : 0));
  });
}

/** `extra`: tokens that the row counts beside those of the result. */
function presentCall({ call, of, index, result }: SentCall, input: RowsInput, extra = 0): CallEntry {
  const answer = result?.message;
  const wire = input.shows === 'request' ? (result?.wire ?? answer?.wire) : answer?.wire;
  return {
    kind: 'call',
    key: `c${of.message.id}.${index}`,
    from: of.message.id,
    to: answer?.id ?? of.message.id,
    name: call.name,
    ...subjectOf(call),
    ...(answer === undefined ? presentRunning(call, input) : outcomeOf(answer)),
    tokens: extra + (wire === undefined ? 0 : input.count(wire)),
    sent: lesser(of.sent, result?.sent ?? of.sent),
    pinned: input.pins.has(answer?.id ?? of.message.id),
  };
}

function isEmpty(said: MessageEntry | SummaryEntry): boolean {
  return said.kind === 'message' && said.text === '' && said.reasoning === undefined && !said.interrupted;
}

/** The row of something said. A note that came as a message is shown as a summary. */
function presentMessage({ message, sent, wire }: SentMessage, input: RowsInput): MessageEntry | SummaryEntry {
  const isShortened = input.shows === 'request' && wire !== undefined;
  const { id } = message;
  const shown = isShortened ? wire : message.wire;
  const text = isShortened ? contentText(wire) : message.text;
  const tokens = input.count(shown);
  const note = message.role === 'user' ? unfence(text) : undefined;
  if (note !== undefined) return presentNote({ key: `m${id}`, from: id, to: id, transcriptLength: id, tokens }, note);
  const { typed, attachments } = typedIn(message, shown);
  const said = attachments.length === 0 ? text : typed;
  const longest = sent === 'whole' || input.shows === 'request' ? LONGEST_TEXT : LONGEST_UNSENT;
  const reasoning = readReasoning(shown);
  return {
    kind: 'message',
    key: `m${id}`,
    from: id,
    to: id,
    role: roleOf(message),
    text: cut(said, longest),
    truncated: said.length > longest,
    attached: attachments.length > 0 ? attachments.map(presentAttached) : undefined,
    reasoning: reasoning && cut(reasoning, longest),
    tokens,
    sent,
    pinned: input.pins.has(id),
    streaming: false,
    restorable: input.restorable?.has(id) ?? false,
    last: message.role === 'user' && id === input.last,
    interrupted: message.wire[INTERRUPTED_FIELD] === true,
  };
}

/** The row of a text by Karl in place of messages, without its fence. */
export function presentNote(of: Omit<SummaryEntry, 'kind' | 'text' | 'truncated'>, text: string): SummaryEntry {
  return { kind: 'summary', ...of, text: cut(text, LONGEST_TEXT), truncated: text.length > LONGEST_TEXT };
}

function roleOf(message: Message): MessageEntry['role'] {
  if (message.role === 'tool') return 'user';
  return message.role === 'user' && message.text === CONTINUE ? 'continued' : message.role;
}

/** A result without a call. */
function presentResult({ sent }: SentMessage, message: ToolMessage, input: RowsInput): CallEntry {
  return {
    kind: 'call',
    key: `m${message.id}`,
    from: message.id,
    to: message.id,
    name: t('Result without a call'),
    action: 'other',
    target: '',
    ...outcomeOf(message),
    tokens: input.count(message.wire),
    // The request has a line that names the result, and none of its text.
    sent: sent === 'whole' ? 'dropped' : sent,
    pinned: input.pins.has(message.id),
  };
}

/** The outcome of a call without a result; a running command shows its output. */
function presentRunning(call: ToolCall, { running, command, askedTool }: RowsInput): CallOutcome {
  if (!running) return { outcome: 'none', detail: t('no result') };
  if (call.name === askedTool) return { outcome: 'running', detail: t('waits for you') };
  const isRun = command !== undefined && subjectOf(call).target === oneLine(command.command);
  return { outcome: 'running', detail: t('running'), printed: isRun ? command.lines : undefined };
}

const FATES: readonly SentState[] = ['whole', 'shortened', 'summarized', 'dropped'];

function lesser(one: SentState, other: SentState): SentState {
  return FATES.indexOf(one) > FATES.indexOf(other) ? one : other;
}

/** A text cut after this many characters. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).toWellFormed();
}

/** What the user typed in a message, and what goes with it; nothing for messages that others wrote. */
export function typedIn({ role }: Message, { content }: ChatMessage): ReturnType<typeof readAttachments> {
  return role === 'user' ? readAttachments(content) : { typed: '', attachments: [] };
}

/** The subject of a call, as its row shows it. */
type CallSubject = Pick<CallEntry, 'action' | 'target' | 'file'>;

/** The outcome of a call, as its row shows it. */
type CallOutcome = Pick<CallEntry, 'outcome' | 'detail' | 'changed' | 'printed'>;

/** The longest target and the longest detail of a row, characters. */
const LONGEST_TARGET = 160;
const LONGEST_DETAIL = 80;

const SEARCHES = /grep|search|glob|find|list|tree|\bls\b/i;

const subjects = new WeakMap<ToolCall, CallSubject>();
const outcomes = new WeakMap<ToolMessage, CallOutcome>();

/**
 * The subject of a call: its command, the file and the lines that it asks for, or its first text argument.
 */
export function subjectOf(call: ToolCall): CallSubject {
  const known = subjects.get(call) ?? readSubject(call);
  subjects.set(call, known);
  return known;
}

/** The outcome of a call, read from its result. */
export function outcomeOf(result: ToolMessage): CallOutcome {
  const known = outcomes.get(result) ?? readResult(result);
  outcomes.set(result, known);
  return known;
}

function readSubject(call: ToolCall): CallSubject {
  const { name, arguments: source } = call;
  const fields = readFields(source);
  if (name === 'karl_recall') return { action: 'recall', target: oneLine(firstValue(fields.parsed) ?? source) };
  const todos = todosOf(call);
  if (todos !== undefined) return { action: 'other', target: oneLine(describeTodos(todos)) };
  const command = commandOf(fields);
  if (command !== undefined) return { action: 'run', target: oneLine(command) };
  if (SEARCHES.test(name)) return { action: 'search', target: oneLine(firstValue(fields.parsed) ?? source) };
  const [action] = fileActions({ name, fields, source, at: 0 });
  if (action === undefined) return { action: 'other', target: oneLine(firstValue(fields.parsed) ?? source) };
  const { from, to } = readLines(fields.parsed);
  const range = from === undefined ? '' : `:${from}${to === undefined ? '' : `-${to}`}`;
  const kind: CallAction = action.kind === 'read' ? 'read' : 'change';
  return { action: kind, target: `${oneLine(action.path)}${range}`, file: { path: action.path, line: from ?? 1 } };
}

function readResult(result: ToolMessage): CallOutcome {
  const { failed, exitCode } = readOutcome(result.text, result.wire);
  const outcome = failed ? 'failed' : 'done';
  const changed = readChange(result.text);
  if (changed !== undefined) return { outcome: 'done', detail: `+${changed.added} −${changed.removed}`, changed };
  const end = readEnd(result.text);
  if (end !== undefined) return { outcome, detail: describeEnd(end) };
  if (exitCode !== undefined) return { outcome, detail: t('exit {0}', String(exitCode)) };
  if (failed || result.text === NOT_RECORDED)
    return { outcome: 'failed', detail: oneLine(result.text.trimStart().split('\n', 1)[0] ?? '', LONGEST_DETAIL) };
  const lines = readFileLines(result.text) ?? result.text.trimEnd().split('\n').length;
  return { outcome, detail: lines === 1 ? t('1 line') : t('{0} lines', lines) };
}

/** How much of a to-do list is done, and what is next. */
function describeTodos(todos: readonly TodoState[]): string {
  const open = todos.filter(({ state }) => state === 'open' || state === 'active');
  const next = open.find(({ state }) => state === 'active') ?? open[0];
  const share = t('{0} of {1}', todos.length - open.length, todos.length);
  return next === undefined ? share : `${share} · ${next.text}`;
}

/** How a command ended, and how long it took. */
function describeEnd({ code, seconds, isStopped }: NonNullable<ReturnType<typeof readEnd>>): string {
  if (code !== undefined) return t('exit {0} · {1} s', String(code), seconds);
  return isStopped ? t('stopped · {0} s', seconds) : t('{0} s', seconds);
}

/** The first text among the arguments (a query, an address), or else the first value. */
function firstValue(parsed: unknown): string | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const values: readonly unknown[] = Object.values(parsed);
  const value = values.find((each) => typeof each === 'string' && each !== '') ?? values[0];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const FROM_FIELDS = new Set(['startline', 'startlineinclusive', 'fromline', 'linestart', 'start', 'line', 'offset']);
const TO_FIELDS = new Set(['endline', 'toline', 'lineend', 'end', 'endlineinclusive']);

/** The lines that a call asks for, if it does: first and last, first and count, or a pair. */
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

/** A text as one line, cut after this many characters. */
export function oneLine(text: string, longest: number = LONGEST_TARGET): string {
  return text.slice(0, longest).replace(/\s+/g, ' ').trim().toWellFormed();
}

/** An attachment as the view shows it. */
export function presentAttached(attachment: Attachment): AttachedState {
  if (attachment.kind === 'image')
    return { kind: 'image', label: t('Image, {0}', describeBytes(bytesOf(attachment.url))) };
  const { path, lines } = attachment;
  const range = lines === undefined ? '' : `:${lines.from}-${lines.to}`;
  return { kind: 'file', label: `${path}${range}`, path, line: lines?.from ?? 1 };
}

/** The size of the file in a base64 `data:` URL, bytes. */
export function bytesOf(url: string): number {
  return Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4);
}

/** A size for people. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(bytes / 1_000_000).toLocaleString(language(), digits)} MB`;
}

/** The newest to-do list of Karl's agent; undefined if there is none, or all of it is done. */
export function readTodos(messages: readonly Message[]): readonly TodoState[] | undefined {
  let list: readonly TodoState[] | undefined;
  messages.findLast((message) => {
    const calls = message.role === 'assistant' ? message.calls : [];
    list = calls.map(todosOf).findLast((todos) => todos !== undefined);
    return list !== undefined;
  });
  return list?.every(({ state }) => state === 'done' || state === 'dropped') ? undefined : list;
}

/** The list that a call of Karl's agent writes; undefined for other calls. */
export function todosOf({ name, arguments: source }: ToolCall): readonly TodoState[] | undefined {
  if (name !== TODO_TOOL.definition.function.name) return undefined;
  const list = toolList({ name, source, fields: readFields(source), at: 0 });
  return list?.items.map(({ text, state }) => ({ text, state: STATES[state] ?? 'open' }));
}

const STATES: Readonly<Record<string, TodoState['state']>> = {
  in_progress: 'active',
  completed: 'done',
  cancelled: 'dropped',
};
