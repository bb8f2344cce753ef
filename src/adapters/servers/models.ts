import { type KnownServer, LOCAL_SERVERS } from '../../core/model/providers.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { eachInSteps, runInSlices, type Steps, sortInSteps } from '../../core/steps.ts';
import { inEnglish, sentence } from '../../language/language.ts';
import { at, listAt, textAt } from '../fields.ts';
import { SLICES } from '../node/slices.ts';
import { parseEndpoint } from './endpoint.ts';
import { askJson, entriesOf, type QueryFailure, type ServerQuery, tryJson } from './query.ts';

/** A model that a server offers. */
export interface ListedModel {
  readonly id: string;
  /** `owned_by`: who made it, or which program runs it. */
  readonly owner: string | undefined;
  /** False where the server says that it cannot chat. */
  readonly canChat: boolean;
}

/** Asks a server for its models (`GET <base>/models`), sorted by id. Never rejects. */
export async function listModels(query: ServerQuery): Promise<Result<readonly ListedModel[], QueryFailure>> {
  const endpoint = parseEndpoint(query.baseUrl);
  if (!endpoint.ok) return err({ kind: 'invalid-url', message: endpoint.error });
  const { base, root, origin } = endpoint.value;
  const outcome = await askJson(query, new URL('models', base));
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  const entries = entriesOf(value);
  if (entries.length === 0 && textAt(value, 'object') !== 'list' && !Array.isArray(value)) {
    const message = sentence('{0} answered, but not with a list of models', origin);
    return err({ kind: 'refused', message });
  }
  const silent = await findWithoutChat(query, root, entries);
  return ok(await runInSlices(describeModels(entries, silent), SLICES));
}

/** The ids of the models that can chat. */
export function idsForChat(models: readonly ListedModel[]): readonly string[] {
  return models.filter(({ canChat }) => canChat).map(({ id }) => id);
}

/** The server's list of models as it is, for a gateway that passes it on. The error is one sentence. Never rejects. */
export async function askForModels(query: ServerQuery): Promise<Result<unknown, string>> {
  const endpoint = parseEndpoint(query.baseUrl);
  if (!endpoint.ok) return err(inEnglish(endpoint.error));
  const outcome = await askJson(query, new URL('models', endpoint.value.base));
  return outcome.ok ? ok(outcome.value) : err(`The model's server: ${inEnglish(outcome.error.message)}`);
}

/** Of several entries with the same id, the first counts. */
function* describeModels(
  entries: readonly unknown[],
  silent: ReadonlySet<string | undefined>,
): Steps<readonly ListedModel[]> {
  const models = new Map<string, ListedModel>();
  yield* eachInSteps(entries, (entry) => {
    const id = textAt(entry, 'id');
    if (id === undefined || models.has(id)) return;
    models.set(id, { id, owner: textAt(entry, 'owned_by'), canChat: !silent.has(id) && !isWithoutChat(entry) });
  });
  return yield* sortInSteps([...models.values()], (one, other) => (one.id < other.id ? -1 : 1));
}

/** What LM Studio, Together and others call a model that only makes embeddings. */
const EMBEDDINGS = new Set(['embedding', 'embeddings']);

/**
 * Whether an entry says that its model cannot chat, by its type or (Mistral) its capabilities. Nothing is concluded from
 * a name.
 */
function isWithoutChat(entry: unknown): boolean {
  return EMBEDDINGS.has(textAt(entry, 'type') ?? '') || at(entry, 'capabilities', 'completion_chat') === false;
}

/** Ollama is asked about at most this many models. */
const MOST_SHOWN = 100;

/**
 * The ids of models that cannot chat, as LM Studio states them (at `/api/v1/models` from 0.4 on, at `/api/v0/models` from
 * 0.3.6 on) or Ollama (at `/api/show`, for one model at a time). Empty for other servers. Never rejects.
 */
async function findWithoutChat(
  query: ServerQuery,
  root: URL,
  entries: readonly unknown[],
): Promise<ReadonlySet<string | undefined>> {
  const owners = new Set(entries.map((entry) => textAt(entry, 'owned_by')));
  if (owners.has('library')) {
    const ids = entries.flatMap((entry) => textAt(entry, 'id') ?? []).slice(0, MOST_SHOWN);
    const shown = await Promise.all(ids.map((model) => tryJson(query, new URL('api/show', root), { model })));
    const abilities = shown.map((answer) => at(answer, 'capabilities'));
    return new Set(ids.filter((_, index) => !isAbleToChat(abilities[index])));
  }
  if (!owners.has('organization_owner')) return new Set();
  const [newer, older] = await Promise.all(
    ['api/v1/models', 'api/v0/models'].map((path) => tryJson(query, new URL(path, root))),
  );
  const models = [...listAt(newer, 'models'), ...listAt(older, 'data')];
  return new Set(models.filter(isWithoutChat).map((model) => textAt(model, 'key') ?? textAt(model, 'id')));
}

/** Whether Ollama's list of a model's abilities, which its older versions do not have, includes chat. */
function isAbleToChat(abilities: unknown): boolean {
  return !Array.isArray(abilities) || abilities.includes('completion');
}

/** A server that answered at one of the usual addresses. */
export interface FoundServer {
  /** The program, as it identifies itself, or that of the usual address where it has no models; absent when unknown. */
  readonly label?: string;
  readonly baseUrl: string;
  /** Those that can chat. */
  readonly models: readonly string[];
  /** It answers only requests with a key. */
  readonly needsKey: boolean;
}

/** Programs on this machine answer at once, even while they load a model. Milliseconds. */
const TIMEOUT_MS = 1_500;

/** Programs by what they write into `owned_by` of their list of models. */
const OWNERS: Readonly<Record<string, string>> = {
  organization_owner: 'LM Studio',
  library: 'Ollama',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
};

/**
 * Asks every address (default: the usual ports of this machine) for its list of models, all at once and without a key.
 * Leaves out other programs, such as a web server on port 8080. Never rejects.
 */
export async function findServers(
  signal: AbortSignal,
  places: readonly Pick<KnownServer, 'label' | 'baseUrl'>[] = LOCAL_SERVERS,
): Promise<readonly FoundServer[]> {
  const answers = await Promise.all(
    places.map(async ({ label, baseUrl }): Promise<readonly FoundServer[]> => {
      const listed = await listModels({ baseUrl, timeoutMs: TIMEOUT_MS, signal });
      if (listed.ok) {
        const [owner] = listed.value.flatMap((model) => OWNERS[model.owner ?? ''] ?? []);
        // Without a model it does not say what it is.
        const name = listed.value.length === 0 ? label : owner;
        const models = idsForChat(listed.value);
        return [{ ...(name !== undefined && { label: name }), baseUrl, models, needsKey: false }];
      }
      const needsKey = listed.error.kind === 'refused' && listed.error.status === 401;
      return needsKey ? [{ label, baseUrl, models: [], needsKey }] : [];
    }),
  );
  return answers.flat();
}
