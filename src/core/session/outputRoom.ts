import type { Budget } from '../model/budget.ts';
import type { ModelRequest } from './modelClient.ts';
import { LEAST_OUTPUT, type Recovery, SAFE_SHARE } from './recovery.ts';

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
  const limits = [
    ...(limit === undefined ? [] : [Math.min(limit.most, Math.max(LEAST_OUTPUT, limit.total - budget.used.tokens))]),
    ...(asked === undefined ? [] : fittingOutput(asked, budget)),
  ];
  return limits.length === 0 ? undefined : Math.min(...limits, asked ?? UNLIMITED);
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
function fittingOutput(asked: number, { used, window, windowSource }: Budget): number[] {
  if (windowSource === 'unknown' || used.tokens + asked <= window) return [];
  return [Math.max(Math.floor((window - used.tokens) * SAFE_SHARE), LEAST_OUTPUT)];
}
