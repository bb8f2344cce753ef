import type { Steps } from '../compaction/steps.ts';
import type { ChatMessage, ChatTool } from '../messages/chat.ts';
import { contentText } from '../messages/parse.ts';
import type { ViewItem } from '../messages/view.ts';
import type { ImageRule } from '../profile/profile.ts';
import type { TextCounter, TokenCount } from '../tokens/counter.ts';
import { MessageCounter, REPLY_TOKENS } from '../tokens/messageTokens.ts';
import type { UsageMeter } from './usageMeter.ts';

/** Measures requests: messages of the view and tool definitions, counted once each, scaled by what servers reported. */
export class RequestMeter {
  readonly #text: TextCounter;
  #counter: MessageCounter;
  readonly usage: UsageMeter;

  constructor(counter: TextCounter, usage: UsageMeter, images?: ImageRule) {
    this.#text = counter;
    this.#counter = new MessageCounter(counter, images);
    this.usage = usage;
  }

  /** Another model reports otherwise and charges images by another rule: what was learned goes, all is counted anew. */
  useModel(images: ImageRule | undefined): void {
    this.usage.forgetModel();
    this.#counter = new MessageCounter(this.#text, images);
  }

  /** One message with its overhead. */
  message(message: ChatMessage): TokenCount {
    return this.#counter.countMessage(message);
  }

  /** Tool definitions. */
  tools(tools: readonly ChatTool[]): TokenCount {
    return this.#counter.countTools(tools);
  }

  /** Counts what has not been counted yet, with a pause after each message. */
  *countAll(items: readonly ViewItem[]): Steps<void> {
    for (const item of items) {
      for (const message of item.messages) {
        this.message(message);
        yield;
      }
    }
  }

  /** Tokens of the messages of a view alone. */
  messages(items: readonly ViewItem[]): number {
    let tokens = 0;
    for (const item of items) for (const message of item.messages) tokens += this.message(message).tokens;
    return tokens;
  }

  /** Characters of the messages of a view, with the arguments of calls. */
  characters(items: readonly ViewItem[]): number {
    const messages = items.flatMap((item) => item.messages);
    return messages.reduce((sum, message) => {
      const calls = message.tool_calls ?? [];
      return calls.reduce((part, call) => part + call.function.arguments.length, sum + contentText(message).length);
    }, 0);
  }

  /** A whole request as it is counted, before any scaling. */
  counted(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    const messages = this.#counter.countMessages(items.flatMap((item) => item.messages));
    const definitions = this.tools(tools);
    const source = messages.source === 'estimated' || definitions.source === 'estimated' ? 'estimated' : 'counted';
    return { tokens: messages.tokens + definitions.tokens, source };
  }

  /** A whole request by the best figure there is. */
  request(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    return this.usage.scale(this.counted(items, tools));
  }

  /** The same of a request whose messages take so many tokens. */
  requestOf(messageTokens: number, tools: readonly ChatTool[]): number {
    return this.usage.scale({ tokens: this.#framed(messageTokens, tools), source: 'counted' }).tokens;
  }

  /** The same of one that follows a compaction: no report on an earlier request says anything of it. */
  requestAfter(messageTokens: number, tools: readonly ChatTool[]): number {
    return this.usage.byFactor(this.#framed(messageTokens, tools));
  }

  /** What messages of so many tokens take with the tools, as a part of the figure for the whole request. */
  part(messageTokens: number, items: readonly ViewItem[], tools: readonly ChatTool[]): number {
    const whole = this.counted(items, tools);
    return Math.round((this.usage.scale(whole).tokens * this.#framed(messageTokens, tools)) / whole.tokens);
  }

  /** The most tokens of messages with which a request after a compaction takes no more than so many. */
  roomFor(requestTokens: number, tools: readonly ChatTool[]): number {
    return Math.max(1, Math.floor(requestTokens / this.usage.calibration.factor) - this.#framed(0, tools));
  }

  #framed(messageTokens: number, tools: readonly ChatTool[]): number {
    return messageTokens + REPLY_TOKENS + this.tools(tools).tokens;
  }
}
