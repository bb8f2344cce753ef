import { align } from './align.ts';
import { type Awaited, findReply } from './awaited.ts';
import { judge, type Relation } from './judge.ts';
import type { Apart } from './takeIn.ts';
import type { Opened } from './thread.ts';

/** A thread as a request is compared with it. */
export interface Compared {
  readonly opened: Opened;
  readonly awaited: readonly Awaited[];
  readonly isHinted: boolean;
}

/** How a request goes on with a thread; undefined when it has nothing to do with it. */
export function relate(
  { opened, awaited, isHinted }: Compared,
  { messages, prints: own }: Apart,
): Relation | undefined {
  const { known, conversation } = opened;
  const came = findReply(awaited, messages, own);
  const prints = came === undefined ? own : own.with(came.index, came.reply.print);
  const places = known.map(({ print }) => print);
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
