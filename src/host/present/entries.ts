import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import type { Message, MessageId } from '../../core/messages/message.ts';
import type { EntryState } from '../../protocol/entries.ts';
import { type PlacedCompressions, placeCompressions, type UndoBlock } from './compressions.ts';
import { presentBlock, presentNote, type RowsInput } from './rows.ts';
import { type Item, sentBlocks } from './sent.ts';
import { noteText } from './summaryText.ts';

/** Which part of a conversation is shown: so many of the newest rows, and every message from `since` on. */
export interface Shown {
  readonly rows: number;
  readonly since: MessageId;
}

/** What is needed to show the conversation. */
export interface EntriesInput extends RowsInput {
  readonly items: readonly Item[];
  /** The raw conversation. */
  readonly messages: readonly Message[];
  readonly history: readonly CompactionEntry[];
  /** Why no compression can be undone now. */
  readonly blocked?: UndoBlock;
  readonly shown: Shown;
}

/** The newest rows, oldest first, and how many raw messages stand before them. */
export function presentEntries(input: EntriesInput): {
  readonly entries: readonly EntryState[];
  readonly earlier: number;
} {
  const newestFirst: EntryState[] = [];
  const marks = input.shows === 'history' ? placeCompressions(input.history, input.messages, input.blocked) : [];
  let earlier = input.messages.length;
  for (const part of partsNewestFirst(input, marks)) {
    if (newestFirst.length >= input.shown.rows && part.to < input.shown.since) break;
    newestFirst.push(...part.entries().reverse());
    earlier = part.from;
  }
  return { entries: newestFirst.reverse(), earlier };
}

/** Rows that are shown together or not at all. */
interface Part {
  readonly from: MessageId;
  readonly to: MessageId;
  readonly entries: () => EntryState[];
}

function* partsNewestFirst(input: EntriesInput, marks: readonly PlacedCompressions[]): Generator<Part> {
  const left = [...marks];
  for (let index = input.items.length - 1; index >= 0; index -= 1) {
    const item = input.items[index];
    if (item === undefined) continue;
    const { from, to } = item.range;
    if (input.shows === 'request' && item.kind === 'replaced' && item.replacement.by.kind !== 'shortened') {
      yield { from, to, entries: () => summaryOf(item, input) };
      continue;
    }
    for (const sent of [...sentBlocks(item)].reverse()) {
      // A compression stands behind the last message that there was when it ran.
      const behind = left.filter(({ position }) => position > sent.block.range.from);
      left.splice(left.length - behind.length);
      const entries = () => [...presentBlock(sent, input), ...behind.map(({ entry }) => entry)];
      yield { ...sent.block.range, entries };
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
