import type { Budget } from '../budget/budget.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { ModelError } from '../overflow/modelError.ts';
import { unreachable } from '../result.ts';
import { type Advice, SELECT_MODEL, SELECT_SERVER } from './cure.ts';
import { describeModelError, evidenceOf } from './describeModelError.ts';
import type { TurnProblem } from './problem.ts';
import { sumWeights } from './toolWeight.ts';

/** Tool definitions that are named when they are too large. */
const NAMED_TOOLS = 3;

/** Puts a problem into words. */
export function describeProblem(problem: TurnProblem): Advice {
  switch (problem.kind) {
    case 'model':
      return describeModelError(problem);
    case 'overflow':
      return describeOverflow(problem);
    case 'output-limit': {
      const { reserve, window } = problem.budget;
      const limit = problem.error.outputLimitTokens ?? problem.error.limitTokens;
      const said = limit === undefined ? evidenceOf(problem.error) : `its limit is ${tokens(limit)}`;
      const reserved = `the profile reserves ${tokens(reserve)} of a window of ${tokens(window)}`;
      return {
        what: `The server refused the length of the reply (${said}; ${reserved}).`,
        next: "Lower the completion reserve in the model's profile, or a max_tokens among its extras; compressing the conversation would not help.",
        cures: [SELECT_MODEL],
      };
    }
    case 'tools-too-large': {
      const largest = problem.tools.slice(0, NAMED_TOOLS).map((tool) => `${tool.name} about ${tokens(tool.tokens)}`);
      return {
        what: `The tool definitions alone (about ${tokens(sumWeights(problem.tools))}) do not fit into ${tokens(problem.limitTokens)}; the largest are ${largest.join(', ')}.`,
        next: 'Switch tools off in karl.tools.enabled, or use a model with a larger window; compressing the conversation cannot help.',
        cures: [{ kind: 'open-setting', setting: 'tools.enabled' }, SELECT_MODEL],
      };
    }
    case 'not-saved':
      return {
        what: `The conversation could not be written to disk, so the model was not asked: ${problem.message}`,
        next: 'Nothing is lost while this window is open; make the folder writable or free some space, then retry.',
        cures: [],
      };
    case 'unusable-reply':
      return {
        what: `What the model sent cannot be kept, so nothing of it was: ${problem.message}.`,
        next: 'Retry; if it sends the same again, select another model (karl.model) or server (karl.baseUrl).',
        cures: [SELECT_MODEL, SELECT_SERVER],
      };
    case 'round-limit':
      return {
        what: `The agent called tools in ${problem.rounds} rounds without finishing, which is the limit.`,
        next: 'Let it go on, or raise the limit (karl.tools.maxRounds).',
        cures: [{ kind: 'open-setting', setting: 'tools.maxRounds' }],
      };
    default:
      return unreachable(problem);
  }
}

function describeOverflow(problem: Extract<TurnProblem, { kind: 'overflow' }>): Advice {
  const { budget, error, compaction } = problem;
  const what = `${whatWasRefused(error, budget)}; ${whatCompactionDid(compaction)}.`;
  if (compaction?.kind === 'failed')
    return {
      what,
      next: 'Compress with another strategy, or select a model with a larger window (karl.model), then retry.',
      cures: [{ kind: 'compress-with' }, SELECT_MODEL],
    };
  return {
    what,
    next: 'Shorten the current message, unpin messages, or select a model with a larger window (karl.model), then retry.',
    cures: [SELECT_MODEL],
  };
}

/** A server that states no limit leaves nothing to compare: figures of Karl's own would contradict it. */
function whatWasRefused(error: ModelError | undefined, budget: Budget): string {
  if (error !== undefined && error.limitTokens === undefined)
    return `The server refused the request as too long and names no limit for it (${evidenceOf(error)})`;
  const actual = tokens(error?.actualTokens ?? budget.used.tokens);
  const least = error?.lowerBound === true ? 'at least ' : '';
  return `The request has ${least}${actual} and the model takes ${tokens(error?.limitTokens ?? budget.limit)}`;
}

function whatCompactionDid(compaction: CompactionResult | undefined): string {
  switch (compaction?.kind) {
    case undefined:
      return 'it was not compacted again, because that was done once for this request or cannot help';
    case 'compacted':
      return `compaction brought it from ${tokens(compaction.receipt.tokensBefore)} to ${tokens(compaction.receipt.tokensAfter)}, which is not enough`;
    case 'skipped':
      return `compaction could not shorten it (${compaction.message.replace(/\.$/, '')})`;
    case 'failed':
      return `compaction failed (${compaction.error.message.replace(/\.$/, '')})`;
    case 'cancelled':
      return 'compaction was cancelled';
    default:
      return unreachable(compaction);
  }
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}
