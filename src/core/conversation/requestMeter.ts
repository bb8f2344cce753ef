import { contentText } from '../chat/parse.ts';
import type { ViewItem } from '../chat/view.ts';
import type { ChatMessage, ChatTool } from '../chat/wire.ts';
import type { Gauge } from '../compaction/compactionRun.ts';
import type { Counting } from '../compaction/draft.ts';
import { countSame } from '../result.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { ImageRule, TextCounter, TokenCount } from '../tokens/counter.ts';
import { MessageCounter, REPLY_TOKENS } from '../tokens/messageTokens.ts';
import { UsageMeter } from './usageMeter.ts';

/**
 * Measures the requests to one model: messages of the view and tool definitions, each counted once, scaled by the
 * server's reports.
 */
export class RequestMeter {
  readonly #counter: MessageCounter;
  /**
   * The last two views: while a compaction is prepared, these are the view before and after it. `sum`: of the first
   * `settled` items, which can no longer change, since they are counted for good and none is the last one.
   */
  #known: readonly { readonly items: readonly ViewItem[]; readonly settled: number; readonly sum: ViewSum }[] = [];
  readonly usage = new UsageMeter();
  /** One message with its overhead, as runs count it: in slices, so that the count is exact on a busy machine. */
  readonly counting: Counting = {
    count: (message) => this.#counter.countExactly(message).tokens,
    countAhead: (message) => this.#counter.countAhead(message),
  };

  constructor(counter: TextCounter, images: ImageRule | undefined) {
    this.#counter = new MessageCounter(counter, images);
  }

  message(message: ChatMessage): TokenCount {
    return this.#counter.countMessage(message);
  }

  tools(tools: readonly ChatTool[]): TokenCount {
    return this.#counter.countTools(tools);
  }

  /** The sum over the messages of a view. */
  sum(items: readonly ViewItem[]): ViewSum {
    return runAtOnce(this.#sumOf(items, 'at-once'));
  }

  /** Stepwise `sum`; counts what has not been counted exactly yet. */
  sumInSteps(items: readonly ViewItem[]): Steps<ViewSum> {
    return this.#sumOf(items, 'in-steps');
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

  /**
   * The figures of requests before and after a run, given the tokens of their messages. Earlier reports say nothing
   * about the request after it.
   */
  gauge(tools: readonly ChatTool[]): Pick<Gauge, 'usedBefore' | 'usedAfter'> {
    return {
      usedBefore: (messageTokens) =>
        this.usage.scale({ tokens: this.#framed(messageTokens, tools), source: 'counted' }).tokens,
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

  /**
   * The sum of a view, with a step after each item; in steps, counts exactly what was only estimated. An append to a long
   * conversation costs no more than one to a short one.
   */
  *#sumOf(items: readonly ViewItem[], how: 'at-once' | 'in-steps'): Steps<ViewSum> {
    let [settled, sum] = [0, NOTHING];
    for (const known of this.#known)
      if (known.settled > settled && countSame(known.items, items) >= known.settled) ({ settled, sum } = known);
    let total = sum;
    for (let index = settled; index < items.length; index += 1) {
      let isFinal = settled === index && index < items.length - 1;
      for (const message of items[index]?.messages ?? []) {
        if (how === 'in-steps') yield* this.#counter.countAhead(message);
        total = this.#add(total, message);
        isFinal &&= this.#counter.isFinal(message);
      }
      if (isFinal) [settled, sum] = [index + 1, total];
      yield;
    }
    const other = this.#known.find((one) => one.items !== items);
    this.#known = [{ items, settled, sum }, ...(other === undefined ? [] : [other])];
    return total;
  }

  #add(sum: ViewSum, message: ChatMessage): ViewSum {
    const { tokens, source } = this.#counter.countMessage(message);
    return {
      messages: sum.messages + 1,
      tokens: sum.tokens + tokens,
      estimated: sum.estimated + (source === 'estimated' ? 1 : 0),
      characters: sum.characters + charactersOf(message),
    };
  }
}

/** The sum over the messages of a view. */
export interface ViewSum {
  readonly messages: number;
  readonly tokens: number;
  /** How many of the messages have only an estimated count. */
  readonly estimated: number;
  /** Characters of texts and of the arguments of calls. */
  readonly characters: number;
}

const NOTHING: ViewSum = { messages: 0, tokens: 0, estimated: 0, characters: 0 };

function charactersOf(message: ChatMessage): number {
  let sum = contentText(message).length;
  for (const call of message.tool_calls ?? []) sum += call.function.arguments.length;
  return sum;
}
