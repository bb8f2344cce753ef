import type { ChatMessage, ChatToolCall } from '../messages/chat.ts';
import { cutHead, cutTail } from '../messages/cut.ts';
import { contentText } from '../messages/parse.ts';

/** How much of a shortened text stays. Characters. */
export interface Kept {
  readonly head: number;
  readonly tail: number;
  /** Error lines from the part left out. */
  readonly errorLines: number;
}

/** What a masked old result keeps: enough to know what it was, its errors, and how it ended. */
export const MASKED: Kept = { head: 240, tail: 240, errorLines: 6 };

/** A text is only shortened when at least this many characters go. */
const LEAST_GAIN = 300;
const ERROR_LINE =
  /\b(?:errors?|fail(?:ed|ure|ing|s)?|exception|panic(?:ked)?|fatal|traceback|denied|not found|cannot|undefined|unexpected)\b|✗|✖|\bE\d{3,5}\b/i;
/** Error lines are looked for in this much of the part left out; a line counts with its first characters. */
const SCANNED = 200_000;
const LINE_LENGTH = 200;

/**
 * Head, error lines and tail of a text around a mark with its handle; undefined when the text is too short to gain.
 * `facts` are put behind the mark: what the part left out says and the view must go on saying.
 */
export function shortenText(text: string, handle: string, kept: Kept, facts = ''): string | undefined {
  if (text.length < kept.head + kept.tail + LEAST_GAIN + facts.length) return undefined;
  const head = cutHead(text, kept.head);
  const tail = cutTail(text, kept.tail);
  const middle = text.slice(head.length, text.length - tail.length);
  const errors = errorLines(middle, kept.errorLines);
  const mark = `[… ${handle}: ${describeSize(middle)} left out; karl_recall("${handle}") …]`;
  return [head, mark, ...(facts === '' ? [] : [facts]), ...errors, tail].filter((part) => part !== '').join('\n');
}

/** "180 lines", or characters where the lines are few and long. */
export function describeSize(text: string): string {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > 3 && text.length / lines < 400 ? `${lines} lines` : `${text.length} characters`;
}

function errorLines(text: string, most: number): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const scanned = text.length > SCANNED ? `${cutHead(text, SCANNED / 2)}\n${cutTail(text, SCANNED / 2)}` : text;
  for (const line of scanned.split('\n')) {
    if (found.length >= most) break;
    const start = cutHead(line, LINE_LENGTH).trim();
    if (start === '' || seen.has(start) || !ERROR_LINE.test(start)) continue;
    seen.add(start);
    found.push(start);
  }
  return found;
}

/** A message with its text shortened; images become marks with type and size. Undefined when there is no gain. */
export function shortenMessage(message: ChatMessage, handle: string, kept: Kept, facts = ''): ChatMessage | undefined {
  const hasImage = Array.isArray(message.content) && message.content.some((part) => part.type !== 'text');
  const text = contentText(message);
  const shorter = shortenText(text, handle, kept, facts);
  if (shorter !== undefined) return { ...message, content: shorter };
  return hasImage ? { ...message, content: `${text}\n[${handle} holds the original]` } : undefined;
}

/** Argument values longer than this are shortened. Characters. */
const LONG_ARGUMENT = 400;
const ARGUMENT: Kept = { head: 120, tail: 60, errorLines: 0 };

/** A tool call with its long argument values cut; JSON stays JSON. Undefined when there is no gain. */
export function shortenCall(call: ChatToolCall, handle: string): ChatToolCall | undefined {
  const text = call.function.arguments;
  if (text.length < LONG_ARGUMENT + LEAST_GAIN) return undefined;
  const shorter = shortenArguments(text, handle);
  if (shorter === undefined || shorter.length > text.length - LEAST_GAIN) return undefined;
  return { ...call, function: { ...call.function, arguments: shorter } };
}

/** Values nested deeper go behind the handle: nesting without end must not exhaust the stack. */
const MOST_DEPTH = 12;

function shortenArguments(text: string, handle: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not JSON: the model wrote free text (a patch, say); it is cut as text.
    return shortenText(text, handle, ARGUMENT);
  }
  return holdsInexactNumber(parsed, 0) ? undefined : JSON.stringify(shortenValue(parsed, handle, 0));
}

function shortenValue(value: unknown, handle: string, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > LONG_ARGUMENT ? (shortenText(value, handle, ARGUMENT) ?? value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return `[… ${handle}: deeper values left out …]`;
  if (Array.isArray(value)) return value.map((item) => shortenValue(item, handle, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenValue(item, handle, depth + 1)]));
}

/** True when a number was too long to be read exactly: written again it would be another one. */
function holdsInexactNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (depth >= MOST_DEPTH || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsInexactNumber(item, depth + 1));
}
