import type { Encoding, ImageRule } from '../tokens/counter.ts';

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
 * The documented image rules of providers, by model family; the first match counts. OpenAI: guide "Images and vision",
 * section "Calculating costs"; Anthropic: guide "Vision", width x height / 750 after the longer side is reduced to
 * 1568.
 */
const RULES: readonly { readonly model: RegExp; readonly rule: ImageRule }[] = [
  { model: /(^|\/)(gpt-5-mini|gpt-4\.1-mini)/u, rule: { kind: 'patches', most: 1536, factor: 1.62 } },
  { model: /(^|\/)(gpt-5-nano|gpt-4\.1-nano)/u, rule: { kind: 'patches', most: 1536, factor: 2.46 } },
  { model: /(^|\/)o4-mini/u, rule: { kind: 'patches', most: 1536, factor: 1.72 } },
  { model: /(^|\/)gpt-4o-mini/u, rule: { kind: 'tiles', base: 2833, tile: 5667 } },
  { model: /(^|\/)(gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5)/u, rule: { kind: 'tiles', base: 85, tile: 170 } },
  { model: /(^|\/)gpt-5($|-chat|-20)/u, rule: { kind: 'tiles', base: 70, tile: 140 } },
  { model: /(^|\/)(o1|o1-pro|o3)($|-20)/u, rule: { kind: 'tiles', base: 75, tile: 150 } },
  { model: /(^|\/)claude-/u, rule: { kind: 'area', pixels: 750, longest: 1568 } },
];

/** The documented rule for images of a model; undefined when none is known. */
export function imageRuleOf(model: string): ImageRule | undefined {
  return RULES.find(({ model: family }) => family.test(model))?.rule;
}
