import * as vscode from 'vscode';
import { STRATEGY_IDS } from '../../core/compaction/compaction.ts';
import { t } from '../../core/language.ts';
import type { Attachments } from '../files/attachments.ts';
import { type ConversationChoice, presentChoice } from '../present/words.ts';
import type { PreviewActions } from '../preview/previewActions.ts';
import { requireTrust } from '../settings/trust.ts';
import type { SessionParts } from './agentSessions.ts';
import type { UserActions } from './userActions.ts';

/** The commands that call the action of the same name. */
const SAME_NAME = [
  ...(['compress', 'undo', 'redo', 'cancel', 'openSample', 'openView', 'showContents', 'openLog'] as const),
  ...(['setContextWindow', 'forgetWindow', 'forgetServers'] as const),
];

interface CommandParts extends SessionParts {
  readonly context: vscode.ExtensionContext;
  readonly previews: PreviewActions;
  readonly attachments: Attachments;
}

/** Registers the commands of the palette. The view and the gateway register their own. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { context, karl: actions, previews, attachments, settings, log } = parts;
  const register = (name: string, run: (from?: unknown) => unknown) =>
    vscode.commands.registerCommand(`karl.${name}`, run);
  return vscode.Disposable.from(
    ...SAME_NAME.map((name) => register(name, () => actions[name]())),
    register('selectServer', () => actions.choose('selectServer')),
    register('selectModel', () => actions.choose('selectModel')),
    register('setApiKey', () => actions.choose('setKey')),
    register('compressWith', (from) => compressWith(actions, context, from)),
    register('compressKeeping', (from) => compressKeeping(actions, from)),
    register('preview', () => previews.open()),
    register('new', () => actions.newConversation()),
    register('open', () => openConversation(actions)),
    register('rename', () => renameConversation(actions)),
    register('delete', () => deleteConversation(actions)),
    register('openSession', async (file) => (await loadSessions()).openSession(parts, file)),
    register('rescueSession', async (file) => (await loadSessions()).rescueSession(parts, file)),
    register('showOutput', () => log.output.show(true)),
    register('settings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:karl-budget.karl'),
    ),
    register('help', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'karl-budget.karl#start'),
    ),
    register('addSelection', () => addSelection(actions, attachments)),
    register('selectOtherTools', async () => {
      const { selectOtherTools } = await import('../work/otherTools.ts');
      const limit = actions.active?.conversation.budget().limit;
      await selectOtherTools(settings, limit, (text) => actions.tell(text));
    }),
    register('reviewPermissions', async () =>
      (await import('../work/agentWork.ts')).reviewGrants(context.workspaceState),
    ),
    register('find', () => actions.openView('find')),
  );
}

/** Loaded when it is needed, to keep activation fast. */
const loadSessions = () => import('./agentSessions.ts');

/** What each strategy does, in the words of the settings, which VS Code has translated. */
function describeStrategies(context: vscode.ExtensionContext): ReadonlyMap<string, string> {
  const { contributes }: { readonly contributes: { readonly configuration: readonly SettingGroup[] } } =
    context.extension.packageJSON;
  const setting = contributes.configuration.flatMap(({ properties }) => properties['karl.strategy'] ?? [])[0];
  // Without the links to other settings.
  const texts = setting?.markdownEnumDescriptions?.map((text) => text.replace(/ \(`#.*?#`\)/g, '')) ?? [];
  return new Map(setting?.enum?.map((id, index) => [id, texts[index] ?? '']));
}

interface SettingGroup {
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly markdownEnumDescriptions?: readonly string[] }>
  >;
}

/** A command from the view returns the focus there when the list closes; VS Code would give it to an editor. */
async function compressWith(actions: UserActions, context: vscode.ExtensionContext, from: unknown): Promise<void> {
  const does = describeStrategies(context);
  const items = STRATEGY_IDS.map((id) => ({ label: id, description: does.get(id) ?? '', id }));
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Compress with which strategy?') });
  if (from === 'view') await actions.openView();
  if (picked !== undefined) await actions.compress(picked.id);
}

/** Asks what this compression must keep; the focus returns as above. */
async function compressKeeping(actions: UserActions, from: unknown): Promise<void> {
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

async function openConversation(actions: UserActions): Promise<void> {
  const picked = await pickConversation(actions, t('Karl: Open which conversation?'));
  if (picked !== undefined) await actions.openConversation(picked.id, picked.isOther);
}

async function renameConversation(actions: UserActions): Promise<void> {
  const current = actions.active;
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

async function deleteConversation(actions: UserActions): Promise<void> {
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

async function pickConversation(actions: UserActions, title: string): Promise<Picked | undefined> {
  const open = actions.active?.id;
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

/** Adds the selection to the next message, in a new conversation if none is open. */
async function addSelection(actions: UserActions, attachments: Attachments): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !requireTrust()) return;
  if (actions.active === undefined) await actions.newConversation();
  attachments.addSelection(editor);
  await actions.openView();
}
