import { cutHead, cutTail } from '../chat/cut.ts';
import { handleOf } from '../chat/handle.ts';
import type { Message, MessageId } from '../chat/message.ts';
import { contentText } from '../chat/parse.ts';
import { parseJson } from '../chat/parseJson.ts';
import type { ChatMessage, ChatToolCall } from '../chat/wire.ts';
import { findErrorLines, LINE_LENGTH, type TextLine } from '../ledger/errors.ts';
import { holdsInexactNumber, MOST_DEPTH, readableJson } from './recall/readable.ts';

/** How much of a shortened text stays. Characters. */
export interface Kept {
  readonly head: number;
  readonly tail: number;
  /** How many lines stay of the part left out for the errors in it. */
  readonly errorLines: number;
}

/** A low estimate of the characters per token: a text cut to this many per token does not exceed its room. */
export const CHARACTERS_A_TOKEN = 3;

/** What stays of an old result that is masked: enough to know what it was, its errors, and how it ended. */
export const MASKED: Kept = { head: 240, tail: 240, errorLines: 6 };

/** A text is shortened only if this many characters are removed. */
const LEAST_SAVED = 300;
/** What explains an error stands around it: this many lines after it, and before it. */
const AFTER = 2;
const BEFORE = 1;
/** Precedes what was picked out of the part left out. */
const PICKED = '[…] ';
/** What stays of a text that is cut to this many characters, the mark included. */
export function keptWithin(characters: number): Kept {
  return {
    head: Math.floor(characters * 0.45),
    tail: Math.floor(characters * 0.2),
    errorLines: Math.floor((characters * 0.25) / (LINE_LENGTH + 5)),
  };
}

/**
 * Head, errors and tail of a text around a mark with its handle; undefined when the text is too short to gain. JSON without
 * lines is shortened as one line a field. More room never shows less. `facts` follow the mark: what the part left out
 * states and the view must still state.
 */
export function shortenText(text: string, handle: string, kept: Kept, facts = ''): string | undefined {
  const least = kept.head + kept.tail + LEAST_SAVED + facts.length;
  if (text.length < least) return undefined;
  const shorter = shortenLines(readableJson(text), handle, kept, facts);
  return shorter !== undefined && shorter.length < text.length - LEAST_SAVED / 2 ? shorter : undefined;
}

function shortenLines(text: string, handle: string, kept: Kept, facts: string): string | undefined {
  const head = cutHead(text, kept.head);
  const tail = cutTail(text, kept.tail);
  if (text.length < head.length + tail.length + LEAST_SAVED) return undefined;
  const end = text.length - tail.length;
  const middle = text.slice(head.length, end);
  const picked = pickLines(
    text,
    kept.errorLines,
    (line) => line.start + line.text.length > head.length && line.start < end,
  );
  if (middle.length - picked.reduce((sum, line) => sum + line.shown.length, 0) < LEAST_SAVED) return undefined;
  const lines = picked.map(({ shown, number }, index) =>
    picked[index - 1]?.number === number - 1 ? shown : `${PICKED}${shown}`,
  );
  // Gap marks: something is also left out between the picked lines, and before the tail.
  const gaps = lines.length === 0 ? [] : [...lines, PICKED.trim()];
  const mark = `[… ${handle}: ${describeSize(middle, picked.length)} left out; karl_recall("${handle}") …]`;
  return [head, mark, facts, ...gaps, tail].filter((part) => part !== '').join('\n');
}

/** "180 lines", or characters where there are few, long lines. `shown` lines are quoted separately and not counted. */
export function describeSize(text: string, shown = 0): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  let lines = 1 - shown;
  for (let at = text.indexOf('\n', 1); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > 3 && text.length / lines < 400 ? `${lines} lines` : `${text.length} characters`;
}

/**
 * The lines that explain the errors of a text, in its order, at most `most` of those that are `wanted`: first the lines
 * that report an error and numbers unlike all others, then what stands around them. The order of choice is
 * the same whatever is wanted, so that more room only adds to them.
 */
