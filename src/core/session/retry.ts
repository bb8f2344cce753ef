import { inEnglish } from '../language.ts';
import type { ModelError } from '../model/classify.ts';
import { normalise } from '../model/gather.ts';

/** The most attempts of a model call, including the first. */
export const MOST_ATTEMPTS = 4;

/** The first wait; each wait is twice as long as the one before. Milliseconds. */
const FIRST_DELAY_MS = 1_000;

/** If a server asks for a longer wait than this, there is no retry: the user decides. Milliseconds. */
export const LONGEST_WAIT_MS = 300_000;

/** Waits are randomly lengthened by up to this share, so that clients do not come back all at once. */
const JITTER = 0.25;

/** One failed attempt. */
export interface FailedAttempt {
  readonly error: ModelError;
  /** Counted from 1. */
  readonly attempt: number;
  /** Part of the reply was passed on, which asking again would repeat. */
  readonly passedOn: boolean;
  /** 0 to 1. */
  readonly random: number;
}

/** The most attempts of a call with this error: one less where the server answers, but not with a usable reply. */
export function mostAttempts({ answered }: ModelError): number {
  return answered === true ? MOST_ATTEMPTS - 1 : MOST_ATTEMPTS;
}

/** The wait before the next attempt in milliseconds; undefined: do not try again. */
export function planRetry({ error, attempt, passedOn, random }: FailedAttempt): number | undefined {
  if (passedOn || !error.retryable || refusesTools(error) || attempt >= mostAttempts(error)) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1);
  // Never earlier than the server asks for.
  const delay = Math.max(backoff, error.retryAfterMs ?? 0);
  return Math.round(delay * (1 + JITTER * random));
}

/** How errors refer to tools: as a field (`tools`) or an ability (`function calling`). */
const TOOLS = /\b(?:tools?|tool[ _-](?:use|choice|calls?|calling)|functions?(?: call(?:s|ing))?|function_call)\b/;

/** How errors refer to images, except in names of models. */
const IMAGES = /(?<![-\w])(?:images?|image_url|vision|multimodal)(?![-\w])/;

/** Statuses of errors about the content of a request. */
const CONTENT_STATUS: ReadonlySet<number | undefined> = new Set([400, 415, 422]);

/**
 * How errors say that a server or a model cannot do something. Examples: "gemma:2b does not support tools"
 * (Ollama), "No endpoints found that support tool use" (OpenRouter), "tools param requires --jinja flag" (llama.cpp),
 * "auto tool choice requires --enable-auto-tool-choice" (vLLM), "Unsupported parameter: 'tools'" (OpenAI), "Function
 * calling is not enabled for this model" (Mistral).
 */
const CANNOT: readonly RegExp[] = [
  /\b(?:does not|doesnt|do not|dont|cannot|not|no longer) (?:\w+ )?(?:support(?:ed|s)?|enabled|available|allowed)\b/,
  /\b(?:does not|doesnt|do not|dont|cannot|not|no longer) (?:\w+ )?(?:accept(?:ed)?|permitted)\b/,
  /\bunsupported\b|\bno endpoints? found that support|\brequires? --\w/,
];

/** Statuses of errors about the key, not the request. */
const KEY_STATUS: ReadonlySet<number | undefined> = new Set([401, 403]);

/**
 * Whether a server refuses tool definitions for this model, so that the same request without them may succeed.
 */
export function refusesTools(error: ModelError): boolean {
  return refuses(error, TOOLS);
}

/** Whether a server refuses images for this model, or those of this request. */
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
