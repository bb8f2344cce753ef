import type { Message, MessageId, UserMessage } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';

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
  return setOf(written, newest);
}

function setOf(...messages: readonly (Message | undefined)[]): ReadonlySet<MessageId> {
  return new Set(messages.flatMap((message) => message?.id ?? []));
}

/** Finds the human's messages incrementally: looks at each message once. */
export class HumanFinder {
  readonly #transcript: Transcript;
  readonly #written: UserMessage[] = [];
  readonly #setup = new Map<string, UserMessage>();
  #hasBegun = false;
  #newest: UserMessage | undefined;
  #unread: MessageId = 0;
  #read = 0;
  /** The result for the first `of` messages. */
  #found: Humans & { readonly of: number } = { requests: new Set(), older: new Set(), unread: 0, of: 0 };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  find(): Humans {
    return runAtOnce(this.findInSteps());
  }

  *findInSteps(): Steps<Humans> {
    const requests = yield* this.#findRequests();
    const of = this.#read;
    if (this.#found.of === of) return this.#found;
    const older = new Set<MessageId>();
    yield* eachInSteps([...this.#setup.values(), ...this.#written], ({ id }) => requests.has(id) || older.add(id));
    this.#found = { requests, older, unread: this.#unread, of };
    return this.#found;
  }

  findNewest(): Omit<Humans, 'older'> {
    const requests = runAtOnce(this.#findRequests());
    return { requests, unread: this.#unread };
  }

  *#findRequests(): Steps<ReadonlySet<MessageId>> {
    const { messages } = this.#transcript;
    while (this.#read < messages.length) {
      this.#look(messages[this.#read]);
      this.#read += 1;
      yield;
    }
    return setOf(this.#written.at(-1), this.#newest);
  }

  #look(message: Message | undefined): void {
    if (message?.role === 'assistant') {
      this.#hasBegun = true;
      this.#unread = message.calls.length > 0 ? message.id : message.id + 1;
    }
    if (message?.role !== 'user') return;
    this.#newest = message;
    if (message.by === 'human') this.#written.push(message);
    else if (!this.#hasBegun) this.#setup.set(message.text, message);
    // A text that is repeated later belongs to a command, not to the context of the whole task.
    else this.#setup.delete(message.text);
  }
}
