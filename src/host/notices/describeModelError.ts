import type { ModelError } from '../../core/model/classify.ts';
import { refusesImages, refusesTools } from '../../core/model/retry.ts';
import { hasCode, type Words } from '../../core/phrase.ts';
import type { TurnProblem } from '../../core/session/turnContext.ts';
import { inEnglish, sentence, t, translate } from '../../language/language.ts';
import type { SettingName } from '../settings/settingRules.ts';

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
const MODEL_FIRST = [SELECT_MODEL, SELECT_SERVER];
const SERVER_FIRST = [SELECT_SERVER, SELECT_MODEL];

/** What happened, without a full stop and the server's reason; what to do; and the remedies. */
type Fault = readonly [what: Words, next: Words, cures: readonly Cure[]];

const OTHER_MODEL = sentence('Retry, or select another model (karl.model).');
const OTHER_SERVER = sentence('Retry, or select another model (karl.model) or server (karl.baseUrl).');
const ADDRESS = sentence('Correct the address (karl.baseUrl, it usually ends with /v1).');
const REPHRASE = sentence('Rephrase the message, or select another model (karl.model).');
const RAISE = sentence(
  'Raise max_tokens (on the server, or in the extra fields of the model profile), or select another model (karl.model).',
);
const NOT_ACCEPTED = sentence('The server does not accept this request');

/** Refusals by a model of VS Code. */
const REFUSALS: Readonly<Record<NonNullable<ModelError['refusal']>, Fault>> = {
  'no-permission': [
    sentence('VS Code does not let Karl use this model'),
    sentence('Retry and allow it, or allow it under "Manage Language Model Access" in the menu of your account.'),
    MODEL_FIRST,
  ],
  blocked: [
    sentence('The vendor of this model blocks the request'),
    sentence('Check your plan or quota there, or select another model (karl.model).'),
    MODEL_FIRST,
  ],
  'not-found': [
    sentence('VS Code no longer has this model'),
    sentence('Sign in to its vendor, or select another model (karl.model).'),
    MODEL_FIRST,
  ],
  failed: [sentence('The model could not answer'), OTHER_SERVER, MODEL_FIRST],
};

/** Errors whose kind says enough. */
const KINDS: Readonly<Partial<Record<ModelError['kind'], Fault>>> = {
  timeout: [
    sentence('The server did not answer in time'),
    sentence('Retry; a slow local server needs more time (karl.requestTimeoutSeconds).'),
    [{ kind: 'open-setting', setting: 'requestTimeoutSeconds' }, SELECT_SERVER],
  ],
  'payload-too-large': [
    sentence('The server refused the request because of its size in bytes'),
    sentence('Remove the large image or pasted text from the message, or compress the conversation, then retry.'),
    [{ kind: 'compress-with' }],
  ],
  cancelled: [sentence('The request was cancelled'), sentence('Retry, or write another message.'), []],
};

/** Answers by their HTTP status. */
const STATUSES: Readonly<Record<number, Fault>> = {
  401: [
    sentence('The server rejected the API key'),
    sentence('Enter the key again, or select another server (karl.baseUrl).'),
    [SET_KEY, SELECT_SERVER],
  ],
  403: [
    sentence('The server does not allow this request'),
    sentence('Check that the key belongs to this server and may use this model (karl.model).'),
    [SET_KEY, SELECT_MODEL, SELECT_SERVER],
  ],
};

/** Describes why the model could not be asked, or why its reply broke off. */
export function describeModelError(problem: Extract<TurnProblem, { kind: 'model' }>): Advice {
  const { error, attempts, interrupted, hasImages = false } = problem;
  const [, next, cures] = faultOf(error, hasImages);
  const what = [translate(describeReason(error, hasImages))];
  if (attempts > 1) what.push(t('Tried {0} times.', attempts));
  if (interrupted && error.empty === undefined)
    what.push(t('The part of the reply that had arrived is kept and marked as interrupted.'));
  return { what: what.join(' '), next: translate(next), cures };
}

/** Says in one short sentence what went wrong. */
export function describeFault(error: ModelError): Words {
  return withStop(withStatus(error, false));
}

/** Says in one sentence what went wrong, with the reason that the server gives. */
export function describeReason(error: ModelError, hasImages = false): Words {
  const { kind, evidence, empty, brokeOff } = error;
  const what = withStatus(error, hasImages);
  // Neither the user's own Stop nor a reply without words has one, and some only repeat the status.
  const hasReason = kind !== 'cancelled' && empty === undefined && brokeOff !== true;
  if (!hasReason || hasCode(evidence, 'error.status')) return withStop(what);
  // It says the same, and names the server.
  if (hasCode(evidence, 'No connection to {0}: {1}.')) return evidence;
  const said = inEnglish(evidence).trim() === '' ? sentence('no reason was given') : evidence;
  return withStop(sentence('{0}: {1}', what, said));
}

