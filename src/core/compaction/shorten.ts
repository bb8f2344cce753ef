import type { ChatMessage, ChatToolCall } from '../messages/chat.ts';
import { cutHead, cutTail } from '../messages/cut.ts';
import { contentText } from '../messages/parse.ts';
import { parseJson } from '../messages/parseJson.ts';

/** How much of a shortened text stays. Characters. */
export interface Kept {
  readonly head: number;
  readonly tail: number;
  /** How many error lines stay of the part left out. */
  readonly errorLines: number;
}

/** About the fewest characters per token: a text cut to this many per token takes no more tokens than it may. */
export const CHARACTERS_A_TOKEN = 3;

/** What stays of an old result that is masked: enough to know what it was, its errors, and how it ended. */
export const MASKED: Kept = { head: 240, tail: 240, errorLines: 6 };

/** A text is only shortened when at least this many characters are removed. */
const LEAST_GAIN = 300;
/** A line that mentions an error, in the words of compilers and test runners. */
const ERROR_LINE =
  /\b(?:\w*errors?|fail(?:ed|ure|ing|s)?|\w*exceptions?|panic(?:ked)?|fatal|traceback|denied|not found|cannot|undefined|unexpected)\b|✗|✖|\bE\d{3,5}\b/i;
/** Precedes a line picked out of the part left out. */
const PICKED = '[…] ';
/** How much of the part left out is searched for error lines, and how much of such a line counts. Characters. */
const SCANNED = 200_000;
const LINE_LENGTH = 200;

/** What stays of a text that may have this many characters, the mark included. */
export function keptWithin(characters: number): Kept {
  return {
    head: Math.floor(characters * 0.45),
    tail: Math.floor(characters * 0.2),
    errorLines: Math.floor((characters * 0.25) / (LINE_LENGTH + 5)),
  };
}

/**
 * Head, error lines and tail of a text around a mark with its handle; undefined when the text is too short to gain.
 * `facts` follow the mark: what the part left out states and the view must still state.
 */
export function shortenText(text: string, handle: string, kept: Kept, facts = ''): string | undefined {
  if (text.length < kept.head + kept.tail + LEAST_GAIN + facts.length) return undefined;
  const head = cutHead(text, kept.head);
  const tail = cutTail(text, kept.tail);
  const middle = text.slice(head.length, text.length - tail.length);
  const errors = errorLines(middle, kept.errorLines);
  const gain = (): number => middle.length - errors.reduce((sum, line) => sum + line.length + PICKED.length, 0);
  while (errors.length > 0 && gain() < LEAST_GAIN) errors.pop();
  // Gap marks: something is also left out between the picked lines, and before the tail.
  const picked = errors.length === 0 ? [] : [...errors.map((line) => `${PICKED}${line}`), PICKED.trim()];
  const mark = `[… ${handle}: ${describeSize(middle, errors.length)} left out; karl_recall("${handle}") …]`;
  return [head, mark, ...(facts === '' ? [] : [facts]), ...picked, tail].filter((part) => part !== '').join('\n');
}

/** "180 lines", or characters where there are few, long lines. `shown` lines are quoted separately and not counted. */
export function describeSize(text: string, shown = 0): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  let lines = 1 - shown;
  for (let at = text.indexOf('\n', 1); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > 3 && text.length / lines < 400 ? `${lines} lines` : `${text.length} characters`;
}

/** The first lines of a text that mention an error, without repetitions, each cut to its first characters. */
export function errorLines(text: string, most: number): string[] {
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

/** Reminders that clients put into tool results say nothing about the result, and a fragment of one misleads. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/** A result without the reminders that clients put into it. */
export function withoutReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(REMINDER, '').trimEnd() : text;
}

/** A fenced code block; its inside is a group of its own. */
const FENCED = /^(```|~~~)[^\n]*\n([\s\S]*?)^\1/gm;
/** How the room is divided among beginning, end and errors of pasted text. */
const PASTED = { head: 0.6, tail: 0.2, errors: 0.2 };

/**
 * Cuts what the human wrote to about the given number of characters: first the longest code block, since that is
 * pasted; the words around it only when that is not enough. Those of the `rules` that would be cut follow the mark.
 * Undefined when there is no gain.
 */
export function shortenWritten(
  text: string,
  handle: string,
  characters: number,
  rules: readonly string[] = [],
): string | undefined {
  const [longest] = [...text.matchAll(FENCED)].sort(([, , one = ''], [, , other = '']) => other.length - one.length);
  const inside = longest?.[2] ?? '';
  const room = characters - (text.length - inside.length);
  if (longest !== undefined && room > characters * PASTED.tail) {
    const shorter = shortenText(inside, handle, {
      head: Math.floor(room * PASTED.head),
      tail: Math.floor(room * PASTED.tail),
      errorLines: Math.min(MASKED.errorLines, Math.floor((room * PASTED.errors) / LINE_LENGTH)),
    });
    const start = longest.index + longest[0].indexOf('\n') + 1;
    if (shorter !== undefined) return `${text.slice(0, start)}${shorter}\n${text.slice(start + inside.length)}`;
  }
  const cut = (left: number, facts?: string): string | undefined =>
    shortenText(text, handle, { head: Math.floor(left * 0.7), tail: Math.floor(left * 0.25), errorLines: 0 }, facts);
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
/** Of the text that an edit replaces, a little is enough to find the place. */
const TAKEN_OUT: Kept = { head: 60, tail: 0, errorLines: 0 };
const TAKEN_OUT_NAME = /^(?:old|search|find|before|original)/i;

/** A tool call with its long argument values cut; JSON stays JSON. Undefined when nothing is gained. */
export function shortenCall(call: ChatToolCall, handle: string): ChatToolCall | undefined {
  const text = call.function.arguments;
  if (text.length < LONG_ARGUMENT + LEAST_GAIN) return undefined;
  const shorter = shortenArguments(text, handle);
  if (shorter === undefined || shorter.length > text.length - LEAST_GAIN) return undefined;
  return { ...call, function: { ...call.function, arguments: shorter } };
}

/** Values nested deeper go behind the handle: endless nesting must not exhaust the stack. */
const MOST_DEPTH = 12;

function shortenArguments(text: string, handle: string): string | undefined {
  const parsed = parseJson(text);
  // Not JSON: the model wrote free text (a patch, say); it is cut as text.
  if (parsed === undefined) return shortenText(text, handle, ARGUMENT);
  return holdsInexactNumber(parsed, 0) ? undefined : JSON.stringify(shortenValue(parsed, handle, 0));
}

function shortenValue(value: unknown, handle: string, depth: number, kept = ARGUMENT): unknown {
  if (typeof value === 'string') {
    return value.length > LONG_ARGUMENT ? (shortenText(value, handle, kept) ?? value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return `[… ${handle}: deeper values left out …]`;
  if (Array.isArray(value)) return value.map((item) => shortenValue(item, handle, depth + 1, kept));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      shortenValue(item, handle, depth + 1, TAKEN_OUT_NAME.test(key) ? TAKEN_OUT : ARGUMENT),
    ]),
  );
}

/** True when a number is too long to be read exactly: written again it would be a different one. */
export function holdsInexactNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (depth >= MOST_DEPTH || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsInexactNumber(item, depth + 1));
}
