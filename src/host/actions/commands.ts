import * as vscode from 'vscode';
import { STRATEGY_IDS, type StrategyId } from '../../core/compaction/compaction.ts';
import { t } from '../../core/language.ts';
import { findSetWindow, readTypedWindow } from '../../core/model/windows.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Attachments } from '../files/attachments.ts';
import { type ConversationChoice, presentChoice } from '../present/conversationChoice.ts';
import { plainText, windowSourceWords } from '../present/words.ts';
import type { PreviewActions } from '../preview/previewActions.ts';
import type { LearnedWindows } from '../servers/learnedWindows.ts';
import type { Settings } from '../settings/settings.ts';
import { requireTrust } from '../settings/trust.ts';
import type { UserActions } from './userActions.ts';

/** What the commands of the palette do. Each resolves when it is done; failures were shown to the user. */
export interface CommandActions {
  /** `instructions`: what this run is to keep, in the user's words. */
  compress(strategy?: StrategyId, instructions?: string): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  newConversation(): Promise<void>;
  /** `isOther`: it is another agent's conversation. */
  openConversation(id: string, isOther?: boolean): Promise<void>;
  renameConversation(id: string, title: string): Promise<void>;
  deleteConversation(id: string, isOther?: boolean): Promise<void>;
  openSample(): Promise<void>;
  selectServer(): Promise<void>;
  selectModel(): Promise<void>;
  setApiKey(): Promise<void>;
  openLog(): Promise<void>;
  showOutput(): void;
  forgetWindow(): Promise<void>;
  forgetServers(): Promise<void>;
  cancel(): void;
  /** Opens the view with the caret where the user writes, or in the box that finds a text. */
  openView(at?: 'find'): Promise<void>;
  /** Shows what fills the window. */
  showContents(): Promise<void>;
  /** The conversations of this workspace, Karl's own first, each newest first; empty after a failure that was shown. */
  list(): Promise<readonly ConversationChoice[]>;
  /** The open conversation; `otherAgent` is set when another agent leads it. */
  current(): { readonly id: string; readonly title: string; readonly otherAgent: string | undefined } | undefined;
  /** Says what has come of a command, in the view while that is in sight. */
  tell(text: string): void;
}

/** Registers the commands that `actions` and `previews` carry out. Other parts register their own. */
export function registerCommands(actions: CommandActions, previews: PreviewActions): vscode.Disposable {
  const register = (name: string, run: (from?: unknown) => unknown) =>
    vscode.commands.registerCommand(`karl.${name}`, run);
  return vscode.Disposable.from(
    register('compress', () => actions.compress()),
    register('compressWith', (from) => compressWith(actions, from)),
    register('compressKeeping', (from) => compressKeeping(actions, from)),
    register('preview', () => previews.open()),
    register('undo', () => actions.undo()),
    register('redo', () => actions.redo()),
    register('new', () => actions.newConversation()),
    register('open', () => openConversation(actions)),
    register('rename', () => renameConversation(actions)),
    register('delete', () => deleteConversation(actions)),
    register('openSample', () => actions.openSample()),
    register('selectServer', () => actions.selectServer()),
    register('selectModel', () => actions.selectModel()),
    register('setApiKey', () => actions.setApiKey()),
    register('openLog', () => actions.openLog()),
    register('showOutput', () => actions.showOutput()),
    register('forgetWindow', () => actions.forgetWindow()),
    register('forgetServers', () => actions.forgetServers()),
    register('cancel', () => actions.cancel()),
    register('openView', () => actions.openView()),
    register('settings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:karl-budget.karl'),
    ),
    register('help', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'karl-budget.karl#start'),
    ),
    register('find', () => actions.openView('find')),
    register('showContents', () => actions.showContents()),
  );
}

