import type { LearnedWindow } from '../../core/model/budget.ts';
import { detectProvider, isLocalProvider, UNKNOWN_PROVIDER } from '../../core/model/providers.ts';
import { at, listAt, textAt, tokensAt } from '../fields.ts';
import { parseEndpoint } from './endpoint.ts';
import { entriesOf, type ServerQuery, tryJson } from './query.ts';

/** What a server says about the window of one of its models. */
export interface ServedWindow {
  /** The tokens that it will really accept; absent if it does not say, for example before it loads the model. */
  readonly window?: LearnedWindow;
  /** The server silently cuts the oldest messages of a prompt that is too long (Ollama). */
  readonly dropsOldest: boolean;
}

/**
 * Asks the server for the window of a model in all known ways at once, each request with a short timeout. The window of
 * the loaded model counts, never the model's maximum. A hosted provider is asked only for its list of models. Never
 * rejects; the key and the questions go to the base URL's own origin only.
 */
export async function discoverWindow(
  query: ServerQuery & { readonly model: string; readonly provider?: string },
): Promise<ServedWindow> {
  const endpoint = parseEndpoint(query.baseUrl);
  if (!endpoint.ok) return { dropsOldest: false };
  const { base, root } = endpoint.value;
  const { model, provider = detectProvider(query.baseUrl) } = query;
  const listed = tryJson(query, new URL('models', base));
  if (provider !== UNKNOWN_PROVIDER && !isLocalProvider(provider))
    return served(readModelList(await listed, model), false);
  const ask = (path: string, body?: object) => tryJson(query, new URL(path, root), body);
  const [lmStudio, olderLmStudio, running, shown, props] = await Promise.all([
    ask('api/v1/models'),
    ask('api/v0/models'),
    ask('api/ps'),
    ask('api/show', { model }),
    ask('props'),
  ]);
  const allocated = readOllamaRunning(running, model);
  // In order of trust.
  const window =
    readLmStudio(lmStudio, model) ??
    tokensAt(findEntry(listAt(olderLmStudio, 'data'), model), 'loaded_context_length') ??
    allocated ??
    readOllamaModel(shown) ??
    // llama.cpp: the window of one slot.
    tokensAt(props, 'default_generation_settings', 'n_ctx') ??
    readModelList(await listed, model);
  return served(window, allocated !== undefined || at(shown, 'model_info') instanceof Object);
}

function served(tokens: number | undefined, dropsOldest: boolean): ServedWindow {
  return { ...(tokens !== undefined && { window: { tokens, source: 'server' } }), dropsOldest };
}

/** LM Studio 0.4 and later, `GET /api/v1/models`. A model may be loaded several times; the smallest window is safe. */
function readLmStudio(answer: unknown, model: string): number | undefined {
  const entry = listAt(answer, 'models').find((item) => {
    const names = [textAt(item, 'key'), ...listAt(item, 'loaded_instances').map((loaded) => textAt(loaded, 'id'))];
    return names.some((name) => isSameModel(name, model));
  });
  const instances = listAt(entry, 'loaded_instances');
  const named = instances.filter((loaded) => isSameModel(textAt(loaded, 'id'), model));
  return smallest((named.length > 0 ? named : instances).map((item) => tokensAt(item, 'config', 'context_length')));
}

/** Ollama, `GET /api/ps`: the window that was allocated for a loaded model. */
function readOllamaRunning(answer: unknown, model: string): number | undefined {
  const entry = listAt(answer, 'models').find((item) =>
    [textAt(item, 'model'), textAt(item, 'name')].some((name) => isSameModel(name, model)),
  );
  return tokensAt(entry, 'context_length');
}

/** Ollama, `POST /api/show`: `num_ctx` applies when the model is loaded; the architecture's own length is a maximum. */
export function readOllamaModel(answer: unknown): number | undefined {
  const parameters = textAt(answer, 'parameters') ?? '';
  const configured = /^[ \t]{0,8}num_ctx[ \t]{1,99}(\d{1,9})[ \t\r]{0,99}$/mu.exec(parameters)?.[1];
  return Number(configured ?? 0) || undefined;
}

/**
 * The OpenAI list of models with the fields that servers add: vLLM `max_model_len`, OpenRouter `context_length` and
 * `top_provider`, Groq `context_window`, Mistral `max_context_length`. llama.cpp's `meta.n_ctx_train` is not a window,
 * nor is LM Studio's `max_context_length`, which stands beside the loading `state`.
 */
function readModelList(answer: unknown, model: string): number | undefined {
  const entry = findEntry(entriesOf(answer), model);
  const mistral = at(entry, 'state') === undefined ? tokensAt(entry, 'max_context_length') : undefined;
  return (
    tokensAt(entry, 'max_model_len') ??
    smallest([
      tokensAt(entry, 'context_length'),
      tokensAt(entry, 'top_provider', 'context_length'),
      tokensAt(entry, 'context_window') ?? mistral,
    ])
  );
}

function findEntry(entries: readonly unknown[], model: string): unknown {
  return entries.find((entry) => isSameModel(textAt(entry, 'id'), model));
}

function smallest(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Whether a server's name for a model means the requested one; Ollama adds `:latest` where no tag is given. */
function isSameModel(name: string | undefined, model: string): boolean {
  if (name === undefined) return false;
  const [a, b] = [name.toLowerCase(), model.toLowerCase()];
  return a === b || a === `${b}:latest` || `${a}:latest` === b;
}
