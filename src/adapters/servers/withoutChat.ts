import { at, listAt, textAt } from './json.ts';
import { askJson, type ServerQuery } from './serverQuery.ts';

/** What LM Studio, Together and others call a model that only makes embeddings. */
const EMBEDDINGS = new Set(['embedding', 'embeddings']);

/** The most models that Ollama is asked about: each is a request of its own. */
const MOST_ASKED = 100;

/**
 * The ids of the models of LM Studio or Ollama that do not chat, as these servers state it at addresses of their own;
 * empty for other servers. Never rejects.
 */
export async function findWithoutChat(
  query: ServerQuery,
  root: URL,
  entries: readonly unknown[],
): Promise<ReadonlySet<string>> {
  const asked = entries.slice(0, MOST_ASKED);
  const owners = new Set(asked.map((entry) => textAt(entry, 'owned_by')));
  const told = await Promise.all([
    owners.has('organization_owner') ? askLmStudio(query, root) : [],
    owners.has('library') ? askOllama(query, root, asked) : [],
  ]);
  return new Set(told.flat().filter((id) => id !== undefined));
}

/**
 * Whether an entry of a list says that its model does not chat: by its type or, as Mistral has it, its capabilities.
 * Nothing is concluded from a name.
 */
export function isWithoutChat(entry: unknown): boolean {
  return EMBEDDINGS.has(textAt(entry, 'type') ?? '') || at(entry, 'capabilities', 'completion_chat') === false;
}

/** `GET /api/v1/models` from LM Studio 0.4 on, `GET /api/v0/models` from 0.3.6 on. */
async function askLmStudio(query: ServerQuery, root: URL): Promise<readonly (string | undefined)[]> {
  const [newer, older] = await Promise.all(
    ['api/v1/models', 'api/v0/models'].map(async (path) => {
      const answer = await askJson(query, new URL(path, root));
      return answer.ok ? answer.value : undefined;
    }),
  );
  const models = [...listAt(newer, 'models'), ...listAt(older, 'data')];
  return models.filter(isWithoutChat).map((model) => textAt(model, 'key') ?? textAt(model, 'id'));
}

/** `POST /api/show`, which states capabilities from Ollama 0.6.4 on. */
async function askOllama(
  query: ServerQuery,
  root: URL,
  entries: readonly unknown[],
): Promise<readonly (string | undefined)[]> {
  const ids = entries.map((entry) => textAt(entry, 'id'));
  return await Promise.all(
    ids.map(async (model) => {
      const answer = await askJson(query, new URL('api/show', root), { model });
      const capabilities = answer.ok ? listAt(answer.value, 'capabilities') : [];
      return capabilities.length === 0 || capabilities.includes('completion') ? undefined : model;
    }),
  );
}
