import type { ChatMessage } from '../../messages/chat.ts';
import type { ViewItem } from '../../messages/view.ts';
import type { Archive } from './archive.ts';
import { worksAlike } from './bringUp.ts';
import { findCandidates } from './candidates.ts';
import type { Relation } from './judge.ts';
import { promptLength } from './known.ts';
import type { StatelessRequest } from './match.ts';
import { relate } from './relate.ts';
import type { Apart } from './takeIn.ts';
import type { Opened, Thread } from './thread.ts';

/** A thread that a request belongs to, and how. */
export interface Found {
  readonly thread: Thread;
  readonly opened: Opened;
  readonly relation: Relation;
}

/** The thread that has the most in common with a request; undefined when none has anything. */
export async function findThread(
  archive: Archive,
  { hint }: StatelessRequest,
  apart: Apart,
): Promise<Found | undefined> {
  let best: (Found & { readonly rank: number }) | undefined;
  for (const thread of findCandidates(archive.all(), apart.prints)) {
    const opened = await archive.open(thread);
    const isHinted = hint !== undefined && hint === thread.record.hint;
    const relation = opened === undefined ? undefined : relate({ opened, awaited: thread.awaited, isHinted }, apart);
    if (opened === undefined || relation === undefined) continue;
    // In order of weight: how many messages are shared word for word, whether the request continues the thread, whether
    // the client's hint names it.
    const shared = count(relation.places.slice(0, relation.reworded[0]), (place) => place !== undefined);
    const rank = shared * 4 + (relation.kind === 'continues' ? 2 : 0) + (isHinted ? 1 : 0);
    if (rank > (best?.rank ?? -1)) best = { thread, opened, relation, rank };
  }
  return best;
}

/**
 * Whether a request may continue the thread it belongs to. Not while another request works with the thread and would
 * see this one's messages, model or prompt; not when it brings the first prompt, which would shift all messages; and
 * not when it rewords what a compaction replaced.
 */
export function mayContinue({ thread, opened, relation }: Found, request: StatelessRequest, apart: Apart): boolean {
  const { conversation, known } = opened;
  const isFirstPrompt = promptLength(conversation.transcript.messages) === 0 && apart.prompt.length > 0;
  const isTaken = thread.isAtWork && (countAdded(relation, opened) > 0 || !worksAlike(opened, request, apart));
  const reworded = relation.reworded.map((index) => known[relation.places[index] ?? -1]?.id);
  const isReplaced = ({ kind, range }: ViewItem) =>
    kind === 'replaced' && reworded.some((id = -1) => range.from <= id && id <= range.to);
  const isGone = reworded.length > 0 && conversation.items().some(isReplaced);
  return relation.kind === 'continues' && !isFirstPrompt && !isTaken && !isGone;
}

/** How many messages of a request the transcript does not have, including a reply that came back. */
export function countAdded({ places }: Relation, { known }: Opened): number {
  return count(places, (place) => place === undefined || place >= known.length);
}

function count<Item>(items: readonly Item[], belongs: (item: Item) => boolean): number {
  return items.reduce((sum, item) => sum + (belongs(item) ? 1 : 0), 0);
}

/** The messages of a request that a thread does not have. */
export function newIn({ messages }: Apart, relation?: Relation): readonly ChatMessage[] {
  return messages.filter((_, index) => relation?.places[index] === undefined);
}
