import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { findSetWindow, readTypedWindow } from '../../core/model/windows.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { plainText } from '../notices/plainText.ts';
import { windowSourceWords } from '../present/words.ts';
import type { LearnedWindows } from '../servers/learnedWindows.ts';
import type { Settings } from '../settings/settings.ts';

/** What the command works on. */
export interface SetWindowParts {
  readonly settings: Settings;
  readonly windows: LearnedWindows;
  readonly karl: { readonly active: ActiveConversation | undefined };
  /** Applies what is in force now to the open conversation. */
  readonly apply: () => Promise<void>;
}

/** Registers "Set Context Window…", which asks for the window of the open conversation's model. */
export function registerSetWindow(parts: SetWindowParts): vscode.Disposable {
  return vscode.commands.registerCommand('karl.setContextWindow', () => setContextWindow(parts));
}

/** The user's figure counts from now on, whatever was detected before; an error of the server may still teach less. */
async function setContextWindow({ settings, windows, karl, apply }: SetWindowParts): Promise<void> {
  const owner = karl.active;
  if (owner === undefined || owner.readOnly !== undefined) return;
  const { conversation } = owner;
  const profile = conversation.profile();
  const tokens = await askWindow(profile.id, conversation, findSetWindow(profile.id, settings.current.contextWindows));
  if (tokens === undefined) return;
  await settings.writeWindow(profile.id, tokens.window);
  if (tokens.window !== undefined) await windows.forget(profile);
  // The user's figure replaces what an error taught this conversation.
  const set = findSetWindow(profile.id, settings.current.contextWindows);
  if (set !== undefined) conversation.configure({ learnedWindow: set });
  await apply();
  await owner.saveAndReport();
}

/** Asks for a figure; undefined when the user left the dialog. */
async function askWindow(
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
