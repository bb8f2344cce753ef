import { type Block, blockMessages, contains } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import type { MessageId } from '../../messages/message.ts';
import type { ConversationState } from '../conversationState.ts';
import { cutState } from './cutState.ts';
import type { Relation } from './judge.ts';
import { hiddenAfter, type Known, promptLength } from './known.ts';
import { withoutMarks } from './marks.ts';
import { type Apart, takeIn } from './takeIn.ts';
import type { Opened, Thread } from './thread.ts';

/** The thread that a fork comes from. */
export interface Parent {
  readonly state: ConversationState;
  readonly blocks: readonly Block[];
  readonly known: readonly Known[];
  /** See `Thread.recordedFor`. */
  recordedFor(apart: Apart, index: number, place: number | undefined): readonly ChatMessage[];
}

/** The state that a new thread begins with. */
export interface Beginning {
  readonly state: ConversationState;
  readonly known: readonly Known[];
}

/** The beginning of a thread from a request alone. */
export function startOf(apart: Apart): Beginning {
  const { known, added } = takeIn(apart, {
    length: apart.prompt.length,
    messageAt: (id) => apart.prompt[id],
    choose: (index) => apart.messages.slice(index, index + 1),
  });
  return { state: { version: 1, messages: [...apart.prompt, ...added], compactions: [], pins: [] }, known };
}

/** A thread as the parent of forks: with messages as they are sent now, where they were amended. */
export function parentOf(thread: Thread, { conversation, known }: Opened): Parent {
  const state = conversation.snapshot();
  const messages = [...state.messages];
  for (const item of conversation.items()) {
    const [message] = item.messages;
    const isSingle = item.kind === 'whole' && (item.block.kind === 'user' || item.block.kind === 'system');
    if (isSingle && message !== undefined) messages[item.range.from] = message;
  }
  return {
    state: { ...state, messages },
    blocks: conversation.transcript.blocks,
    known,
    recordedFor: (apart, index, place) => thread.recordedFor(apart, index, place),
  };
}

/**
 * A thread that takes over what a request shares with another thread: raw messages, compactions, pins. Where the client
 * replaced several messages by its own words, those of them that are pinned stay, before these words.
 */
export function planFork(parent: Parent, relation: Relation, apart: Apart): Beginning {
  const { state, known } = parent;
  // A first prompt shifts every message, so nothing can be taken over as it is.
  const isMoved = promptLength(state.messages) === 0 && apart.prompt.length > 0;
  const end = isMoved ? 0 : (known[relation.knownUntil]?.id ?? state.messages.length);
  const reworded = new Map(relation.reworded.map((index) => [idOf(parent, relation, index) ?? end, index]));
  const shared = cutState(state, end, Math.min(end, ...reworded.keys()));
  const held = isMoved
    ? apart.prompt
    : withPrompt(shared.messages, apart.prompt).map((message, id) => {
        const now = apart.messages[reworded.get(id) ?? -1];
        return now === undefined ? message : withoutMarks(now);
      });
  const kept = pinnedBlocks(parent, relation, end);
  const taken = takeIn(apart, {
    length: held.length,
    messageAt: (id) => held[id],
    choose: (index) => {
      const before = known[relation.places[index] ?? -1];
      if (before !== undefined && before.id < end) return before;
      return before === undefined || relation.reworded.includes(index)
        ? parent.recordedFor(apart, index, relation.places[index])
        : rawOf(state.messages, before.id);
    },
    between: {
      before: behindResults(apart.messages, relation.sharedUntil),
      messages: kept.flatMap((block) => blockMessages(block).map(({ wire }) => wire)),
    },
  });
  const places = new Map<MessageId, MessageId>();
  for (const [index, { id }] of taken.known.entries()) {
    const old = idOf(parent, relation, index);
    if (old === undefined || old < end) continue;
    for (const offset of rawOf(state.messages, old).keys()) places.set(old + offset, id + offset);
  }
  let next = taken.betweenAt;
  for (const message of kept.flatMap(blockMessages)) places.set(message.id, next++);
  const pins = state.pins.flatMap((pin) => (pin < end ? [pin] : (places.get(pin) ?? [])));
  return { state: { ...shared, messages: [...held, ...taken.added], pins }, known: taken.known };
}

function idOf({ known }: Parent, { places }: Relation, index: number): MessageId | undefined {
  const place = places[index];
  return place === undefined ? undefined : known[place]?.id;
}

/** A message with the hidden messages after it. */
function rawOf(messages: readonly ChatMessage[], id: MessageId): readonly ChatMessage[] {
  return [...messages.slice(id, id + 1), ...hiddenAfter(messages, id)];
}

/** The messages with the newest prompt, if that has as many messages as the old one. */
function withPrompt(messages: readonly ChatMessage[], prompt: readonly ChatMessage[]): readonly ChatMessage[] {
  return promptLength(messages) === prompt.length ? [...prompt, ...messages.slice(prompt.length)] : messages;
}

/** Blocks with a pin that the client left out, between what is shared and what it still has. */
function pinnedBlocks({ state, blocks, known }: Parent, relation: Relation, end: MessageId): readonly Block[] {
  const kept = new Set(relation.places.flatMap((place) => (place === undefined ? [] : (known[place]?.id ?? []))));
  const upTo = known[relation.knownEnd]?.id ?? state.messages.length;
  const pins = state.pins.filter((pin) => pin >= end && pin < upTo);
  return blocks.filter(
    (block) =>
      pins.some((pin) => contains(block.range, { from: pin, to: pin })) &&
      !blockMessages(block).some(({ id }) => kept.has(id)),
  );
}

/** The first index from there on that does not separate results from their call. */
function behindResults(messages: readonly ChatMessage[], from: number): number {
  let index = from;
  while (messages[index]?.role === 'tool') index += 1;
  return index;
}
