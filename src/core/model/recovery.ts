import { contentText } from '../chat/parse.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { Budget, LearnedWindow } from './budget.ts';
import type { ModelError } from './classify.ts';
import type { ModelRequest } from './modelClient.ts';
import { refusesTools } from './retry.ts';

/** A server's count of a request may differ from Karl's by this factor: tokenizers, tools and images differ. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 2.5;

/** No model that can hold a conversation has a smaller window. Tokens. */
const LEAST_WINDOW = 1_000;

/** A server may be started with a larger window than the profile knows, but at most by this factor. */
const MOST_TIMES_KNOWN = 4;

/** An overflow without the figures that cannot be about this request, and the windows that it teaches. */
interface Weighed {
  readonly error: ModelError;
  /** The limit that it states beside a size that agrees with Karl's count. */
  readonly learned?: LearnedWindow | undefined;
  /** A limit stated without a size, or one between the accepted and the refused size. */
  readonly supposed?: LearnedWindow | undefined;
}

function weighOverflow(refusal: Refusal): Weighed {
  const { error, budget, accepted = 0 } = refusal;
  const { window, windowSource } = budget;
  const { actualTokens, limitTokens = 0 } = error;
  const { actualTokens: _a, limitTokens: _b, outputTokens: _c, lowerBound: _d, tools: _e, ...bare } = error;
  const distrusted = { error: bare };
  if (error.quoted === true) return distrusted;
  const states = error.limitTokens !== undefined;
  if (actualTokens === undefined && !states) return { error, supposed: supposeWindow(refusal) };
  const stated: LearnedWindow = { tokens: limitTokens, source: 'error' };
  const used = budget.used.tokens;
  const isPlausible =
    limitTokens >= LEAST_WINDOW && (windowSource === 'unknown' || limitTokens <= window * MOST_TIMES_KNOWN);
  if (states && !isPlausible) return distrusted;
  if (actualTokens === undefined) {
    const isNear = limitTokens < used * MOST_RATIO && limitTokens >= accepted * LEAST_RATIO;
    return isNear ? { error, supposed: stated } : distrusted;
  }
  const input = refusedInput(error) ?? actualTokens;
  const agrees = input <= used * MOST_RATIO && (error.lowerBound === true || input >= used * LEAST_RATIO);
  if (!agrees || limitTokens > actualTokens) return distrusted;
  return states ? { error, learned: stated } : { error, supposed: supposeWindow(refusal) };
}

/** The input tokens of the refused request by the server's own count, where it states the size. */
export function refusedInput({ actualTokens, outputTokens = 0 }: ModelError): number | undefined {
  return actualTokens === undefined || actualTokens <= outputTokens ? undefined : actualTokens - outputTokens;
}

/** Marks an overflow as quoted if one message of the request has all its figures: servers echo requests. */
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

/** All text of a message, including the arguments of calls and reasoning, but not the data of images. */
function textsOf(message: ChatMessage): string {
  const { content, ...others } = message;
  const parts = Array.isArray(content) ? content.filter(({ type }) => type !== 'image_url') : [];
  return `${contentText(message)}\n${JSON.stringify([others, parts])}`;
}

/** The facts about a request that was refused for its size. */
export interface Refusal {
  readonly error: ModelError;
  /** The budget of the refused request. */
  readonly budget: Budget;
  /** The output limit that was sent; undefined: the server's default. */
  readonly maxTokens: number | undefined;
  /** Tokens of the tool definitions, and whether they are sent as such. */
  readonly toolTokens: number;
  readonly sendsTools: boolean;
  /** The largest request in tokens that this model's server accepted; undefined: none yet. */
  readonly accepted: number | undefined;
  /** The remedies already tried for it; each is used at most once. */
  readonly tried: ReadonlySet<Recovery['kind']>;
}

/** How to respond to a refusal. */
export type Recovery = Pick<Weighed, 'error' | 'learned'> & {
  /** Learned if the remedy succeeds, which shows what the problem was: a window, or that the model takes no tools. */
  readonly supposed?: LearnedWindow | 'no-tools' | undefined;
} & (
    | { readonly kind: 'compact'; readonly targetTokens: number }
    | { readonly kind: 'lower-output'; readonly limit: OutputLimit }
    | { readonly kind: 'leave-out-tools' | 'tools-too-large' | 'give-up' }
  );

