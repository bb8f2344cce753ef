import { type KnownServer, LOCAL_SERVERS } from '../../core/profile/knownServers.ts';
import { at, textAt } from './json.ts';
import { idsForChat, type ListedModel, listModels } from './listModels.ts';
import { askJson, parseBaseUrl } from './serverQuery.ts';

/** A server that answered at one of the usual addresses. */
export interface FoundServer {
  /** The program, as it identifies itself; absent when it does not. */
  readonly label?: string;
  readonly baseUrl: string;
  /** Those that can chat. */
  readonly models: readonly string[];
  /** It only answers requests with a key. */
  readonly needsKey: boolean;
}

/** Where and how to look. */
export interface ServerSearch {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Default: the usual ports on this machine. */
  readonly places?: readonly KnownServer[];
}

/** A program on this machine answers at once, even while it loads a model, milliseconds. */
const TIMEOUT_MS = 1_500;

/** What each program writes into `owned_by` of its list of models. */
const OWNERS: Readonly<Record<string, string>> = {
  organization_owner: 'LM Studio',
  library: 'Ollama',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
};

/**
 * Asks every usual address for its list of models, all at once and without a key. Another kind of program, e.g. a web
 * server on port 8080, is left out. Never rejects.
 */
export async function findServers({ places = LOCAL_SERVERS, ...how }: ServerSearch): Promise<readonly FoundServer[]> {
  const answers = await Promise.all(
    places.map(async ({ label, baseUrl }): Promise<readonly FoundServer[]> => {
      const listed = await listModels({ baseUrl, timeoutMs: TIMEOUT_MS, ...how });
      if (listed.ok) {
        const name = ownerOf(listed.value) ?? (listed.value.length === 0 ? await askName(baseUrl, how) : undefined);
        const models = idsForChat(listed.value);
        return [{ ...(name !== undefined && { label: name }), baseUrl, models, needsKey: false }];
      }
      const needsKey = listed.error.kind === 'refused' && listed.error.status === 401;
      return needsKey ? [{ label, baseUrl, models: [], needsKey }] : [];
    }),
  );
  return answers.flat();
}

function ownerOf(models: readonly ListedModel[]): string | undefined {
  return models.flatMap(({ owner }) => (owner === undefined ? [] : (OWNERS[owner] ?? [])))[0];
}

/** The program of a server that has no model yet, told by an address that it alone has. */
async function askName(baseUrl: string, how: Pick<ServerSearch, 'fetch' | 'signal'>): Promise<string | undefined> {
  const parsed = parseBaseUrl(baseUrl);
  if ('kind' in parsed) return undefined;
  const ask = async (path: string) => {
    const answer = await askJson({ baseUrl, timeoutMs: TIMEOUT_MS, ...how }, new URL(path, parsed.root));
    return answer.ok ? answer.value : undefined;
  };
  const [version, list] = await Promise.all([ask('api/version'), ask('api/v0/models')]);
  if (textAt(version, 'version') !== undefined) return 'Ollama';
  // For a path that it does not know LM Studio has status 200 and an error.
  return Array.isArray(at(list, 'data')) ? 'LM Studio' : undefined;
}
