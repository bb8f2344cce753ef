import { type Block, contains, findHolding } from '../chat/blocks.ts';
import { fence } from '../chat/fence.ts';
import { handleOf } from '../chat/handle.ts';
import type { Message, MessageId } from '../chat/message.ts';
import { contentText } from '../chat/parse.ts';
import { type ViewItem, WholeItem, wholeMessages } from '../chat/view.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { describeBlock, describeUse } from '../ledger/describe.ts';
import { readBlock } from '../ledger/reading.ts';
import { type Phrase, phrase } from '../phrase.ts';
import { err, isEqual, ok, type Result } from '../result.ts';
import type { Compaction, Edit, HandAct, RecordedReplacement, Replacement } from './compaction.ts';
import { MASKED, maskMessage, shortenWritten } from './shorten.ts';

/** What the user wants done to some messages, and the state of those messages. */
interface HandInput {
  readonly act: HandAct;
  readonly ids: readonly MessageId[];
  readonly items: readonly ViewItem<RecordedReplacement>[];
  readonly blocks: readonly Block[];
  readonly pins: ReadonlySet<MessageId>;
  /** The current request. */
  readonly requests: ReadonlySet<MessageId>;
  /** The id of the record being made. */
  readonly mark: string;
}

/** What changes for one message: its whole block is replaced, or the message alone is edited within its block. */
type Change = { readonly replacement: Replacement } | { readonly edit: Edit };

/**
 * Plans what the user asked for. `refused`: why each unchanged message stays. An error says why none of the messages can be
 * changed. Pure.
 */
export function planByHand(
  input: HandInput,
): Result<Required<Pick<Compaction, 'replacements' | 'edits'>> & { readonly refused: readonly Phrase[] }, Phrase> {
  const replacements = new Map<MessageId, Replacement>();
  const edits: Edit[] = [];
  const refused: Phrase[] = [];
  for (const id of new Set(input.ids)) {
    const change = planOne(id, input);
    if (!change.ok) refused.push(change.error);
    else if ('edit' in change.value) edits.push(change.value.edit);
    else replacements.set(change.value.replacement.range.from, change.value.replacement);
  }
  // Where a whole block is replaced, edits of its messages are dropped.
  const inOrder = [...replacements.values()].sort((one, other) => one.range.from - other.range.from);
  const own = edits.filter(({ id }) => !inOrder.some(({ range }) => range.from <= id && id <= range.to));
  if (replacements.size === 0 && own.length === 0) return err(refused[0] ?? phrase('by-hand.nothing'));
  return ok({ replacements: inOrder, edits: own, refused });
}

function planOne(id: MessageId, input: HandInput): Result<Change, Phrase> {
  const item = input.items[findHolding(input.items, id)];
  const block = input.blocks[findHolding(input.blocks, id)];
  if (item === undefined || block === undefined) return err(phrase('by-hand.no-message', String(id)));
  if (input.act === 'restored') return restore(id, item, block);
  const frozen = whyFrozen(id, block, input);
  if (frozen !== undefined) return err(frozen);
  if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened')
    return err(phrase('by-hand.gone', String(id)));
  if (item.kind === 'replaced' && item.replacement.dropped?.has(id) === true)
    return err(phrase('by-hand.already-dropped', String(id)));
  const place = block.messages.findIndex((one) => one.id === id);
  const message = block.messages[place];
  if (message === undefined) return err(phrase('by-hand.no-message', String(id)));
  const { act: kind, mark } = input;
  if (kind === 'dropped') {
    const line = droppedForm(message, block, mark);
    if (block.kind === 'tools' && message.role === 'tool') return ok({ edit: { id, kind, message: line } });
    return ok({ replacement: { range: block.range, by: { kind: 'line', messages: [line] } } });
  }
  const shorter = isEqual(item.messages[place], message.wire) ? shortenedForm(message, block) : undefined;
  if (shorter === undefined) return err(phrase('by-hand.already-short', String(id)));
  if (block.kind === 'tools') return ok({ edit: { id, kind, message: shorter } });
  return ok({ replacement: { range: block.range, by: { kind, messages: [shorter] } } });
}

/** Law 4, in words; undefined for a message that may be changed. */
export function whyFrozen(
  id: MessageId,
  block: Block,
  { pins, requests }: Pick<HandInput, 'pins' | 'requests'>,
): Phrase | undefined {
  if (block.kind === 'system') return phrase('frozen.instructions');
  if (requests.has(id)) return phrase('frozen.request');
  if (block.kind === 'tools' && block.open) return phrase('frozen.running');
  if (block.kind === 'stray') return phrase('frozen.stray', String(id));
  for (let part = block.range.from; part <= block.range.to; part += 1)
    if (pins.has(part)) return phrase('frozen.pinned', String(part));
  return undefined;
}

