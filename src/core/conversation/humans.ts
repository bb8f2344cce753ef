import type { Message, MessageId } from '../chat/message.ts';
import { eachInSteps, type Steps } from '../steps.ts';

/** The user-role messages that matter most, and how far the model has read. */
export interface Humans {
  /**
   * The current request: the human's newest message and, if a client wrote a later message in the user's role, the newest
   * of those too.
   */
  readonly requests: ReadonlySet<MessageId>;
  /** The human's other messages, and a client's before the model's first reply: rules and context of the task. */
  readonly older: ReadonlySet<MessageId>;
  /** The first message that the model has not answered: its last calls with their results, and what came after. */
  readonly unread: MessageId;
}

/** The current request among some messages; see `Humans.requests`. */
export function requestsIn(messages: readonly Message[]): ReadonlySet<MessageId> {
  const newest = messages.findLast(({ role }) => role === 'user');
  const written = messages.findLast((message) => message.role === 'user' && message.by === 'human');
  return new Set([written, newest].flatMap((message) => message?.id ?? []));
}

/** The first message that the model has not answered; see `Humans.unread`. */
export function unreadIn(messages: readonly Message[]): MessageId {
  const reply = messages.findLast((message) => message.role === 'assistant');
  if (reply === undefined) return 0;
  return reply.calls.length > 0 ? reply.id : reply.id + 1;
}

/** Finds the human's messages among all messages of a conversation. */
export function* findHumans(messages: readonly Message[]): Steps<Humans> {
  const requests = requestsIn(messages);
  const older = new Set<MessageId>();
  const setup = new Map<string, MessageId>();
  let hasBegun = false;
  yield* eachInSteps(messages, (message) => {
    hasBegun ||= message.role === 'assistant';
    if (message.role !== 'user') return;
    if (message.by === 'human') older.add(message.id);
    else if (!hasBegun) setup.set(message.text, message.id);
    // A text that is repeated later belongs to a command, not to the context of the whole task.
    else setup.delete(message.text);
  });
  for (const id of setup.values()) older.add(id);
  for (const id of requests) older.delete(id);
  return { requests, older, unread: unreadIn(messages) };
}
