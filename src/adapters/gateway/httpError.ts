import type { ModelError } from '../../core/model/classify.ts';
import { unreachable } from '../../core/result.ts';
import type { RelayFailure } from '../../core/session/relay/relayRequest.ts';
import type { TurnProblem } from '../../core/session/turnContext.ts';
import { inEnglish } from '../../language/language.ts';

/** An answer that reports an error. */
export interface HttpError {
  readonly status: number;
  /** In the form of OpenAI's API. */
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
  /** Seconds after which the client may ask again. */
  readonly retryAfter?: number;
  /** The same request would fail again. */
  readonly isFinal: boolean;
}

/** Makes an error. Its type follows from the status, as at OpenAI; below 500 it is final. */
export function httpError(
  status: number,
  message: string,
  about: { readonly code?: string; readonly param?: string } = {},
): HttpError {
  const { code = null, param = null } = about;
  return { status, error: { message, type: typeOf(status), param, code }, isFinal: status < 500 };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** The error for a request that was not answered, in the form and with the codes of OpenAI's API. */
export function describeFailure(failure: RelayFailure): HttpError {
  switch (failure.kind) {
    case 'invalid': {
      const { message, index, field } = failure;
      const param = field === 'message' ? `messages[${index}]` : `messages[${index}].${field}`;
      return httpError(400, message, { param, code: 'invalid_value' });
    }
    case 'cancelled':
      return httpError(499, 'The request was cancelled.', { code: 'cancelled' });
    case 'failed':
      return describeProblem(failure.problem);
    default:
      return unreachable(failure);
  }
}

function describeProblem(problem: TurnProblem): HttpError {
  switch (problem.kind) {
    case 'model':
      return { ...describeByKind(problem.error), isFinal: !problem.error.retryable };
    case 'overflow': {
      const { budget, error } = problem;
      const limit = error?.limitTokens ?? budget.limit;
      const [taken, left] = [budget.fixed.toLocaleString('en-US'), limit.toLocaleString('en-US')];
      if (budget.fixed > limit) {
        // Its own code, and no words of an overflow, to which clients would answer with useless summaries for ever.
        const message = `Karl cannot send this: its prompt, tool definitions and newest message come to ${taken} tokens, but there is room for only ${left}. Neither a summary nor a retry helps: choose a model with a larger window, switch tools off, or write a shorter message.`;
        return httpError(400, message, { code: 'karl_prompt_too_large', param: 'messages' });
      }
      const message = `The request does not fit into the ${left} tokens that the model takes, and a compression could not shorten it enough.`;
      return httpError(400, message, { code: 'context_length_exceeded', param: 'messages' });
    }
    case 'tools-too-large': {
      const message = `The tool definitions alone do not fit into the ${problem.limitTokens.toLocaleString('en-US')} tokens that the model takes: use fewer tools.`;
      return httpError(400, message, { code: 'karl_prompt_too_large', param: 'tools' });
    }
    case 'output-limit':
      return httpError(
        400,
        `The model's server refused the length of the reply: ${inEnglish(problem.error.evidence)}`,
        {
          code: 'invalid_value',
          param: 'max_tokens',
        },
      );
    case 'not-saved':
    case 'not-prepared':
    case 'unusable-reply':
      return httpError(502, inEnglish(problem.message), { code: 'upstream_error' });
    case 'turn-limit':
      return httpError(500, `The request took ${problem.most} ${problem.limit} without finishing.`);
    default:
      return unreachable(problem);
  }
}

function describeByKind(error: ModelError): HttpError {
  const { status, evidence, retryAfterMs } = error;
  const message = `The model's server: ${inEnglish(evidence)}`;
  const waits = retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1000) };
  switch (error.kind) {
    case 'rate-limit': {
      const code = error.spent === true ? 'insufficient_quota' : 'rate_limit_exceeded';
      return { ...httpError(429, message, { code }), ...waits };
    }
    case 'timeout':
      return httpError(504, message, { code: 'timeout' });
    case 'payload-too-large':
      return httpError(413, message, { code: 'request_too_large' });
    case 'cancelled':
      return httpError(499, message, { code: 'cancelled' });
    default:
      if (status === 404) return httpError(404, message, { code: 'model_not_found', param: 'model' });
      // An error of the server keeps its status; a useless answer, or none at all, becomes a gateway error.
      return {
        ...httpError(status === undefined || status < 400 ? 502 : status, message, { code: 'upstream_error' }),
        ...waits,
      };
  }
}
