import type { ChatMessage } from '../../messages/chat.ts';
import { countSame } from '../../messages/growing.ts';
import type { MessageId } from '../../messages/message.ts';
import { parseMessage } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { type Fingerprint, fingerprintsInSteps, type Printed } from './fingerprint.ts';
import { isPrompt, type Known } from './known.ts';
import { withoutMarks } from './marks.ts';
import { isVerbatim } from './verbatim.ts';

/** A request split into its system prompt and the rest, with fingerprints of the rest. */
export interface Apart {
  readonly prompt: readonly ChatMessage[];
  readonly messages: readonly ChatMessage[];
  readonly prints: readonly Fingerprint[];
}

/**
 * Splits a request, in steps. `threads`: those that it may continue, with their fingerprints.
 * @throws InvalidMessageError naming the index and the field when a message is invalid.
 */
export function* takeApart(messages: readonly ChatMessage[], threads: readonly Printed[]): Steps<Apart> {
  // Up to the first message that is not part of the prompt.
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

/** The thread that shares the most first messages with the request as identical objects, and their fingerprints. */
function longestSame(messages: readonly ChatMessage[], threads: readonly Printed[]) {
  let best: Printed | undefined;
  let most = 0;
  for (const thread of threads) {
    const same = countSame(thread.printed.messages, messages);
    if (same > most) [best, most] = [thread, same];
  }
  return { thread: best, prints: best?.printed.prints.slice(0, most) ?? [] };
}

/** How many messages are checked between two pauses: one may be long. */
const AT_ONCE = 4;

const CHECKED = new WeakSet<ChatMessage>();

/** Checks a message. A reader of requests may bring the same object again, which is then not checked again. */
function check(message: ChatMessage, index: number): void {
  if (CHECKED.has(message)) return;
  parseMessage(message, index);
  CHECKED.add(message);
}

/** A thread is compared at these places, as shares of its length, to see which one a request resembles. */
const PROBES = [0, 0.25, 0.5, 0.75, 1];

function mostAlike(messages: readonly ChatMessage[], threads: readonly Printed[]): Printed | undefined {
  let best: { readonly thread: Printed; readonly alike: number } | undefined;
  for (const thread of threads) {
    const known = thread.printed.messages;
    const places = PROBES.map((share) => Math.floor(share * (known.length - 1)));
    const alike = places.filter((place) => {
      const [was, message] = [known[place], messages[place]];
      return was !== undefined && message !== undefined && isVerbatim(was, message);
    }).length;
    if (alike > (best?.alike ?? 0)) best = { thread, alike };
  }
  return best?.thread;
}

/** The transcript that a request is added to. */
export interface Target {
  /** How many messages it has, and access to them. */
  readonly length: number;
  messageAt(id: MessageId): ChatMessage | undefined;
  /** For a message of the request: the known message that it is, or the messages to add for it. */
  choose(index: number): Known | readonly ChatMessage[];
  /** Messages to add besides, and before which message of the request. */
  readonly between?: { readonly before: number; readonly messages: readonly ChatMessage[] };
}

/** The result of adding a request to a transcript. */
export interface TakenIn {
  readonly known: readonly Known[];
  /** The messages that are added, in order. */
  readonly added: readonly ChatMessage[];
  /** The id of the first message that was added besides. */
  readonly betweenAt: MessageId;
}

/** Works out what must be added to a transcript so that it contains a request. */
export function takeIn({ messages, prints }: Apart, { length, messageAt, choose, between }: Target): TakenIn {
  const known: Known[] = [];
  const added: ChatMessage[] = [];
  let betweenAt = length;
  let asked: ChatMessage | undefined;
  let askedId = 0;
  // A plain loop, since this goes through the whole history at each request.
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

/**
 * Gives a result the call id that the transcript has: clients may renew the ids of calls, but a result belongs to the
 * call at its place.
 */
function nameCall(result: ChatMessage, asked: ChatMessage | undefined, recorded: ChatMessage | undefined): ChatMessage {
  const calls = recorded?.tool_calls ?? [];
  if (result.role !== 'tool' || calls.some(({ id }) => id === result.tool_call_id)) return result;
  const place = asked?.tool_calls?.findIndex(({ id }) => id === result.tool_call_id) ?? -1;
  const call = calls[place];
  return call === undefined ? result : { ...result, tool_call_id: call.id };
}
