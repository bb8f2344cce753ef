import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installApart } from '../../vscode/setup/install.mjs';
import { root } from '../../vscode/setup/root.ts';

/** A tokenizer package, or Karl. */
export interface Contender {
  readonly name: string;
  /** Loads everything that counting needs. */
  load(): Promise<(text: string) => number>;
  /** What a bundle of it must contain: source of an entry point, and files that lie beside the bundle. */
  readonly bundle: { readonly source: string; readonly beside?: readonly string[] };
}

/** Where the others are, installed by this benchmark alone: a bundle resolves their names from here. */
export const OTHERS_FOLDER = installApart(root, 'tokenizers');
const require = createRequire(join(OTHERS_FOLDER, 'package.json'));
/** A name is looked up from the module that imports it, so one module is put beside the packages. */
const door = join(OTHERS_FOLDER, 'door.mjs');
writeFileSync(door, 'export const load = (name) => import(name);\n');
/** What a package exports, as far as it is used here. */
const { load } = (await import(pathToFileURL(door).href)) as { load: <Exports>(name: string) => Promise<Exports> };
type Encoder = { encode(text: string, allowed: readonly [], disallowed: readonly []): ArrayLike<number> };
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
      const { Tiktoken } = await load<{ Tiktoken: new (ranks: unknown) => Encoder }>('js-tiktoken/lite');
      const { default: ranks } = await load<{ default: unknown }>('js-tiktoken/ranks/o200k_base');
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
      type Count = (text: string, options: { disallowedSpecial: Set<string> }) => number;
      const { countTokens } = await load<{ countTokens: Count }>('gpt-tokenizer/encoding/o200k_base');
      const asText = { disallowedSpecial: new Set<string>() };
      return (text) => countTokens(text, asText);
    },
    bundle: { source: `export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';` },
  },
  {
    name: 'tiktoken (WASM)',
    async load() {
      type Made = new (ranks: string, special: Record<string, number>, pattern: string) => Encoder;
      const { Tiktoken } = await load<{ Tiktoken: Made }>('tiktoken/lite');
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
      const { default: Tokenizer } = await load<{ default: new (encoding: unknown) => Encoder }>('ai-tokenizer');
      const encoding = await load<unknown>('ai-tokenizer/encoding/o200k_base');
      const tokenizer = new Tokenizer(encoding);
      return (text) => tokenizer.encode(text, [], []).length;
    },
    bundle: {
      source: `export { default } from 'ai-tokenizer'; export * as encoding from 'ai-tokenizer/encoding/o200k_base';`,
    },
  },
];
