import { parseJson } from '../../chat/parseJson.ts';
import { MALFORMED_CALL, OPENINGS, type TextEnvelope } from './envelope.ts';

/** A call. One that cannot be read has the name `MALFORMED_CALL`, and its own text as arguments. */
interface EnvelopeCall {
  readonly name: string;
  readonly arguments: string;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/**
 * Reads the calls in a reply, in both forms, since models mix them; with `json` also a reply that is only the JSON of one
 * call. An unclosed block extends to the end.
 */
export function parseEnvelope(
  text: string,
  envelope: TextEnvelope,
): { readonly text: string; readonly calls: readonly EnvelopeCall[] } {
  const blocks = findBlocks(text);
  if (blocks.length === 0) {
    const bare = envelope === 'json' ? readJsonCall(text.trim()) : undefined;
    return bare === undefined ? { text, calls: [] } : { text: '', calls: [bare] };
  }
  const said: string[] = [];
  let position = 0;
  for (const block of blocks) {
    said.push(text.slice(position, block.start));
    position = block.end;
  }
  said.push(text.slice(position));
  const calls = blocks.map(
    ({ start, end, body }) => readBody(body) ?? { name: MALFORMED_CALL, arguments: text.slice(start, end) },
  );
  return { text: said.join('').trim(), calls };
}

/** Finds blocks by searching for their marks instead of matching a pattern, so that the time is linear. */
function findBlocks(text: string): Found[] {
  const blocks: Found[] = [];
  for (let position = 0; position < text.length; ) {
    const fenced = text.indexOf('```tool_call', position);
    const element = text.indexOf('<tool_call>', position);
    if (fenced < 0 && element < 0) break;
    const isFenced = element < 0 || (fenced >= 0 && fenced < element);
    // The closing fence must be at the start of a line: arguments may quote a fence, but JSON has no raw line ends.
    const block = isFenced
      ? takeBlock(text, fenced, '```tool_call', '\n```')
      : takeBlock(text, element, '<tool_call>', '</tool_call>');
    blocks.push(block);
    position = block.end;
  }
  return blocks;
}

function takeBlock(text: string, start: number, opening: string, closing: string): Found {
  const bodyStart = start + opening.length;
  const close = text.indexOf(closing, bodyStart);
  const bodyEnd = close < 0 ? text.length : close;
  return { start, end: close < 0 ? text.length : close + closing.length, body: text.slice(bodyStart, bodyEnd) };
}

function readBody(body: string): EnvelopeCall | undefined {
  const trimmed = body.trim();
  return trimmed.startsWith('{') ? readJsonCall(trimmed) : readElements(trimmed);
}

function readJsonCall(text: string): EnvelopeCall | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, arguments: given } = value as { name?: unknown; arguments?: unknown };
  if (typeof name !== 'string' || name === '' || !('arguments' in value)) return undefined;
  return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
}

function readElements(body: string): EnvelopeCall | undefined {
  const name = between(body, '<name>', '</name>')?.trim();
  const given = between(body, '<arguments>', '</arguments>')?.trim();
  if (name === undefined || name === '') return undefined;
  return { name, arguments: given === undefined || given === '' ? '{}' : given };
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  if (start < 0) return undefined;
  const end = text.lastIndexOf(close);
  return end < start ? undefined : text.slice(start + open.length, end);
}

/** Passes on the text of a streaming reply and holds back its calls, even if a mark arrives in pieces. */
export class EnvelopeTextFilter {
  #held = '';
  #inCalls = false;

  /** Takes a piece of the reply; returns the text to show now. */
  push(piece: string): string {
    if (this.#inCalls) return '';
    const text = this.#held + piece;
    const starts = OPENINGS.map((opening) => text.indexOf(opening)).filter((start) => start >= 0);
    if (starts.length > 0) {
      this.#inCalls = true;
      this.#held = '';
      return text.slice(0, Math.min(...starts));
    }
    const keep = this.#unfinishedLength(text);
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
  }

  /** At the end of the reply, returns held-back text that is no mark after all. */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  #unfinishedLength(text: string): number {
    const longest = Math.max(...OPENINGS.map((opening) => opening.length)) - 1;
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const tail = text.slice(text.length - length);
      if (OPENINGS.some((opening) => opening.startsWith(tail))) return length;
    }
    return 0;
  }
}