/** What a strategy does, for the list of "Compress Conversation With…". */
function describeStrategy(id: StrategyId): string {
  switch (id) {
    case 'adaptive':
      return t('cheapest steps first, until the target is reached');
    case 'heuristic':
      return t('drop the oldest messages; never asks a model');
    case 'karl':
      return t('keep the last messages, a model writes a summary of the rest');
    case 'sandwich':
      return t('keep the beginning and the end, a model shortens the middle to half');
    case 'extractive':
      return t('keep the newest turns, quote the rest without a model');
    case 'action-trace':
      return t('shorten the tool calls of the current turn');
  }
}

/** From the view the focus goes back there, once the user has chosen or left the list: VS Code would give it to an editor. */
async function compressWith(actions: CommandActions, from: unknown): Promise<void> {
  const items = STRATEGY_IDS.map((id) => ({ label: id, description: describeStrategy(id), id }));
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Compress with which strategy?') });
  if (from === 'view') await actions.openView();
  if (picked !== undefined) await actions.compress(picked.id);
}

/** Asks what this one compression is to keep; the focus goes back as above. */
async function compressKeeping(actions: CommandActions, from: unknown): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: t('Karl: What must this compression keep?'),
    prompt: t(
      'For this compression only: a model reads it along with what it summarizes; without a model, passages with these words are quoted first.',
    ),
    placeHolder: t('keep the SQL of the migration'),
    validateInput: (value) => (value.trim() === '' ? t('Say what to keep, or press Escape.') : undefined),
  });
  if (from === 'view') await actions.openView();
  if (typed !== undefined) await actions.compress(undefined, typed.trim());
}

async function openConversation(actions: CommandActions): Promise<void> {
  const picked = await pickConversation(actions, t('Karl: Open which conversation?'));
  if (picked !== undefined) await actions.openConversation(picked.id, picked.isOther);
}

async function renameConversation(actions: CommandActions): Promise<void> {
  const current = actions.current();
  if (current === undefined) return;
  if (current.otherAgent !== undefined) {
    actions.tell(t('A conversation of another agent is named by its first words.'));
    return;
  }
  const title = await vscode.window.showInputBox({
    title: t('Karl: New name of the conversation'),
    value: current.title,
    validateInput: (value) => (value.trim() === '' ? t('A name needs at least one letter.') : undefined),
  });
  if (title !== undefined) await actions.renameConversation(current.id, title.trim());
}

async function deleteConversation(actions: CommandActions): Promise<void> {
  const picked = await pickConversation(actions, t('Karl: Delete which conversation?'));
  if (picked === undefined) return;
  const remove = t('Delete');
  const question = t('Delete “{0}” with its whole transcript? This cannot be undone.', picked.label);
  const answer = await vscode.window.showWarningMessage(question, { modal: true }, remove);
  if (answer === remove) await actions.deleteConversation(picked.id, picked.isOther);
}

interface Picked extends vscode.QuickPickItem {
  readonly id: string;
  readonly isOther: boolean;
}

async function pickConversation(actions: CommandActions, title: string): Promise<Picked | undefined> {
  const open = actions.current()?.id;
  const all = await actions.list();
  if (all.length === 0) {
    actions.tell(t('This workspace has no conversations yet.'));
    return undefined;
  }
  const toItem = (choice: ConversationChoice): Picked => ({
    ...presentChoice(choice, choice.id === open),
    id: choice.id,
    isOther: choice.client !== undefined,
  });
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, id: '', isOther: false });
  const [own, others] = [false, true].map((isOther) => all.map(toItem).filter((item) => item.isOther === isOther));
  const items = [
    heading(t("Karl's own")),
    ...(own ?? []),
    ...((others ?? []).length > 0 ? [heading(t('Other agents'))] : []),
    ...(others ?? []),
  ];
  return await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
}

/** What the command works on. */
interface SetWindowParts {
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

/**
 * Registers "Add Selection to Karl": the selection goes with the next message, in a new conversation if none is open.
 */
export function registerAddSelection(attachments: Attachments, karl: UserActions): vscode.Disposable {
  return vscode.commands.registerCommand('karl.addSelection', async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !requireTrust()) return;
    if (karl.active === undefined) await karl.newConversation();
    attachments.addSelection(editor);
    await karl.openView();
  });
}
