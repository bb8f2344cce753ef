import { err, ok, type Result } from '../../core/result.ts';
import { eachInSteps, runInSlices, type Steps, sortInSteps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { listAt, textAt } from './json.ts';
import { askJson, parseBaseUrl, type QueryFailure, type ServerQuery } from './serverQuery.ts';
import { readListedModel } from './windowAnswers.ts';

/** A model that a server offers; the window only where its list states one. */
export interface ListedModel {
  readonly id: string;
  readonly contextWindow?: number;
}

/** Asks a server for its models (`GET <base>/models`), sorted by id. Never rejects. */
export async function listModels(query: ServerQuery): Promise<Result<readonly ListedModel[], QueryFailure>> {
  const parsed = parseBaseUrl(query.baseUrl);
  if ('kind' in parsed) return err(parsed);
  const outcome = await askJson(query, new URL('models', parsed.base));
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  if (listAt(value, 'data').length === 0 && textAt(value, 'object') !== 'list') {
    return err({ kind: 'refused', message: `${parsed.base.origin} answered, but not with a list of models` });
  }
  return ok(await runInSlices(describeModels(listAt(value, 'data')), SLICES));
}

/** Each entry is read once; of those with one id the first counts. */
function* describeModels(entries: readonly unknown[]): Steps<ListedModel[]> {
  const models = new Map<string, ListedModel>();
  yield* eachInSteps(entries, (entry) => {
    const id = textAt(entry, 'id');
    if (id === undefined || models.has(id)) return;
    const { window } = readListedModel(entry);
    models.set(id, { id, ...(window !== undefined && { contextWindow: window }) });
  });
  return yield* sortInSteps([...models.values()], (one, other) => (one.id < other.id ? -1 : 1));
}
