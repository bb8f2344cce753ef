import type { ChatMessage } from '../../messages/chat.ts';
import { contentText } from '../../messages/parse.ts';
import type { Alignment, Step } from './align.ts';
import { isCopy, isHuman, isReworded, typedWords } from './words.ts';

/** A request aligned with the known messages of a thread. */
export interface Comparison {
  readonly alignment: Alignment;
  /**
   * The message of the transcript for a known place; for the place after the last, the reply that came back, if any.
   */
  readonly knownAt: (place: number) => ChatMessage | undefined;
  /** How many known messages the client has sent before. */
  readonly knownLength: number;
  /** The request, without the system prompt. */
  readonly messages: readonly ChatMessage[];
  /** Whether the client's hint says that both are one conversation. */
  readonly isHinted: boolean;
  /** Where a message of the request is known, at whatever place; undefined when it is not. */
  readonly find: (index: number) => number | undefined;
}

/** How a request relates to a thread. */
export interface Relation {
  /**
   * `continues`: it has everything that is known, except what was cleared or dropped. `forks`: the client went back,
   * edited, or replaced several messages by something else.
   */
  readonly kind: 'continues' | 'forks';
  /** For each message of the request, the place of the same known message; undefined for new ones. */
  readonly places: readonly (number | undefined)[];
  /** Messages of the request in which the human's words, or a later instruction, differ from the known ones. */
  readonly reworded: readonly number[];
  /** The first message of the request that a fork does not share with the thread. */
  readonly sharedUntil: number;
  /** The first known message that a fork does not share. */
  readonly knownUntil: number;
  /**
   * The place after the last known message that the request still has: the client went back from everything after it.
   */
  readonly knownEnd: number;
}

/**
 * Judges whether and how a request belongs to a thread. Equal beginnings that include a message of the human are one
 * conversation up to the first difference. Beyond a difference, what follows must show that it is the same
 * conversation: two may share a "yes", or a file that both read. Undefined: they have nothing to do with each other.
 */
export function judge(comparison: Comparison): Relation | undefined {
  const { alignment, messages } = comparison;
  const shared = alignment.steps[0]?.kind === 'same' ? alignment.steps[0].request.to : 0;
  const sameStart = messages.some((message, index) => index < shared && isHuman(message));
  const steps = bridgeTail(comparison);
  if (isSameThread(comparison, steps, sameStart)) return relate(comparison, steps);
  return sameStart ? relate(comparison, alignment.steps.slice(0, 1)) : undefined;
}

/** Treats a last known message whose typed words came back with other text around them as the same message. */
function bridgeTail({ alignment, knownAt, knownLength, messages }: Comparison): readonly Step[] {
  const { steps, knownEnd, requestEnd } = alignment;
  const [was, now] = [knownAt(knownEnd), messages[requestEnd]];
  if (knownEnd !== knownLength - 1 || was === undefined || now === undefined) return steps;
  const words = was.role === 'user' && now.role === 'user' ? typedWords(was) : '';
  if (words === '' || words !== typedWords(now)) return steps;
  const spans = {
    known: { from: knownEnd, to: knownLength },
    request: { from: requestEnd, to: requestEnd + 1 },
  };
  return [...steps, { kind: 'changed', ...spans }];
}

/** Evidence, found after a difference, that both are one conversation. */
interface Evidence {
  /** Different messages of the human. */
  readonly human: number;
  /** Different texts of the model. */
  readonly said: number;
  /** Calls with randomly drawn ids. */
  readonly copies: number;
}

function isSameThread(comparison: Comparison, steps: readonly Step[], sameStart: boolean): boolean {
  const changed = steps.filter(({ kind }) => kind === 'changed');
  // Without a message of the human, everything that is known must come again.
  if (changed.length === 0) return steps.length > 0 && (sameStart || isAllKnown(comparison));
  const { human, said, copies } = gather(comparison, steps.slice(steps.findIndex(({ kind }) => kind === 'changed')));
  const isLong = (human >= 1 && human + said >= 3) || endsAlike(comparison, steps);
  // The reply to the last request has come back, and nobody else received it.
  const cameBack = (steps.at(-1)?.known.to ?? 0) > comparison.knownLength;
  const some = human + said + copies >= 1;
  // Batches of similar tasks differ in a few words and go on alike.
  if (changed.some((step) => rewordedIn(comparison, step).length > 0))
    return copies >= 2 || (cameBack && (isLong || copies >= 1)) || (sameStart && copies >= 1);
  if (sameStart || copies >= 1 || (comparison.isHinted && some)) return true;
  // Messages that were left out remain in the thread; for messages replaced by a summary only pins remain.
  if (changed.some((step) => isDropped(step))) return isLong && cameBack;
  return changed.some((step) => length(step.known) > length(step.request)) ? isLong : some;
}

