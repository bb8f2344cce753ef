import * as vscode from 'vscode';
import { retell, t } from '../../core/language.ts';
import type { Result } from '../../core/result.ts';
import { SETTING_RULES } from '../../core/session/settings.ts';
import type { ServerRefusal } from '../adapters.ts';
import { plainText } from '../notices/plainText.ts';
import { withoutIcons } from '../present/withoutIcons.ts';

/** An entry of the list: a model, or the way to another one. */
interface Choice extends vscode.QuickPickItem {
  readonly model?: string;
}

/**
 * Asks for the model, out of those that the server listed; by name when it listed none. `current`: the one in the
 * settings, which comes first when it is listed and is proposed when the server did not answer. Undefined when the user
 * left the dialog.
 */
export async function askModel(
  listed: Result<readonly string[] | undefined, ServerRefusal>,
  current: string,
): Promise<string | undefined> {
  const models = (listed.ok ? listed.value : undefined) ?? [];
  if (models.length === 0)
    return await askName(
      listed.ok
        ? t('The server lists no models that can chat. Type the name as the server knows it.')
        : t('{0}. Type the name as the server knows it.', retell(listed.error.message)),
      listed.ok ? '' : current,
    );
  const isListed = models.includes(current);
  const items: readonly Choice[] = [
    ...(isListed ? [{ label: withoutIcons(current), description: t('in use'), model: current }] : []),
    ...models.filter((model) => model !== current).map((model) => ({ label: withoutIcons(model), model })),
    { label: t('Other model…') },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Which model?'), ignoreFocusOut: true });
  return picked === undefined ? undefined : (picked.model ?? (await askName(t('As the server knows it'))));
}

async function askName(prompt: string, value = ''): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: t('Karl: Name of the model'),
    value,
    prompt: plainText(prompt),
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.model.accepts(value) ? undefined : t('Allowed: {0}', SETTING_RULES.model.allowed),
  });
}
