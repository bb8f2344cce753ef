import type { ModelError } from '../overflow/modelError.ts';
import { type Advice, type Cure, SELECT_MODEL, SELECT_SERVER, SET_KEY } from './cure.ts';
import type { TurnProblem } from './problem.ts';
import { refusesTools } from './toolSupport.ts';

/** Puts into words why the model could not be asked, or why its reply broke off. */
export function describeModelError(problem: Extract<TurnProblem, { kind: 'model' }>): Advice {
  const { error, attempts, interrupted } = problem;
  const told = tellError(error);
  const tried = attempts > 1 ? ` Tried ${attempts} times.` : '';
  const kept = interrupted ? ' The part of the reply that had come is kept and marked interrupted.' : '';
  return { ...told, what: `${told.what}${tried}${kept}` };
}

function tellError(error: ModelError): Advice {
  if (error.refusal !== undefined) return tellRefusal(error, error.refusal);
  switch (error.kind) {
    case 'rate-limit':
      return tellRateLimit(error);
    case 'timeout':
      return advise(
        `The server did not answer in time${because(error)}.`,
        'Retry; a slow local server needs more time (karl.requestTimeoutSeconds).',
        [{ kind: 'open-setting', setting: 'requestTimeoutSeconds' }, SELECT_SERVER],
      );
    case 'payload-too-large':
      return advise(
        `The server refused the request because of its size in bytes${because(error)}.`,
        'Remove the large image or pasted text from the message, or compress the conversation, then retry.',
        [{ kind: 'compress-with' }],
      );
    case 'cancelled':
      return advise('The request was cancelled.', 'Retry, or write another message.', []);
    default:
      return error.status === undefined ? tellWithoutStatus(error) : tellStatus(error, error.status);
  }
}

/** Of the models of VS Code. */
function tellRefusal(error: ModelError, refusal: NonNullable<ModelError['refusal']>): Advice {
  const cures = [SELECT_MODEL, SELECT_SERVER];
  switch (refusal) {
    case 'no-permission':
      return advise(
        `VS Code does not let Karl use this model${because(error)}.`,
        'Retry and allow it, or allow it under "Manage Language Model Access" in the menu of your account.',
        cures,
      );
    case 'blocked':
      return advise(
        `The vendor of this model blocks the request${because(error)}.`,
        'Look at your plan or quota there, or select another model (karl.model).',
        cures,
      );
    case 'not-found':
      return advise(
        `VS Code does not have this model any more${because(error)}.`,
        'Sign in to its vendor, or select another model (karl.model).',
        cures,
      );
    case 'off-topic':
      return advise(
        `The model does not answer, because it takes the message for off topic${because(error)}.`,
        'Say it in other words, or select another model (karl.model).',
        cures,
      );
  }
}

function tellRateLimit(error: ModelError): Advice {
  const { status, retryAfterMs } = error;
  if (status === 402)
    return advise(
      `The account has no credit left (402)${because(error)}.`,
      'Add credit and retry, or select another model (karl.model) or server (karl.baseUrl).',
      [SELECT_MODEL, SELECT_SERVER, SET_KEY],
    );
  const wait = retryAfterMs === undefined ? 'in a moment' : `in ${duration(retryAfterMs)}`;
  return advise(
    `Rate limit reached${inBrackets(status)}${because(error)}.`,
    `Retry ${wait}, or select another model (karl.model).`,
    [SELECT_MODEL, SELECT_SERVER],
  );
}

function tellWithoutStatus(error: ModelError): Advice {
  if (error.answered === true)
    return advise(
      `The model sent no reply that can be used${because(error)}.`,
      'Retry, or select another model (karl.model).',
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    `The model could not answer${because(error)}.`,
    error.retryable
      ? 'Start the server and retry, or select another server (karl.baseUrl).'
      : 'Check the server (karl.baseUrl) and its key, then retry.',
    error.retryable ? [SELECT_SERVER] : [SELECT_SERVER, SET_KEY],
  );
}

function tellStatus(error: ModelError, status: number): Advice {
  if (refusesTools(error))
    return advise(
      `The server takes no tools for this model (${status})${because(error)}.`,
      'Select another model (karl.model), or switch the tools off (karl.tools.enabled).',
      [SELECT_MODEL, { kind: 'open-setting', setting: 'tools.enabled' }],
    );
  switch (status) {
    case 401:
      return advise(
        `The server rejected the API key (401)${because(error)}.`,
        'Enter the key again, or select another server (karl.baseUrl).',
        [SET_KEY, SELECT_SERVER],
      );
    case 403:
      return advise(
        `The server does not allow this request (403)${because(error)}.`,
        'Check that the key belongs to this server and may use this model (karl.model).',
        [SET_KEY, SELECT_MODEL, SELECT_SERVER],
      );
    case 404:
      return tellNotFound(error);
    case 400:
    case 422:
      return advise(
        `The server does not accept this request (${status})${because(error)}.`,
        'Check the entry for this model in your model profiles (roles, tools, extra), or select another model (karl.model).',
        [SELECT_MODEL, SELECT_SERVER],
      );
    default:
      return tellOther(status, error);
  }
}

/** A server that knows the path names the model; what knows neither is not the address of the API. */
function tellNotFound(error: ModelError): Advice {
  if (/\bmodels?\b/i.test(error.evidence))
    return advise(
      `The server does not have this model (404)${because(error)}.`,
      'Select one that it has (karl.model).',
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    `The server has no chat completions at this address (404)${because(error)}.`,
    'Correct the address (karl.baseUrl, it usually ends with /v1).',
    [SELECT_SERVER, SELECT_MODEL],
  );
}

function tellOther(status: number, error: ModelError): Advice {
  if (status < 400)
    return advise(
      `This address does not answer with chat completions${because(error)}.`,
      'Correct the address (karl.baseUrl, it usually ends with /v1).',
      [SELECT_SERVER, SELECT_MODEL],
    );
  if (status < 500)
    return advise(
      `The server refused the request (${status})${because(error)}.`,
      'Change what it names and retry, or select another model (karl.model) or server (karl.baseUrl).',
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    `The server failed (${status})${because(error)}.`,
    'Retry, or select another model (karl.model) or server (karl.baseUrl).',
    [SELECT_SERVER, SELECT_MODEL],
  );
}

/** In a few words, while the next attempt is waited for. */
export function describeFault(error: ModelError): string {
  const { kind, status } = error;
  if (kind === 'rate-limit') return 'Rate limit reached.';
  if (kind === 'timeout') return 'The server did not answer in time.';
  if (error.answered === true) return 'The reply was empty or broken.';
  return status === undefined ? 'No connection to the server.' : `The server failed (${status}).`;
}

function advise(what: string, next: string, cures: readonly Cure[]): Advice {
  return { what, next, cures };
}

/** What the server said, without the full stop at its end. */
export function evidenceOf(error: ModelError): string {
  return error.evidence.trim().replace(/[.\s]+$/, '') || 'no reason was given';
}

/** A status that is named already is no reason of its own. */
function because(error: ModelError): string {
  return /^status \d+$/.test(error.evidence) ? '' : `: ${evidenceOf(error)}`;
}

function inBrackets(status: number | undefined): string {
  return status === undefined ? '' : ` (${status})`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
