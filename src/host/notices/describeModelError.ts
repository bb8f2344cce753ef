import { inEnglish, sentence, t, translate, type Words } from '../../core/language.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { refusesImages, refusesTools } from '../../core/session/retry.ts';
import type { SettingName } from '../../core/session/settings.ts';
import type { TurnProblem } from '../../core/session/turnContext.ts';

/** A remedy for a problem, offered as a button beside its description. */
export type Cure =
  /** Enter the server's API key. */
  | { readonly kind: 'set-key' }
  /** Change the server's address, or select another server. */
  | { readonly kind: 'select-server' }
  | { readonly kind: 'select-model' }
  /** Compress with a strategy of the user's choice. */
  | { readonly kind: 'compress-with' }
  | { readonly kind: 'open-setting'; readonly setting: SettingName };

/** What the user reads: what happened, with numbers; what to do; and the buttons that do it. */
export interface Advice {
  readonly what: string;
  readonly next: string;
  /** The remedies, the most likely first. */
  readonly cures: readonly Cure[];
}

export const SET_KEY: Cure = { kind: 'set-key' };
export const SELECT_SERVER: Cure = { kind: 'select-server' };
export const SELECT_MODEL: Cure = { kind: 'select-model' };

/** Describes why the model could not be asked, or why its reply broke off. */
export function describeModelError(problem: Extract<TurnProblem, { kind: 'model' }>): Advice {
  const { error, attempts, interrupted, hasImages = false } = problem;
  const told = tellError(error, hasImages);
  const what = [told.what];
  if (attempts > 1) what.push(t('Tried {0} times.', attempts));
  if (interrupted && error.empty === undefined)
    what.push(t('The part of the reply that had arrived is kept and marked as interrupted.'));
  return { ...told, what: what.join(' ') };
}

function tellError(error: ModelError, hasImages: boolean): Advice {
  if (error.refusal !== undefined) return tellRefusal(error, error.refusal);
  switch (error.kind) {
    case 'rate-limit':
      return tellRateLimit(error);
    case 'timeout':
      return advise(
        because(t('The server did not answer in time'), error),
        t('Retry; a slow local server needs more time (karl.requestTimeoutSeconds).'),
        [{ kind: 'open-setting', setting: 'requestTimeoutSeconds' }, SELECT_SERVER],
      );
    case 'payload-too-large':
      return advise(
        because(t('The server refused the request because of its size in bytes'), error),
        t('Remove the large image or pasted text from the message, or compress the conversation, then retry.'),
        [{ kind: 'compress-with' }],
      );
    case 'cancelled':
      return advise(t('The request was cancelled.'), t('Retry, or write another message.'), []);
    default:
      return error.status === undefined ? tellWithoutStatus(error) : tellStatus(error, error.status, hasImages);
  }
}

/** A refusal by a model of VS Code. */
function tellRefusal(error: ModelError, refusal: NonNullable<ModelError['refusal']>): Advice {
  const words: Readonly<Record<typeof refusal, readonly [what: string, next: string]>> = {
    'no-permission': [
      t('VS Code does not let Karl use this model'),
      t('Retry and allow it, or allow it under "Manage Language Model Access" in the menu of your account.'),
    ],
    blocked: [
      t('The vendor of this model blocks the request'),
      t('Check your plan or quota there, or select another model (karl.model).'),
    ],
    'not-found': [
      t('VS Code no longer has this model'),
      t('Sign in to its vendor, or select another model (karl.model).'),
    ],
    'off-topic': [
      t('The model does not answer, because it considers the message off topic'),
      t('Rephrase it, or select another model (karl.model).'),
    ],
    failed: [
      t('The model could not answer'),
      t('Retry, or select another model (karl.model) or server (karl.baseUrl).'),
    ],
  };
  const [what, next] = words[refusal];
  return advise(because(what, error), next, [SELECT_MODEL, SELECT_SERVER]);
}

function tellRateLimit(error: ModelError): Advice {
  const { status, retryAfterMs } = error;
  if (error.spent === true)
    return advise(
      because(
        status === undefined
          ? t('The account has no credit or quota left')
          : t('The account has no credit or quota left ({0})', status),
        error,
      ),
      t('Add credit and retry, or select another model (karl.model) or server (karl.baseUrl).'),
      [SELECT_MODEL, SELECT_SERVER, SET_KEY],
    );
  const what = status === undefined ? t('Rate limit reached') : t('Rate limit reached ({0})', status);
  const next =
    retryAfterMs === undefined
      ? t('Retry in a moment, or select another model (karl.model).')
      : t('Retry in {0}, or select another model (karl.model).', duration(retryAfterMs));
  return advise(because(what, error), next, [SELECT_MODEL, SELECT_SERVER]);
}

/** A reply without words or calls. */
function tellEmpty({ reasoned, ended }: NonNullable<ModelError['empty']>): Advice {
  if (ended === 'filtered')
    return advise(
      t("The provider's content filter held the reply back."),
      t('Rephrase the message, or select another model (karl.model).'),
      [SELECT_MODEL, SELECT_SERVER],
    );
  if (ended === 'cut-off')
    return advise(
      reasoned
        ? t('The model reached its output limit while it was still reasoning: there is no answer.')
        : t('The model reached its output limit before it wrote an answer.'),
      t(
        'Raise max_tokens (on the server, or among the extras of the model profile), or select another model (karl.model).',
      ),
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    reasoned ? t('The model ended its reply after reasoning, without an answer.') : t('The model sent an empty reply.'),
    t('Retry, or select another model (karl.model).'),
    [SELECT_MODEL, SELECT_SERVER],
  );
}

