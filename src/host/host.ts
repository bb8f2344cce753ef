import * as vscode from 'vscode';
import type { ViewState } from '../protocol/viewState.ts';
import { registerCommands } from './actions/commands.ts';
import { compressWithProgress } from './actions/compress.ts';
import { performIntent } from './actions/intents.ts';
import { UserActions } from './actions/userActions.ts';
import { WaitingMessages } from './actions/waitingMessages.ts';
import type { HostAdapters } from './adapters.ts';
import { registerMcpServer, registerTools } from './chatTools/registerTools.ts';
import { loadFactory } from './conversations/connections.ts';
import type { ConversationFactory } from './conversations/conversationFactory.ts';
import { Conversations } from './conversations/conversations.ts';
import { findStorageRoot, pruneDaily } from './conversations/storage.ts';
import { newId } from './conversations/system.ts';
import { describeMissingTools } from './conversations/tools.ts';
import { Attachments } from './files/attachments.ts';
import { AttachmentFile, KeptPage } from './files/keptFile.ts';
import { LastEditor } from './files/lastEditor.ts';
import { GatewayControl } from './gateway/gatewayControl.ts';
import { WindowLog } from './log/windowLog.ts';
import { Announcer } from './notices/announcer.ts';
import { Notices } from './notices/notices.ts';
import { presentPages } from './present/presentOpen.ts';
import { PreviewActions } from './preview/previewActions.ts';
import { registerModels, showModels } from './provider/registerModels.ts';
import { LearnedWindows } from './servers/learnedWindows.ts';
import { Keys, keyPlaceOf, Servers } from './servers/secrets.ts';
import { ServerSetup } from './servers/serverSetup.ts';
import { Settings } from './settings/settings.ts';
import { StatusBar } from './statusBar/statusBar.ts';
import { StatusFollower } from './statusBar/statusFollower.ts';
import { Originals } from './view/originals.ts';
import { KarlView, setContext, setContexts } from './view/view.ts';

