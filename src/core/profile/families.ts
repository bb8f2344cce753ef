import type { Encoding } from './profile.ts';

/**
 * Models whose own tokenizer is closer to cl100k_base than to o200k_base: OpenAI's before gpt-4o, and the families that
 * the published accuracy tables of ai-tokenizer 1.0 (npm) map to it. All others, unknown models included, are counted
 * with o200k_base; reported usage corrects the remaining difference.
 */
const NEARER_TO_CL100K =
  /(^|\/)(gpt-3\.5|gpt-4(-|$)|text-davinci|qwen|qwq|llama|meta-llama|codestral|devstral|magistral|mistral|ministral|mixtral|pixtral|nova-|amazon\.nova|glm-4\.5v?$|grok-2)/iu;

/** The public tokenizer that counts a model's tokens best. */
export function encodingOf(model: string): Encoding {
  return NEARER_TO_CL100K.test(model) ? 'cl100k_base' : 'o200k_base';
}

/**
 * Models whose chat template refuses two messages of one role in a row ("Conversation roles must alternate"): Gemma up
 * to 3, Llama 2, and Mistral's early instruct models. This matters where the template itself runs: on local servers.
 */
const ALTERNATING_TEMPLATES = /(^|[/:_-])(gemma-?[123]?(\D|$)|gemma[123]n?|llama-?2|mistral-7b|mixtral)/iu;

/** Whether a model's own chat template demands that user and assistant alternate. */
export function demandsAlternation(model: string): boolean {
  return ALTERNATING_TEMPLATES.test(model) && !/gemma-?[4-9]/iu.test(model);
}
