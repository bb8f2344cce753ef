import type { ModelDelta } from '../../core/session/modelClient.ts';
import type { StreamCount } from '../../core/tokens/counter.ts';
import type { KeptReply } from '../../protocol/parseKept.ts';
import { addDelta, type StreamingReply } from '../present/unsent.ts';
import { Soon } from './system.ts';

/** How much of a reply may be lost when the window is killed, milliseconds. */
const KEEP_INTERVAL = 1000;

/** What a reply needs while it streams in. */
export interface StreamedReplyParts {
  /** A counter for it; undefined when the tokenizer cannot count in parts. */
  readonly countStream: () => StreamCount | undefined;
  /** How many messages are before it. */
  readonly after: () => number;
  /**
   * Keeps what has come so far for the next window; undefined: nothing. Called each second while anything streams in,
   * since that is how this window notices that another has taken over, but not again before it has resolved.
   */
  readonly keep: (reply: KeptReply | undefined) => Promise<unknown>;
}

/** The reply that streams in now: shown, counted, and kept in case that the window ends. */
export class StreamedReply {
  readonly #parts: StreamedReplyParts;
  #reply: StreamingReply | undefined;
  #count: StreamCount | undefined;
  #isKept = false;
  #isKeeping = false;
  readonly #soon = new Soon(() => void this.#keep(), KEEP_INTERVAL);

  constructor(parts: StreamedReplyParts) {
    this.#parts = parts;
  }

  get current(): StreamingReply | undefined {
    return this.#reply;
  }

  add(delta: ModelDelta): void {
    this.#count ??= this.#parts.countStream();
    this.#count?.append(delta.type === 'tool-call' ? delta.arguments : delta.text);
    this.#reply = { ...addDelta(this.#reply, delta), tokens: this.#count?.count().tokens ?? 0 };
    this.#soon.ask();
  }

  /** The reply was recorded, or is requested again. */
  end(): void {
    this.#reply = undefined;
    this.#count = undefined;
    if (this.#isKept) void this.#parts.keep(undefined);
    this.#isKept = false;
  }

  async #keep(): Promise<void> {
    // On a slow disk, what is to be written would pile up before the reply itself.
    if (this.#isKeeping) return this.#soon.ask();
    const { text = '' } = this.#reply ?? {};
    this.#isKept = text !== '';
    this.#isKeeping = true;
    try {
      await this.#parts.keep(this.#isKept ? { after: this.#parts.after(), text } : undefined);
    } finally {
      this.#isKeeping = false;
    }
  }
}
