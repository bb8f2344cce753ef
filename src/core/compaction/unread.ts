import { blockMessages } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { handleOf } from '../messages/handle.ts';
import type { Message } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';
import type { Steps } from '../steps.ts';
import { type Change, type Draft, evenCap, isFrozen, sumTokens, type Unit } from './draft.ts';
import { lookUpResults } from './rungs/dedupe.ts';
import { MASKED, sentForms, shortenCalls, shortenMessage, shortenWritten } from './shorten.ts';

/** Of what the fixed part leaves, at least this share is for what the model has not read, however long all else is. */
const LEAST_SHARE = 0.5;
/** The share of a shortened text that its beginning takes; its end takes the rest. */
const HEAD_SHARE = 0.66;
/** How much of its room a text is given at first, and how much less with each further attempt. */
const SHARES = [0.99, 0.97, 0.94, 0.9, 0.84, 0.76, 0.65, 0.5];

/**
 * A draft that is over the limit although all else was compacted, with what the model has not read shortened: first
 * the arguments of its own calls, then the longest messages, all to one length and only down to the limit. None is
 * removed, and what is left out is behind its handle. Any other draft is returned as it is.
 */
export function* fitUnread(draft: Draft, limit: number): Steps<Draft> {
  const units = unreadOf(draft);
  const size = sumTokens(units);
  const fixed = sumTokens(draft.units.filter(isFrozen)) - size;
  const room = Math.max(limit - (draft.tokens - size), (limit - fixed) * LEAST_SHARE);
  if (size <= room) return draft;
  const sizes = units.flatMap(({ messages }) => messages.map((message) => draft.count([message])));
  let fitting = draft;
  for (const share of SHARES) {
    const cap = yield* evenCap(sizes, room * share);
    const changes: Change[] = [];
    for (const unit of units) {
      yield;
      const messages = shortenTo(draft, unit, cap);
      const start = draft.units.indexOf(unit);
      if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
    }
    fitting = yield* draft.replace(changes);
    if (sumTokens(unreadOf(fitting)) <= room) break;
  }
  return fitting;
}

function unreadOf({ units }: Draft): Unit[] {
  return units.filter(({ role }) => role === 'unread');
}

/** The messages of a unit, each in about the given number of tokens; undefined when none is longer. */
function shortenTo(draft: Draft, unit: Unit, most: number): ChatMessage[] | undefined {
  const lookUps = lookUpResults(unit);
  const made = new Map<ChatMessage, ChatMessage>();
  const all = unit.blocks.flatMap(blockMessages);
  const forms = sentForms(all, unit.messages);
  for (const raw of all) {
    const wire = forms.get(raw.id)?.wire;
    if (wire === undefined) continue;
    const tokens = draft.count([wire]);
    const errorLines = lookUps.has(raw.id) ? 0 : MASKED.errorLines;
    // The model knows its own calls.
    let shorter = raw.role === 'assistant' ? shortenCalls(wire, handleOf({ from: raw.id, to: raw.id })) : undefined;
    if (raw.role !== 'assistant' && tokens > most) shorter = shortenRaw(raw, most / tokens, errorLines);
    if (shorter !== undefined) made.set(wire, shorter);
  }
  return made.size === 0 ? undefined : unit.messages.map((wire) => made.get(wire) ?? wire);
}

/** About a share of a message. */
function shortenRaw({ id, role, wire }: Message, share: number, errorLines: number): ChatMessage | undefined {
  const text = contentText(wire);
  const handle = handleOf({ from: id, to: id });
  const characters = Math.max(MASKED.head + MASKED.tail, Math.floor(share * text.length));
  const written = role === 'user' ? shortenWritten(text, handle, characters) : undefined;
  if (written !== undefined) return { ...wire, content: written };
  const head = Math.floor(characters * HEAD_SHARE);
  return shortenMessage(wire, handle, { head, tail: characters - head, errorLines });
}
