import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { type Grant, parseGrants } from '../../core/session/permission.ts';
import { nameGrant } from '../present/words.ts';

/** What the user allows the agent without being asked, in this workspace, until it is revoked. */
const KEY = 'karl.grants';

/** The grants of a workspace. */
export function readGrants(memento: vscode.Memento): readonly Grant[] {
  return parseGrants(memento.get(KEY));
}

/** Allows something for good. */
export async function addGrant(memento: vscode.Memento, grant: Grant): Promise<void> {
  const others = readGrants(memento).filter((one) => nameGrant(one) !== nameGrant(grant));
  await memento.update(KEY, [...others, grant]);
}

/** Shows what is allowed for good; what the user picks is revoked. */
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
  const revoked = new Set(picked?.map(({ label }) => label));
  if (revoked.size > 0)
    await memento.update(
      KEY,
      grants.filter((grant) => !revoked.has(nameGrant(grant))),
    );
}
