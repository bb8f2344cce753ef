import { withoutUndefined } from '../result.ts';
import table from './builtin.generated.json' with { type: 'json' };
import type { ProfileEntry, ProfileLayer } from './profileFile.ts';
import { LOCAL_SERVERS } from './providers.ts';

/** On the user's own machine, a model may need many minutes to read a long prompt. */
const LOCAL_TIMEOUT_MS = 1_800_000;

interface ProviderTable {
  readonly baseUrl: string;
  /** [window, input limit or 0, output limit or 0, price in, price out, price of cached input]. */
  readonly models: Readonly<Record<string, readonly number[]>>;
}
const tables: Readonly<Record<string, ProviderTable>> = table;

/** Wildcards for local servers. Their windows depend on how a model was loaded, so they are asked. */
const SERVERS: readonly ProfileEntry[] = LOCAL_SERVERS.map(({ provider, baseUrl }) => ({
  id: '*',
  provider,
  baseUrl: baseUrl.replace('127.0.0.1', 'localhost'),
  timeoutMs: LOCAL_TIMEOUT_MS,
}));

/**
 * Models and dated names that the table lacks, with the publishers' own windows: Qwen3.6-35B-A3B states 262,144 tokens,
 * Nemotron 3 Nano Omni 256k (256,000 in the hosted listings). A local server may have loaded less.
 */
const MODELS: readonly ProfileEntry[] = [
  { id: 'qwen/qwen3.6-35b-a3b', provider: 'lmstudio', contextWindow: 262_144, encoding: 'cl100k_base' },
  { id: 'nvidia/nemotron-3-nano-omni', provider: 'lmstudio', contextWindow: 256_000 },
  { id: 'gpt-5-*', provider: 'openai', contextWindow: 400_000, inputLimit: 272_000, outputLimit: 128_000 },
  { id: 'gpt-5.1-*', provider: 'openai', contextWindow: 400_000, inputLimit: 272_000, outputLimit: 128_000 },
  { id: 'gpt-5.2-*', provider: 'openai', contextWindow: 400_000, inputLimit: 272_000, outputLimit: 128_000 },
  { id: 'gpt-4.1-*', provider: 'openai', contextWindow: 1_047_576, outputLimit: 32_768 },
  { id: 'gpt-4o-*', provider: 'openai', contextWindow: 128_000, outputLimit: 16_384 },
  { id: 'gpt-4-turbo*', provider: 'openai', contextWindow: 128_000, outputLimit: 4096 },
  { id: 'gpt-3.5-turbo*', provider: 'openai', contextWindow: 16_385, outputLimit: 4096 },
  { id: 'claude-*', provider: 'anthropic', contextWindow: 200_000 },
  { id: 'gemini-2.5-*', provider: 'google', contextWindow: 1_048_576, outputLimit: 65_536 },
];

/** Made once, on first use. */
let cached: ProfileLayer | undefined;

/** The built-in layer: hand-written entries come before the table's, so that they win ties. */
export function builtinProfiles(): ProfileLayer {
  cached ??= { source: 'built-in', entries: [...MODELS, ...tableEntries(), ...SERVERS, ...providerEntries()] };
  return cached;
}

function tableEntries(): ProfileEntry[] {
  return Object.entries(tables).flatMap(([provider, { baseUrl, models }]) =>
    Object.entries(models).map(([id, [contextWindow, inputLimit, outputLimit, input, output, cacheRead]]) =>
      withoutUndefined<ProfileEntry>({
        id,
        provider,
        baseUrl,
        contextWindow,
        inputLimit: inputLimit || undefined,
        outputLimit: outputLimit || undefined,
        price: input === undefined || output === undefined ? undefined : withoutUndefined({ input, output, cacheRead }),
      }),
    ),
  );
}

function providerEntries(): ProfileEntry[] {
  return Object.entries(tables).map(([provider, { baseUrl }]) => ({ id: '*', provider, baseUrl }));
}
