import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message } from '../../messages/message.ts';
import type { Change, Draft } from '../draft.ts';
import { isFrozen, type Unit } from '../unit.ts';

/**
 * The draft with messages of whole units cut in place. `belongs` chooses the units; `shorten` returns the shorter
 * message, given the handle of the whole one, or undefined to leave it. Frozen units never change.
 */
export function shortenInPlace(
  draft: Draft,
  belongs: (unit: Unit, index: number) => boolean,
  shorten: (message: Message, handle: string, unit: Unit) => ChatMessage | undefined,
): Draft {
  const changes = draft.units.flatMap((unit, start): Change[] => {
    if (isFrozen(unit) || unit.state !== 'whole' || !belongs(unit, start)) return [];
    const raw = new Map(unit.blocks.flatMap(({ messages }) => messages.map((message) => [message.wire, message])));
    let changed = false;
    const messages = unit.messages.map((wire) => {
      const message = raw.get(wire);
      if (message === undefined) return wire;
      const shorter = shorten(message, handleOf({ from: message.id, to: message.id }), unit);
      if (shorter !== undefined) changed = true;
      return shorter ?? wire;
    });
    return changed ? [{ start, count: 1, by: { kind: 'shortened', messages } }] : [];
  });
  return draft.replace(changes);
}
