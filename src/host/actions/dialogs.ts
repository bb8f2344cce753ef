import * as vscode from 'vscode';
import { t, translate } from '../../core/language.ts';
import { readTypedWindow } from '../../core/model/windows.ts';
import { unreachable } from '../../core/result.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { plainText, titleOf, windowSourceWords } from '../present/words.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import { openSetting } from '../settings/settings.ts';

/** Whether another conversation may be opened instead of this one. Asks first if that stops a turn. */
export async function mayLeave(active: ActiveConversation | undefined): Promise<boolean> {
  if (active === undefined || active.otherAgent !== undefined || !active.agent.isBusy) return true;
  const stop = t('Stop and Open');
  const asked = {
    modal: true,
    detail: t('Opening another conversation stops it. Everything so far is kept, and Continue goes on from there.'),
  };
  const what = t('The agent is working in “{0}”.', titleOf(active.title));
  return (await vscode.window.showWarningMessage(what, asked, stop)) === stop;
}

/** Opens the dialog or setting that cures a problem. True if the user completed it, so that the work can be retried. */
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

/** Asks for the context window of a model; undefined if the user cancelled. */
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
      return read.ok ? undefined : translate(read.error);
    },
  });
  const read = typed === undefined ? undefined : readTypedWindow(typed);
  return read?.ok === true ? { window: read.value } : undefined;
}