function withStatus(error: ModelError, hasImages: boolean): Words {
  const { status } = error;
  const [fault] = faultOf(error, hasImages);
  return status === undefined || status < 400 ? fault : sentence('{0} ({1})', fault, String(status));
}

/** Words that end as a sentence does. */
export function withStop(words: Words): Words {
  return /[.!?…]$/.test(inEnglish(words).trim()) ? words : sentence('{0}.', words);
}

function faultOf(error: ModelError, hasImages: boolean): Fault {
  const { kind, status, refusal, empty, retryable } = error;
  if (refusal !== undefined) return REFUSALS[refusal];
  if (kind === 'rate-limit') return limitOf(error);
  const known = KINDS[kind];
  if (known !== undefined) return known;
  if (status !== undefined) return statusOf(error, status, hasImages);
  if (empty !== undefined) return emptyOf(empty);
  if (error.answered === true) return [sentence('The model sent no usable reply'), OTHER_MODEL, MODEL_FIRST];
  if (error.brokeOff === true)
    return [
      error.evidence,
      sentence('Retry; if the connection breaks off again, select another server (karl.baseUrl).'),
      [SELECT_SERVER],
    ];
  if (retryable)
    return [
      sentence('No connection to the server'),
      sentence('Start the server and retry, or select another server (karl.baseUrl).'),
      [SELECT_SERVER],
    ];
  return [
    sentence('The model could not answer'),
    sentence('Check the server (karl.baseUrl) and its key, then retry.'),
    [SELECT_SERVER, SET_KEY],
  ];
}

function limitOf({ spent, retryAfterMs }: ModelError): Fault {
  if (spent === true)
    return [
      sentence('The account has no credit or quota left'),
      sentence('Add credit and retry, or select another model (karl.model) or server (karl.baseUrl).'),
      [SELECT_MODEL, SELECT_SERVER, SET_KEY],
    ];
  const next =
    retryAfterMs === undefined
      ? sentence('Retry in a moment, or select another model (karl.model).')
      : sentence('Retry in {0}, or select another model (karl.model).', duration(retryAfterMs));
  return [sentence('Rate limit reached'), next, MODEL_FIRST];
}

/** A reply without words or calls. */
function emptyOf({ reasoned, ended }: NonNullable<ModelError['empty']>): Fault {
  if (ended === 'filtered')
    return [sentence("The provider's content filter held the reply back"), REPHRASE, MODEL_FIRST];
  if (ended === 'cut-off')
    return [
      reasoned
        ? sentence('The model reached its output limit while it was still reasoning: there is no answer')
        : sentence('The model reached its output limit before it wrote an answer'),
      RAISE,
      MODEL_FIRST,
    ];
  const what = reasoned
    ? sentence('The model ended its reply after reasoning, without an answer')
    : sentence('The model sent an empty reply');
  return [what, OTHER_MODEL, MODEL_FIRST];
}

function statusOf(error: ModelError, status: number, hasImages: boolean): Fault {
  if (refusesTools(error))
    return [
      sentence('The server does not accept tools for this model'),
      sentence('Select another model (karl.model), or switch the tools off (karl.tools.enabled).'),
      [SELECT_MODEL, { kind: 'open-setting', setting: 'tools.enabled' }],
    ];
  if (hasImages && refusesImages(error))
    return [
      NOT_ACCEPTED,
      sentence('Edit the message and remove the image, or select another model (karl.model).'),
      MODEL_FIRST,
    ];
  const known = STATUSES[status];
  if (known !== undefined) return known;
  // A server that knows the path names the model in its error; otherwise there is no API at this address.
  if (status === 404 && /\bmodels?\b/i.test(inEnglish(error.evidence)))
    return [
      sentence('The server does not have this model'),
      sentence('Select a model that it has (karl.model).'),
      MODEL_FIRST,
    ];
  if (status === 404) return [sentence('The server has no chat completions at this address'), ADDRESS, SERVER_FIRST];
  if (status === 400 || status === 422)
    return [
      NOT_ACCEPTED,
      sentence(
        'Check the entry for this model in your model profiles (roles, tools, extra), or select another model (karl.model).',
      ),
      MODEL_FIRST,
    ];
  if (status < 400) return [sentence('This address does not answer with chat completions'), ADDRESS, SERVER_FIRST];
  if (status >= 500) return [sentence('The server failed'), OTHER_SERVER, SERVER_FIRST];
  return [
    sentence('The server refused the request'),
    sentence('Correct what the error names and retry, or select another model (karl.model) or server (karl.baseUrl).'),
    MODEL_FIRST,
  ];
}

/** The reason in the user's language, without a full stop. */
export function evidenceOf({ evidence }: ModelError): string {
  const said = translate(evidence).trim();
  return said.replace(/(?<![.\s])[.\s]+$/, '') || t('no reason was given');
}

function duration(ms: number): Words {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return sentence('{0} s', seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? sentence('{0} minutes', minutes) : sentence('{0} hours', Math.ceil(minutes / 60));
}