function pickLines(text: string, most: number, wanted: (line: TextLine) => boolean): readonly TextLine[] {
  if (most <= 0) return [];
  const { lines, reports } = findErrorLines(text);
  const telling = [...reports, ...findOutliers(lines)];
  const around = telling.flatMap((at) => [
    ...Array.from({ length: AFTER }, (_, step) => at + step + 1),
    ...Array.from({ length: BEFORE }, (_, step) => at - step - 1),
  ]);
  const chosen = new Set<number>();
  for (const at of [...telling, ...around]) {
    if (chosen.size >= most) break;
    const line = lines[at];
    if (line !== undefined && line.text.trim() !== '' && wanted(line)) chosen.add(at);
  }
  return [...chosen].sort((left, right) => left - right).flatMap((at) => lines[at] ?? []);
}

/** A line with one number and its name: `"latency": 95,`. */
const FIGURE = /^\s*(?:- )?"?([\w.-]{1,60})"?\s*[:=]\s*(-?\d{1,20}(?:\.\d{1,20})?),?\s*$/;
/** Where this share of a name's numbers has one order of magnitude, an order that few have is an outlier. */
const USUAL = 0.8;
const FEW = 0.05;

/** The lines with a number of another order of magnitude than nearly all others of its name. */
function findOutliers(lines: readonly TextLine[]): readonly number[] {
  const byName = new Map<string, Map<number, number[]>>();
  for (const [at, { text }] of lines.entries()) {
    const [, name, number] = FIGURE.exec(text) ?? [];
    if (name === undefined) continue;
    const sizes = byName.get(name) ?? new Map<number, number[]>();
    const size = Math.round(Math.log10(Math.abs(Number(number)) + 1));
    const known = sizes.get(size);
    if (known === undefined) byName.set(name, sizes.set(size, [at]));
    else known.push(at);
  }
  return [...byName.values()].flatMap((sizes) => {
    const all = [...sizes.values()];
    const count = all.flat().length;
    return all.some(({ length }) => length >= count * USUAL)
      ? all.filter(({ length }) => length <= count * FEW).flat()
      : [];
  });
}

/** Reminders that clients put into tool results: no part of the result, and misleading when cut. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/** A result without the reminders that clients put into it. */
export function withoutReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(REMINDER, '').trimEnd() : text;
}

/**
 * Cuts what the human wrote to about the given number of characters. Those of the `rules` that would be cut follow the
 * mark. Undefined when there is no gain.
 */
export function shortenWritten(
  text: string,
  handle: string,
  characters: number,
  rules: readonly string[] = [],
): string | undefined {
  const cut = (left: number, facts?: string): string | undefined => {
    const [head, tail] = [Math.floor(left * 0.6), Math.floor(left * 0.2)];
    const kept = { head, tail, errorLines: Math.floor((left * 0.2) / LINE_LENGTH) };
    return shortenText(text, handle, kept, facts);
  };
  const shorter = cut(characters);
  const lost = rules.filter((rule) => shorter?.includes(rule) === false).join('\n');
  return lost === '' ? shorter : (cut(Math.max(0, characters - lost.length), lost) ?? shorter);
}

/** A message with its text shortened; images become marks with type and size. Undefined when nothing is gained. */
export function shortenMessage(message: ChatMessage, handle: string, kept: Kept, facts = ''): ChatMessage | undefined {
  const hasImage = Array.isArray(message.content) && message.content.some((part) => part.type !== 'text');
  const text = contentText(message);
  const shorter = shortenText(withoutReminders(text), handle, kept, facts);
  if (shorter !== undefined) return { ...message, content: shorter };
  return hasImage ? { ...message, content: `${text}\n[${handle} holds the original]` } : undefined;
}

/** Argument values longer than this are shortened. Characters. */
const LONG_ARGUMENT = 700;
const ARGUMENT: Kept = { head: 500, tail: 150, errorLines: 0 };

