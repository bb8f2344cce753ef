import type { Budget, LearnedWindow } from '../budget/budget.ts';
import type { ModelError } from '../overflow/modelError.ts';
import { type Belief, LEAST_WINDOW, refusedInput } from './belief.ts';

/** What was already tried for this request; each cure is taken at most once a request. */
export interface Tried {
  readonly compaction: boolean;
  readonly output: boolean;
}

/** What is known when a request was refused for its size. */
export interface Refusal {
  readonly error: ModelError;
  /** What is believed of the error. */
  readonly belief: Belief;
  /** Of the request that was refused. */
  readonly budget: Budget;
  /** Output limit that was sent; undefined = the server's default. */
  readonly maxTokens: number | undefined;
  /** Tool definitions, tokens. */
  readonly toolTokens: number;
  /** The largest request that this model's server took, tokens; undefined = none yet. */
  readonly accepted: number | undefined;
  readonly tried: Tried;
}

/** What to do about it. */
export type Recovery =
  | {
      readonly kind: 'compact';
      readonly learned?: LearnedWindow;
      /** Learned when the shorter request is taken, which shows that size was at fault. */
      readonly supposed?: LearnedWindow;
      readonly targetTokens: number;
    }
  | { readonly kind: 'lower-output'; readonly learned?: LearnedWindow; readonly maxTokens: number }
  | { readonly kind: 'tools-too-large'; readonly learned?: LearnedWindow }
  | { readonly kind: 'give-up'; readonly learned?: LearnedWindow };

/** Less output than this is not worth a request, tokens. */
export const LEAST_OUTPUT = 256;

/** Room for a completion that saves compacting when input and output together are too much, tokens. */
const USEFUL_OUTPUT = 1_024;

/** Share of the room that is used after a refusal: the server counts differently than Karl. */
export const SAFE_SHARE = 0.9;

/** Below this share of the limit, tokenizers cannot differ so much that the input is at fault. */
const SMALL_SHARE = 0.4;

/** Most of a window that a reserve takes when that window turns out smaller than was thought. */
const LARGEST_RESERVE = 0.25;

/** Share of the request that is kept when the server does not say how much fits, and the least where less went through. */
const BLIND_SHARE = 0.5;
const LEAST_BLIND_SHARE = 0.25;

/**
 * Decides how a refused request can go through: lower the output where input and output together are too much,
 * compact where the input is, and say so where neither can help. Pure.
 */
export function planRecovery(refusal: Refusal): Recovery {
  if (refusal.error.kind === 'output-limit') {
    const maxTokens = refusal.tried.output ? undefined : lowerOutput(refusal);
    return maxTokens === undefined ? { kind: 'give-up' } : { kind: 'lower-output', maxTokens };
  }
  if (refusal.error.kind !== 'overflow') return { kind: 'give-up' };
  return planForOverflow({ ...refusal, error: refusal.belief.error }, refusal.error);
}

/** `refusal.error` is the error as far as it is believed, `said` the whole of it. */
function planForOverflow(refusal: Refusal, said: ModelError): Recovery {
  const { error, tried, budget } = refusal;
  const { teaches } = refusal.belief;
  const stated: LearnedWindow | undefined =
    error.limitTokens === undefined ? undefined : { tokens: error.limitTokens, source: 'error' };
  const withLearned = teaches === 'limit' && stated !== undefined ? { learned: stated } : {};
  if (error.tools === true || refusal.toolTokens >= (error.limitTokens ?? budget.limit)) {
    return { kind: 'tools-too-large', ...withLearned };
  }
  const room = roomForOutput(refusal);
  if (!tried.output && room !== undefined && room >= USEFUL_OUTPUT) {
    return { kind: 'lower-output', maxTokens: Math.floor(room * SAFE_SHARE), ...withLearned };
  }
  const suspected = tried.output ? undefined : suspectOutput({ ...refusal, error: said });
  if (suspected !== undefined) return { kind: 'lower-output', maxTokens: suspected, ...withLearned };
  if (tried.compaction) return { kind: 'give-up', ...withLearned };
  const targetTokens =
    error.limitTokens === undefined ? targetWithoutFigure(refusal) : targetAfterOverflow(refusal, error.limitTokens);
  const supposed = {
    'limit-if-cured': stated,
    'size-if-cured': supposeWindow(refusal),
    limit: undefined,
    nothing: undefined,
  };
  const window = supposed[teaches];
  return { kind: 'compact', targetTokens, ...withLearned, ...(window !== undefined && { supposed: window }) };
}

