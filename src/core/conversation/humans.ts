import { isClientMade } from '../messages/human.ts';
import type { Message, MessageId, UserMessage } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';

/** The user-role messages that the human wrote, and how far the model has read. */
export interface Humans {
  /**
   * The newest of them: the current request. When there are none, the newest user-role message; undefined without any.
   */
  readonly request: MessageId | undefined;
  /** All others, and what a client wrote before the model's first reply: rules and context of the whole task. */
  readonly older: ReadonlySet<MessageId>;
  /** From this message on, the model has answered nothing: its last calls with their results, and what came after it. */
  readonly unread: MessageId;
}

/** Finds the human's messages. Incremental: each message is judged once. */
export class HumanFinder {
  readonly #transcript: Transcript;
  readonly #candidates: UserMessage[] = [];
  readonly #setup = new Map<string, UserMessage>();
  #hasBegun = false;
  #newestUser: MessageId | undefined;
  #unread: MessageId = 0;
  #read = 0;
  /** The result for the first `of` messages. */
  #found: Humans & { readonly of: number } = { request: undefined, older: new Set(), unread: 0, of: 0 };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The result for the transcript as it is now. */
  find(): Humans {
    return runAtOnce(this.findInSteps());
  }

  /** The same in steps. */
  *findInSteps(): Steps<Humans> {
    const request = yield* this.#findRequest();
    const of = this.#read;
    if (this.#found.of === of) return this.#found;
    const older = new Set<MessageId>();
    yield* eachInSteps([...this.#setup.values(), ...this.#candidates], ({ id }) => id !== request && older.add(id));
    this.#found = { request, older, unread: this.#unread, of };
    return this.#found;
  }

  /** The same without the older messages. */
  findNewest(): Omit<Humans, 'older'> {
    const request = runAtOnce(this.#findRequest());
    return { request, unread: this.#unread };
  }

  *#findRequest(): Steps<MessageId | undefined> {
    const { messages } = this.#transcript;
    while (this.#read < messages.length) {
      this.#judge(messages[this.#read]);
      this.#read += 1;
      yield;
    }
    return this.#candidates.at(-1)?.id ?? this.#newestUser;
  }

  #judge(message: Message | undefined): void {
    if (message?.role === 'assistant') {
      this.#hasBegun = true;
      this.#unread = message.calls.length > 0 ? message.id : message.id + 1;
    }
    if (message?.role !== 'user') return;
    this.#newestUser = message.id;
    if (!isClientMade(message.text) || hasImage(message)) this.#candidates.push(message);
    else if (!this.#hasBegun) this.#setup.set(message.text, message);
    // A text that comes again later belongs to a command; it is not context of the whole task.
    else this.#setup.delete(message.text);
  }
}

function hasImage(message: UserMessage): boolean {
  return Array.isArray(message.wire.content) && message.wire.content.some((part) => part.type === 'image_url');
}
