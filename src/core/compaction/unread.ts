import { blockMessages } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { handleOf } from '../messages/handle.ts';
import type { Message, MessageId } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';
import type { Steps } from '../steps.ts';
import { type Change, type Draft, evenCap, isFrozen, type Unit } from './draft.ts';
import { isLookUp, pairs } from './rungs/dedupe.ts';
import { MASKED, sentForms, shortenCall, shortenMessage, shortenWritten } from './shorten.ts';

/** Of what the fixed part leaves, at least this share is for what the model has not read, however long all else is. */
const LEAST_SHARE = 0.5;
/** The share of a shortened text that its beginning takes; its end takes the rest. */
const HEAD_SHARE = 0.66;
/** How much of its room a text is given at first, and how much less with each further attempt. */
const SHARES = [0.99, 0.97, 0.94, 0.9, 0.84, 0.76, 0.65, 0.5];

/** A message that the model has not read, as it is sent now. */
interface Unread {
  readonly raw: Message;
  readonly sent: ChatMessage;
  readonly tokens: number;
}

/**
 * A draft that is over the limit although all else was compacted, with what the model has not read shortened: first
 * the arguments of its own calls, then the longest messages, all to one length and only down to the limit. None is
 * removed, and what is left out is behind its handle. Any other draft is returned as it is.
 */
export function* fitUnread(draft: Draft, limit: number): Steps<Draft> {
  const units = draft.units.filter(({ role }) => role === 'unread');
  const size = sumOf(units);
  const fixed = sumOf(draft.units.filter(isFrozen)) - size;
  const room = Math.max(limit - (draft.tokens - size), (limit - fixed) * LEAST_SHARE);
  if (size <= room) return draft;
  const lookUps = new Set(units.flatMap(lookUpResults));
  const messages = units.flatMap((unit) => readUnread(draft, unit));
  let fitting = draft;
  for (const share of SHARES) {
    const cap = yield* evenCap(
      messages.map(({ tokens }) => tokens),
      room * share,
    );
    const made = new Map<ChatMessage, ChatMessage>();
    for (const message of messages) {
      yield;
      const shorter =
        message.tokens > cap ? shorten(message, cap, lookUps.has(message.raw.id)) : withoutArguments(message);
      if (shorter !== undefined) made.set(message.sent, shorter);
    }
    fitting = yield* draft.replace(changesOf(draft, made));
    if (sumOf(fitting.units.filter(({ role }) => role === 'unread')) <= room) break;
  }
  return fitting;
}

function sumOf(units: readonly Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0);
}

function readUnread(draft: Draft, unit: Unit): Unread[] {
  const forms = sentForms(unit.blocks.flatMap(blockMessages), unit.messages);
  return unit.blocks.flatMap(blockMessages).flatMap((raw) => {
    const sent = forms.get(raw.id)?.wire;
    return sent === undefined ? [] : [{ raw, sent, tokens: draft.count([sent]) }];
  });
}

/** Results in which lines that mention errors are not errors. */
function lookUpResults({ blocks }: Unit): MessageId[] {
  return blocks.flatMap((block) =>
    block.kind === 'tools' ? pairs(block).flatMap(({ call, result }) => (isLookUp(call) ? [result.id] : [])) : [],
  );
}

/** The message in about the given number of tokens, made from the raw one. */
function shorten(message: Unread, tokens: number, isLookedUp: boolean): ChatMessage | undefined {
  const { raw } = message;
  if (raw.role === 'assistant') return withoutArguments(message);
  const text = contentText(raw.wire);
  const least = MASKED.head + MASKED.tail;
  const characters = Math.max(least, Math.floor((tokens * text.length) / Math.max(1, message.tokens)));
  const handle = handleOf({ from: raw.id, to: raw.id });
  const written = raw.role === 'user' ? shortenWritten(text, handle, characters) : undefined;
  if (written !== undefined) return { ...raw.wire, content: written };
  const [head, tail] = [Math.floor(characters * HEAD_SHARE), Math.floor(characters * (1 - HEAD_SHARE))];
  return shortenMessage(raw.wire, handle, { head, tail, errorLines: isLookedUp ? 0 : MASKED.errorLines });
}

/** The model's own calls with long arguments cut: it knows them. */
function withoutArguments({ raw, sent }: Unread): ChatMessage | undefined {
  if (raw.role !== 'assistant') return undefined;
  const calls = sent.tool_calls ?? [];
  const shorter = calls.map((call) => shortenCall(call, handleOf({ from: raw.id, to: raw.id })));
  if (shorter.every((call) => call === undefined)) return undefined;
  return { ...sent, tool_calls: calls.map((call, index) => shorter[index] ?? call) };
}

function changesOf(draft: Draft, made: ReadonlyMap<ChatMessage, ChatMessage>): Change[] {
  return draft.units.flatMap((unit, start): Change[] => {
    if (unit.role !== 'unread' || !unit.messages.some((message) => made.has(message))) return [];
    const messages = unit.messages.map((message) => made.get(message) ?? message);
    return [{ start, count: 1, by: { kind: 'shortened', messages } }];
  });
}