/** A message with the long argument values of its calls cut; JSON stays JSON. Undefined when nothing is gained. */
export function shortenCalls(message: ChatMessage, handle: string): ChatMessage | undefined {
  const calls = message.tool_calls ?? [];
  const shorter = calls.map((call) => shortenCall(call, handle));
  if (shorter.every((call) => call === undefined)) return undefined;
  return { ...message, tool_calls: calls.map((call, index) => shorter[index] ?? call) };
}

/** A call in the same way. */
export function shortenCall(call: ChatToolCall, handle: string): ChatToolCall | undefined {
  const text = call.function.arguments;
  if (text.length < LONG_ARGUMENT + LEAST_SAVED) return undefined;
  const shorter = shortenArguments(text, handle);
  if (shorter === undefined || shorter.length > text.length - LEAST_SAVED) return undefined;
  return { ...call, function: { ...call.function, arguments: shorter } };
}

function shortenArguments(text: string, handle: string): string | undefined {
  const parsed = parseJson(text);
  // Not JSON: the model wrote free text (a patch, say); it is cut as text.
  if (parsed === undefined) return shortenText(text, handle, ARGUMENT);
  return holdsInexactNumber(parsed, 0) ? undefined : JSON.stringify(shortenValue(parsed, handle, 0));
}

function shortenValue(value: unknown, handle: string, depth: number): unknown {
  if (typeof value === 'string')
    return value.length > LONG_ARGUMENT ? (shortenText(value, handle, ARGUMENT) ?? value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return `[… ${handle}: deeper values left out …]`;
  const shorten = (item: unknown): unknown => shortenValue(item, handle, depth + 1);
  if (Array.isArray(value)) return value.map(shorten);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
}

/**
 * What is sent for each raw message of a shortened range, whether or not that message was shortened. Both lists are in the
 * same order; nothing is sent for a result without its call.
 */
export function sentForms(
  raw: readonly Message[],
  sent: readonly ChatMessage[],
): ReadonlyMap<MessageId, { readonly wire: ChatMessage; readonly isShortened: boolean }> {
  const forms = new Map<MessageId, { wire: ChatMessage; isShortened: boolean }>();
  let next = 0;
  for (const message of raw) {
    const wire = sent[next];
    if (wire === undefined) break;
    if (wire.role !== message.wire.role || wire.tool_call_id !== message.wire.tool_call_id) continue;
    forms.set(message.id, { wire, isShortened: !isAsItCame(wire, message.wire) });
    next += 1;
  }
  return forms;
}

/** How many messages of a shortened range are shortened; the others are sent in full. */
export function countShortened(raw: readonly Message[], sent: readonly ChatMessage[]): number {
  return [...sentForms(raw, sent).values()].filter(({ isShortened }) => isShortened).length;
}

function isAsItCame(one: ChatMessage, other: ChatMessage): boolean {
  const [calls = [], others = []] = [one.tool_calls, other.tool_calls];
  return (
    one === other ||
    (contentText(one) === contentText(other) &&
      calls.every((call, index) => call.function.arguments === others[index]?.function.arguments))
  );
}

/** Prose of the agent longer than this loses its middle where results are masked. Characters. */
export const LONG_PROSE = 8000;
const PROSE: Kept = { head: 1800, tail: 700, errorLines: 0 };

/**
 * One message with long content cut behind its handle; undefined when nothing is long. With an infinite head, only the
 * arguments of its calls are cut.
 */
export function maskMessage(message: Message, kept: Kept): ChatMessage | undefined {
  const handle = handleOf({ from: message.id, to: message.id });
  if (message.role !== 'assistant') return shortenMessage(message.wire, handle, kept);
  // What the agent says is not masked, unless it is so long that it is a file or output in the form of prose.
  const isMasked = kept === MASKED;
  const stays = kept.head === Number.POSITIVE_INFINITY || (isMasked && message.text.length <= LONG_PROSE);
  const prose = stays ? undefined : shortenMessage(message.wire, handle, isMasked ? PROSE : { ...kept, errorLines: 0 });
  return shortenCalls(prose ?? message.wire, handle) ?? prose;
}
