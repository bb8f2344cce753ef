import { foreignWords } from '../phrase.ts';
import type { ModelError } from './classify.ts';
import { normalise } from './gather.ts';

/** The most attempts of a model call, including the first. */
export const MOST_ATTEMPTS = 4;

/** The first wait; each wait is twice as long as the one before. Milliseconds. */
const FIRST_DELAY_MS = 1_000;

/** If a server asks for a longer wait than this, there is no retry: the user decides. Milliseconds. */
const LONGEST_WAIT_MS = 300_000;

/** Waits are randomly lengthened by up to this share, so that clients do not come back all at once. */
const JITTER = 0.25;

/** The most attempts of a call with this error: one less where the server answers, but not with a usable reply. */
export function mostAttempts({ answered }: ModelError): number {
  return answered === true ? MOST_ATTEMPTS - 1 : MOST_ATTEMPTS;
}

/** Milliseconds to wait after attempt 1, 2, …, at least what the server asks for; undefined: stop. `random`: 0 to 1. */
export function planRetry(error: ModelError, attempt: number, random: number): number | undefined {
  const { retryable, retryAfterMs = 0 } = error;
  if (!retryable || refusesTools(error) || attempt >= mostAttempts(error)) return undefined;
  if (retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const delay = Math.max(FIRST_DELAY_MS * 2 ** (attempt - 1), retryAfterMs);
  return Math.round(delay * (1 + JITTER * random));
}

/** How errors refer to tools: as a field (`tools`) or an ability (`function calling`). */
const TOOLS = /\b(?:tools?|tool[ _-](?:use|choice|calls?|calling)|functions?(?: call(?:s|ing))?|function_call)\b/;

/** How errors refer to images, except in names of models. */
const IMAGES = /(?<![-\w])(?:images?|image_url|vision|multimodal)(?![-\w])/;

/** Statuses of errors about the content of a request, and of those about the key instead. */
const CONTENT_STATUSES: readonly unknown[] = [400, 415, 422];
const KEY_STATUSES: readonly unknown[] = [401, 403];

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

/** Whether a server refuses tool definitions for this model, so that the request without them may succeed. */
export function refusesTools(error: ModelError): boolean {
  return refuses(error, TOOLS);
}

/** Whether a server refuses images for this model, or those of this request. */
export function refusesImages(error: ModelError): boolean {
  if (refuses(error, IMAGES)) return true;
  const isAboutContent = error.kind === 'other' && CONTENT_STATUSES.includes(error.status);
  return isAboutContent && IMAGES.test(normalise(foreignWords(error.evidence)));
}

function refuses({ kind, status, evidence }: ModelError, what: RegExp): boolean {
  if (kind !== 'other' || KEY_STATUSES.includes(status)) return false;
  const sentences = normalise(foreignWords(evidence)).split(/[;!?]|\. /);
  return sentences.some((sentence) => what.test(sentence) && CANNOT.some((cannot) => cannot.test(sentence)));
}