/** The output that a model's server allows: at most `most` tokens, and together with the input at most `total`. */
export interface OutputLimit {
  readonly most: number;
  readonly total: number;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** With less output than this, a request is not worthwhile. Tokens. */
const LEAST_OUTPUT = 256;

/** When input and output together are too much, this much room for output makes compaction unnecessary. Tokens. */
const USEFUL_OUTPUT = 1_024;

/** The share of the room to use after a refusal, because the server counts differently than Karl. */
const SAFE_SHARE = 0.9;

/** The input of a request below this share of the limit cannot be the problem, however the tokenizers differ. */
const SMALL_SHARE = 0.4;

/** The largest share of a window that the reserve may take when the window turns out smaller than assumed. */
const LARGEST_RESERVE = 0.25;

/** The share of a request to keep when the server states no limit, and the least share where less is known to fit. */
const BLIND_SHARE = 0.5;
const LEAST_BLIND_SHARE = 0.25;

/**
 * Decides how a refused request can succeed: without tools where the model takes none, with less output where input and
 * output together are too much, by compaction where the input is; or says that nothing can help. Pure.
 */
export function planRecovery(refusal: Refusal): Recovery {
  const { budget, tried } = refusal;
  if (refusal.sendsTools && refusesTools(refusal.error))
    return { kind: 'leave-out-tools', error: refusal.error, supposed: 'no-tools' };
  const { kind } = refusal.error;
  if (kind !== 'overflow') {
    const limit = kind === 'output-limit' && !tried.has('lower-output') ? lowerOutput(refusal) : undefined;
    return { error: refusal.error, ...(limit === undefined ? { kind: 'give-up' } : { kind: 'lower-output', limit }) };
  }
  const { error, learned, supposed } = weighOverflow(refusal);
  const believed = { ...refusal, error };
  if (error.tools === true || refusal.toolTokens >= (error.limitTokens ?? budget.limit))
    return { kind: 'tools-too-large', error, learned };
  const limit = tried.has('lower-output') ? undefined : (leaveRoom(believed) ?? suspectOutput(refusal));
  if (limit !== undefined) return { kind: 'lower-output', limit, error, learned };
  if (tried.has('compact')) return { kind: 'give-up', error, learned };
  const targetTokens =
    error.limitTokens === undefined ? targetWithoutFigure(refusal) : targetAfterOverflow(believed, error.limitTokens);
  return { kind: 'compact', targetTokens, error, learned, supposed };
}

/** What the window leaves for output, if enough. Where the input is a lower bound, Karl's own count is used. */
function leaveRoom({ error, budget: { used, reserve } }: Refusal): OutputLimit | undefined {
  const { limitTokens, outputTokens } = error;
  const input = error.lowerBound === true ? Math.ceil(used.tokens / SAFE_SHARE) : refusedInput(error);
  if (limitTokens === undefined || outputTokens === undefined || input === undefined) return undefined;
  const room = limitTokens - input;
  if (room >= outputTokens || room < USEFUL_OUTPUT) return undefined;
  const output = Math.floor(room * SAFE_SHARE);
  return { most: Math.max(output, reserve), total: used.tokens + output };
}

/**
 * An output limit for a request that was refused for its output: one that is small compared to the stated limit, and
 * for which the server states no larger size. The profile's extras or the server's default asked for too much output;
 * compaction cannot cure that.
 */
function suspectOutput({ error, budget, maxTokens = UNLIMITED }: Refusal): OutputLimit | undefined {
  const { actualTokens, limitTokens } = error;
  const saysInput = actualTokens !== undefined && limitTokens !== undefined && actualTokens > limitTokens;
  if (saysInput || limitTokens === undefined || budget.used.tokens > limitTokens * SMALL_SHARE) return undefined;
  const most = Math.min(budget.reserve, Math.floor(limitTokens * SMALL_SHARE));
  return most < maxTokens ? { most, total: UNLIMITED } : undefined;
}

/** An output limit below the stated cap, the window's room and the reserve; without figures, half of the asked one. */
function lowerOutput({ error, budget: { used, reserve }, maxTokens }: Refusal): OutputLimit | undefined {
  const { limitTokens, outputLimitTokens: cap = UNLIMITED, outputTokens: asked = maxTokens ?? reserve } = error;
  const left = limitTokens === undefined ? UNLIMITED : Math.floor((limitTokens - used.tokens) * SAFE_SHARE);
  const stated = Math.min(left, cap);
  const fitting = stated === UNLIMITED ? Math.floor(asked / 2) : stated;
  const most = Math.min(fitting, reserve, (maxTokens ?? UNLIMITED) - 1);
  if (most < LEAST_OUTPUT) return undefined;
  // What the window leaves grows as the input shrinks; a mere cap says nothing about the input.
  return left === UNLIMITED ? { most, total: UNLIMITED } : { most: Math.min(cap, reserve), total: used.tokens + left };
}

/** The target in Karl's tokens: the stated limit less the output, scaled by how much more the server counts. */
function targetAfterOverflow({ error, budget }: Refusal, limitTokens: number): number {
  const used = budget.used.tokens;
  const { outputTokens = 0 } = error;
  // The reserve was chosen for the window assumed before.
  const reserve = Math.min(budget.reserve, Math.floor(limitTokens * LARGEST_RESERVE));
  const output = Math.max(reserve, Math.min(outputTokens, Math.floor(limitTokens / 2)));
  const scale = used / (refusedInput(error) ?? used);
  return Math.floor(Math.min((limitTokens - output) * Math.min(scale, 1) * SAFE_SHARE, used * SAFE_SHARE));
}

/** Half of the refused size, or less where only less is known to fit. */
function targetWithoutFigure({ budget, accepted }: Refusal): number {
  const used = budget.used.tokens;
  const known = Math.max(accepted ?? used, used * LEAST_BLIND_SHARE);
  return Math.floor(Math.min(known, used * BLIND_SHARE));
}

/** The window to assume after a refusal without figures: between the largest accepted and the refused size. */
function supposeWindow({ budget, accepted = 0 }: Refusal): LearnedWindow | undefined {
  const refused = budget.used.tokens;
  const floor = accepted < refused ? accepted : refused * SAFE_SHARE;
  const tokens = Math.floor(Math.max(floor, refused * BLIND_SHARE));
  return tokens < LEAST_WINDOW ? undefined : { tokens, source: 'error' };
}

/** The least share by which a refused request must shrink when the server states no limit. */
const LEAST_SHRINK = 0.1;

/** Whether the request now fits by the server's own count: Karl's, scaled by how the server counted the refused one. */
export function fitsNow(error: ModelError, before: Budget, after: Budget): boolean {
  const { limitTokens, outputTokens = 0 } = error;
  const used = after.used.tokens;
  if (used >= before.used.tokens) return false;
  if (limitTokens === undefined) return used <= before.used.tokens * (1 - LEAST_SHRINK);
  const counted = Math.max(1, before.used.tokens);
  const scale = Math.max(1, (refusedInput(error) ?? counted) / counted);
  return used * scale + Math.min(outputTokens, limitTokens / 2) < limitTokens;
}

/** The output limit of a request, by what its server taught and its client asked (`fields`); undefined: the server's. */
export function findMaxTokens(
  { most, total }: OutputLimit = { most: UNLIMITED, total: UNLIMITED },
  fields: ModelRequest['fields'],
  { used, window, windowSource }: Budget,
): number | undefined {
  const stated = fields?.max_completion_tokens ?? fields?.max_tokens;
  const asked = typeof stated === 'number' ? stated : UNLIMITED;
  const left = total - used.tokens;
  // An input that is larger than the total shows that the total was wrong.
  const taught = left < 0 ? most : Math.min(most, Math.max(LEAST_OUTPUT, left));
  // Many servers refuse input and output that together exceed the window.
  const isTooMuch = windowSource !== 'unknown' && asked !== UNLIMITED && used.tokens + asked > window;
  const room = isTooMuch ? Math.max(Math.floor((window - used.tokens) * SAFE_SHARE), LEAST_OUTPUT) : UNLIMITED;
  const fitting = Math.min(taught, room);
  return fitting === UNLIMITED ? undefined : Math.min(fitting, asked);
}

/** What is known after a refusal that taught a limit. */
export function narrowed(known: OutputLimit | undefined, { most, total }: OutputLimit): OutputLimit {
  return {
    most: Math.min(known?.most ?? UNLIMITED, most),
    total: total === UNLIMITED ? (known?.total ?? UNLIMITED) : total,
  };
}
