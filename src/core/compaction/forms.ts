import { blockMessages, findHolding } from '../chat/blocks.ts';
import { handleOf } from '../chat/handle.ts';
import type { Message } from '../chat/message.ts';
import { contentText } from '../chat/parse.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { readBlock } from '../ledger/reading.ts';
import { rulesIn } from '../ledger/rules.ts';
import { filterInSteps, type Steps } from '../steps.ts';
import { lookUpResults } from './dedupe.ts';
import {
  askedOrder,
  type Change,
  type Draft,
  isFrozen,
  largestThatFits,
  SPARE_SHARE,
  sumTokens,
  type Unit,
} from './draft.ts';
import {
  CHARACTERS_A_TOKEN,
  type Kept,
  LONG_PROSE,
  MASKED,
  maskMessage,
  sentForms,
  shortenWritten,
} from './shorten.ts';

/** How much of a message stays; undefined leaves it as it is. */
export type Keep = (message: Message, sent: ChatMessage) => Kept | undefined;

/** Of an assistant's message, only the arguments of its calls are cut: the model knows what it said. */
const CALLS_ONLY: Kept = { head: Number.POSITIVE_INFINITY, tail: 0, errorLines: 0 };

/** What stays of a text that is cut to this many characters. */
function keptIn(characters: number): Kept {
  const head = Math.floor(characters * 0.65);
  return { head, tail: Math.floor(characters) - head, errorLines: MASKED.errorLines };
}

/** The messages of a whole or shortened unit, with as much of each as `keep` says; undefined when none gets shorter. */
export function shortenUnit({ blocks, messages, role }: Unit, keep: Keep): ChatMessage[] | undefined {
  const raw = blocks.flatMap(blockMessages);
  const forms = sentForms(raw, messages);
  const lookUps = lookUpResults(blocks);
  const made = new Map<ChatMessage, ChatMessage>();
  for (const message of raw) {
    const sent = forms.get(message.id)?.wire;
    const kept = sent && keep(message, sent);
    if (sent === undefined || kept === undefined) continue;
    // In a file that was read, lines that mention errors are not errors.
    const limits = lookUps.has(message) ? { ...kept, errorLines: 0 } : kept;
    const written = message.role === 'user' && role !== 'work' ? shortenHuman(message, blocks, kept) : undefined;
    const shorter = written ?? maskMessage(message, limits);
    if (shorter !== undefined) made.set(sent, shorter);
  }
  return made.size === 0 ? undefined : messages.map((wire) => made.get(wire) ?? wire);
}

/** A message of the human cut; its rules stay word for word. Undefined when nothing is gained. */
function shortenHuman(message: Message, [block]: Unit['blocks'], { head, tail }: Kept): ChatMessage | undefined {
  const rules = block === undefined ? [] : rulesIn(readBlock(block).human ?? '');
  const handle = handleOf({ from: message.id, to: message.id });
  const content = shortenWritten(contentText(message.wire), handle, head + tail, rules);
  return content === undefined ? undefined : { ...message.wire, content };
}

/** The draft with the whole units that `belongs` accepts shortened, as `keep` says. Frozen units never change. */
export function* shortenUnits(draft: Draft, belongs: (unit: Unit, index: number) => boolean, keep: Keep): Steps<Draft> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    if (isFrozen(unit) || unit.state !== 'whole' || !belongs(unit, start)) continue;
    yield;
    changes.push(...changeTo(start, shortenUnit(unit, keep)));
  }
  return yield* draft.replace(changes);
}

function changeTo(start: number, messages: readonly ChatMessage[] | undefined): Change[] {
  return messages === undefined ? [] : [{ start, count: 1, by: { kind: 'shortened', messages } }];
}

/**
 * The draft with the longest messages of some of its units cut to one length, none to less than `least`, so that together
 * these units take at most `room`. Tokens.
 */
