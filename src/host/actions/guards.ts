import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { undoHint } from '../present/compressions.ts';
import { titleOf } from '../present/words.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import { openSetting } from '../settings/settings.ts';

/** Whether nothing runs in a conversation; says so when something does. */
export function isFree({ isBusy, agent, otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (isBusy) tell(undoHint(otherAgent !== undefined && agent.isBusy ? 'served' : 'busy'));
  return !isBusy;
}

/**
 * Whether this window may change a conversation; where another window holds it, offers to take it over. In the view, the
 * locked message box has the reason and the offer already.
 */
export function mayWrite(
  { readOnly }: ActiveConversation,
  announcer: Pick<Announcer, 'isVisible' | 'notify'>,
  takeOver: () => void,
): boolean {
  if (readOnly === undefined) return true;
  const text = t('{0} Take it over to change it here.', readOnly);
  const actions = [{ label: t('Take Over'), run: takeOver }];
  if (!announcer.isVisible) void announcer.notify({ severity: 'warning', text, actions });
  return false;
}

/** Whether another conversation may be opened in place of this one; asks where that stops a turn. */
export async function mayLeave(active: ActiveConversation | undefined): Promise<boolean> {
  if (active === undefined || active.otherAgent !== undefined || !active.agent.isBusy) return true;
  const stop = t('Stop and Open');
  const asked = {
    modal: true,
    detail: t('Another conversation stops it. What was said and done stays, and Continue goes on from there.'),
  };
  const what = t('The agent is working in “{0}”.', titleOf(active.title));
  return (await vscode.window.showWarningMessage(what, asked, stop)) === stop;
}

/** Whether messages may be sent in a conversation; says why not in one of another agent. */
export function mayLead({ otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (otherAgent !== undefined) tell(otherAgent);
  return otherAgent === undefined;
}

/** What leading back from dialogs needs. */
interface WayBack {
  readonly setup: { readonly opened: number };
  readonly announcer: { readonly isVisible: boolean };
  readonly reveal: () => Promise<void>;
}

/**
 * Runs what may open dialogs. Where the user went through them, the focus is in the view afterwards, if that can be
 * seen: VS Code would give it to a text editor. Where the user left one, only if all began in the view.
 */
export async function leadBack(
  run: () => Promise<boolean>,
  { setup, announcer, reveal }: WayBack,
  from: 'view' | 'anywhere' = 'anywhere',
): Promise<boolean> {
  const before = setup.opened;
  const isDone = await run();
  if ((isDone || from === 'view') && setup.opened > before && announcer.isVisible) await reveal();
  return isDone;
}

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
