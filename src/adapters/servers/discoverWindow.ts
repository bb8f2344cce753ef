import { detectProvider, isLocalProvider, UNKNOWN_PROVIDER } from '../../core/profile/provider.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { askJson, parseBaseUrl, type QueryFailure, type ServerQuery } from './serverQuery.ts';
import {
  readLlamaCpp,
  readLmStudio0,
  readLmStudio1,
  readModelList,
  readOllamaLoaded,
  readOllamaModel,
  type WindowAnswer,
} from './windowAnswers.ts';

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
  readonly outputLimit?: number;
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
      readonly message: string;
      readonly provider?: string;
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
    return ok({
      window,
      provider: name,
      source: `${name}: ${source}`,
      dropsOldest,
      seen,
      ...(outputLimit !== undefined && { outputLimit }),
    });
  }
  const failure = outcomes.every((outcome) => outcome.error?.kind === 'unreachable') ? outcomes[0]?.error : undefined;
  if (failure !== undefined) return err(failure);
  const message = `The server does not say what window ${query.model} has${Object.keys(seen).length > 0 ? ' now; it may not be loaded yet' : ''}.`;
  return err({ kind: 'unknown', message, dropsOldest, seen, ...(server !== undefined && { provider: server }) });
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
