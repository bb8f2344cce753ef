import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A tokenizer package, or Karl. */
export interface Contender {
  readonly name: string;
  /** Loads everything that counting needs. */
  load(): Promise<(text: string) => number>;
  /** What a bundle of it must contain: source of an entry point, and files that lie beside the bundle. */
  readonly bundle: { readonly source: string; readonly beside?: readonly string[] };
}

const require = createRequire(import.meta.url);
const engineSource = new URL('../../../src/engine/', import.meta.url);

/** All count o200k_base and take special tokens in the text as text. */
export const CONTENDERS: readonly Contender[] = [
  {
    name: 'Karl',
    async load() {
      const { KARL_BUNDLE = '' } = process.env; // bundled, as it is shipped, its ranks beside it
      const { countTokens } = (await import(KARL_BUNDLE)) as typeof import('../../../src/engine/counters.ts');
      return (text) => countTokens(text);
    },
    bundle: {
      source: `export { countTokens } from ${JSON.stringify(new URL('counters.ts', engineSource).pathname)};`,
      beside: ['ranks'],
    },
  },
  {
    name: 'js-tiktoken',
    async load() {
      const { Tiktoken } = await import('js-tiktoken/lite');
      const { default: ranks } = await import('js-tiktoken/ranks/o200k_base');
      const encoder = new Tiktoken(ranks);
      return (text) => encoder.encode(text, [], []).length;
    },
    bundle: {
      source: `export { Tiktoken } from 'js-tiktoken/lite'; export { default } from 'js-tiktoken/ranks/o200k_base';`,
    },
  },
  {
    name: 'gpt-tokenizer',
    async load() {
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
      const asText = { disallowedSpecial: new Set<string>() };
      return (text) => countTokens(text, asText);
    },
    bundle: { source: `export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';` },
  },
  {
    name: 'tiktoken (WASM)',
    async load() {
      const { Tiktoken } = await import('tiktoken/lite');
      const ranks = JSON.parse(readFileSync(require.resolve('tiktoken/encoders/o200k_base.json'), 'utf8')) as {
        bpe_ranks: string;
        special_tokens: Record<string, number>;
        pat_str: string;
      };
      const encoder = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
      return (text) => encoder.encode(text, [], []).length;
    },
    bundle: {
      source: `export { Tiktoken } from 'tiktoken/lite'; export { default } from 'tiktoken/encoders/o200k_base.json';`,
      beside: [require.resolve('tiktoken/lite/tiktoken_bg.wasm')],
    },
  },
  {
    name: 'ai-tokenizer',
    async load() {
      const { default: Tokenizer } = await import('ai-tokenizer');
      const encoding = await import('ai-tokenizer/encoding/o200k_base');
      const tokenizer = new Tokenizer(encoding);
      return (text) => tokenizer.encode(text, [], []).length;
    },
    bundle: {
      source: `export { default } from 'ai-tokenizer'; export * as encoding from 'ai-tokenizer/encoding/o200k_base';`,
    },
  },
];
