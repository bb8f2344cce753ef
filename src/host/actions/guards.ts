import * as vscode from 'vscode';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { plainText } from '../notices/plainText.ts';
import { UNDO_HINTS } from '../present/compressions.ts';

/** Whether nothing runs in a conversation; says so when something does. */
export function isFree({ isBusy, agent, otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (isBusy) tell(UNDO_HINTS[otherAgent !== undefined && agent.isBusy ? 'served' : 'busy']);
  return !isBusy;
}

/** Whether this window may change a conversation; where another window holds it, offers to take it over. */
export function mayWrite({ readOnly }: ActiveConversation, takeOver: () => void): boolean {
  if (readOnly === undefined) return true;
  const button = 'Take Over';
  void vscode.window
    .showWarningMessage(plainText(`${readOnly} Take it over to change it here.`), button)
    .then((choice) => (choice === undefined ? undefined : takeOver()));
  return false;
}

/** Whether messages may be sent in a conversation; says why not in one of another agent. */
export function mayLead({ otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (otherAgent !== undefined) tell(otherAgent);
  return otherAgent === undefined;
}
