import * as vscode from 'vscode';
import type { HostAdapters, ReadKey } from '../adapters.ts';
import { speak } from '../language/language.ts';
import type { ViewState } from '../protocol/viewState.ts';
import { registerCommands } from './actions/commands.ts';
import { performIntent } from './actions/intents.ts';
import { UserActions } from './actions/userActions.ts';
import { WaitingMessages } from './actions/waitingMessages.ts';
import { registerMcpServer, registerTools } from './chatTools/registerTools.ts';
import type { ActiveConversation } from './conversations/activeConversation.ts';
import type { ConversationFactory } from './conversations/conversationFactory.ts';
import { Conversations } from './conversations/conversations.ts';
import { findStorageRoot, prune } from './conversations/storage.ts';
import { Attachments } from './files/attachments.ts';
import { KeptFile } from './files/keptFile.ts';
import { GatewayControl } from './gateway/gatewayControl.ts';
import { WindowLog } from './log/windowLog.ts';
import { Notices } from './notices/notices.ts';
import { presentPages } from './present/presenter.ts';
import { openPreview } from './preview/previewActions.ts';
import { decisionsIn, keysIn } from './servers/secrets.ts';
import { ServerSetup } from './servers/serverSetup.ts';
import { Windows } from './servers/windows.ts';
import { Settings } from './settings/settings.ts';
import { describeMissingTools, diskFolders } from './settings/trust.ts';
import { StatusBar } from './statusBar/statusBar.ts';
import { StatusFollower } from './statusBar/statusFollower.ts';
import { Originals } from './view/originals.ts';
import { KarlView, setContext, setContexts } from './view/view.ts';

const NOTIFY = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** The vendor under which the manifest declares Karl's models. */
const VENDOR = 'karl';

/**
 * Makes the parts of the extension for the life of a window, in this order: each gets the earlier ones that it uses, and
 * a function for what a later one does. Returns at once; `ready` resolves when the last conversation is open.
 */
