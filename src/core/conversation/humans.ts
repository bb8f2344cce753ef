import { isClientMade } from '../messages/human.ts';
import type { Message, MessageId, UserMessage } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';

/** Which user-role messages the human wrote. */
export interface Humans {
  /** The newest of them: the current request. Without any, the newest user-role message; undefined without that. */
  readonly request: MessageId | undefined;
  /** All others, and what a client wrote before the model's first word: rules and surroundings of the whole task. */
  readonly older: ReadonlySet<MessageId>;
}

/** Finds the human's messages. Incremental: each user message is judged once. */
export class HumanFinder {
  readonly #transcript: Transcript;
  readonly #candidates: UserMessage[] = [];
  readonly #setup = new Map<string, UserMessage>();
  #hasBegun = false;
  #newestUser: MessageId | undefined;
  #read = 0;
  /** What was found, of so many messages. */
  #found: Humans & { readonly of: number } = { request: undefined, older: new Set(), of: 0 };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The state of the transcript now. */
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
    this.#found = { request, older, of };
    return this.#found;
  }

  /** The current request alone. */
  findRequest(): MessageId | undefined {
    return runAtOnce(this.#findRequest());
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
    if (message?.role === 'assistant') this.#hasBegun = true;
    if (message?.role !== 'user') return;
    this.#newestUser = message.id;
    if (!isClientMade(message.text) || hasImage(message)) this.#candidates.push(message);
    else if (!this.#hasBegun) this.#setup.set(message.text, message);
    // What comes again is the text of a command, no surroundings.
    else this.#setup.delete(message.text);
  }
}

function hasImage(message: UserMessage): boolean {
  return Array.isArray(message.wire.content) && message.wire.content.some((part) => part.type === 'image_url');
}
