import type { ImageRule } from './profile.ts';

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
