import { quoteHead } from '../messages/cut.ts';
import { handleOf, parseHandle } from '../messages/handle.ts';
import type { Transcript } from '../messages/transcript.ts';
import { serializeWhole } from './serialize.ts';

/** Raw content that stands behind a handle. */
export interface Recalled {
  readonly handle: string;
  readonly text: string;
}

/** A part of what was recalled, by line, both ends included, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A search answers with at most this many messages, each with the lines around its first matches. */
const MOST_MATCHES = 8;
const LINES_AROUND = 2;
const MOST_LINES = 12;
const LINE_CHARACTERS = 300;

/**
 * Opens a handle (`t41`, `t11-30`) or searches the raw messages for words (all of them in one message; newest first).
 * Handles go by position only: one printed by a tool's output opens what stands at that position and nothing else.
 */
export function recall(transcript: Transcript, query: string, lines?: LineRange): readonly Recalled[] {
  const range = parseHandle(query);
  if (range !== undefined) {
    const single = range.from === range.to ? openSingle(transcript, range.from) : undefined;
    const text =
      single ??
      serializeWhole(transcript.blocks.filter((block) => block.range.from <= range.to && range.from <= block.range.to));
    return text === '' ? [] : [{ handle: handleOf(range), text: lines === undefined ? text : pickLines(text, lines) }];
  }
  return search(transcript, query);
}

/** One message by its handle: a result with the call that it answers, an assistant message with its calls. */
function openSingle(transcript: Transcript, id: number): string | undefined {
  const message = transcript.messages[id];
  if (message === undefined) return undefined;
  if (message.role !== 'assistant' || message.calls.length === 0) return message.text;
  const block = transcript.blocks.find((candidate) => candidate.range.from === id);
  return block === undefined ? message.text : serializeWhole([block]);
}

function pickLines(text: string, lines: LineRange): string {
  return text
    .split('\n')
    .slice(Math.max(0, lines.from - 1), lines.to)
    .join('\n');
}

function search(transcript: Transcript, query: string): Recalled[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const found: Recalled[] = [];
  for (const block of [...transcript.blocks].reverse()) {
    if (found.length >= MOST_MATCHES) break;
    const text = serializeWhole([block]);
    const lower = text.toLowerCase();
    if (words.every((word) => lower.includes(word)))
      found.push({ handle: handleOf(block.range), text: around(text, words) });
  }
  return found;
}

function around(text: string, words: readonly string[]): string {
  const lines = text.split('\n');
  const shown = new Set<number>();
  lines.forEach((line, index) => {
    const lower = line.toLowerCase();
    if (shown.size < MOST_LINES && words.some((word) => lower.includes(word))) {
      for (let near = index - LINES_AROUND; near <= index + LINES_AROUND; near += 1)
        if (near >= 0 && near < lines.length) shown.add(near);
    }
  });
  return [...shown]
    .sort((left, right) => left - right)
    .map((index) => quoteHead(lines[index] ?? '', LINE_CHARACTERS))
    .join('\n');
}