export function* cutEvenly(draft: Draft, role: Unit['role'], room: number, least: number): Steps<Draft> {
  const size = tokensOf(draft, role);
  if (size <= room) return draft;
  const cut = function* (figure: number): Steps<Draft> {
    const most = Math.max(least, figure);
    const changes: Change[] = [];
    for (const [start, unit] of draft.units.entries()) {
      if (unit.role !== role) continue;
      yield;
      const messages = shortenUnit(unit, ({ role, text }, sent) => {
        if (role === 'assistant') return CALLS_ONLY;
        const tokens = draft.count([sent]);
        return tokens > most ? keptIn((most / tokens) * text.length) : undefined;
      });
      changes.push(...changeTo(start, messages));
    }
    return yield* draft.replace(changes);
  };
  const most = draft.tokens - size + room;
  return (yield* largestThatFits(room, most, cut, room * SPARE_SHARE)) ?? (yield* cut(0));
}

function tokensOf({ units }: Draft, role: Unit['role']): number {
  return units.reduce((sum, unit) => (unit.role === role ? sum + unit.tokens : sum), 0);
}

/** Of what the fixed part leaves, at least this share is for what the model has not read, however long all else is. */
const UNREAD_SHARE = 0.5;

/**
 * A draft that is over the limit although all else was compacted, with what the model has not read shortened: the
 * arguments of its own calls, then the longest messages, all to one length and only down to the limit. None is
 * removed, and what is left out is behind its handle. Any other draft is returned as it is.
 */
export function* fitUnread(draft: Draft, limit: number): Steps<Draft> {
  const size = tokensOf(draft, 'unread');
  const fixed = sumTokens(draft.units.filter(isFrozen)) - size;
  const room = Math.max(limit - (draft.tokens - size), (limit - fixed) * UNREAD_SHARE);
  const cut = yield* cutEvenly(draft, 'unread', room, (MASKED.head + MASKED.tail) / CHARACTERS_A_TOKEN);
  // What would fit whole is not cut (law 4): one length for all leaves some room.
  let { tokens } = cut;
  const units = cut.units.map((unit, at) => {
    const whole = draft.units[at] ?? unit;
    if (tokens - unit.tokens + whole.tokens > limit) return unit;
    tokens += whole.tokens - unit.tokens;
    return whole;
  });
  return cut === draft ? draft : cut.withUnits(units);
}

/** How many messages that do not fit whole are made longer. */
const MOST_LONGER = 6;

/**
 * No smaller than needed: while there is room, shows what a plan shortened as it was `before`, or at greater length: what
 * the instructions ask for first, then from the newest on.
 */
export function* fill(draft: Draft, before: Draft, target: number): Steps<Draft> {
  let room = target - draft.tokens;
  const spare = target * SPARE_SHARE;
  if (room < spare) return draft;
  const cut: number[] = [];
  for (let at = draft.units.length - 1; at >= 0; at -= 1) if (draft.units[at]?.state === 'shortened') cut.push(at);
  const asked = yield* filterInSteps(cut, (at) => {
    const unit = draft.units[at];
    return unit !== undefined && askedOrder(unit.range, draft.askedFor) !== undefined;
  });
  const units = [...draft.units];
  let longer = 0;
  for (const at of new Set([...asked, ...cut])) {
    if (room <= spare) break;
    const now = draft.units[at];
    const was = now && before.units[findHolding(before.units, now.range.from)];
    if (now === undefined || was?.range.to !== now.range.to || was.tokens <= now.tokens) continue;
    yield;
    const fits = was.tokens - now.tokens <= room;
    if (!fits && longer === MOST_LONGER) continue;
    if (!fits) longer += 1;
    const shown = fits ? was : yield* lengthen(draft, now, was, now.tokens + room);
    units[at] = shown;
    room -= shown.tokens - now.tokens;
  }
  return draft.withUnits(units);
}

/** A unit that was shortened, with as much of what it was as fits in `most` tokens. */
function* lengthen(draft: Draft, now: Unit, was: Unit, most: number): Steps<Unit> {
  const fitting = yield* largestThatFits(was.tokens, most, function* (tokens) {
    const messages = shortenUnit(was, ({ role, text }) =>
      // What masking leaves whole is not cut here.
      role === 'assistant' && text.length <= LONG_PROSE ? CALLS_ONLY : keptIn(tokens * CHARACTERS_A_TOKEN),
    );
    return messages === undefined ? undefined : { messages, tokens: yield* draft.countInSteps(messages) };
  });
  return fitting === undefined || fitting.tokens <= now.tokens ? now : { ...now, ...fitting };
}
