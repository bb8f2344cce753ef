import * as vscode from 'vscode';
import { STRATEGY_IDS } from '../../core/compaction/compaction.ts';
import { t } from '../../language/language.ts';
import type { GatewayControl } from '../gateway/gatewayControl.ts';
import { type ConversationChoice, presentChoice } from '../present/words.ts';
import { openPreview } from '../preview/previewActions.ts';
import { requireTrust } from '../settings/trust.ts';
import type { IntentParts } from './intents.ts';

interface CommandParts extends IntentParts {
  readonly context: vscode.ExtensionContext;
  readonly gateway: GatewayControl;
}

/** Every command of the manifest, without `karl.`. What is seldom used is loaded on demand, to keep activation fast. */
const COMMANDS: Readonly<Record<string, (parts: CommandParts, from?: unknown) => unknown>> = {
  compress: ({ karl }) => karl.compress(),
  compressWith,
  compressKeeping,
  preview: (parts) => openPreview(parts),
  undo: ({ karl }) => karl.undo(),
  redo: ({ karl }) => karl.redo(),
  cancel: ({ karl }) => karl.cancel(),
  new: ({ karl }) => karl.newConversation(),
  open: openConversation,
  openSample: ({ karl }) => karl.openSample(),
  openSession: async (parts, file) => (await import('./agentSessions.ts')).openSession(parts, file),
  rescueSession: async (parts, file) => (await import('./agentSessions.ts')).rescueSession(parts, file),
  rename: renameConversation,
  delete: deleteConversation,
  addSelection,
  openView: ({ view }) => view.reveal(),
  find: ({ view }) => view.reveal('find'),
  openInEditor: ({ view }) => view.openTab(),
  moveView: ({ view }) => view.move(),
  showContents: ({ karl }) => karl.showContents(),
  openLog: ({ log, karl }) => log.open((text) => karl.tell(text)),
  showOutput: ({ log }) => log.output.show(true),
  settings: () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:karl-budget.karl'),
  help: () => vscode.commands.executeCommand('workbench.action.openWalkthrough', 'karl-budget.karl#start'),
  selectServer: ({ karl }) => karl.choose('selectServer'),
  selectModel: ({ karl }) => karl.choose('selectModel'),
  setApiKey: ({ karl }) => karl.choose('setKey'),
  setContextWindow: ({ karl }) => karl.setContextWindow(),
  forgetWindow: ({ karl }) => karl.forgetWindow(),
  forgetServers: ({ karl }) => karl.forgetServers(),
  selectOtherTools: async ({ karl, settings }) => {
    const limit = karl.active?.conversation.budget().limit;
    await (await import('../work/otherTools.ts')).selectOtherTools(settings, limit, (text) => karl.tell(text));
  },
  reviewPermissions: async ({ memory }) => (await import('../work/agentWork.ts')).reviewGrants(memory),
  startGateway: ({ gateway }) => gateway.start('command'),
  stopGateway: ({ gateway }) => gateway.stopByUser(),
  copyGatewaySettings: ({ gateway }, agent) => gateway.copySettings(agent),
  openAgentTerminal: ({ gateway }, agent) => gateway.openTerminal(agent),
};

/** Registers the commands. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) =>
    vscode.commands.registerCommand(`karl.${name}`, (from?: unknown) => run(parts, from)),
  );
  return vscode.Disposable.from(...registered);
}

/** What each strategy does, in the words of the settings, which VS Code has translated. */
function describeStrategies(context: vscode.ExtensionContext): ReadonlyMap<string, string> {
  const groups: readonly SettingGroup[] = context.extension.packageJSON.contributes.configuration;
  const [setting] = groups.flatMap(({ properties }) => properties['karl.strategy'] ?? []);
  const { enum: ids = [], markdownEnumDescriptions: texts = [] } = setting ?? {};
  // Without the links to other settings.
  return new Map(ids.map((id, index) => [id, texts[index]?.replace(/ \(`#.*?#`\)/g, '') ?? '']));
}

interface SettingGroup {
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly markdownEnumDescriptions?: readonly string[] }>
  >;
}

/** Whether a command was called by the view, or by its menu with what the menu is about. */
const isFromView = (from: unknown): boolean => from === 'view' || Object(from).karlWays === true;

/** A command from the view returns the focus there when the list closes; VS Code would give it to an editor. */
async function compressWith({ karl, context, view }: CommandParts, from?: unknown): Promise<void> {
  const does = describeStrategies(context);
  const items = STRATEGY_IDS.map((id) => ({ label: id, description: does.get(id) ?? '', id }));
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Compress with which strategy?') });
  if (isFromView(from)) await view.reveal();
  if (picked !== undefined) await karl.compress(picked.id);
}

/** Asks what this compression must keep; the focus returns as above. */
async function compressKeeping({ karl, view }: CommandParts, from?: unknown): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: t('Karl: What must this compression keep?'),
    prompt: t(
      'For this compression only: a model reads it along with what it summarizes; without a model, passages with these words are quoted first.',
    ),
    placeHolder: t('keep the SQL of the migration'),
    validateInput: (value) => (value.trim() === '' ? t('Say what to keep, or press Escape.') : undefined),
  });
  if (isFromView(from)) await view.reveal();
  if (typed !== undefined) await karl.compress(undefined, typed.trim());
}

async function openConversation(parts: CommandParts): Promise<void> {
  const picked = await pickConversation(parts, t('Karl: Open which conversation?'));
  if (picked !== undefined) await parts.karl.openConversation(picked.id);
}

async function renameConversation({ karl, conversations }: CommandParts): Promise<void> {
  const current = conversations.active;
  if (current === undefined) return;
  if (current.other !== undefined) return karl.tell(t('A conversation of another agent is named by its first words.'));
  const title = await vscode.window.showInputBox({
    title: t('Karl: New name of the conversation'),
    value: current.title,
    validateInput: (value) => (value.trim() === '' ? t('A name needs at least one letter.') : undefined),
  });
  if (title !== undefined) karl.report(await conversations.rename(current.id, title.trim()));
}

async function deleteConversation(parts: CommandParts): Promise<void> {
  const { karl, conversations } = parts;
  const picked = await pickConversation(parts, t('Karl: Delete which conversation?'));
  if (picked === undefined) return;
  const remove = t('Delete');
  const question = t('Delete “{0}” with its whole transcript? This cannot be undone.', picked.label);
  const answer = await vscode.window.showWarningMessage(question, { modal: true }, remove);
  if (answer === remove) karl.report(await conversations.delete(picked.id));
}

async function pickConversation({ karl, conversations }: CommandParts, title: string) {
  const open = conversations.active?.id;
  const all = karl.report(await conversations.choices());
  if (all === undefined) return undefined;
  if (all.length === 0) {
    karl.tell(t('This workspace has no conversations yet.'));
    return undefined;
  }
  const toItem = (choice: ConversationChoice) => ({ ...presentChoice(choice, choice.id === open), id: choice.id });
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, id: '' });
  const others = all.filter(({ client }) => client !== undefined);
  const items = [
    heading(t("Karl's own")),
    ...all.filter(({ client }) => client === undefined).map(toItem),
    ...(others.length > 0 ? [heading(t('Other agents')), ...others.map(toItem)] : []),
  ];
  return await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
}

/** Adds the selection to the next message, in a new conversation if none is open. */
async function addSelection({ karl, conversations, attachments, view }: CommandParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !requireTrust()) return;
  if (conversations.active === undefined) await karl.newConversation();
  attachments.addSelection(editor);
  await view.reveal();
}
