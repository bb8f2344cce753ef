import * as vscode from 'vscode';
import type { Result } from '../../core/result.ts';
import { SETTING_RULES } from '../../core/session/settingRules.ts';
import type { ServerRefusal } from '../adapters.ts';
import { plainText } from '../notices/plainText.ts';

const OTHER = 'Other model…';

/**
 * Asks for the model, out of those that the server listed; by name when it listed none. `current`: the one in the
 * settings, which comes first when it is listed. Undefined when the user left the dialog.
 */
export async function askModel(
  listed: Result<readonly string[], ServerRefusal>,
  current: string,
): Promise<string | undefined> {
  const models = listed.ok ? listed.value : [];
  if (models.length === 0)
    return await askName(
      `${listed.ok ? 'The server lists no models.' : `${listed.error.message}.`} Type the name as the server knows it.`,
    );
  const isListed = models.includes(current);
  const items = [
    ...(isListed ? [{ label: current, description: 'in use' }] : []),
    ...models.filter((model) => model !== current).map((label) => ({ label })),
    { label: OTHER },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: 'Karl: Which model?', ignoreFocusOut: true });
  return picked?.label === OTHER ? await askName('As the server knows it') : picked?.label;
}

async function askName(prompt: string): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: 'Karl: Name of the model',
    prompt: plainText(prompt),
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.model.accepts(value) ? undefined : `Allowed: ${SETTING_RULES.model.allowed}`,
  });
}
