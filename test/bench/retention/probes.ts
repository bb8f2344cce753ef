import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { PlantedFact } from './fact.ts';

/** A value must stand this near to its anchor unless it is on the same line, characters. */
const NEAR = 80;

/** P1: the value stands in the text at token boundaries: `a.ts` does not stand in `ba.ts`. */
export function stands(value: string, flat: string): boolean {
  return indexOfToken(flatten(value), flat) >= 0;
}

/** Where a value stands at token boundaries; -1 when it does not. Both are flat. */
export function indexOfToken(value: string, flat: string, from = 0): number {
  const isPath = value.includes('/');
  for (let at = flat.indexOf(value, from); at >= 0; at = flat.indexOf(value, at + 1)) {
    if (startsToken(flat, at, isPath) && endsToken(flat, at + value.length)) return at;
  }
  return -1;
}

/** A relative path also stands at the end of an absolute one. */
function startsToken(text: string, at: number, isPath: boolean): boolean {
  const before = text[at - 1] ?? ' ';
  const first = text[at] ?? ' ';
  if (isPath && before === '/') return true;
  return (
    !(WORD.test(before) && WORD.test(first)) &&
    !(/[./-]/.test(before) && /[\w]/.test(text[at - 2] ?? ' ') && WORD.test(first))
  );
}

function endsToken(text: string, end: number): boolean {
  const last = text[end - 1] ?? ' ';
  const after = text[end] ?? ' ';
  if (WORD.test(last) && (WORD.test(after) || after === '-' || after === '/')) return false;
  return !(after === '.' && /[\w]/.test(text[end + 1] ?? ' ') && WORD.test(last));
}

/** Ideographs have no gaps between words and so no boundaries. */
const WORD = /[\p{Script=Latin}\p{N}_$]/u;

/** P2: the value stands on a line of its anchor, or within 80 characters of it. */
export function standsByAnchor(value: string, anchor: string, text: string): boolean {
  const flatValue = flatten(value);
  const flatAnchor = flatten(anchor).toLowerCase();
  for (let at = indexOfToken(flatValue, text); at >= 0; at = indexOfToken(flatValue, text, at + 1)) {
    const around = text.slice(
      Math.max(0, at - NEAR - flatAnchor.length),
      at + flatValue.length + NEAR + flatAnchor.length,
    );
    if (around.toLowerCase().includes(flatAnchor)) return true;
  }
  return false;
}

const DONE =
  /\[x\]|✅|☑|\b(?:done|completed?|finished|closed|ticked off|wrapped up|erledigt|abgeschlossen|fertig|abgehakt|unter Dach und Fach)\b|完成|做完|勾掉|搞定/i;
const MARKED_OLD = /supersed|→|->|no longer|formerly|renamed|replaced by|ersetzt|取代/i;

/**
 * R: the latest state of a fact is in the request (P1), by its anchor (P2), and an older state is gone, marked, or
 * followed by the newer one (P3): whoever reads to the end knows what holds.
 */
export function isRetained(fact: PlantedFact, view: ReadView): boolean {
  if (fact.class === 'todo') return todoStands(fact, view);
  if (!hasValue(fact, view)) return false;
  return fact.supersedes === undefined || !oldStands(fact, fact.supersedes, view);
}

/** P1 and P2 alone. */
export function hasValue(fact: PlantedFact, view: Pick<ReadView, 'flat' | 'lines'>): boolean {
  if (!stands(fact.value, view.flat)) return false;
  if (fact.class !== 'number' && fact.class !== 'decision') return true;
  const { anchor } = fact;
  return anchor === undefined || lineHas(view, fact.value, anchor) || standsByAnchor(fact.value, anchor, view.flat);
}

function lineHas(view: Pick<ReadView, 'lines'>, value: string, anchor: string): boolean {
  const token = flatten(value);
  const words = flatten(anchor).toLowerCase();
  return view.lines.some(({ text }) => text.toLowerCase().includes(words) && indexOfToken(token, text) >= 0);
}

