import type { Words } from '../../core/language.ts';
import { detectProvider, isLocalProvider, UNKNOWN_PROVIDER } from '../../core/model/providers.ts';
import { err, ok, type Result } from '../../core/result.ts';
import {
  askJson,
  at,
  entriesOf,
  listAt,
  parseBaseUrl,
  type QueryFailure,
  type ServerQuery,
  textAt,
  tokensAt,
} from './query.ts';

/** The model whose window is wanted. */
export interface WindowQuery extends ServerQuery {
  readonly model: string;
  /** The known provider; absent = told from the base URL. */
  readonly provider?: string;
}

/** What a server says about its own window. Tokens. */
export interface DiscoveredWindow {
  readonly window: number;
  /** The longest possible reply, where stated. */
  readonly outputLimit?: number | undefined;
  /** What the server turned out to be. */
  readonly provider: string;
  /** A description, e.g. `lmstudio: loaded_instances[].config.context_length`. */
  readonly source: string;
  /** The server silently cuts the oldest messages of a prompt that is too long (Ollama). */
  readonly dropsOldest: boolean;
  /** Every figure that was read, including those that are not a window. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Nothing was found; `seen` still holds what was read (e.g. the maximum of a model that is not loaded). */
export type WindowFailure =
  | (QueryFailure & { readonly seen?: never })
  | {
      readonly kind: 'unknown';
      readonly message: Words;
      readonly provider?: string | undefined;
      readonly dropsOldest: boolean;
      readonly seen: Readonly<Record<string, number>>;
    };

interface Probe {
  readonly path: string;
  readonly from: 'root' | 'base';
  readonly body?: unknown;
  readonly read: (answer: unknown, model: string) => WindowAnswer | undefined;
}

/**
 * Asks the server for its window, in all known ways at once, each request with a short timeout. What is loaded counts,
 * never what the model could do. Never rejects; the key and the questions go to the base URL's origin only.
 */
export async function discoverWindow(query: WindowQuery): Promise<Result<DiscoveredWindow, WindowFailure>> {
  const parsed = parseBaseUrl(query.baseUrl);
  if ('kind' in parsed) return err(parsed);
  const provider = query.provider ?? detectProvider(query.baseUrl);
  const outcomes = await Promise.all(
    probesFor(provider, query.model).map(async ({ path, from, body, read }) => {
      const outcome = await askJson(query, new URL(path, from === 'root' ? parsed.root : parsed.base), body);
      return outcome.ok ? { answer: read(outcome.value, query.model) } : { error: outcome.error };
    }),
  );
  if (query.signal.aborted) return err({ kind: 'cancelled', message: 'Cancelled' });
  const answers = outcomes.flatMap((outcome) => outcome.answer ?? []);
  const seen = Object.assign({}, ...answers.map((answer) => answer.seen)) as Record<string, number>;
  const server = answers.find((answer) => answer.provider !== UNKNOWN_PROVIDER)?.provider ?? answers[0]?.provider;
  const dropsOldest = server === 'ollama';
  const best = answers.find((answer) => answer.window !== undefined);
  if (best?.window !== undefined) {
    const { window, outputLimit, source } = best;
    const name = best.provider === UNKNOWN_PROVIDER ? provider : best.provider;
    return ok({ window, outputLimit, provider: name, source: `${name}: ${source}`, dropsOldest, seen });
  }
  const failure = outcomes.every((outcome) => outcome.error?.kind === 'unreachable') ? outcomes[0]?.error : undefined;
  if (failure !== undefined) return err(failure);
  const message = `The server does not say what window ${query.model} has${Object.keys(seen).length > 0 ? ' now; it may not be loaded yet' : ''}.`;
  return err({ kind: 'unknown', message, dropsOldest, seen, provider: server });
}

/** In order of trust. A hosted provider is asked only for its list of models. */
function probesFor(provider: string, model: string): readonly Probe[] {
  const list: Probe = { path: 'models', from: 'base', read: readModelList };
  if (provider !== UNKNOWN_PROVIDER && !isLocalProvider(provider)) return [list];
  return [
    { path: 'api/v1/models', from: 'root', read: readLmStudio1 },
    { path: 'api/v0/models', from: 'root', read: readLmStudio0 },
    { path: 'api/ps', from: 'root', read: readOllamaLoaded },
    { path: 'api/show', from: 'root', body: { model }, read: readOllamaModel },
    { path: 'props', from: 'root', read: readLlamaCpp },
    list,
  ];
}

/**
 * What one answer of a server says about a model. `window` only where the server states what it will really accept;
 * everything else that was read (what the model was trained for, what could be loaded) is in `seen`.
 */
export interface WindowAnswer {
  readonly provider: string;
  /** The field that decided, to be shown to people. */
  readonly source: string;
  readonly window?: number | undefined;
  readonly outputLimit?: number | undefined;
  readonly seen: Readonly<Record<string, number>>;
}

type Reader = (answer: unknown, model: string) => WindowAnswer | undefined;

/** LM Studio 0.4 and later, `GET /api/v1/models`: a model may be loaded several times; the smallest window is safe. */
export const readLmStudio1: Reader = (answer, model) => {
  const entry = listAt(answer, 'models').find((item) => {
    const names = [textAt(item, 'key'), ...listAt(item, 'loaded_instances').map((loaded) => textAt(loaded, 'id'))];
    return names.some((name) => sameModel(name, model));
  });
  if (entry === undefined) return undefined;
  const instances = listAt(entry, 'loaded_instances');
  const named = instances.filter((loaded) => sameModel(textAt(loaded, 'id'), model));
  const loaded = (named.length > 0 ? named : instances).flatMap(
    (item) => tokensAt(item, 'config', 'context_length') ?? [],
  );
  return answerOf('lmstudio', 'loaded_instances[].config.context_length', {
    window: loaded.length > 0 ? Math.min(...loaded) : undefined,
    seen: { loaded_context_length: loaded[0], max_context_length: tokensAt(entry, 'max_context_length') },
  });
};

/** LM Studio 0.3.6 and later, `GET /api/v0/models`: `max_context_length` is the model's maximum, not what is loaded. */
export const readLmStudio0: Reader = (answer, model) => {
  const entry = listAt(answer, 'data').find((item) => sameModel(textAt(item, 'id'), model));
  const loaded = tokensAt(entry, 'loaded_context_length');
  const max = tokensAt(entry, 'max_context_length');
  if (loaded === undefined && max === undefined) return undefined;
  return answerOf('lmstudio', 'loaded_context_length', {
    window: loaded,
    seen: { loaded_context_length: loaded, max_context_length: max },
  });
};

/** Ollama, `GET /api/ps`: the window that was allocated for a loaded model. */
export const readOllamaLoaded: Reader = (answer, model) => {
  const entry = listAt(answer, 'models').find((item) =>
    [textAt(item, 'model'), textAt(item, 'name')].some((name) => sameModel(name, model)),
  );
  const window = tokensAt(entry, 'context_length');
  return window === undefined
    ? undefined
    : answerOf('ollama', '/api/ps context_length', { window, seen: { context_length: window } });
};

/** Ollama, `POST /api/show`: `num_ctx` holds when the model is loaded; the architecture's own length is a maximum. */
export const readOllamaModel: Reader = (answer) => {
  const info = at(answer, 'model_info');
  if (typeof info !== 'object' || info === null) return undefined;
  const name = Object.keys(info).find((key) => key.endsWith('.context_length'));
  const trained = name === undefined ? undefined : tokensAt(info, name);
  const configured = /^[ \t]{0,8}num_ctx[ \t]{1,99}(\d{1,9})[ \t\r]{0,99}$/mu.exec(
    textAt(answer, 'parameters') ?? '',
  )?.[1];
  const numCtx = configured === undefined ? undefined : Number(configured);
  return answerOf('ollama', '/api/show num_ctx', {
    window: numCtx,
    seen: { num_ctx: numCtx, trained_context_length: trained },
  });
};

/** llama.cpp, `GET /props`: the window of one slot. */
export const readLlamaCpp: Reader = (answer) => {
  const window = tokensAt(answer, 'default_generation_settings', 'n_ctx');
  if (window === undefined) return undefined;
  const seen = { n_ctx: window, total_slots: tokensAt(answer, 'total_slots') };
  return answerOf('llamacpp', '/props default_generation_settings.n_ctx', { window, seen });
};

/**
 * The OpenAI list of models with the fields that servers add: vLLM `max_model_len`, OpenRouter `context_length` and
 * `top_provider`, Groq `context_window`, Mistral `max_context_length`. llama.cpp's `meta.n_ctx_train` is not a window.
 */
export const readModelList: Reader = (answer, model) => {
  const entry = entriesOf(answer).find((item) => sameModel(textAt(item, 'id'), model));
  return entry === undefined ? undefined : readListedModel(entry);
};

/** The same for one entry of the list. */
export function readListedModel(entry: unknown): WindowAnswer {
  const seen = {
    max_model_len: tokensAt(entry, 'max_model_len'),
    context_length: tokensAt(entry, 'context_length'),
    'top_provider.context_length': tokensAt(entry, 'top_provider', 'context_length'),
    context_window: tokensAt(entry, 'context_window'),
    max_context_length: tokensAt(entry, 'max_context_length'),
    n_ctx_train: tokensAt(entry, 'meta', 'n_ctx_train'),
    max_completion_tokens:
      tokensAt(entry, 'top_provider', 'max_completion_tokens') ?? tokensAt(entry, 'max_completion_tokens'),
  };
  if (seen.max_model_len !== undefined)
    return answerOf('vllm', '/models max_model_len', { window: seen.max_model_len, seen });
  // LM Studio's own list uses this name for the maximum, next to the loading state: that is not a window.
  const mistral = at(entry, 'state') === undefined ? seen.max_context_length : undefined;
  const stated = [seen.context_length, seen['top_provider.context_length'], seen.context_window ?? mistral].filter(
    (value) => value !== undefined,
  );
  const provider = at(entry, 'top_provider') === undefined ? 'openai-compatible' : 'openrouter';
  const source =
    stated.length > 1
      ? '/models, the lower of context_length and top_provider.context_length'
      : '/models context length';
  const window = stated.length > 0 ? Math.min(...stated) : undefined;
  return answerOf(provider, source, { window, outputLimit: seen.max_completion_tokens, seen });
}

interface Figures extends Pick<WindowAnswer, 'window' | 'outputLimit'> {
  readonly seen: Readonly<Record<string, number | undefined>>;
}

function answerOf(provider: string, source: string, { seen, ...limits }: Figures): WindowAnswer {
  const known = Object.entries(seen).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return { provider, source, ...limits, seen: Object.fromEntries(known) };
}

/** Whether a server's name for a model means the requested one; Ollama adds `:latest` where no tag is given. */
function sameModel(name: string | undefined, model: string): boolean {
  if (name === undefined) return false;
  const [a, b] = [name.toLowerCase(), model.toLowerCase()];
  return a === b || a === `${b}:latest` || `${a}:latest` === b;
}
