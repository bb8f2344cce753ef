import type { ChatMessage } from '../messages/chat.ts';
import { contentText } from '../messages/parse.ts';
import type { Budget, LearnedWindow } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelRequest } from './modelClient.ts';

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
  if (error.quoted === true) return distrust(error);
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

/** Without the figures of the error. */
function distrust(said: ModelError): Belief {
  const { actualTokens: _a, limitTokens: _b, outputTokens: _c, lowerBound: _d, tools: _e, ...error } = said;
  return { error, teaches: 'nothing' };
}

function isPlausible(limit: number, { window, windowSource }: Budget): boolean {
  return limit >= LEAST_WINDOW && (windowSource === 'unknown' || limit <= window * MOST_TIMES_KNOWN);
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

/** Remedies tried for this request already; each is used at most once per request. */
export interface Tried {
  readonly compaction: boolean;
  readonly output: boolean;
}

/** The facts about a request that was refused for its size. */
export interface Refusal {
  readonly error: ModelError;
  /** Which of the error's figures are trusted. */
  readonly belief: Belief;
  /** The budget of the refused request. */
  readonly budget: Budget;
  /** The output limit that was sent; undefined: the server's default. */
  readonly maxTokens: number | undefined;
  /** Tokens of the tool definitions. */
  readonly toolTokens: number;
  /** The largest request in tokens that this model's server accepted; undefined: none yet. */
  readonly accepted: number | undefined;
  readonly tried: Tried;
}

/** How to respond to a refusal. `learned`: the window that it states. */
export type Recovery = { readonly learned?: LearnedWindow | undefined } & (
  | {
      readonly kind: 'compact';
      /** Learned only if the shorter request is accepted, which shows that size was the problem. */
      readonly supposed: LearnedWindow | undefined;
      readonly targetTokens: number;
    }
  | {
      readonly kind: 'lower-output';
      readonly maxTokens: number;
      /**
       * What input and output may take together, when the window is the problem; absent for a cap or a mere suspicion.
       */
      readonly total?: number | undefined;
    }
  | { readonly kind: 'tools-too-large' | 'give-up' }
);

/** With less output than this, a request is not worthwhile. Tokens. */
export const LEAST_OUTPUT = 256;

/** When input and output together are too much, this much room for output makes compaction unnecessary. Tokens. */
const USEFUL_OUTPUT = 1_024;

/** The share of the room that is used after a refusal, since the server counts differently than Karl. */
export const SAFE_SHARE = 0.9;

/**
 * For a request below this share of the limit, no difference between tokenizers can explain the refusal by its input.
 */
const SMALL_SHARE = 0.4;

/** The largest share of a window that the reserve may take when the window turns out smaller than assumed. */
const LARGEST_RESERVE = 0.25;

/**
 * When the server does not say how much fits: the share of the request that is kept, and the smallest share where less
 * is known to go through.
 */
const BLIND_SHARE = 0.5;
const LEAST_BLIND_SHARE = 0.25;

/**
 * Decides how a refused request can go through: by less output where input and output together are too much, by
 * compaction where the input is; or says that neither can help. Pure.
 */
export function planRecovery(refusal: Refusal): Recovery {
  const { error: said, belief, budget, tried } = refusal;
  if (said.kind === 'output-limit') return (tried.output ? undefined : lowerOutput(refusal)) ?? { kind: 'give-up' };
  if (said.kind !== 'overflow') return { kind: 'give-up' };
  const { error, teaches } = belief;
  const believed = { ...refusal, error };
  const stated: LearnedWindow | undefined =
    error.limitTokens === undefined ? undefined : { tokens: error.limitTokens, source: 'error' };
  const learned = teaches === 'limit' ? stated : undefined;
  if (error.tools === true || refusal.toolTokens >= (error.limitTokens ?? budget.limit))
    return { kind: 'tools-too-large', learned };
  const room = roomForOutput(believed);
  if (!tried.output && room !== undefined && room >= USEFUL_OUTPUT) {
    const maxTokens = Math.floor(room * SAFE_SHARE);
    return { kind: 'lower-output', maxTokens, total: budget.used.tokens + maxTokens, learned };
  }
  const suspected = tried.output ? undefined : suspectOutput(refusal);
  if (suspected !== undefined) return { kind: 'lower-output', maxTokens: suspected, learned };
  if (tried.compaction) return { kind: 'give-up', learned };
  const targetTokens =
    error.limitTokens === undefined ? targetWithoutFigure(refusal) : targetAfterOverflow(believed, error.limitTokens);
  const supposed = {
    'limit-if-cured': stated,
    'size-if-cured': supposeWindow(refusal),
    limit: undefined,
    nothing: undefined,
  };
  return { kind: 'compact', targetTokens, learned, supposed: supposed[teaches] };
}

/**
 * A request that is small by Karl's count compared to the stated limit, and for which the server states no larger size,
 * was refused for its output: what the profile's extras or the server's default asked for. Less output cures that;
 * compaction cannot.
 */
function suspectOutput({ error, budget, maxTokens }: Refusal): number | undefined {
  const { actualTokens, limitTokens } = error;
  const saysInput = actualTokens !== undefined && limitTokens !== undefined && actualTokens > limitTokens;
  if (saysInput || limitTokens === undefined || budget.used.tokens > limitTokens * SMALL_SHARE) return undefined;
  const lowered = Math.min(budget.reserve, Math.floor(limitTokens * SMALL_SHARE));
  return maxTokens === undefined || lowered < maxTokens ? lowered : undefined;
}

/**
 * The room that is left for output when the error states input and output separately. A size that is only a lower bound
 * says nothing about the input, so Karl's own count is used.
 */
function roomForOutput({ error, budget }: Refusal): number | undefined {
  const { limitTokens, outputTokens } = error;
  if (limitTokens === undefined || outputTokens === undefined) return undefined;
  const input = error.lowerBound === true ? Math.ceil(budget.used.tokens / SAFE_SHARE) : refusedInput(error);
  if (input === undefined) return undefined;
  const room = limitTokens - input;
  return room < outputTokens ? room : undefined;
}

/**
 * An output limit that should go through: below the cap that the error names, within what the window leaves, and never
 * above the reserve. Without any figure, half of what was asked for.
 */
function lowerOutput({ error, budget, maxTokens }: Refusal): Recovery | undefined {
  const { limitTokens, outputLimitTokens: cap } = error;
  const asked = error.outputTokens ?? maxTokens ?? budget.reserve;
  const left = limitTokens === undefined ? undefined : Math.floor((limitTokens - budget.used.tokens) * SAFE_SHARE);
  const stated = [left, cap].filter((figure) => figure !== undefined);
  const fitting = stated.length === 0 ? Math.floor(asked / 2) : Math.min(...stated);
  const lowered = Math.min(fitting, budget.reserve, maxTokens === undefined ? fitting : maxTokens - 1);
  if (lowered < LEAST_OUTPUT) return undefined;
  return {
    kind: 'lower-output',
    maxTokens: lowered,
    total: left === undefined ? undefined : budget.used.tokens + left,
  };
}

/**
 * The target in Karl's own tokens: the stated limit less the output, scaled by how much more the server counts. When
 * the server's count is a lower bound, so is that scale.
 */
function targetAfterOverflow({ error, budget }: Refusal, limitTokens: number): number {
  const used = budget.used.tokens;
  const { outputTokens = 0 } = error;
  // The reserve was chosen for the window assumed before.
  const reserve = Math.min(budget.reserve, Math.floor(limitTokens * LARGEST_RESERVE));
  const output = Math.max(reserve, Math.min(outputTokens, Math.floor(limitTokens / 2)));
  const scale = used / (refusedInput(error) ?? used);
  return Math.floor(Math.min((limitTokens - output) * Math.min(scale, 1) * SAFE_SHARE, used * SAFE_SHARE));
}

/** Half of the refused size, or less where only less is known to go through. */
function targetWithoutFigure({ budget, accepted }: Refusal): number {
  const used = budget.used.tokens;
  const known = Math.max(accepted ?? used, used * LEAST_BLIND_SHARE);
  return Math.floor(Math.min(known, used * BLIND_SHARE));
}

/**
 * The window to assume after a refusal without figures: below the refused size, but not below the largest accepted one.
 * If this size was accepted before, the limit is assumed just below it.
 */
function supposeWindow({ budget, accepted = 0 }: Refusal): LearnedWindow | undefined {
  const refused = budget.used.tokens;
  const floor = accepted < refused ? accepted : refused * SAFE_SHARE;
  const tokens = Math.floor(Math.max(floor, refused * BLIND_SHARE));
  return tokens < LEAST_WINDOW ? undefined : { tokens, source: 'error' };
}

/** By how much a refused request must shrink at least when the server does not say how much fits. */
const LEAST_SHRINK = 0.1;

/**
 * Whether the request now fits by the server's own measure: Karl's count, scaled by how the server counted the refused
 * request, is below the stated limit.
 */
export function fitsNow(error: ModelError, before: Budget, after: Budget): boolean {
  const { limitTokens, outputTokens = 0 } = error;
  const used = after.used.tokens;
  if (used >= before.used.tokens) return false;
  if (limitTokens === undefined) return used <= before.used.tokens * (1 - LEAST_SHRINK);
  const counted = Math.max(1, before.used.tokens);
  const scale = Math.max(1, (refusedInput(error) ?? counted) / counted);
  return used * scale + Math.min(outputTokens, limitTokens / 2) < limitTokens;
}

/** The output that a model's server allows: at most `most` tokens, and together with the input at most `total`. */
export interface OutputLimit {
  readonly most: number;
  readonly total: number;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/**
 * The output limit of a request in tokens; undefined: that of its own fields, or the server's default. `limit`: what
 * the server taught; `fields`: what the client of a relayed request asked for.
 */
export function findMaxTokens(
  limit: OutputLimit | undefined,
  fields: ModelRequest['fields'],
  budget: Budget,
): number | undefined {
  const asked = askedOutput(fields);
  const taught = limit && Math.min(limit.most, Math.max(LEAST_OUTPUT, limit.total - budget.used.tokens));
  const fitting = asked === undefined ? undefined : fittingOutput(asked, budget);
  if (taught === undefined && fitting === undefined) return undefined;
  return Math.min(taught ?? UNLIMITED, fitting ?? UNLIMITED, asked ?? UNLIMITED);
}

/**
 * The limit known after a refusal. When `total` is known, the output varies with the input, up to the reserve; a mere
 * cap says nothing about the input.
 */
export function lowered(
  known: OutputLimit = { most: UNLIMITED, total: UNLIMITED },
  { maxTokens, total }: Extract<Recovery, { kind: 'lower-output' }>,
  { reserve }: Budget,
): OutputLimit {
  const most = total === undefined ? maxTokens : Math.min(known.most, Math.max(maxTokens, reserve));
  return { most, total: total ?? known.total };
}

/** An accepted input larger than the known total shows that the total was wrong. */
export function withLargerInput(limit: OutputLimit, usedTokens: number): OutputLimit {
  return usedTokens > limit.total ? { ...limit, total: UNLIMITED } : limit;
}

function askedOutput(fields: ModelRequest['fields'] = {}): number | undefined {
  const asked = fields.max_completion_tokens ?? fields.max_tokens;
  return typeof asked === 'number' ? asked : undefined;
}

/** Many servers refuse a request whose input and output together exceed the window: then less output is asked for. */
function fittingOutput(asked: number, { used, window, windowSource }: Budget): number | undefined {
  if (windowSource === 'unknown' || used.tokens + asked <= window) return undefined;
  return Math.max(Math.floor((window - used.tokens) * SAFE_SHARE), LEAST_OUTPUT);
}