/** Owns every part of the extension for the life of a window, and hands what happens in one to the others. */
export class Host implements vscode.Disposable {
  readonly karl: UserActions;
  readonly #context: vscode.ExtensionContext;
  readonly #adapters: HostAdapters;
  readonly #log: WindowLog;
  readonly #settings: Settings;
  readonly #statusBar = new StatusBar();
  readonly #status = new StatusFollower(this.#statusBar, () => this.#settings.current['compaction.mode']);
  readonly #modelsChanged = new vscode.EventEmitter<void>();
  /** Loaded apart: what brings conversations to life is most of the code, and activation must not wait for it. */
  readonly #factory: Promise<ConversationFactory>;
  readonly #notices = new Notices(() => this.view.refresh());
  readonly #announcer = new Announcer(this.#notices, () => this.view);
  readonly #attachments: Attachments;
  readonly #waiting = new WaitingMessages(
    () => this.#refresh(),
    () => this.karl.active?.isBusy === true,
    () => this.karl.active?.id,
  );
  readonly #kept: KeptPage;
  readonly #lastEditor = new LastEditor();
  readonly #conversations: Conversations;
  readonly view: KarlView;
  readonly #setup: ServerSetup;
  readonly #previews: PreviewActions = new PreviewActions({
    host: this,
    refresh: () => this.#refresh(),
    summaryModel: () => this.#settings.current['summary.model'],
    notices: this.#notices,
    compress: compressWithProgress,
    memory: () => this.#context.workspaceState,
  });
  readonly #gateway: GatewayControl;
  readonly #originals = new Originals(() => this.karl.active);
  readonly #subscriptions: vscode.Disposable[];
  #revision = 0;
  #applied: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, adapters: HostAdapters) {
    this.#context = context;
    this.#adapters = adapters;
    const keys = new Keys(context.secrets);
    const [windows, servers] = [new LearnedWindows(context.globalState), new Servers(context.globalState)];
    this.#settings = new Settings(servers.decision);
    const readKey = async (origin: string) => (await keys.read(keyPlaceOf(origin, this.#settings.named))) || undefined;
    this.#log = new WindowLog({
      adapters,
      storage: context.globalStorageUri.fsPath,
      directory: () => this.#settings.current['log.directory'],
    });
    const { output, run, warn, note } = this.#log;
    const storage = context.storageUri ?? context.globalStorageUri;
    this.#attachments = new Attachments({
      announcer: this.#announcer,
      refresh: this.#refresh,
      conversation: () => this.karl.active?.id,
      profile: () => this.karl.active?.conversation.profile(),
      store: new AttachmentFile(storage, run),
    });
    this.#kept = new KeptPage(storage, run);
    const root = findStorageRoot(storage.fsPath);
    this.#factory = loadFactory({
      adapters,
      settings: this.#settings,
      threadStore: adapters.createThreadStore(root, warn),
      readKey,
      windows,
      servers,
      sinks: this.#log.sinks,
      notices: this.#notices,
      announcer: this.#announcer,
      active: () => this.karl.active,
      refresh: this.#refresh,
      modelsChanged: () => this.#modelsChanged.fire(),
      warn,
      run,
      actions: {
        undo: (id) => this.karl.undo(id),
        preview: () => this.#previews.open(),
        compress: (strategy, instructions, inPlaceOf) => this.karl.compress(strategy, instructions, inPlaceOf),
        mend: (cure) => this.karl.mend(cure),
        reveal: (thread) => (thread === undefined ? this.view.reveal() : this.karl.openConversation(thread, true)),
      },
    });
    const store = adapters.createStore(root);
    this.#conversations = new Conversations({
      store,
      memory: context.workspaceState,
      newId,
      openLive: async (file) => (await this.#factory).open(file),
      others: async () => (await this.#factory).others,
    });
    this.view = new KarlView({
      extensionUri: context.extensionUri,
      present: (pages) => this.present(pages),
      isChanging: () => this.#conversations.isChanging,
      onIntent: (intent, page, tellOthers) => {
        const [attachments, notices, previews] = [this.#attachments, this.#notices, this.#previews];
        const [waiting, kept, lastEditor] = [this.#waiting, this.#kept, this.#lastEditor];
        const own = {
          karl: this.karl,
          originals: this.#originals,
          attachments,
          notices,
          previews,
          waiting,
          kept,
          lastEditor,
        };
        run(performIntent(intent, { ...own, refresh: this.#refresh, page, tellOthers }));
      },
      onInvalid: note,
      onState: (state) => this.#showState(state),
    });
    this.#setup = new ServerSetup({
      settings: this.#settings,
      keys,
      listModels: (url, key, signal) => adapters.listModels(url, key === undefined ? readKey : async () => key, signal),
      findServers: adapters.findServers,
      onListed: async (baseUrl, models) => (await this.#factory).models.know(baseUrl, models),
      findUndecidedServer: async () => this.#settings.undecided ?? (await this.#factory).profiles.findUndecidedServer(),
      resolve: async (model) => (await this.#factory).profiles.resolve(model),
      decideServer: (server, allowed) => this.karl.decideServer(server, allowed),
      onAsk: this.#refresh,
      applied: () => this.#applied,
    });
    this.karl = new UserActions({
      extensionUri: context.extensionUri,
      conversations: this.#conversations,
      setup: this.#setup,
      settings: this.#settings,
      output,
      log: this.#log.file,
      windows,
      servers,
      applySettings: async () => {
        this.#settings.update();
        await this.#applySettings();
      },
      waiting: this.#waiting,
      announcer: this.#announcer,
      reveal: (at) => this.view.reveal(at),
      refresh: this.#refresh,
    });
    this.#gateway = new GatewayControl({
      settings: this.#settings,
      secrets: context.secrets,
      output,
      announcer: this.#announcer,
      start: adapters.startGateway,
      relay: async () => (await this.#factory).createRelay(),
      listModels: (signal) => adapters.askForModels(this.#settings.current.baseUrl, readKey, signal),
      complete: () => this.#setup.complete(),
      run,
    });
    this.#subscriptions = [
      this.#gateway,
      this.#log,
      this.#settings,
      this.#statusBar,
      this.#conversations,
      this.view.register(),
      this.#originals,
      this.#lastEditor,
      this.#modelsChanged,
      registerModels(async () => (await this.#factory).models, this.#modelsChanged.event),
      registerTools({ store, threads: async () => (await this.#factory).threads, active: () => this.karl.active }),
      registerMcpServer(context, root, note),
      registerCommands(this.karl, this.#previews, this.#attachments),
      this.#settings.onDidChange(() => this.#apply()),
      this.#conversations.onDidChangeActive((active) => {
        if (active === undefined) this.#notices.clear();
        else this.#originals.fill(active);
        this.#status.followOwn();
        this.#refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#apply()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#apply()),
    ];
  }

  /** Opens what was open last, or the sample when that was asked for and nothing is open. */
  async start(): Promise<void> {
    const factory = await this.#factory;
    factory.threads.onDidUse((thread) => {
      // The thread that the view shows comes to the status bar with the state of the view.
      if (thread.id !== this.karl.active?.id) this.#status.showThread(thread);
      setContext('thread', true);
    });
    await Promise.all([factory.profiles.load(), this.#attachments.restore()]);
    const opened = await this.#conversations.openLast();
    if (!opened.ok) factory.showProblem(opened.error);
    if (this.#adapters.openSample && this.karl.active === undefined) await this.karl.openSample();
    this.#previews.tellEnded(this.#log.run);
    this.#refresh();
    this.#log.run(showModels());
    this.#gateway.startIfEnabled();
    const { note: warn, run } = this.#log;
    const stores = [this.#conversations, factory.threads];
    this.#subscriptions.push(pruneDaily({ stores, settings: () => this.#settings.current, warn, run }));
  }

  /** The newest state of everything that is shown, as each page shows it. */
  present(pages: readonly object[]): ReturnType<typeof presentPages> {
    return presentPages(pages, {
      revision: ++this.#revision,
      active: this.karl.active,
      mode: this.#settings.current['compaction.mode'],
      missingTools: describeMissingTools(),
      attachments: this.#attachments.list,
      waiting: this.#waiting.list,
      notices: this.#notices.states,
    });
  }

  /** Finishes what is written and lets other windows write. */
  async close(): Promise<void> {
    await this.#gateway.close();
    await this.#conversations.close();
    await Promise.all([this.#log.file.flushAll(), this.#attachments.flush(), this.#kept.flush()]);
    await (await this.#factory).dispose();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  readonly #refresh = (): void => this.view.refresh();

  #showState(state: ViewState): void {
    this.#status.showOwn(state);
    this.#previews.note();
    setContexts(state);
  }

  /** Applies changed settings to the open conversation. Not awaited here; sending awaits `#applied`. */
  readonly #apply = (): void => {
    this.#applied = this.#applySettings();
    this.#log.run(this.#applied);
  };

  async #applySettings(): Promise<void> {
    this.#log.follow();
    await (await this.#factory).applySettings(() => this.karl.active);
    this.#modelsChanged.fire();
  }
}
