import { inEnglish } from '../language.ts';
import type { ModelError } from '../model/classify.ts';
import { normalise } from '../model/wordings.ts';

/** How often a model call is attempted, the first time included. */
export const MOST_ATTEMPTS = 4;

/** The same when the server did answer, but not with a usable reply. */
export const MOST_ANSWERED_ATTEMPTS = 3;

/** The first wait; each further wait is twice as long, up to the longest. Milliseconds. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** When a server asks for a longer wait than this, there is no retry: the user decides. Milliseconds. */
export const LONGEST_WAIT_MS = 300_000;

/** Waits are lengthened at random by up to this share, so that many clients do not come back at once. */
const JITTER = 0.25;

/** Errors that the same request would only meet again. */
const NEVER_RETRIED = new Set<ModelError['kind']>(['overflow', 'output-limit', 'payload-too-large', 'cancelled']);

/** One failed attempt. */
export interface FailedAttempt {
  readonly error: ModelError;
  /** Counted from 1. */
  readonly attempt: number;
  /** Something of the reply was passed on: asking again would repeat it. */
  readonly passedOn: boolean;
  /** 0 to 1. */
  readonly random: number;
}

/** How often a call with such an error is attempted, the first time included. */
export function mostAttempts(error: ModelError): number {
  return error.answered === true ? MOST_ANSWERED_ATTEMPTS : MOST_ATTEMPTS;
}

/** How long to wait before the next attempt in milliseconds; undefined: do not try again. */
export function planRetry({ error, attempt, passedOn, random }: FailedAttempt): number | undefined {
  if (passedOn || !error.retryable || NEVER_RETRIED.has(error.kind) || refusesTools(error)) return undefined;
  if (attempt >= mostAttempts(error)) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  // Never earlier than the server asks for.
  const delay = Math.max(backoff, error.retryAfterMs ?? 0);
  return Math.round(delay * (1 + JITTER * random));
}

/** How errors refer to tools: as a field (`tools`), or as an ability of a model (`function calling`). */
const TOOLS = /\b(?:tools?|tool[ _-](?:use|choice|calls?|calling)|functions?(?: call(?:s|ing))?|function_call)\b/;

/** How errors refer to images; in the name of a model the words say nothing. */
const IMAGES = /(?<![-\w])(?:images?|image_url|vision|multimodal)(?![-\w])/;

/** With these statuses, the error is about what the request has in it. */
const CONTENT_STATUS: ReadonlySet<number | undefined> = new Set([400, 415, 422]);

/**
 * How errors say that a server or a model cannot do something. One example each: "gemma:2b does not support tools"
 * (Ollama), "No endpoints found that support tool use" (OpenRouter), "tools param requires --jinja flag" (llama.cpp),
 * "auto tool choice requires --enable-auto-tool-choice" (vLLM), "Unsupported parameter: 'tools'" (OpenAI), "Function
 * calling is not enabled for this model" (Mistral).
 */
const CANNOT: readonly RegExp[] = [
  /\b(?:does not|doesnt|do not|dont|cannot|not|no longer) (?:\w+ )?(?:support(?:ed|s)?|enabled|available|allowed)\b/,
  /\b(?:does not|doesnt|do not|dont|cannot|not|no longer) (?:\w+ )?(?:accept(?:ed)?|permitted)\b/,
  /\bunsupported\b|\bno endpoints? found that support|\brequires? --\w/,
];

/** With these statuses, the error is about the key, not about the request. */
const KEY_STATUS: ReadonlySet<number | undefined> = new Set([401, 403]);

/**
 * Whether a server says that it takes no tool definitions for this model, so that the same request without them may
 * succeed.
 */
export function refusesTools(error: ModelError): boolean {
  return refuses(error, TOOLS);
}

/** Whether a server says that it takes no images for this model, or not those of this request. */
export function refusesImages(error: ModelError): boolean {
  const { kind, status, evidence } = error;
  return (
    refuses(error, IMAGES) ||
    (kind === 'other' && CONTENT_STATUS.has(status) && IMAGES.test(normalise(inEnglish(evidence))))
  );
}

function refuses({ kind, status, evidence }: ModelError, what: RegExp): boolean {
  if (kind !== 'other' || KEY_STATUS.has(status)) return false;
  const sentences = normalise(inEnglish(evidence)).split(/[;!?]|\. /);
  return sentences.some((sentence) => what.test(sentence) && CANNOT.some((cannot) => cannot.test(sentence)));
}