function tellWithoutStatus(error: ModelError): Advice {
  if (error.empty !== undefined) return tellEmpty(error.empty);
  if (error.answered === true)
    return advise(
      because(t('The model sent no reply that can be used'), error),
      t('Retry, or select another model (karl.model).'),
      [SELECT_MODEL, SELECT_SERVER],
    );
  if (error.brokeOff === true)
    return advise(
      t('{0}.', evidenceOf(error)),
      t('Retry; if the connection breaks off again, select another server (karl.baseUrl).'),
      [SELECT_SERVER],
    );
  return advise(
    because(t('The model could not answer'), error),
    error.retryable
      ? t('Start the server and retry, or select another server (karl.baseUrl).')
      : t('Check the server (karl.baseUrl) and its key, then retry.'),
    error.retryable ? [SELECT_SERVER] : [SELECT_SERVER, SET_KEY],
  );
}

function tellStatus(error: ModelError, status: number, hasImages: boolean): Advice {
  if (refusesTools(error))
    return advise(
      because(t('The server takes no tools for this model ({0})', status), error),
      t('Select another model (karl.model), or switch the tools off (karl.tools.enabled).'),
      [SELECT_MODEL, { kind: 'open-setting', setting: 'tools.enabled' }],
    );
  if (hasImages && refusesImages(error))
    return advise(
      because(t('The server does not accept this request ({0})', status), error),
      t('Edit the message and remove the image, or select another model (karl.model).'),
      [SELECT_MODEL, SELECT_SERVER],
    );
  switch (status) {
    case 401:
      return advise(
        because(t('The server rejected the API key (401)'), error),
        t('Enter the key again, or select another server (karl.baseUrl).'),
        [SET_KEY, SELECT_SERVER],
      );
    case 403:
      return advise(
        because(t('The server does not allow this request (403)'), error),
        t('Check that the key belongs to this server and may use this model (karl.model).'),
        [SET_KEY, SELECT_MODEL, SELECT_SERVER],
      );
    case 404:
      return tellNotFound(error);
    case 400:
    case 422:
      return advise(
        because(t('The server does not accept this request ({0})', status), error),
        t(
          'Check the entry for this model in your model profiles (roles, tools, extra), or select another model (karl.model).',
        ),
        [SELECT_MODEL, SELECT_SERVER],
      );
    default:
      return tellOther(status, error);
  }
}

/** A server that knows the path names the model in its error; otherwise there is no API at this address. */
function tellNotFound(error: ModelError): Advice {
  if (/\bmodels?\b/i.test(inEnglish(error.evidence)))
    return advise(
      because(t('The server does not have this model (404)'), error),
      t('Select a model that it has (karl.model).'),
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    because(t('The server has no chat completions at this address (404)'), error),
    t('Correct the address (karl.baseUrl, it usually ends with /v1).'),
    [SELECT_SERVER, SELECT_MODEL],
  );
}

function tellOther(status: number, error: ModelError): Advice {
  if (status < 400)
    return advise(
      because(t('This address does not answer with chat completions'), error),
      t('Correct the address (karl.baseUrl, it usually ends with /v1).'),
      [SELECT_SERVER, SELECT_MODEL],
    );
  if (status < 500)
    return advise(
      because(t('The server refused the request ({0})', status), error),
      t('Change what it names and retry, or select another model (karl.model) or server (karl.baseUrl).'),
      [SELECT_MODEL, SELECT_SERVER],
    );
  return advise(
    because(t('The server failed ({0})', status), error),
    t('Retry, or select another model (karl.model) or server (karl.baseUrl).'),
    [SELECT_SERVER, SELECT_MODEL],
  );
}

function advise(what: string, next: string, cures: readonly Cure[]): Advice {
  return { what, next, cures };
}

/** The server's words without a full stop. Karl's own words are translated. */
export function evidenceOf(error: ModelError): string {
  return (
    translate(error.evidence)
      .trim()
      .replace(/(?<![.\s])[.\s]+$/, '') || t('no reason was given')
  );
}

/** Adds the reason, unless it only repeats the status. */
function because(what: string, error: ModelError): string {
  return /^status \d+$/.test(inEnglish(error.evidence)) ? t('{0}.', what) : t('{0}: {1}.', what, evidenceOf(error));
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return t('{0} s', seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? t('{0} minutes', minutes) : t('{0} hours', Math.ceil(minutes / 60));
}

/** Faults in one short sentence, by kind or status. */
const FAULTS: Readonly<Record<string, Words>> = {
  'rate-limit': sentence('Rate limit reached.'),
  timeout: sentence('The server did not answer in time.'),
  overflow: sentence('The request was too long for the model.'),
  'output-limit': sentence('The server refused the length of the reply.'),
  'payload-too-large': sentence('The request was too large for the server.'),
  cancelled: sentence('The request was cancelled.'),
  401: sentence('The server rejected the API key (401).'),
  403: sentence('The server does not allow this request (403).'),
  404: sentence('The server does not have this model, or no API at this address (404).'),
};

/** Says what went wrong in one short sentence. */
export function describeFault(error: ModelError): Words {
  const { kind, status, spent, answered, brokeOff, refusal, retryable, evidence } = error;
  if (spent === true) return sentence('The account has no credit or quota left.');
  if (kind !== 'other') return FAULTS[kind] ?? evidence;
  if (answered === true) return sentence('The reply was empty or broken.');
  if (brokeOff === true) return sentence('The connection broke off while the answer arrived.');
  if (refusal !== undefined) return sentence('The model could not answer.');
  if (status === undefined) return retryable ? sentence('No connection to the server.') : evidence;
  const failed =
    status < 500
      ? sentence('The server refused the request ({0}): {1}', status, evidence)
      : sentence('The server failed ({0}).', status);
  return FAULTS[status] ?? failed;
}
