import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import { type ViewItem, WholeItem, wholeMessages } from '../../messages/view.ts';
import type { Compaction, Edit, RecordedReplacement } from '../compaction.ts';

type Item = ViewItem<RecordedReplacement>;

/** An edit with the record that it belongs to. */
export type RecordedEdit = Edit & { readonly compaction: string };

/**
 * The edits in force, by message: the newest of each message, unless a newer record restored its block, or a newer run
 * replaced a block in which the edit had made a message whole.
 */
export function editsInForce(
  compactions: readonly Omit<Compaction, 'receipt'>[],
): ReadonlyMap<MessageId, RecordedEdit> {
  const edits = new Map<MessageId, RecordedEdit>();
  if (compactions.every((compaction) => compaction.edits === undefined)) return edits;
  for (const { id: compaction, replacements, edits: own = [] } of compactions) {
    for (const { range, by } of replacements)
      for (const [id, edit] of edits)
        if (range.from <= id && id <= range.to && (by.kind === 'whole' || edit.kind === 'whole')) edits.delete(id);
    for (const edit of own) edits.set(edit.id, { ...edit, compaction });
  }
  return edits;
}

/** A stretch of the view with the user's edits applied. A stretch behind a note or a line is left alone. */
export function withEdits(item: Item, edits: ReadonlyMap<MessageId, RecordedEdit>): Item {
  const [block] = item.kind === 'whole' ? [item.block] : item.blocks;
  if (block === undefined || block.kind !== 'tools') return item;
  if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened') return item;
  const own = block.messages.flatMap(({ id }) => edits.get(id) ?? []);
  const newest = own.at(-1);
  if (newest === undefined) return item;
  const raw = wholeMessages(block);
  const messages = [...item.messages];
  for (const [place, message] of block.messages.entries()) {
    const edit = edits.get(message.id);
    if (edit !== undefined) messages[place] = edit.kind === 'whole' ? message.wire : edit.message;
  }
  if (messages.every((message, index) => isSame(message, raw[index]))) return new WholeItem(block);
  const dropped = new Set(own.flatMap(({ id, kind }) => (kind === 'dropped' ? [id] : [])));
  const { range } = block;
  const was = item.kind === 'replaced' ? item.replacement.by : { kind: 'shortened' as const };
  const by = { ...was, messages };
  const replacement = { range, by, compaction: newest.compaction, messages, dropped };
  return { kind: 'replaced', range, replacement, blocks: [block], messages };
}

/** The raw messages of which the user left only a line. */
export function droppedByHand(compactions: readonly Compaction[]): ReadonlySet<MessageId> {
  const dropped = new Set<MessageId>();
  for (const { trigger, replacements, edits = [] } of compactions) {
    if (trigger !== 'dropped' && trigger !== 'restored') continue;
    for (const { range } of [...replacements, ...edits.map(({ id }) => ({ range: { from: id, to: id } }))])
      for (let id = range.from; id <= range.to; id += 1)
        if (trigger === 'dropped') dropped.add(id);
        else dropped.delete(id);
  }
  return dropped;
}

/** A stretch of the view for a planner, so that notes are made without what the user dropped. */
export function withoutDropped(item: Item, dropped: ReadonlySet<MessageId>): Item {
  if (item.kind === 'whole' || !item.blocks.some((block) => block.messages.some(({ id }) => dropped.has(id))))
    return item;
  const blocks = item.blocks.map((block) => {
    const messages = block.messages.map((message) => (dropped.has(message.id) ? emptied(message) : message));
    const { kind, range } = block;
    // Each message keeps its role: the block stays of its kind.
    return { ...block, kind, range, messages } as unknown as Block;
  });
  return { ...item, blocks };
}

/** A dropped message: its calls can still be told, its text cannot. */
function emptied(message: Message): Message {
  const text = droppedLine(message.id);
  return { ...message, text, wire: { ...message.wire, content: text } };
}

/** The line that takes the place of a dropped message; `label` says what it was. */
export function droppedLine(id: MessageId, label = ''): string {
  return `[${handleOf({ from: id, to: id })} dropped by the user${label === '' ? '' : `: ${label}`}]`;
}

/** True for equal messages: those of a record that was read from a file are copies, so identity is not enough. */
export function isSame(one: ChatMessage | undefined, other: ChatMessage | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
