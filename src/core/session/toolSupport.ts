import type { ModelError } from '../model/classify.ts';
import { normalise } from '../model/wordings.ts';

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
  return refuses(error, IMAGES) || (kind === 'other' && CONTENT_STATUS.has(status) && IMAGES.test(normalise(evidence)));
}

function refuses({ kind, status, evidence }: ModelError, what: RegExp): boolean {
  if (kind !== 'other' || KEY_STATUS.has(status)) return false;
  const sentences = normalise(evidence).split(/[;!?]|\. /);
  return sentences.some((sentence) => what.test(sentence) && CANNOT.some((cannot) => cannot.test(sentence)));
}