/**
 * A request that Karl counts at a fraction of the stated limit, and of which no larger size is stated, is refused for the output that was asked for, by the
 * profile's extras or by the server's own default: a smaller output cures it, compaction cannot.
 */
function suspectOutput({ error, budget, maxTokens }: Refusal): number | undefined {
  const { actualTokens, limitTokens } = error;
  const saysInput = actualTokens !== undefined && limitTokens !== undefined && actualTokens > limitTokens;
  if (saysInput || limitTokens === undefined || budget.used.tokens > limitTokens * SMALL_SHARE) return undefined;
  const lowered = Math.min(budget.reserve, Math.floor(limitTokens * SMALL_SHARE));
  return maxTokens === undefined || lowered < maxTokens ? lowered : undefined;
}

/**
 * What is left for the completion when the error states the output apart. A size that is only a lower bound says
 * nothing of the input: Karl's own count stands in for it.
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
 * An output limit that goes through: under the cap that the error names, inside what the window leaves, never above
 * the reserve. Without any figure, half of what was asked for.
 */
function lowerOutput({ error, budget, maxTokens }: Refusal): number | undefined {
  const asked = error.outputTokens ?? maxTokens ?? budget.reserve;
  const left =
    error.limitTokens === undefined ? undefined : Math.floor((error.limitTokens - budget.used.tokens) * SAFE_SHARE);
  const stated = [left, error.outputLimitTokens].filter((figure) => figure !== undefined);
  const fitting = stated.length === 0 ? Math.floor(asked / 2) : Math.min(...stated);
  const lowered = Math.min(fitting, budget.reserve, maxTokens === undefined ? fitting : maxTokens - 1);
  return lowered >= LEAST_OUTPUT ? lowered : undefined;
}

/**
 * Tokens to aim at, in Karl's own count: the stated limit less what the completion takes, scaled by how much more the
 * server counts; a lower bound of its count is a lower bound of that.
 */
function targetAfterOverflow({ error, budget }: Refusal, limitTokens: number): number {
  const used = budget.used.tokens;
  const { outputTokens = 0 } = error;
  // The reserve was made for the window that was believed in before.
  const reserve = Math.min(budget.reserve, Math.floor(limitTokens * LARGEST_RESERVE));
  const output = Math.max(reserve, Math.min(outputTokens, Math.floor(limitTokens / 2)));
  const scale = used / (refusedInput(error) ?? used);
  return Math.floor(Math.min((limitTokens - output) * Math.min(scale, 1) * SAFE_SHARE, used * SAFE_SHARE));
}

/** Half of what was refused, or less where only less is known to go through. */
function targetWithoutFigure({ budget, accepted }: Refusal): number {
  const used = budget.used.tokens;
  const known = Math.max(accepted ?? used, used * LEAST_BLIND_SHARE);
  return Math.floor(Math.min(known, used * BLIND_SHARE));
}

/**
 * The window that a refusal without a figure lets suppose: below the size that was refused, not below the largest that
 * was taken. A size that was refused now and taken before says only that the limit is near it.
 */
function supposeWindow({ budget, accepted = 0 }: Refusal): LearnedWindow | undefined {
  const refused = budget.used.tokens;
  const floor = accepted < refused ? accepted : refused * SAFE_SHARE;
  const tokens = Math.floor(Math.max(floor, refused * BLIND_SHARE));
  return tokens < LEAST_WINDOW ? undefined : { tokens, source: 'error' };
}

/** The least by which a refused request must shrink when the server does not say how much fits. */
const LEAST_SHRINK = 0.1;

/**
 * Whether the request now fits by the server's own measure: Karl's count, scaled by how the server counted the
 * refused one, lies under the stated limit.
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
