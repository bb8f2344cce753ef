import { createExactCounter, ENCODINGS, findRanks } from '../adapters/tiktoken/ranks.ts';
import type { ChatMessage } from '../core/chat/wire.ts';
import type { Encoding } from '../core/tokens/counter.ts';
import type { ExactCounter } from '../core/tokens/exactCounter.ts';
import { MessageCounter } from '../core/tokens/messageTokens.ts';
import { checkMessages, type GivenMessage } from './given.ts';

const counters = new Map<Encoding, ExactCounter>();

/** The counter for an encoding, shared by the whole program, since loading its tables takes tens of milliseconds. */
export function counterFor(encoding: Encoding): ExactCounter {
  const counter = counters.get(encoding) ?? createExactCounter(encoding, findRanks());
  counters.set(encoding, counter);
  return counter;
}

/**
 * Counts tokens exactly: of a text, or of messages as a chat-completions request carries them, including the marks
 * around each message. Special tokens in the text count as text. The first call for an encoding loads its tables (some
 * 50 ms, 20 MB). Images are estimated.
 * @throws TypeError when the input is neither a string nor a list, or the encoding is unknown; InvalidMessageError
 * (index, field) when an entry is not a valid message.
 */
export function countTokens(input: string | readonly GivenMessage[], encoding: Encoding = 'o200k_base'): number {
  if (!ENCODINGS.includes(encoding))
    throw new TypeError(`encoding must be one of ${ENCODINGS.join(', ')}, not ${JSON.stringify(encoding)}`);
  if (typeof input === 'string') return counterFor(encoding).countTokens(input);
  if (!Array.isArray(input)) throw new TypeError('input must be a string or a list of messages');
  checkMessages(input);
  return new MessageCounter(counterFor(encoding)).countMessages(input as readonly ChatMessage[]).tokens;
}
