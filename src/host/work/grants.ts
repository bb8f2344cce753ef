import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { type Grant, parseGrants } from '../../core/session/permission.ts';
import { nameGrant } from '../present/words.ts';

/** The key of what the user always allows in this workspace, until it is revoked. */
const KEY = 'karl.grants';

/** What the user always allows in this workspace. */
export function readGrants(memento: vscode.Memento): readonly Grant[] {
  return parseGrants(memento.get(KEY));
}

/** Adds something that is always allowed. */
export async function addGrant(memento: vscode.Memento, grant: Grant): Promise<void> {
  const others = readGrants(memento).filter((one) => nameGrant(one) !== nameGrant(grant));
  await memento.update(KEY, [...others, grant]);
}

/** Lists what is always allowed and revokes what the user picks. */
export async function reviewGrants(memento: vscode.Memento): Promise<void> {
  const grants = readGrants(memento);
  if (grants.length === 0) {
    void vscode.window.showInformationMessage(t('The agent asks about everything here: nothing is always allowed.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(
    grants.map((grant) => ({ label: nameGrant(grant), grant })),
    { canPickMany: true, title: t('Always allowed in this workspace'), placeHolder: t('Pick what is to be revoked') },
  );
  if (picked === undefined || picked.length === 0) return;
  const kept = grants.filter((grant) => !picked.some((item) => item.grant === grant));
  await memento.update(KEY, kept);
}