export function startHost(context: vscode.ExtensionContext, adapters: HostAdapters): KarlApi {
  const { bundle } = vscode.l10n;
  if (bundle !== undefined) speak(vscode.env.language, bundle);
  const { extensionUri, globalState, workspaceState: memory, secrets } = context;
  const storage = context.storageUri ?? context.globalStorageUri;
  const root = findStorageRoot(storage.fsPath);
  const servers = decisionsIn(globalState);
  const settings = new Settings(servers.decision);
  const log = new WindowLog(adapters, settings, context.globalStorageUri.fsPath);
  const { run } = log;
  const keys = keysIn(secrets, () => settings.named);
  const readKey: ReadKey = async (origin) => (await keys.read(origin)) || undefined;

  const view = new KarlView({
    extensionUri,
    log,
    isChanging: () => conversations.isChanging,
    present: (pages) => {
      const states = present(pages);
      // Status bar and context keys follow, also while the view is hidden.
      status.showOwn(states[0]);
      setContexts(states[0]);
      return states;
    },
    perform: (intent, page) => performIntent(intent, parts, page),
  });
  const { refresh } = view;
  const notices = new Notices(view, (severity, text, labels) => NOTIFY[severity](text, ...labels));
  const originals = new Originals(() => conversations.active?.conversation);
  const modelsEvent = new vscode.EventEmitter<void>();
  const modelsChanged = () => modelsEvent.fire();

  const store = adapters.createStore(root);
  // Most of the code is loaded apart: activation must not wait for it.
  const factory = loadFactory();
  const windows = new Windows({
    memory: globalState,
    settings,
    notices,
    modelsChanged,
    discover: async (profile, key, signal) => {
      const { models } = await factory;
      return await models.discoverWindow(profile, key ?? models.readKey, signal);
    },
  });
  const basics = { adapters, memory, readKey, settings, log, view, notices, windows };
  const conversations = new Conversations({ memory, store, factory });

  let applied: Promise<void> = Promise.resolve();
  const apply = async (): Promise<void> => {
    await (await factory).applySettings();
    modelsChanged();
  };
  /** Applies changed settings to the open conversation. Not awaited here; sending awaits `applied`. */
  const applyLater = (): void => {
    applied = apply();
    run(applied);
  };
  const applySettings = async (): Promise<void> => {
    settings.update();
    await apply();
  };

  const attachmentsFile = new KeptFile(storage, 'attachments.json', run);
  const attachments = new Attachments({ ...basics, conversations, file: attachmentsFile });
  // VS Code keeps the unsent text of the view too, but a browser may lose the last seconds of it on a reload.
  const keptPage = new KeptFile(storage, 'page.json', run);
  const waiting = new WaitingMessages(conversations, refresh);
  const setup = new ServerSetup({
    ...basics,
    ...{ keys, factory },
    decide: (server, allowed) => karl.decideServer(server, allowed),
    applied: () => applied,
  });
  const karl = new UserActions({
    ...basics,
    ...{ extensionUri, servers, conversations, attachments, waiting, setup, applySettings },
  });
  const gateway = new GatewayControl({ ...basics, setup, factory, secrets });
  const parts = {
    ...basics,
    ...{ context, conversations, karl },
    ...{ keptPage, attachments, originals, gateway },
  };
  const statusBar = new StatusBar();
  const status = new StatusFollower(statusBar, () => settings.current['compaction.mode']);
  const subscriptions: vscode.Disposable[] = [
    ...[gateway, log.output, settings, statusBar, conversations, view.register(), originals, modelsEvent],
    vscode.lm.registerLanguageModelChatProvider(VENDOR, {
      onDidChangeLanguageModelChatInformation: modelsEvent.event,
      provideLanguageModelChatInformation: async (options) =>
        (await factory).provider.provideLanguageModelChatInformation(options),
      provideLanguageModelChatResponse: async (...asked) =>
        (await factory).provider.provideLanguageModelChatResponse(...asked),
      provideTokenCount: async (model, text) => (await factory).provider.provideTokenCount(model, text),
    }),
    registerTools({ store, conversations, factory }),
    registerMcpServer(context, root, log),
    registerCommands(parts),
    settings.onDidChange(applyLater),
    conversations.onDidChangeActive((active) => {
      if (active === undefined) notices.clear();
      status.followOwn();
      refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(applyLater),
    vscode.workspace.onDidChangeWorkspaceFolders(applyLater),
  ];
  context.subscriptions.push({ dispose: () => vscode.Disposable.from(...subscriptions).dispose() });

  async function loadFactory(): Promise<ConversationFactory> {
    // With loader hooks, as in the extension host, Node reads and compiles an import synchronously.
    await new Promise((resolve) => setImmediate(resolve));
    const { ConversationFactory } = await import('./conversations/conversationFactory.ts');
    return new ConversationFactory({
      ...basics,
      ...{ root, originals, karl, modelsChanged },
      kit: await adapters.loadTools(diskFolders),
      store: adapters.createThreadStore(root, log.warn),
      decision: servers.decision,
      preview: () => openPreview(parts),
      active: () => conversations.active,
      shown: () => conversations.active?.id,
    });
  }

  /** The current state of the view, for each page. */
  let revision = 0;
  function present(pages: readonly object[]): readonly [ViewState, ...ViewState[]] {
    revision += 1;
    return presentPages(pages, {
      revision,
      active: conversations.active,
      mode: settings.current['compaction.mode'],
      missingTools: describeMissingTools(),
      attachments: attachments.list,
      waiting: waiting.list,
      notices: notices.states,
    });
  }

  /** Opens the conversation that was open last, or the sample if that was requested and nothing is open. */
  async function start(): Promise<void> {
    const { threads, models, showProblem } = await factory;
    threads.onDidUse((thread) => {
      // The status bar gets the thread in the view from the state of the view.
      if (thread.id !== conversations.active?.id) status.showThread(thread);
      setContext('thread', true);
    });
    await Promise.all([models.load(), attachments.restore()]);
    const opened = await conversations.openLast();
    if (!opened.ok) showProblem(opened.error);
    if (adapters.openSample && conversations.active === undefined) await karl.openSample();
    refresh();
    // VS Code asks for the models, so that a chat which used one of them finds it when the window opens.
    run(Promise.resolve(vscode.lm.selectChatModels({ vendor: VENDOR })));
    run(gateway.startIfWanted());
    const pruneAll = () => run(prune([conversations, threads], settings, log.note));
    pruneAll();
    // A window may stay open for weeks.
    const daily = setInterval(pruneAll, 24 * 60 * 60 * 1000);
    // It must not keep a process alive.
    daily.unref();
    subscriptions.push({ dispose: () => clearInterval(daily) });
  }

  return {
    ready: start(),
    ...{ karl, conversations },
    conversation: () => conversations.active?.conversation,
    viewState: () => present([])[0],
    isViewVisible: () => view.isVisible,
    close: async () => {
      await gateway.close();
      await conversations.close();
      await Promise.all([log.file.flushAll(), attachmentsFile.flush(), keptPage.flush()]);
      await (await factory).threads.close();
    },
  };
}

/** The API of the extension, also used by its tests. */
export interface KarlApi {
  /** Resolves when the last conversation is open again, if there is one. */
  readonly ready: Promise<void>;
  readonly karl: UserActions;
  readonly conversations: Conversations;
  readonly conversation: () => ActiveConversation['conversation'] | undefined;
  readonly viewState: () => ViewState;
  /** Whether the user sees the view. */
  readonly isViewVisible: () => boolean;
  /** Finishes writing; nothing works afterwards. */
  readonly close: () => Promise<void>;
}
