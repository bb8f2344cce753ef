import { t } from '../../core/language.ts';
import type { EntryState, MessageEntry } from '../../protocol/entries.ts';
import { nameOfRuns } from './compressionTitle.ts';
import { firstLine } from './fold.ts';
import { nameOf } from './row.ts';

/** Who speaks, by role. */
export function speakerOf(role: MessageEntry['role']): string {
  switch (role) {
    case 'system':
      return t('System prompt');
    case 'user':
      return t('You');
    case 'assistant':
      return t('Assistant');
    case 'continued':
      return t('Continued after an interruption');
  }
}

/** How many characters of a text name its row. */
const LONGEST = 120;

/** The name of a row for a screen reader: what it is, of what, how large. */
export function nameOfRow(entry: EntryState): string {
  switch (entry.kind) {
    case 'message':
      return t(
        '{0}, {1} tokens: {2}',
        speakerOf(entry.role),
        entry.tokens,
        firstLine(entry.text.slice(0, LONGEST).toWellFormed()),
      );
    case 'call':
      return nameOfCall(entry);
    case 'summary':
      return nameOfSummary(entry);
    case 'compressions':
      return nameOfRuns(entry.runs);
  }
}

/** `read_file src/a.ts, 40 lines, 67 tokens`. */
export function nameOfCall(entry: Extract<EntryState, { kind: 'call' }>): string {
  return t('{0}, {1}, {2} tokens', `${entry.name} ${entry.target}`.trimEnd(), entry.detail, entry.tokens);
}

/** `Summary of messages 1 to 12, 340 tokens`. */
export function nameOfSummary({ from, to, tokens }: Extract<EntryState, { kind: 'summary' }>): string {
  return t('Summary of {0}, {1} tokens', nameOf(from, to), tokens);
}
