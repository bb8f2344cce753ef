import type { Usage } from '../../core/chat/wire.ts';
import { type Fields, isFields, readCount } from '../fields.ts';

/** The figures and their other names. */
const FIGURES = [
  ['prompt_tokens', 'input_tokens'],
  ['completion_tokens', 'output_tokens'],
  ['total_tokens', 'total_tokens'],
] as const;
/** Other places for the tokens read from the cache: DeepSeek, Moonshot, Anthropic. */
const CACHED = ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'] as const;

/**
 * The usage reported by a server, with checked figures, since budget and gauge are computed from them. Leaves out figures
 * that are no number of tokens, but reads numbers that a server writes as text. 0 prompt tokens mean that the server does
 * not count. `undefined` if the value is not an object.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const usage: Fields = { ...value };
  for (const [name, other] of FIGURES) replace(usage, name, readCount(value[name] ?? value[other]));
  const elsewhere = CACHED.map((name) => readCount(value[name])).find((figure) => figure !== undefined);
  const given = value.prompt_tokens_details ?? value.input_tokens_details;
  const details = isFields(given) ? given : elsewhere === undefined ? undefined : { cached_tokens: elsewhere };
  if (details !== undefined) {
    const checked: Fields = { ...details };
    replace(checked, 'cached_tokens', readCount(details.cached_tokens));
    usage.prompt_tokens_details = checked;
  } else delete usage.prompt_tokens_details;
  // 0 is right if the whole prompt came from the cache and is left out of the figure.
  if (usage.prompt_tokens === 0 && (readCount(details?.cached_tokens) ?? 0) === 0) delete usage.prompt_tokens;
  return usage;
}

function replace(fields: Fields, name: string, figure: number | undefined): void {
  if (figure === undefined) delete fields[name];
  else fields[name] = figure;
}
