import * as vscode from 'vscode';
import { unreachable } from '../../core/result.ts';
import type { Cure } from '../notices/describeModelError.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import { openSetting } from '../settings/settingsPage.ts';

/** What mending needs. */
interface Means {
  readonly setup: ServerSetup;
  /** Applies what is in force now to the open conversation. */
  readonly applySettings: () => Promise<void>;
}

/** Opens what mends a problem. True when the user did that and it is in force, so that what failed may be retried. */
export async function mend(cure: Cure, { setup, applySettings }: Means): Promise<boolean> {
  const isMended = await open(cure, setup);
  if (isMended) await applySettings();
  return isMended;
}

async function open(cure: Cure, setup: ServerSetup): Promise<boolean> {
  switch (cure.kind) {
    case 'set-key':
      return await setup.setKey();
    case 'select-server':
      return await setup.selectServer();
    case 'select-model':
      return await setup.selectModel();
    case 'compress-with':
      await vscode.commands.executeCommand('karl.compressWith', 'view');
      return false;
    case 'open-setting':
      await openSetting(`karl.${cure.setting}`);
      return false;
    default:
      return unreachable(cure);
  }
}
