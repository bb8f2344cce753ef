import type { Gauge } from '../compaction/compactionRun.ts';
import type { Counting } from '../compaction/draft.ts';
import type { ChatMessage, ChatTool } from '../messages/chat.ts';
import type { ViewItem } from '../messages/view.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { ImageRule, TextCounter, TokenCount } from '../tokens/counter.ts';
import { MessageCounter, REPLY_TOKENS } from '../tokens/messageTokens.ts';
import type { UsageMeter } from './usageMeter.ts';
import { type ViewSum, ViewSums } from './viewSums.ts';

/** Measures requests: messages of the view and tool definitions, each counted once, scaled by what servers reported. */
export class RequestMeter {
  readonly #text: TextCounter;
  #counter: MessageCounter;
  #sums: ViewSums;
  readonly usage: UsageMeter;
  /** One message with its overhead, as runs count it: in slices, and therefore exactly however busy the machine is. */
  readonly counting: Counting = {
    count: (message) => this.#counter.exactly.count(message).tokens,
    countAhead: (message) => this.#counter.exactly.countAhead(message),
  };

  constructor(counter: TextCounter, usage: UsageMeter, images?: ImageRule) {
    this.#text = counter;
    this.#counter = new MessageCounter(counter, images);
    this.#sums = new ViewSums(this.#counter);
    this.usage = usage;
  }

  /**
   * Another model reports differently and may charge for images by another rule: what was learned is dropped, and
   * everything is counted anew.
   */
  useModel(images: ImageRule | undefined): void {
    this.usage.forgetModel();
    this.#counter = new MessageCounter(this.#text, images);
    this.#sums = new ViewSums(this.#counter);
  }

  /** One message with its overhead. */
  message(message: ChatMessage): TokenCount {
    return this.#counter.countMessage(message);
  }

  /** Tool definitions. */
  tools(tools: readonly ChatTool[]): TokenCount {
    return this.#counter.countTools(tools);
  }

  /** The sum over the messages of a view. */
  sum(items: readonly ViewItem[]): ViewSum {
    return runAtOnce(this.sumInSteps(items));
  }

  /** The same in steps, counting what has not been counted yet. */
  sumInSteps(items: readonly ViewItem[]): Steps<ViewSum> {
    return this.#sums.of(items);
  }

  /** A whole request by Karl's count, before any scaling. */
  counted(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    const { tokens, estimated } = this.sum(items);
    const source = estimated > 0 || this.tools(tools).source === 'estimated' ? 'estimated' : 'counted';
    return { tokens: this.#framed(tokens, tools), source };
  }

  /** The best figure for a whole request. */
  request(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    return this.usage.scale(this.counted(items, tools));
  }

  /** The same for a request whose messages take the given number of tokens. */
  requestOf(messageTokens: number, tools: readonly ChatTool[]): number {
    return this.usage.scale({ tokens: this.#framed(messageTokens, tools), source: 'counted' }).tokens;
  }

  /**
   * The figures of requests before and after a run, given the tokens of their messages. An earlier report says nothing
   * about the request after it.
   */
  gauge(tools: readonly ChatTool[]): Pick<Gauge, 'usedBefore' | 'usedAfter'> {
    return {
      usedBefore: (messageTokens) => this.requestOf(messageTokens, tools),
      usedAfter: (messageTokens) => this.usage.byFactor(this.#framed(messageTokens, tools)),
    };
  }

  /** The share of the figure for the whole request that messages of `messageTokens` take together with the tools. */
  part(messageTokens: number, items: readonly ViewItem[], tools: readonly ChatTool[]): number {
    const whole = this.counted(items, tools);
    return Math.round((this.usage.scale(whole).tokens * this.#framed(messageTokens, tools)) / whole.tokens);
  }

  /** How many tokens messages may take so that a request after a compaction takes at most `requestTokens`. */
  roomFor(requestTokens: number, tools: readonly ChatTool[]): number {
    return Math.max(1, Math.floor(requestTokens / this.usage.factor) - this.#framed(0, tools));
  }

  #framed(messageTokens: number, tools: readonly ChatTool[]): number {
    return messageTokens + REPLY_TOKENS + this.tools(tools).tokens;
  }
}
