import * as vscode from 'vscode';
import { retell, t } from '../../core/language.ts';
import type { Result } from '../../core/result.ts';
import { SETTING_RULES } from '../../core/session/settingRules.ts';
import type { ServerRefusal } from '../adapters.ts';
import { plainText } from '../notices/plainText.ts';

/**
 * Asks for the model, out of those that the server listed; by name when it listed none. `current`: the one in the
 * settings, which comes first when it is listed. Undefined when the user left the dialog.
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
    );
  const other = t('Other model…');
  const isListed = models.includes(current);
  const items = [
    ...(isListed ? [{ label: current, description: t('in use') }] : []),
    ...models.filter((model) => model !== current).map((label) => ({ label })),
    { label: other },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Which model?'), ignoreFocusOut: true });
  return picked?.label === other ? await askName(t('As the server knows it')) : picked?.label;
}

async function askName(prompt: string): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: t('Karl: Name of the model'),
    prompt: plainText(prompt),
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.model.accepts(value) ? undefined : t('Allowed: {0}', SETTING_RULES.model.allowed),
  });
}