/** A client that left out the start continues where the thread ended: all of its last messages come again. */
function endsAlike({ knownLength }: Comparison, steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last?.kind === 'same' && last.known.to >= knownLength && length(last.request) >= LAST_ALIKE;
}

const LAST_ALIKE = 4;

function isAllKnown({ alignment, knownAt, knownLength }: Comparison): boolean {
  if (alignment.knownEnd < knownLength) return false;
  for (let place = 0; place <= knownLength; place += 1) {
    const message = knownAt(place);
    if (message !== undefined && isHuman(message)) return false;
  }
  return true;
}

function gather({ knownAt, messages }: Comparison, steps: readonly Step[]): Evidence {
  const [human, said] = [new Set<string>(), new Set<string>()];
  let copies = 0;
  for (const step of steps) {
    if (step.kind !== 'same') continue;
    for (let index = step.request.from; index < step.request.to; index += 1) {
      const message = messages[index];
      const was = knownAt(step.known.from + index - step.request.from);
      if (message === undefined || was === undefined) continue;
      if (isHuman(message)) human.add(typedWords(message));
      else if (message.role === 'assistant' && message.tool_calls === undefined) said.add(contentText(message));
      else if (message.role === 'assistant' && isCopy(was, message)) copies += 1;
    }
  }
  return { human: human.size, said: said.size, copies };
}

function length({ from, to }: Step['known']): number {
  return to - from;
}

/** The messages of a changed step in pairs; undefined when their number or roles differ. */
function pairsOf(
  { knownAt, messages }: Comparison,
  { known: was, request }: Step,
): [ChatMessage, number][] | undefined {
  if (length(was) !== length(request)) return undefined;
  const pairs: [ChatMessage, number][] = [];
  for (let index = request.from; index < request.to; index += 1) {
    const one = knownAt(was.from + index - request.from);
    if (one === undefined || one.role !== messages[index]?.role) return undefined;
    pairs.push([one, index]);
  }
  return pairs;
}

function rewordedIn(comparison: Comparison, step: Step): number[] {
  const pairs = pairsOf(comparison, step) ?? [];
  return pairs.flatMap(([was, index]) => {
    const now = comparison.messages[index];
    return now !== undefined && isReworded(was, now) ? [index] : [];
  });
}

function relate(comparison: Comparison, steps: readonly Step[]): Relation {
  const { messages, knownAt, knownLength } = comparison;
  const places = new Array<number | undefined>(messages.length).fill(undefined);
  const reworded: number[] = [];
  let fork: Step | undefined;
  for (const step of steps) {
    const isPaired = step.kind === 'same' || pairsOf(comparison, step) !== undefined;
    const isInsertion = !isPaired && isInserted(comparison, step);
    if (!isPaired && !isDropped(step) && !isInsertion) fork ??= step;
    for (let index = step.request.from; index < step.request.to; index += 1) {
      if (isInsertion) places[index] = comparison.find(index);
      if (!isPaired) continue;
      const place = step.known.from + index - step.request.from;
      places[index] = place;
      if (step.kind === 'same') continue;
      const [was, now] = [knownAt(place), messages[index]];
      if (was === undefined || now === undefined) continue;
      if (was.role === 'system' || (was.role === 'user' && isReworded(was, now))) reworded.push(index);
    }
  }
  const last = steps.at(-1);
  let knownEnd = last?.known.to ?? 0;
  // Known messages that are elsewhere in the request are not left out.
  while (places.includes(knownEnd)) knownEnd += 1;
  const ends = { sharedUntil: last?.request.to ?? 0, knownUntil: knownEnd };
  const until = fork === undefined ? ends : { sharedUntil: fork.request.from, knownUntil: fork.known.from };
  const kind = fork === undefined && knownEnd >= knownLength ? 'continues' : 'forks';
  return { kind, places, reworded, knownEnd, ...until };
}

/** The client left messages out, to save room; the transcript has them. */
function isDropped(step: Step): boolean {
  return length(step.request) === 0;
}

/** The client inserted messages of its own between earlier ones. */
function isInserted({ messages }: Comparison, step: Step): boolean {
  return (
    length(step.known) === 0 &&
    messages
      .slice(step.request.from, step.request.to)
      .every((message) => message.role === 'system' || (message.role === 'user' && !isHuman(message)))
  );
}
