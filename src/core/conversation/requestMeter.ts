import type { Gauge } from '../compaction/compactionRun.ts';
import type { Counting } from '../compaction/draft.ts';
import type { ChatMessage, ChatTool } from '../messages/chat.ts';
import type { ViewItem } from '../messages/view.ts';
import type { ImageRule } from '../profile/profile.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { TextCounter, TokenCount } from '../tokens/counter.ts';
import { MessageCounter, REPLY_TOKENS } from '../tokens/messageTokens.ts';
import type { UsageMeter } from './usageMeter.ts';
import { type ViewSum, ViewSums } from './viewSums.ts';

/** Measures requests: messages of the view and tool definitions, counted once each, scaled by what servers reported. */
export class RequestMeter {
  readonly #text: TextCounter;
  #counter: MessageCounter;
  #sums: ViewSums;
  readonly usage: UsageMeter;
  /** One message with its overhead, as a run counts it: in slices, so exactly at any load of the machine. */
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

  /** Another model reports otherwise and charges images by another rule: what was learned goes, all is counted anew. */
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

  /** What the messages of a view come to. */
  sum(items: readonly ViewItem[]): ViewSum {
    return runAtOnce(this.sumInSteps(items));
  }

  /** The same in steps: what has not been counted yet is. */
  sumInSteps(items: readonly ViewItem[]): Steps<ViewSum> {
    return this.#sums.of(items);
  }

  /** A whole request as it is counted, before any scaling. */
  counted(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    const { tokens, estimated } = this.sum(items);
    const source = estimated > 0 || this.tools(tools).source === 'estimated' ? 'estimated' : 'counted';
    return { tokens: this.#framed(tokens, tools), source };
  }

  /** A whole request by the best figure there is. */
  request(items: readonly ViewItem[], tools: readonly ChatTool[]): TokenCount {
    return this.usage.scale(this.counted(items, tools));
  }

  /** The same of a request whose messages take so many tokens. */
  requestOf(messageTokens: number, tools: readonly ChatTool[]): number {
    return this.usage.scale({ tokens: this.#framed(messageTokens, tools), source: 'counted' }).tokens;
  }

  /** The figures of requests around a run, by the tokens of their messages: no earlier report says anything of what follows. */
  gauge(tools: readonly ChatTool[]): Pick<Gauge, 'usedBefore' | 'usedAfter'> {
    return {
      usedBefore: (messageTokens) => this.requestOf(messageTokens, tools),
      usedAfter: (messageTokens) => this.usage.byFactor(this.#framed(messageTokens, tools)),
    };
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