/** The last line that names a to-do tells its state. */
function todoStands(fact: PlantedFact, view: ReadView): boolean {
  const last = view.lines.findLast(({ text }) => stands(fact.value, text));
  return last !== undefined && DONE.test(last.text) === (fact.done === true);
}

/** P3 broken: the last line that states the value at all states the old one and does not say that it is old. */
function oldStands(fact: PlantedFact, old: string, view: ReadView): boolean {
  let lastOld = -1;
  let lastNew = -1;
  for (const [index, { text }] of view.lines.entries()) {
    if (says(fact, fact.value, text)) lastNew = index;
    else if (says(fact, old, text) && !MARKED_OLD.test(text)) lastOld = index;
  }
  return lastOld > lastNew;
}

function says(fact: PlantedFact, value: string, line: string): boolean {
  if (indexOfToken(flatten(value), line) < 0) return false;
  return fact.anchor === undefined || line.toLowerCase().includes(flatten(fact.anchor).toLowerCase());
}

/** The messages of a request as a probe reads them. */
export interface ReadMessage {
  readonly role: ChatMessage['role'];
  /** Text and call arguments, arguments without their JSON escapes; normalised by `normalize`. */
  readonly lines: readonly string[];
  /** True when the source has this very message: nothing in it is new. */
  readonly raw: boolean;
}

/** A request made ready to be asked for many facts. */
export interface ReadView {
  readonly messages: readonly ReadMessage[];
  /** Everything in one line: for values that run over several. */
  readonly flat: string;
  readonly lines: readonly { readonly text: string; readonly raw: boolean }[];
}

/** Reads the messages of a request. `source` are the raw messages that it was made from. */
export function readView(view: readonly ChatMessage[], source: readonly ChatMessage[]): ReadView {
  const known = new Set(source.map((message) => JSON.stringify(message)));
  const messages = view.map((message) => ({
    role: message.role,
    lines: messageTexts(message).flatMap((text) => normalize(text).split('\n')),
    raw: known.has(JSON.stringify(message)),
  }));
  const lines = messages.flatMap((message) => message.lines.map((text) => ({ text, raw: message.raw })));
  return { messages, lines, flat: flatten(lines.map(({ text }) => text).join('\n')) };
}

/** NFC, forward slashes, single blanks; lines stay, also those of quoted JSON, however often it was quoted. */
export function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\\+(["'])/g, '$1')
    .replace(/\\+[nt]/g, '\n')
    .replace(/\\+/g, '/')
    .replace(/[^\S\n]+/g, ' ');
}

/** The same on one line. */
export function flatten(text: string): string {
  return normalize(text).replace(/\s+/g, ' ').trim();
}

/** What one message says: its text, and the strings of its calls' arguments. */
export function messageTexts(message: ChatMessage): string[] {
  const texts: string[] = [];
  if (typeof message.content === 'string') texts.push(message.content);
  else for (const part of message.content ?? []) if (typeof part.text === 'string') texts.push(part.text);
  for (const call of message.tool_calls ?? [])
    texts.push(call.function.name, ...argumentTexts(call.function.arguments));
  return texts.flatMap((text) => (text.startsWith('{') ? [text, ...argumentTexts(text)] : [text]));
}

function argumentTexts(source: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (error) {
    // The model wrote no JSON: its text is read as it is.
    if (error instanceof SyntaxError) return [source];
    throw error;
  }
  const texts: string[] = [];
  collect(parsed, texts);
  return texts;
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collectItem(item, texts);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner, texts);
}

/** An item of a list is one line: what its fields say, they say of each other. */
function collectItem(item: unknown, texts: string[]): void {
  const fields: unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : [];
  if (fields.length > 1 && fields.every((field) => typeof field !== 'object')) texts.push(fields.join(' · '));
  else collect(item, texts);
}
