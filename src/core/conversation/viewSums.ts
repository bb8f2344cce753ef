import type { ChatMessage } from '../messages/chat.ts';
import { countSame } from '../messages/growing.ts';
import { contentText } from '../messages/parse.ts';
import type { ViewItem } from '../messages/view.ts';
import type { Steps } from '../steps.ts';
import type { MessageCounter } from '../tokens/messageTokens.ts';

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

/** A partial sum is kept after this many items. */
const STRIDE = 16;

/** The partial sums of one view. */
interface Summed {
  readonly items: readonly ViewItem[];
  /** One before every STRIDE-th item. */
  readonly sums: readonly ViewSum[];
  /** The first item whose count a later correction may change, and how many corrections there were. */
  readonly waiting: number;
  readonly corrections: number;
  readonly total: ViewSum;
}

/**
 * Sums over the items of a view. Items before the first one that differs from the last views are not looked at again,
 * so that an append to a long conversation costs no more than one to a short one.
 */
export class ViewSums {
  readonly #counter: MessageCounter;
  /** The last two views: while a compaction is prepared, these are the view before and after it. */
  #known: readonly Summed[] = [];

  constructor(counter: MessageCounter) {
    this.#counter = counter;
  }

  /** The sum of a view. Counts what has not been counted yet, with a step after each item. */
  *of(items: readonly ViewItem[]): Steps<ViewSum> {
    const { corrections } = this.#counter;
    const counted = this.#known.find((one) => one.items === items);
    // The same view is summed several times per request.
    if (counted !== undefined && (counted.corrections === corrections || counted.waiting === items.length))
      return counted.total;
    const { sums, waiting: known } = this.#beginning(items);
    const start = (sums.length - 1) * STRIDE;
    let waiting = known;
    let sum = sums.at(-1) ?? NOTHING;
    for (let index = start; index < items.length; index += 1) {
      if (index === sums.length * STRIDE) sums.push(sum);
      const messages = items[index]?.messages ?? [];
      for (const message of messages) {
        yield* this.#counter.countAhead(message);
        sum = this.#add(sum, message);
        if (waiting === undefined && this.#counter.isWaiting(message)) waiting = index;
      }
      yield;
    }
    const [last] = this.#known.filter((other) => other.items !== items);
    const summed = { items, sums, waiting: waiting ?? items.length, corrections, total: sum };
    this.#known = last === undefined ? [summed] : [summed, last];
    return sum;
  }

  /** The known sums of a view's beginning, and the first item among them that awaits a correction. */
  #beginning(items: readonly ViewItem[]): { readonly sums: ViewSum[]; readonly waiting: number | undefined } {
    let sums: ViewSum[] = [NOTHING];
    let waiting: number | undefined;
    const exact = this.#known.find((one) => one.items === items);
    for (const one of exact === undefined ? this.#known : [exact]) {
      const same = countSame(one.items, items);
      const holds = one.corrections === this.#counter.corrections ? same : Math.min(same, one.waiting);
      const length = Math.floor(holds / STRIDE) + 1;
      if (length <= sums.length) continue;
      sums = one.sums.slice(0, length);
      waiting = one.waiting < (sums.length - 1) * STRIDE ? one.waiting : undefined;
    }
    return { sums, waiting };
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

function charactersOf(message: ChatMessage): number {
  let sum = contentText(message).length;
  for (const call of message.tool_calls ?? []) sum += call.function.arguments.length;
  return sum;
}
