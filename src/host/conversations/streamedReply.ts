import type { ConversationFile } from '../../adapters/node/conversationFile.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ModelDelta } from '../../core/model/modelClient.ts';
import { estimateTokens } from '../../core/tokens/estimate.ts';
import { addDelta, type StreamingReply } from '../present/unsent.ts';
import { soon } from './system.ts';

/** How often a streaming reply is stored, milliseconds. */
const KEEP_INTERVAL = 1000;

/**
 * The streaming reply: shown, and stored in case the window ends. It is stored every second even without text,
 * since that is how this window notices that another one has taken over.
 */
export class StreamedReply {
  readonly #file: Pick<ConversationFile, 'keepReply'>;
  readonly #conversation: Pick<Conversation, 'transcript'>;
  #reply: StreamingReply | undefined;
  #isKept = false;
  #isKeeping = false;
  readonly #soon = soon(() => void this.#keep(), KEEP_INTERVAL);

  constructor(file: Pick<ConversationFile, 'keepReply'>, conversation: Pick<Conversation, 'transcript'>) {
    this.#file = file;
    this.#conversation = conversation;
  }

  /** What has arrived, with an estimate of its tokens. */
  get current(): StreamingReply | undefined {
    if (this.#reply === undefined) return undefined;
    const { text, reasoning, calls } = this.#reply;
    const said = [text, reasoning, ...calls.map((call) => call.arguments)];
    return { ...this.#reply, tokens: said.reduce((sum, one) => sum + estimateTokens(one).tokens, 0) };
  }

  add(delta: ModelDelta): void {
    this.#reply = addDelta(this.#reply, delta);
    this.#soon.ask();
  }

  /** The reply was recorded, or is requested again. */
  end(): void {
    this.#reply = undefined;
    if (this.#isKept) void this.#file.keepReply(undefined);
    this.#isKept = false;
  }

  async #keep(): Promise<void> {
    // On a slow disk, writes must not pile up.
    if (this.#isKeeping) return this.#soon.ask();
    const { text = '' } = this.#reply ?? {};
    this.#isKept = text !== '';
    this.#isKeeping = true;
    try {
      const after = this.#conversation.transcript.messages.length;
      // A failed save matters only if the window closes; disk errors are reported when the reply is appended.
      await this.#file.keepReply(this.#isKept ? { after, text } : undefined);
    } finally {
      this.#isKeeping = false;
    }
  }
}
