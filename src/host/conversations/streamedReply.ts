import type { Conversation } from '../../core/conversation/conversation.ts';
import type { OpenConversation } from '../../core/session/conversationStore.ts';
import type { ModelDelta } from '../../core/session/modelClient.ts';
import type { StreamCount } from '../../core/tokens/counter.ts';
import { addDelta, type StreamingReply } from '../present/unsent.ts';
import { Soon } from './system.ts';

/** The conversation whose agent replies. */
interface Replied {
  readonly file: Pick<OpenConversation, 'keepReply'>;
  readonly conversation: Conversation;
}

/** How often a streaming reply is stored, milliseconds. */
const KEEP_INTERVAL = 1000;

/**
 * The streaming reply: shown, counted, and stored in case the window ends. It is stored every second even without text,
 * since that is how this window notices that another one has taken over.
 */
export class StreamedReply {
  readonly #active: Replied;
  readonly #countStream: () => StreamCount | undefined;
  #reply: StreamingReply | undefined;
  #count: StreamCount | undefined;
  #isKept = false;
  #isKeeping = false;
  readonly #soon = new Soon(() => void this.#keep(), KEEP_INTERVAL);

  /** `countStream` makes a counter for the reply; undefined if the tokenizer cannot count in parts. */
  constructor(active: Replied, countStream: () => StreamCount | undefined) {
    this.#active = active;
    this.#countStream = countStream;
  }

  get current(): StreamingReply | undefined {
    return this.#reply;
  }

  add(delta: ModelDelta): void {
    this.#count ??= this.#countStream();
    this.#count?.append(delta.type === 'tool-call' ? delta.arguments : delta.text);
    this.#reply = { ...addDelta(this.#reply, delta), tokens: this.#count?.count().tokens ?? 0 };
    this.#soon.ask();
  }

  /** The reply was recorded, or is requested again. */
  end(): void {
    this.#reply = undefined;
    this.#count = undefined;
    if (this.#isKept) void this.#active.file.keepReply(undefined);
    this.#isKept = false;
  }

  async #keep(): Promise<void> {
    // On a slow disk, writes must not pile up.
    if (this.#isKeeping) return this.#soon.ask();
    const { text = '' } = this.#reply ?? {};
    this.#isKept = text !== '';
    this.#isKeeping = true;
    try {
      const after = this.#active.conversation.transcript.messages.length;
      // A failed save matters only if the window closes; disk errors are reported when the reply is appended.
      await this.#active.file.keepReply(this.#isKept ? { after, text } : undefined);
    } finally {
      this.#isKeeping = false;
    }
  }
}
