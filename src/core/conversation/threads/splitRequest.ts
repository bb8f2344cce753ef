import type { ChatMessage } from '../../messages/chat.ts';
import { countSame } from '../../messages/growing.ts';
import { parseMessage } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { type Fingerprint, fingerprintsInSteps, type Printed } from './fingerprint.ts';
import { isPrompt } from './known.ts';

/** A request split into its system prompt and the rest, with fingerprints of the rest. */
export interface SplitRequest {
  readonly prompt: readonly ChatMessage[];
  readonly messages: readonly ChatMessage[];
  readonly prints: readonly Fingerprint[];
}

/** How many messages are checked between two pauses: one may be long. */
const AT_ONCE = 4;

const CHECKED = new WeakSet<ChatMessage>();

/**
 * Splits a request, in steps. `threads`: what may have brought the same objects before.
 * @throws InvalidMessageError naming the index and the field when a message is invalid.
 */
export function* splitRequest(messages: readonly ChatMessage[], threads: readonly Printed[]): Steps<SplitRequest> {
  // Up to the first message that is not part of the prompt.
  const start = messages.findIndex((message, index) => !isPrompt(parseMessage(message, index).wire));
  const length = start < 0 ? messages.length : start;
  const rest = messages.slice(length);
  const before = longestSame(rest, threads);
  const same = before.length;
  yield* eachInSteps(rest.slice(same), (message, index) => check(message, length + same + index), AT_ONCE);
  const prints = [...before, ...(yield* fingerprintsInSteps(rest.slice(same)))];
  return { prompt: messages.slice(0, length), messages: rest, prints };
}

/** The fingerprints of the first messages that a thread has as identical objects. */
function longestSame(messages: readonly ChatMessage[], threads: readonly Printed[]): readonly Fingerprint[] {
  let best: readonly Fingerprint[] = [];
  for (const { printed } of threads) {
    const same = countSame(printed.messages, messages);
    if (same > best.length) best = printed.prints.slice(0, same);
  }
  return best;
}

/** Checks a message. A reader of requests may bring the same object again, which is then not checked again. */
function check(message: ChatMessage, index: number): void {
  if (CHECKED.has(message)) return;
  parseMessage(message, index);
  CHECKED.add(message);
}
