import type { ChatMessage } from '../../messages/chat.ts';
import type { MessageId } from '../../messages/message.ts';
import { parseMessage } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { type Fingerprint, fingerprintsInSteps, type Printed } from './fingerprint.ts';
import { isPrompt, type Known } from './known.ts';
import { withoutMarks } from './marks.ts';
import { isVerbatim } from './verbatim.ts';

/** A request apart: its system prompt, and the rest with fingerprints. */
export interface Apart {
  readonly prompt: readonly ChatMessage[];
  readonly messages: readonly ChatMessage[];
  readonly prints: readonly Fingerprint[];
}

/**
 * Takes a request apart, in steps. `threads`: what it may go on with, as it was printed.
 * @throws InvalidMessageError naming the index and the field of what is no message.
 */
export function* takeApart(messages: readonly ChatMessage[], threads: readonly Printed[]): Steps<Apart> {
  // Up to the first that is no part of the prompt.
  const start = messages.findIndex((message, index) => !isPrompt(parseMessage(message, index).wire));
  const length = start < 0 ? messages.length : start;
  const rest = messages.slice(length);
  const came = longestSame(rest, threads);
  const same = came.prints.length;
  yield* eachInSteps(rest.slice(same), (message, index) => check(message, length + same + index), AT_ONCE);
  const before = came.thread ?? mostAlike(rest, threads);
  const prints = yield* fingerprintsInSteps(rest, before, came.prints);
  return { prompt: messages.slice(0, length), messages: rest, prints };
}

/** The thread that has most of the request's first messages as the very same objects, and their fingerprints. */
function longestSame(messages: readonly ChatMessage[], threads: readonly Printed[]) {
  let best: Printed | undefined;
  let most = 0;
  for (const thread of threads) {
    let same = 0;
    while (same < messages.length && thread.messageAt(same) === messages[same]) same += 1;
    if (same > most) [best, most] = [thread, same];
  }
  const prints: Fingerprint[] = [];
  for (let place = 0; place < most; place += 1) prints.push(best?.printAt(place) ?? 0);
  return { thread: best, prints };
}

/** Messages that are looked at between two pauses: one may be long. */
const AT_ONCE = 4;

const CHECKED = new WeakSet<ChatMessage>();

/** Whoever reads requests may bring the very same message again: it is looked at once. */
function check(message: ChatMessage, index: number): void {
  if (CHECKED.has(message)) return;
  parseMessage(message, index);
  CHECKED.add(message);
}

/** Messages at these places, as shares of a thread, tell which one a request resembles. */
const PROBES = [0, 0.25, 0.5, 0.75, 1];

function mostAlike(messages: readonly ChatMessage[], threads: readonly Printed[]): Printed | undefined {
  let best: { readonly thread: Printed; readonly alike: number } | undefined;
  for (const thread of threads) {
    const places = PROBES.map((share) => Math.floor(share * (thread.length - 1)));
    const alike = places.filter((place) => {
      const [known, message] = [thread.messageAt(place), messages[place]];
      return known !== undefined && message !== undefined && isVerbatim(known, message);
    }).length;
    if (alike > (best?.alike ?? 0)) best = { thread, alike };
  }
  return best?.thread;
}

/** A transcript that takes a request in. */
export interface Target {
  /** How many messages it has, and which. */
  readonly length: number;
  messageAt(id: MessageId): ChatMessage | undefined;
  /** For a message of the request: what already stands for it, or what is added for it. */
  choose(index: number): Known | readonly ChatMessage[];
  /** What comes besides, and before which message of the request. */
  readonly between?: { readonly before: number; readonly messages: readonly ChatMessage[] };
}

/** What becomes of a transcript that took a request in. */
export interface TakenIn {
  readonly known: readonly Known[];
  /** The messages that are added, in order. */
  readonly added: readonly ChatMessage[];
  /** Where the first of the messages is that came besides. */
  readonly betweenAt: MessageId;
}

/** Finds what is added to a transcript for it to hold a request. */
export function takeIn({ messages, prints }: Apart, { length, messageAt, choose, between }: Target): TakenIn {
  const known: Known[] = [];
  const added: ChatMessage[] = [];
  let betweenAt = length;
  let asked: ChatMessage | undefined;
  let askedId = 0;
  // Index by index: this is done with the whole history for each request.
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) continue;
    if (index === between?.before) {
      betweenAt = length + added.length;
      added.push(...between.messages);
    }
    const chosen = choose(index);
    const print = prints[index] ?? 0;
    const isThere = 'id' in chosen;
    const id = isThere ? chosen.id : length + added.length;
    if (message.role !== 'tool') {
      asked = message;
      askedId = id;
    }
    if (!isThere) {
      const asking = asked;
      const recorded = asking && (messageAt(askedId) ?? added[askedId - length]);
      added.push(...chosen.map((one) => withoutMarks(nameCall(one, asking, recorded))));
    }
    if (isThere && chosen.print === print) known.push(chosen);
    else known.push({ print, id, isRaw: !isThere && isRaw(chosen, message) });
  }
  return { known, added, betweenAt };
}

function isRaw([first]: readonly ChatMessage[], message: ChatMessage): boolean {
  return first !== undefined && isVerbatim(first, message);
}

/** A result names its call as the transcript does: clients may give calls new ids, but a result belongs to the call at its place. */
function nameCall(result: ChatMessage, asked: ChatMessage | undefined, recorded: ChatMessage | undefined): ChatMessage {
  const calls = recorded?.tool_calls ?? [];
  if (result.role !== 'tool' || calls.some(({ id }) => id === result.tool_call_id)) return result;
  const place = asked?.tool_calls?.findIndex(({ id }) => id === result.tool_call_id) ?? -1;
  const call = calls[place];
  return call === undefined ? result : { ...result, tool_call_id: call.id };
}
