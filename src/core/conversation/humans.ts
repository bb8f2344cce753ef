import { isClientMade } from '../messages/human.ts';
import type { MessageId, UserMessage } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';

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

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The state of the transcript now. */
  find(): Humans {
    const { messages } = this.#transcript;
    for (; this.#read < messages.length; this.#read += 1) {
      const message = messages[this.#read];
      if (message?.role === 'assistant') this.#hasBegun = true;
      if (message?.role !== 'user') continue;
      this.#newestUser = message.id;
      if (!isClientMade(message.text) || hasImage(message)) this.#candidates.push(message);
      else if (!this.#hasBegun) this.#setup.set(message.text, message);
      // What comes again is the text of a command, no surroundings.
      else this.#setup.delete(message.text);
    }
    const request = this.#candidates.at(-1)?.id ?? this.#newestUser;
    const older = [...this.#setup.values(), ...this.#candidates].filter((message) => message.id !== request);
    return { request, older: new Set(older.map((message) => message.id)) };
  }
}

function hasImage(message: UserMessage): boolean {
  return Array.isArray(message.wire.content) && message.wire.content.some((part) => part.type === 'image_url');
}
