import type { Budget } from '../budget/budget.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { ModelError } from '../overflow/modelError.ts';
import { unreachable } from '../result.ts';
import type { TurnProblem } from './problem.ts';
import { sumWeights } from './toolWeight.ts';

/** What the user reads: what happened, with numbers, and what to do. One sentence each. */
export interface ErrorText {
  readonly what: string;
  readonly next: string;
}

/** Tool definitions that are named when they are too large. */
const NAMED_TOOLS = 3;

/** Puts a problem into words. */
export function describeProblem(problem: TurnProblem): ErrorText {
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
        next: "Lower the completion reserve in the model's profile, or a max_tokens among its extras; compacting the conversation would not help.",
      };
    }
    case 'tools-too-large': {
      const largest = problem.tools.slice(0, NAMED_TOOLS).map((tool) => `${tool.name} about ${tokens(tool.tokens)}`);
      return {
        what: `The tool definitions alone (about ${tokens(sumWeights(problem.tools))}) do not fit into ${tokens(problem.limitTokens)}; the largest are ${largest.join(', ')}.`,
        next: 'Switch tools off in karl.tools.enabled, or use a model with a larger window; compacting the conversation cannot help.',
      };
    }
    case 'not-saved':
      return {
        what: `The conversation could not be written to disk, so the model was not asked: ${problem.message}`,
        next: 'Nothing is lost while this window is open; make the folder writable or free some space, then resume.',
      };
    case 'unusable-reply':
      return {
        what: `What the model sent cannot be kept, so nothing of it was: ${problem.message}.`,
        next: 'Resume to ask again; if it sends the same again, use another model or server.',
      };
    case 'round-limit':
      return {
        what: `The agent called tools in ${problem.rounds} rounds without finishing, which is the limit.`,
        next: 'Resume to let it go on, or raise karl.tools.maxRounds.',
      };
    default:
      return unreachable(problem);
  }
}

function describeModelError(problem: Extract<TurnProblem, { kind: 'model' }>): ErrorText {
  const { error, attempts, interrupted } = problem;
  const tried = attempts > 1 ? ` after ${attempts} attempts` : '';
  const kept = interrupted ? ' The part of the reply that had come is kept and marked interrupted.' : '';
  const what = (sentence: string) => `${sentence}${kept}`;
  switch (error.kind) {
    case 'rate-limit':
      return {
        what: what(`The server limits requests${tried}: ${evidenceOf(error)}.`),
        next:
          error.retryAfterMs === undefined
            ? "Wait a little and resume, or check the account's quota."
            : `Resume in ${duration(error.retryAfterMs)}, or use another model.`,
      };
    case 'timeout':
      return {
        what: what(`The server did not answer in time${tried}: ${evidenceOf(error)}.`),
        next: 'Resume to ask again; a slow local server needs a longer karl.requestTimeoutSeconds.',
      };
    case 'payload-too-large':
      return {
        what: what(`The server refused the request because of its size in bytes: ${evidenceOf(error)}.`),
        next: 'Remove the large image or pasted text from the message, or run "Karl: Compress Conversation", then resume.',
      };
    case 'cancelled':
      return { what: what('The request was cancelled.'), next: 'Resume, or write another message.' };
    default:
      return {
        what: what(`The model could not answer${tried}${status(error)}: ${evidenceOf(error)}.`),
        next: nextForStatus(error),
      };
  }
}

function nextForStatus(error: ModelError): string {
  switch (error.status) {
    case 401:
    case 403:
      return 'Check the key with "Karl: Set API Key" and that the account may use this model, then resume.';
    case 404:
      return 'Check karl.baseUrl (it usually ends with /v1) and karl.model, then resume.';
    case 400:
    case 422:
      return "The server does not accept this request: check the model's profile (roles, tool support, extras), then resume.";
    default:
      return error.retryable
        ? 'Check that the server runs, then resume; nothing of the conversation is lost.'
        : 'Change what the message names, then resume; nothing of the conversation is lost.';
  }
}

function describeOverflow(problem: Extract<TurnProblem, { kind: 'overflow' }>): ErrorText {
  const { budget, error, compaction } = problem;
  return {
    what: `${whatWasRefused(error, budget)}; ${whatCompactionDid(compaction)}.`,
    next:
      compaction?.kind === 'failed'
        ? 'Choose another strategy with "Karl: Compress Conversation With…", or use a model with a larger window, then resume.'
        : 'Shorten the current message, unpin messages, or use a model with a larger window, then resume.',
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

function status(error: ModelError): string {
  return error.status === undefined || error.status < 300 ? '' : ` (HTTP ${error.status})`;
}

function evidenceOf(error: ModelError): string {
  return error.evidence.trim().replace(/[.\s]+$/, '') || 'no reason was given';
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
