import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { readTypedWindow } from '../../core/model/windows.ts';
import { unreachable } from '../../core/result.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Host } from '../host.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { undoHint } from '../present/compressions.ts';
import { plainText, titleOf, windowSourceWords } from '../present/words.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import { openSetting } from '../settings/settings.ts';

/** True when nothing runs in a conversation; tells the user otherwise. */
export function isFree({ isBusy, agent, otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (isBusy) tell(undoHint(otherAgent !== undefined && agent.isBusy ? 'served' : 'busy'));
  return !isBusy;
}

/**
 * True when this window may change a conversation; otherwise offers to take it over, unless the view, whose message box
 * makes the same offer, is visible.
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

/** True when another conversation may be opened instead of this one; asks first when that stops a turn. */
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

/** True when messages may be sent in a conversation; tells the user why not in one of another agent. */
export function mayLead({ otherAgent }: ActiveConversation, tell: (text: string) => void): boolean {
  if (otherAgent !== undefined) tell(otherAgent);
  return otherAgent === undefined;
}

/**
 * Runs work that may open dialogs, and gives the focus back to the visible view when they were completed: VS Code would
 * give it to a text editor. After a cancelled dialog it does so only when the work began in the view.
 */
export async function leadBack(
  run: () => Promise<boolean>,
  { setup, view }: Host,
  from: 'view' | 'anywhere' = 'anywhere',
): Promise<boolean> {
  const before = setup.opened;
  const isDone = await run();
  if ((isDone || from === 'view') && setup.opened > before && view.isVisible) await view.reveal();
  return isDone;
}

/** Opens the dialog or setting that cures a problem. True when the user completed it, so that the failed work may be retried. */
export async function openCure(cure: Cure, setup: ServerSetup): Promise<boolean> {
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

/** Asks for the context window of a model; undefined when the user left the dialog. */
export async function askWindow(
  model: string,
  conversation: ActiveConversation['conversation'],
  set: { readonly tokens: number } | undefined,
): Promise<{ readonly window: number | undefined } | undefined> {
  const { window, windowSource } = conversation.budget();
  const typed = await vscode.window.showInputBox({
    title: plainText(t('Karl: Context window of {0}', model)),
    prompt:
      windowSource === 'unknown'
        ? t(
            'The window is unknown. Type what the model takes in and gives out together. Leave empty to use what Karl finds out.',
          )
        : t(
            'In use: {0} tokens ({1}). Type what the model takes in and gives out together. Leave empty to use what Karl finds out.',
            window,
            windowSourceWords(windowSource),
          ),
    value: set === undefined ? '' : String(set.tokens),
    placeHolder: windowSource === 'unknown' ? '' : String(window),
    validateInput: (text) => {
      const read = readTypedWindow(text);
      return read.ok ? undefined : read.error;
    },
  });
  const read = typed === undefined ? undefined : readTypedWindow(typed);
  return read?.ok === true ? { window: read.value } : undefined;
}