/** What a change by hand would send of a message, or why it may not be changed. */
export interface ByHand {
  readonly whyFrozen: typeof whyFrozen;
  readonly shortenedForm: typeof shortenedForm;
}

export const BY_HAND: ByHand = { whyFrozen, shortenedForm };

function restore(id: MessageId, item: HandInput['items'][number], block: Block): Result<Change, Phrase> {
  if (item.kind === 'whole') return err(phrase('by-hand.already-whole', String(id)));
  const isAside = item.replacement.by.kind !== 'shortened';
  const place = block.messages.findIndex((one) => one.id === id);
  const isWhole = isEqual(item.messages[place], wholeMessages(block)[place]);
  if (!isAside && isWhole) return err(phrase('by-hand.already-whole', String(id)));
  if (!isAside && block.kind === 'tools') return ok({ edit: { id, kind: 'whole' } });
  if (!contains(item.range, block.range)) return err(phrase('by-hand.no-message', String(id)));
  return ok({ replacement: { range: block.range, by: { kind: 'whole', messages: [] } } });
}

/** A message of a block as the user's *Shorten* leaves it; undefined when it cannot become shorter. */
export function shortenedForm(message: Message, block: Block): ChatMessage | undefined {
  if (message.role !== 'user') return maskMessage(message, MASKED);
  const content = shortenWritten(contentText(message.wire), handleOf(block.range), MASKED.head + MASKED.tail);
  return content === undefined ? undefined : { ...message.wire, content };
}

/**
 * What the user's *Drop* sends in place of a message: for a result, a line with its number; otherwise one line for its whole
 * block. `mark`: the id of the record.
 */
function droppedForm(message: Message, block: Block, mark: string): ChatMessage {
  if (block.kind === 'tools' && message.role === 'tool') {
    const use = readBlock(block).uses.find(({ result }) => result?.at === message.id);
    return { ...message.wire, content: droppedLine(message.id, use === undefined ? '' : describeUse(use)) };
  }
  const label = block.kind === 'user' ? 'a message of the user' : describeBlock(block);
  return fence(mark, `[${handleOf(block.range)} dropped by the user: ${label}]`);
}

type Item = ViewItem<RecordedReplacement>;

/** An edit with the record that it belongs to, and the place of that record among all, oldest first. */
type RecordedEdit = Edit & { readonly compaction: string; readonly place: number };

/**
 * The edits in force, by message: the newest of each message, unless a newer record restored its block, or a newer run
 * replaced a block in which the edit had made a message whole.
 */
export function editsInForce(
  compactions: readonly Omit<Compaction, 'receipt'>[],
): ReadonlyMap<MessageId, RecordedEdit> {
  const edits = new Map<MessageId, RecordedEdit>();
  if (compactions.every((compaction) => compaction.edits === undefined)) return edits;
  for (const [place, { id: compaction, replacements, edits: own = [] }] of compactions.entries()) {
    for (const { range, by } of replacements)
      for (const [id, edit] of edits)
        if (range.from <= id && id <= range.to && (by.kind === 'whole' || edit.kind === 'whole')) edits.delete(id);
    for (const edit of own) edits.set(edit.id, { ...edit, compaction, place });
  }
  return edits;
}

/** A stretch of the view with the user's edits applied. A stretch behind a note or a line is left alone. */
export function withEdits(item: Item, edits: ReadonlyMap<MessageId, RecordedEdit>): Item {
  const [block] = item.kind === 'whole' ? [item.block] : item.blocks;
  if (block === undefined || block.kind !== 'tools') return item;
  if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened') return item;
  const own = block.messages.flatMap(({ id }) => edits.get(id) ?? []);
  const newest = own.toSorted((one, other) => one.place - other.place).at(-1);
  if (newest === undefined) return item;
  const raw = wholeMessages(block);
  const messages = [...item.messages];
  for (const [place, message] of block.messages.entries()) {
    const edit = edits.get(message.id);
    if (edit !== undefined) messages[place] = edit.kind === 'whole' ? message.wire : edit.message;
  }
  if (messages.every((message, index) => isEqual(message, raw[index]))) return new WholeItem(block);
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
function droppedLine(id: MessageId, label = ''): string {
  return `[${handleOf({ from: id, to: id })} dropped by the user${label === '' ? '' : `: ${label}`}]`;
}
