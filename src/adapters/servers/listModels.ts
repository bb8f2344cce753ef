import { english } from '../../core/language.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { eachInSteps, runInSlices, type Steps, sortInSteps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { listAt, textAt } from './json.ts';
import { askJson, parseBaseUrl, type QueryFailure, type ServerQuery } from './serverQuery.ts';
import { readListedModel } from './windowAnswers.ts';
import { findWithoutChat, isWithoutChat } from './withoutChat.ts';

/** A model that a server offers; with its window only where the list states one. */
export interface ListedModel {
  readonly id: string;
  readonly contextWindow?: number;
  /** `owned_by`: who made it, or which program runs it. */
  readonly owner?: string;
  /** The server says that it cannot chat. */
  readonly withoutChat?: true;
}

/** Asks a server for its models (`GET <base>/models`), sorted by id. Never rejects. */
export async function listModels(query: ServerQuery): Promise<Result<readonly ListedModel[], QueryFailure>> {
  const parsed = parseBaseUrl(query.baseUrl);
  if ('kind' in parsed) return err(parsed);
  const outcome = await askJson(query, new URL('models', parsed.base));
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  // Together and others answer with the bare list.
  const entries = Array.isArray(value) ? value : listAt(value, 'data');
  if (entries.length === 0 && textAt(value, 'object') !== 'list' && !Array.isArray(value)) {
    return err({
      kind: 'refused',
      message: english('{0} answered, but not with a list of models', parsed.base.origin),
    });
  }
  const silent = await findWithoutChat(query, parsed.root, entries);
  return ok(await runInSlices(describeModels(entries, silent), SLICES));
}

/** The ids of those that can chat. */
export function idsForChat(models: readonly ListedModel[]): readonly string[] {
  return models.filter(({ withoutChat }) => withoutChat !== true).map(({ id }) => id);
}

/** The same list as the server gives it, uninterpreted. The error is one sentence. Never rejects. */
export async function askForModels(query: ServerQuery): Promise<Result<unknown, string>> {
  const parsed = parseBaseUrl(query.baseUrl);
  if ('kind' in parsed) return err(parsed.message);
  const outcome = await askJson(query, new URL('models', parsed.base));
  return outcome.ok ? ok(outcome.value) : err(`The model's server: ${outcome.error.message}`);
}

/** Each entry is read once; of several with the same id the first counts. */
function* describeModels(entries: readonly unknown[], silent: ReadonlySet<string>): Steps<readonly ListedModel[]> {
  const models = new Map<string, ListedModel>();
  yield* eachInSteps(entries, (entry) => {
    const id = textAt(entry, 'id');
    if (id === undefined || models.has(id)) return;
    const { window } = readListedModel(entry);
    const owner = textAt(entry, 'owned_by');
    models.set(id, {
      id,
      ...(window !== undefined && { contextWindow: window }),
      ...(owner !== undefined && { owner }),
      ...((silent.has(id) || isWithoutChat(entry)) && { withoutChat: true }),
    });
  });
  return yield* sortInSteps([...models.values()], (one, other) => (one.id < other.id ? -1 : 1));
}
