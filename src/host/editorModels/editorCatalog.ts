import { t } from '../../core/language.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { orAborted } from '../../core/steps.ts';
import type { ServerRefusal } from '../adapters.ts';

/** The vendor of Karl's own models: Karl would be asking itself. */
const KARL = 'karl';

/** What names a model of VS Code. */
export interface EditorModelName {
  readonly vendor: string;
  readonly id: string;
}

/** Asks VS Code for models, as `vscode.lm.selectChatModels` does: the named vendor, or every vendor without a name. */
type SelectModels<Model> = (name?: EditorModelName) => PromiseLike<readonly Model[]>;

/**
 * The names of the models that VS Code has, without Karl's own. Every vendor is asked, even Karl's: only for a dialog
 * that the user opened. A vendor may never answer: the signal ends the waiting.
 */
export async function listModels(
  select: SelectModels<EditorModelName>,
  signal: AbortSignal,
): Promise<Result<readonly string[], ServerRefusal>> {
  const models = await orAborted(Promise.resolve(select()), undefined, signal);
  if (models === undefined) {
    return err({ kind: 'unreachable', message: t("VS Code's models gave no answer in time") });
  }
  const names = models.filter(({ vendor }) => vendor !== KARL).map(({ vendor, id }) => `${vendor}/${id}`);
  if (names.length > 0) return ok(names);
  const message = t('VS Code has no models. Sign in to Copilot, or add some with "Chat: Manage Language Models"');
  return err({ kind: 'refused', message });
}

/**
 * The model of a name `vendor/id`. Its vendor alone is asked, Karl's never. Undefined: there is none, or no answer came
 * before the signal aborted.
 */
export async function findModel<Model extends EditorModelName>(
  name: string,
  select: SelectModels<Model>,
  signal: AbortSignal,
): Promise<Model | undefined> {
  const slash = name.indexOf('/');
  const [vendor, id] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (vendor === '' || id === '' || vendor === KARL) return undefined;
  const models = await orAborted(Promise.resolve(select({ vendor, id })), undefined, signal);
  return models?.find((model) => model.vendor === vendor && model.id === id);
}
