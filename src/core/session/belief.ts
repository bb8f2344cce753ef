import type { ChatMessage } from '../messages/chat.ts';
import { contentText } from '../messages/parse.ts';
import type { Budget } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';

/** By which factor a server's count of a request may differ from Karl's: tokenizers, tools and images differ. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 2.5;

/** No model that can hold a conversation has a smaller window. Tokens. */
export const LEAST_WINDOW = 1_000;

/** A server may be started with a larger window than the profile knows, but at most by this factor. */
const MOST_TIMES_KNOWN = 4;

/** An error, weighed against the request that it claims to be about. */
export interface Belief {
  /** The error; for an overflow, without figures that cannot be about this request. */
  readonly error: ModelError;
  /**
   * What it teaches about the window. `limit`: the limit that it states, beside a size that agrees with Karl's count;
   * `limit-if-cured`: a limit stated without a size, once a shorter request goes through; `size-if-cured`: no limit,
   * but a shorter request that goes through shows that the size was too large; `nothing`.
   */
  readonly teaches: 'limit' | 'limit-if-cured' | 'size-if-cured' | 'nothing';
}

/** Weighs what an error states. `accepted`: the largest request that the server took, in tokens. Pure. */
export function weighError(error: ModelError, budget: Budget, accepted = 0): Belief {
  const { actualTokens, limitTokens } = error;
  if (error.kind !== 'overflow') return { error, teaches: 'nothing' };
  if (error.quoted === true) return { error: withoutFigures(error), teaches: 'nothing' };
  if (actualTokens === undefined && limitTokens === undefined) return { error, teaches: 'size-if-cured' };
  const used = budget.used.tokens;
  const isLimit = limitTokens === undefined || isPlausible(limitTokens, budget);
  if (actualTokens === undefined) {
    const isNear = (limitTokens ?? 0) < used * MOST_RATIO && (limitTokens ?? 0) >= accepted * LEAST_RATIO;
    return isLimit && isNear ? { error, teaches: 'limit-if-cured' } : distrust(error);
  }
  const stated = refusedInput(error) ?? actualTokens;
  const agrees = stated <= used * MOST_RATIO && (error.lowerBound === true || stated >= used * LEAST_RATIO);
  if (!agrees || !isLimit || (limitTokens ?? 0) > actualTokens) return distrust(error);
  return { error, teaches: limitTokens === undefined ? 'size-if-cured' : 'limit' };
}

function distrust(error: ModelError): Belief {
  return { error: withoutFigures(error), teaches: 'nothing' };
}

function isPlausible(limit: number, { window, windowSource }: Budget): boolean {
  return limit >= LEAST_WINDOW && (windowSource === 'unknown' || limit <= window * MOST_TIMES_KNOWN);
}

function withoutFigures(error: ModelError): ModelError {
  const {
    actualTokens: _actual,
    limitTokens: _limit,
    outputTokens: _output,
    lowerBound: _least,
    tools: _,
    ...rest
  } = error;
  return rest;
}

/** The input tokens of the refused request by the server's own count, where it states the size. */
export function refusedInput({ actualTokens, outputTokens = 0 }: ModelError): number | undefined {
  return actualTokens === undefined || actualTokens <= outputTokens ? undefined : actualTokens - outputTokens;
}

/**
 * Marks an overflow whose figures are all found in one message of the request: it quotes that message, since servers
 * echo what they were sent. An error without figures is left as it is.
 */
export function markEcho(error: ModelError, request: readonly ChatMessage[]): ModelError {
  const { actualTokens, limitTokens, quoted } = error;
  const figures = [actualTokens, limitTokens].filter((figure) => figure !== undefined);
  if (error.kind !== 'overflow' || figures.length === 0 || quoted === true) return error;
  const patterns = figures.map((figure) => new RegExp(`(?<!\\d)${[...String(figure)].join(`[,_.'’\\s]?`)}(?!\\d)`));
  const isEcho = request.some((message) => {
    const text = textsOf(message);
    return patterns.every((pattern) => pattern.test(text));
  });
  return isEcho ? { ...error, quoted: true } : error;
}

/** Everything that a message says, also in the arguments of calls and in its reasoning, but not the data of images. */
function textsOf(message: ChatMessage): string {
  const { content, ...others } = message;
  const parts = Array.isArray(content) ? content.filter(({ type }) => type !== 'image_url') : [];
  return `${contentText(message)}\n${JSON.stringify([others, parts])}`;
}
