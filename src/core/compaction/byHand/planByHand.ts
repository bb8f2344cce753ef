import { type Sentence, sentence } from '../../language.ts';
import { describeBlock, describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/reading.ts';
import { type Block, contains, findHolding } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import { type ViewItem, wholeMessages } from '../../messages/view.ts';
import { err, ok, type Result } from '../../result.ts';
import type { Edit, HandAct, RecordedReplacement, Replacement } from '../compaction.ts';
import { maskMessage } from '../rungs/mask.ts';
import { MASKED, shortenWritten } from '../shorten.ts';
import { droppedLine, isSame } from './withEdits.ts';

/** What the user wants done to some messages, and the state of those messages. */
export interface HandInput {
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

/** The content of a manual record. */
export interface HandPlan {
  readonly replacements: readonly Replacement[];
  readonly edits: readonly Edit[];
  /** For each message that stays as it is: why. */
  readonly refused: readonly Sentence[];
}

/** What changes for one message: its whole block is replaced, or the message alone is edited within its block. */
type Change = { readonly replacement: Replacement } | { readonly edit: Edit };

/** Plans what the user asked for. An error says why none of the messages can be changed. Pure. */
export function planByHand(input: HandInput): Result<HandPlan, Sentence> {
  const replacements = new Map<MessageId, Replacement>();
  const edits: Edit[] = [];
  const refused: Sentence[] = [];
  for (const id of new Set(input.ids)) {
    const change = planOne(id, input);
    if (!change.ok) refused.push(change.error);
    else if ('edit' in change.value) edits.push(change.value.edit);
    else replacements.set(change.value.replacement.range.from, change.value.replacement);
  }
  // Where a whole block is replaced, edits of its messages are dropped.
  const inOrder = [...replacements.values()].sort((one, other) => one.range.from - other.range.from);
  const own = edits.filter(({ id }) => !inOrder.some(({ range }) => range.from <= id && id <= range.to));
  if (replacements.size === 0 && own.length === 0) return err(refused[0] ?? sentence('There is nothing to change.'));
  return ok({ replacements: inOrder, edits: own, refused });
}

function planOne(id: MessageId, input: HandInput): Result<Change, Sentence> {
  const item = input.items[findHolding(input.items, id)];
  const block = input.blocks[findHolding(input.blocks, id)];
  if (item === undefined || block === undefined) return err(sentence('There is no message {0}.', String(id)));
  if (input.act === 'restored') return restore(id, item, block);
  const frozen = whyFrozen(id, block, input);
  if (frozen !== undefined) return err(frozen);
  if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened')
    return err(sentence('Message {0} is no longer in the window.', String(id)));
  if (item.kind === 'replaced' && item.replacement.dropped?.has(id) === true)
    return err(sentence('Message {0} is already dropped.', String(id)));
  const place = block.messages.findIndex((one) => one.id === id);
  const message = block.messages[place];
  if (message === undefined) return err(sentence('There is no message {0}.', String(id)));
  const { act: kind, mark } = input;
  if (kind === 'dropped') {
    const line = droppedForms(block, mark)(message);
    if (block.kind === 'tools' && message.role === 'tool') return ok({ edit: { id, kind, message: line } });
    return ok({ replacement: { range: block.range, by: { kind: 'line', messages: [line] } } });
  }
  const shorter = isSame(item.messages[place], message.wire) ? shortenedForm(message, block) : undefined;
  if (shorter === undefined) return err(sentence('Message {0} is already short.', String(id)));
  if (block.kind === 'tools') return ok({ edit: { id, kind, message: shorter } });
  return ok({ replacement: { range: block.range, by: { kind, messages: [shorter] } } });
}

/** Law 4, in words; undefined for a message that may be changed. */
export function whyFrozen(
  id: MessageId,
  block: Block,
  { pins, requests }: Pick<HandInput, 'pins' | 'requests'>,
): Sentence | undefined {
  if (block.kind === 'system') return sentence('Instructions always stay whole.');
  if (requests.has(id)) return sentence('Your current request always stays whole.');
  if (block.kind === 'tools' && block.open) return sentence('The call is still running.');
  if (block.kind === 'stray')
    return sentence('Message {0} is a result without a call: none of it is sent.', String(id));
  for (let part = block.range.from; part <= block.range.to; part += 1)
    if (pins.has(part)) return sentence('Message {0} is pinned. Unpin it first.', String(part));
  return undefined;
}

/** What a change by hand would send of a message, or why it may not be changed. */
export interface ByHand {
  readonly whyFrozen: typeof whyFrozen;
  readonly shortenedForm: typeof shortenedForm;
  readonly droppedForms: typeof droppedForms;
}

export const BY_HAND: ByHand = { whyFrozen, shortenedForm, droppedForms };

function restore(id: MessageId, item: HandInput['items'][number], block: Block): Result<Change, Sentence> {
  if (item.kind === 'whole') return err(sentence('Message {0} is already whole.', String(id)));
  const isAside = item.replacement.by.kind !== 'shortened';
  const place = block.messages.findIndex((one) => one.id === id);
  const isWhole = isSame(item.messages[place], wholeMessages(block)[place]);
  if (!isAside && isWhole) return err(sentence('Message {0} is already whole.', String(id)));
  if (!isAside && block.kind === 'tools') return ok({ edit: { id, kind: 'whole' } });
  if (!contains(item.range, block.range)) return err(sentence('There is no message {0}.', String(id)));
  return ok({ replacement: { range: block.range, by: { kind: 'whole', messages: [] } } });
}

/** A message of a block as the user's *Shorten* leaves it; undefined when it cannot become shorter. */
export function shortenedForm(message: Message, block: Block): ChatMessage | undefined {
  if (message.role !== 'user') return maskMessage(message, MASKED);
  const content = shortenWritten(contentText(message.wire), handleOf(block.range), MASKED.head + MASKED.tail);
  return content === undefined ? undefined : { ...message.wire, content };
}

/**
 * What the user's *Drop* sends in place of a message of a block: of a result a line with the number, of all else a line
 * for the whole block. `mark`: the id of the record. The block is read once.
 */
export function droppedForms(block: Block, mark: string): (message: Message) => ChatMessage {
  let uses: ReturnType<typeof readBlock>['uses'] | undefined;
  return (message) => {
    if (block.kind === 'tools' && message.role === 'tool') {
      uses ??= readBlock(block).uses;
      const use = uses.find(({ result }) => result?.at === message.id);
      return { ...message.wire, content: droppedLine(message.id, use === undefined ? '' : describeUse(use)) };
    }
    const label = block.kind === 'user' ? 'a message of the user' : describeBlock(block);
    return fence(mark, `[${handleOf(block.range)} dropped by the user: ${label}]`);
  };
}
