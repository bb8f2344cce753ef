import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message } from '../../messages/message.ts';
import { isAskedFor } from '../askedFor.ts';
import { isHuman } from '../audit/sources.ts';
import { type Change, tailStart, type Unit } from '../draft.ts';
import { CHARACTERS_A_TOKEN, headingsIn, type Kept, MASKED, shortenCall, shortenMessage } from '../shorten.ts';
import type { Rung } from '../strategy.ts';
import { isLookUp, pairs } from './dedupe.ts';

/** Prose of the agent longer than this loses its middle, of which HEADINGS characters of headings stay. */
const LONG_PROSE = 8000;
const PROSE: Kept = { head: 1800, tail: 700, errorLines: 0 };
const HEADINGS = 600;

/**
 * Cuts old tool results, pasted content and large tool-call arguments down to their head, error lines and tail; the
 * rest goes behind the handle.
 */
export const mask: Rung = {
  id: 'mask',
  *plan(draft, input) {
    const end = tailStart(draft, input.target);
    const changes: Change[] = [];
    // What the user asked to keep is cut last.
    const asked: Change[] = [];
    for (const [start, unit] of draft.units.slice(0, end).entries()) {
      if (unit.state !== 'whole' || !isOutput(unit)) continue;
      yield;
      const messages = maskUnit(unit, MASKED);
      const change = { start, count: 1, by: { kind: 'shortened' as const, messages: messages ?? [] } };
      if (messages !== undefined) (isAskedFor(draft, unit) ? asked : changes).push(change);
    }
    return yield* draft.replaceAsNeeded([...changes, ...asked], input.target);
  },
};

/** What the human answered to a tool is not output, however long the tool's text around it is. */
function isOutput(unit: Unit): boolean {
  return unit.role === 'work' && !unit.blocks.some(isHuman);
}

/** What a message keeps that may take about this many tokens. */
export function keptIn(tokens: number): Kept {
  const characters = tokens * CHARACTERS_A_TOKEN;
  return { head: Math.floor(characters * 0.6), tail: Math.floor(characters * 0.3), errorLines: MASKED.errorLines };
}

/** The messages of a unit with long content shortened; undefined when nothing is long. */
export function maskUnit(unit: Unit, kept: Kept): ChatMessage[] | undefined {
  const raw = new Map<ChatMessage, Message>();
  for (const block of unit.blocks) for (const message of block.messages) raw.set(message.wire, message);
  const lookUps = new Set(unit.blocks.flatMap(lookUpResults));
  let changed = false;
  const messages = unit.messages.map((wire) => {
    const message = raw.get(wire);
    // In a file that was read, lines that mention errors are not errors.
    const keep = message !== undefined && lookUps.has(message) ? { ...kept, errorLines: 0 } : kept;
    const shorter = message === undefined ? undefined : maskMessage(message, keep);
    if (shorter !== undefined) changed = true;
    return shorter ?? wire;
  });
  return changed ? messages : undefined;
}

function lookUpResults(block: Block): Message[] {
  if (block.kind !== 'tools') return [];
  return pairs(block).flatMap(({ call, result }) => (isLookUp(call) ? [result] : []));
}

function shortenProse({ wire, text }: Message, handle: string, kept: Kept): ChatMessage | undefined {
  const { head, tail } = kept.head < PROSE.head ? PROSE : kept;
  const headings = headingsIn(text.slice(head, -tail), HEADINGS);
  return shortenMessage(wire, handle, { head, tail, errorLines: 0 }, headings);
}

/** One message with long content cut behind its handle; undefined when nothing is long. */
export function maskMessage(message: Message, kept: Kept): ChatMessage | undefined {
  const handle = handleOf({ from: message.id, to: message.id });
  if (message.role !== 'assistant') return shortenMessage(message.wire, handle, kept);
  // What the agent says stays whole, unless it is so long that it is a file or output in the form of prose.
  const text = message.text.length > LONG_PROSE ? shortenProse(message, handle, kept) : undefined;
  const calls = message.wire.tool_calls?.map((call) => shortenCall(call, handle));
  if (calls?.some((call) => call !== undefined) !== true) return text;
  const shorter = (message.wire.tool_calls ?? []).map((call, index) => calls[index] ?? call);
  return { ...(text ?? message.wire), tool_calls: shorter };
}
