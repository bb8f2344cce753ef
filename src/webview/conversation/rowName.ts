import type { EntryState, MessageEntry } from '../../protocol/entries.ts';
import { formatTokens } from '../format.ts';
import { firstLine } from './fold.ts';
import { nameOf } from './row.ts';

/** Who speaks, by role. */
export const SPEAKERS: Readonly<Record<MessageEntry['role'], string>> = {
  system: 'System prompt',
  user: 'You',
  assistant: 'Assistant',
  continued: 'Continued after an interruption',
};

/** Characters of a text that name its row. */
const LONGEST = 120;

/** The name of a row for a screen reader: what it is, of what, how large. */
export function nameOfRow(entry: EntryState): string {
  switch (entry.kind) {
    case 'message':
      return `${SPEAKERS[entry.role]}, ${formatTokens(entry.tokens)} tokens: ${firstLine(entry.text.slice(0, LONGEST).toWellFormed())}`;
    case 'call':
      return nameOfCall(entry);
    case 'summary':
      return `Summary of ${nameOf(entry.from, entry.to)}, ${formatTokens(entry.tokens)} tokens`;
    case 'compressions':
      return entry.runs.length === 1 ? 'Compression' : `${entry.runs.length} compressions of this turn`;
  }
}

/** `read_file src/a.ts, 40 lines, 67 tokens`. */
export function nameOfCall(entry: Extract<EntryState, { kind: 'call' }>): string {
  return `${entry.name} ${entry.target}, ${entry.detail}, ${formatTokens(entry.tokens)} tokens`;
}
