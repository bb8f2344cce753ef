import type { MessageId } from '../../core/chat/message.ts';
import type { EntryState } from '../../protocol/entries.ts';
import { type CompressionInput, presentCompression } from './compressions.ts';
import { presentBlock, presentNote, type RowsInput } from './rows.ts';
import { type Item, noteText, sentBlocks } from './sent.ts';

/** The shown part of a conversation: this many rows, at its end or from a message on. */
export interface Shown {
  readonly rows: number;
  readonly from?: MessageId;
}

/** The input of `presentEntries`. */
interface EntriesInput extends RowsInput, CompressionInput {
  readonly shown: Shown;
}

/** The rows that are shown, oldest first, and how many raw messages come before and after them. */
export function presentEntries(input: EntriesInput) {
  const { messages, shown } = input;
  // The conversation may have become shorter since `from` was chosen.
  const from = shown.from !== undefined && shown.from < messages.length ? shown.from : undefined;
  const parts: Part[] = [];
  const entries: EntryState[] = [];
  for (const part of partsNewestFirst(input)) {
    if (from === undefined ? entries.length >= shown.rows : part.to < from) break;
    parts.push(part);
    if (from === undefined) entries.unshift(...part.entries());
  }
  parts.reverse();
  const earlier = parts[0]?.from ?? messages.length;
  if (from === undefined) return { entries, earlier, later: 0 };
  for (const part of parts) {
    if (entries.length >= shown.rows) return { entries, earlier, later: messages.length - part.from };
    entries.push(...part.entries());
  }
  return { entries, earlier, later: 0 };
}

/** Rows that are shown together or not at all. */
interface Part {
  readonly from: MessageId;
  readonly to: MessageId;
  readonly entries: () => EntryState[];
}

function* partsNewestFirst(input: EntriesInput): Generator<Part> {
  const left = input.shows === 'history' ? [...input.history] : [];
  for (let index = input.items.length - 1; index >= 0; index -= 1) {
    const item = input.items[index];
    if (item === undefined) continue;
    const { from, to } = item.range;
    if (input.shows === 'request' && item.kind === 'replaced' && item.replacement.by.kind !== 'shortened') {
      yield { from, to, entries: () => summaryOf(item, input) };
      continue;
    }
    for (const sent of [...sentBlocks(item)].reverse()) {
      // The row of a compression comes after the message that was last when it ran.
      const { from: start } = sent.block.range;
      const behind = left.splice(left.findLastIndex(({ compaction }) => compaction.transcriptLength <= start) + 1);
      const compressions = () => behind.map((record) => presentCompression(record, input));
      yield { ...sent.block.range, entries: () => [...presentBlock(sent, input), ...compressions()] };
    }
  }
}

function summaryOf(item: Extract<Item, { kind: 'replaced' }>, input: EntriesInput): EntryState[] {
  if (item.messages.length === 0) return [];
  const { from, to } = item.range;
  const { compaction } = item.replacement;
  const made = input.history.find((entry) => entry.compaction.id === compaction)?.compaction;
  const tokens = item.messages.reduce((sum, message) => sum + input.count(message), 0);
  const transcriptLength = made?.transcriptLength ?? from;
  return [presentNote({ key: `s${compaction}:${from}`, from, to, transcriptLength, tokens }, noteText(item.messages))];
}

/** How many rows the view shows at the end, and at most elsewhere. Its memory and each snapshot grow with them. */
const NEWEST_ROWS = 40;
const MOST_ROWS = 300;

/** How many messages are shown before the one that the reader goes to. */
const BEFORE = 20;

/** The end of a conversation. */
export const NEWEST: Shown = { rows: NEWEST_ROWS };

/** The rows from a message on, for a reader who is there. */
export function fromMessage(id: MessageId): Shown {
  return { rows: MOST_ROWS, from: id };
}

/** The surroundings of a message. */
export function aroundMessage(id: MessageId): Shown {
  return fromMessage(Math.max(0, id - BEFORE));
}
