import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message } from '../../messages/message.ts';
import { filterInSteps, type Steps } from '../../steps.ts';
import { isAskedFor } from '../askedFor.ts';
import { isHuman } from '../audit/sources.ts';
import { type Change, type Draft, isFrozen, tailStart, type Unit } from '../draft.ts';
import { CHARACTERS_A_TOKEN, type Kept, MASKED, shortenCalls, shortenMessage } from '../shorten.ts';
import type { Rung } from '../strategy.ts';
import { lookUpResults } from './dedupe.ts';

/** Prose of the agent longer than this loses its middle. Characters. */
const LONG_PROSE = 8000;
const PROSE = { head: 1800, tail: 700 };

/**
 * Cuts old tool results, pasted content and large tool-call arguments down to their head, error lines and tail; the
 * rest goes behind the handle.
 */
export const mask: Rung = {
  id: 'mask',
  *plan(draft, input) {
    const end = tailStart(draft, input.target);
    // What the human answered to a tool is not output, however long the tool's text around it is.
    const isOutput = (unit: Unit): boolean => unit.role === 'work' && !unit.blocks.some(isHuman);
    const changes = yield* shortenings(
      draft,
      (unit, index) => index < end && isOutput(unit),
      (unit) => maskUnit(unit, MASKED),
    );
    // What the user asked to keep is cut last.
    const asked = yield* filterInSteps(changes, ({ start }) => isAskedFor(draft, draft.units[start]));
    const ordered = asked.length === 0 ? changes : [...changes.filter((change) => !asked.includes(change)), ...asked];
    return yield* draft.replaceAsNeeded(ordered, input.target);
  },
};

/** What a message keeps that may take about this many tokens. */
export function keptIn(tokens: number): Kept {
  const characters = tokens * CHARACTERS_A_TOKEN;
  return { head: Math.floor(characters * 0.6), tail: Math.floor(characters * 0.3), errorLines: MASKED.errorLines };
}

/** The messages of a unit with long content shortened; undefined when nothing is long. */
export function maskUnit(unit: Unit, kept: Kept): ChatMessage[] | undefined {
  const lookUps = lookUpResults(unit);
  // In a file that was read, lines that mention errors are not errors.
  return shortenUnit(unit, (message) =>
    maskMessage(message, lookUps.has(message.id) ? { ...kept, errorLines: 0 } : kept),
  );
}

/** The shorter form of a message, given the handle of the whole one; undefined to leave it as it is. */
export type Shorten = (message: Message, handle: string) => ChatMessage | undefined;

/** The messages of a whole unit, each as `shorten` leaves it; undefined when it leaves all as they are. */
export function shortenUnit(unit: Unit, shorten: Shorten): ChatMessage[] | undefined {
  const raw = new Map(unit.blocks.flatMap(({ messages }) => messages.map((message) => [message.wire, message])));
  let isChanged = false;
  const messages = unit.messages.map((wire) => {
    const message = raw.get(wire);
    const shorter = message && shorten(message, handleOf({ from: message.id, to: message.id }));
    isChanged ||= shorter !== undefined;
    return shorter ?? wire;
  });
  return isChanged ? messages : undefined;
}

/** What `shorten` makes shorter of the whole units that `belongs` accepts. Frozen units never change. */
export function* shortenings(
  draft: Draft,
  belongs: (unit: Unit, index: number) => boolean,
  shorten: (unit: Unit) => ChatMessage[] | undefined,
): Steps<Change[]> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    if (isFrozen(unit) || unit.state !== 'whole' || !belongs(unit, start)) continue;
    yield;
    const messages = shorten(unit);
    if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
  }
  return changes;
}

/** One message with long content cut behind its handle; undefined when nothing is long. */
export function maskMessage(message: Message, kept: Kept): ChatMessage | undefined {
  const handle = handleOf({ from: message.id, to: message.id });
  if (message.role !== 'assistant') return shortenMessage(message.wire, handle, kept);
  // What the agent says stays whole, unless it is so long that it is a file or output in the form of prose.
  const { head, tail } = kept.head < PROSE.head ? PROSE : kept;
  const isLong = message.text.length > LONG_PROSE;
  const prose = isLong ? shortenMessage(message.wire, handle, { head, tail, errorLines: 0 }) : undefined;
  return shortenCalls(prose ?? message.wire, handle) ?? prose;
}
