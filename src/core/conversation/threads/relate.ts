import { align } from './align.ts';
import { type Awaited, findReply } from './awaited.ts';
import { judge, type Relation } from './judge.ts';
import type { Apart } from './takeIn.ts';
import type { Opened } from './thread.ts';

/** A thread that a request is compared with. */
export interface Compared {
  readonly opened: Opened;
  readonly awaited: readonly Awaited[];
  readonly isHinted: boolean;
}

/** How a request relates to a thread; undefined when they have nothing to do with each other. */
export function relate(
  { opened, awaited, isHinted }: Compared,
  { messages, prints: own }: Apart,
): Relation | undefined {
  const { known, conversation } = opened;
  const came = findReply(awaited, messages, own);
  const prints = came === undefined ? own : own.with(came.index, came.reply.print);
  const places = opened.printed.prints;
  const awaitedPrints = new Set(came === undefined ? [] : [came.reply.print]);
  const { messages: raw } = conversation.transcript;
  return judge({
    alignment: align(places, awaitedPrints, prints),
    knownAt: (place) => (place === known.length ? came?.reply.sent : raw[known[place]?.id ?? -1]?.wire),
    knownLength: known.length,
    messages,
    isHinted,
    find: (index) => {
      const place = places.indexOf(prints[index] ?? -1);
      return place < 0 ? undefined : place;
    },
  });
}
