import * as vscode from 'vscode';
import { speak } from '../core/language.ts';
import type { ViewState } from '../protocol/viewState.ts';
import { registerCommands } from './actions/commands.ts';
import { UserActions } from './actions/userActions.ts';
import { WaitingMessages } from './actions/waitingMessages.ts';
import type { HostAdapters, ReadKey } from './adapters.ts';
import { registerMcpServer, registerTools } from './chatTools/registerTools.ts';
import type { ActiveConversation } from './conversations/activeConversation.ts';
import type { ConversationFactory } from './conversations/conversationFactory.ts';
import { Conversations } from './conversations/conversations.ts';
import { findStorageRoot, pruneDaily } from './conversations/storage.ts';
import { Attachments } from './files/attachments.ts';
import { KeptFile } from './files/keptFile.ts';
import { LastEditor } from './files/lastEditor.ts';
import { GatewayControl } from './gateway/gatewayControl.ts';
import { WindowLog } from './log/windowLog.ts';
import { Announcer } from './notices/announcer.ts';
import { Notices } from './notices/notices.ts';
import { presentPages } from './present/presentOpen.ts';
import { PreviewActions } from './preview/previewActions.ts';
import { registerModels, showModels } from './provider/registerModels.ts';
import { keyPlaceOf, keysIn, Servers } from './servers/secrets.ts';
import { ServerSetup } from './servers/serverSetup.ts';
import { Windows } from './servers/windows.ts';
import { Settings } from './settings/settings.ts';
import { describeMissingTools, diskFolders } from './settings/trust.ts';
import { StatusBar } from './statusBar/statusBar.ts';
import { StatusFollower } from './statusBar/statusFollower.ts';
import { setContext, setContexts } from './view/contextKeys.ts';
import { Originals } from './view/originals.ts';
import { KarlView } from './view/view.ts';

/**
 * Owns every part of the extension for the life of a window. The parts find each other through the host; a part's
 * constructor may use only parts that are created before it.
 */
export class Host implements vscode.Disposable {
  readonly context: vscode.ExtensionContext;
  readonly adapters: HostAdapters;
  readonly keys: ReturnType<typeof keysIn>;
  readonly windows = new Windows(this);
  readonly servers: Servers;
  readonly settings: Settings;
  readonly log: WindowLog;
  readonly notices = new Notices(() => this.refresh());
  readonly announcer = new Announcer(this.notices, () => this.view);
  readonly waiting = new WaitingMessages(this);
  readonly lastEditor = new LastEditor();
  readonly originals = new Originals(this);
  readonly previews: PreviewActions;
  /** The folder with the conversations of this workspace. */
  readonly root: string;
  readonly store: ReturnType<HostAdapters['createStore']>;
  /** The conversations of other agents. */
  readonly threadStore: ReturnType<HostAdapters['createThreadStore']>;
  readonly attachments: Attachments;
  /** Unsent text of the view. VS Code keeps it too, but a browser may lose the last seconds of it on a reload. */
  readonly keptPage: KeptFile;
  /** Loaded separately, since it is most of the code and activation must not wait for it. */
  readonly factory: Promise<ConversationFactory>;
  readonly conversations: Conversations;
  readonly view: KarlView;
  readonly setup: ServerSetup;
  readonly karl: UserActions;
  readonly gateway: GatewayControl;
  readonly #modelsChanged = new vscode.EventEmitter<void>();
  readonly #statusBar = new StatusBar();
  readonly #status = new StatusFollower(this.#statusBar, () => this.settings.current['compaction.mode']);
  readonly #subscriptions: vscode.Disposable[];
  #revision = 0;
  #applied: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, adapters: HostAdapters) {
    this.context = context;
    this.adapters = adapters;
    this.previews = new PreviewActions(this);
    this.keys = keysIn(context.secrets);
    this.servers = new Servers(context.globalState);
    this.settings = new Settings(this.servers.decision);
    this.log = new WindowLog(this);
    const storage = context.storageUri ?? context.globalStorageUri;
    this.root = findStorageRoot(storage.fsPath);
    this.store = adapters.createStore(this.root);
    this.threadStore = adapters.createThreadStore(this.root, this.log.warn);
    this.attachments = new Attachments(this, new KeptFile(storage, 'attachments.json', this.log.run));
    this.keptPage = new KeptFile(storage, 'page.json', this.log.run);
    this.factory = this.#loadFactory();
    this.conversations = new Conversations(this);
    this.view = new KarlView(this);
    this.setup = new ServerSetup(this);
    this.karl = new UserActions(this);
    this.gateway = new GatewayControl(this);
    this.#subscriptions = [
      this.gateway,
      this.log,
      this.settings,
      this.#statusBar,
      this.conversations,
      this.view.register(),
      this.originals,
      this.lastEditor,
      this.#modelsChanged,
      registerModels(async () => (await this.factory).models, this.#modelsChanged.event),
      registerTools(this),
      registerMcpServer(this),
      registerCommands(this),
      this.settings.onDidChange(() => this.#apply()),
      this.conversations.onDidChangeActive((active) => {
        if (active === undefined) this.notices.clear();
        else this.originals.fill(active);
        this.#status.followOwn();
        this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#apply()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#apply()),
    ];
  }

  /** The open conversation. */
  get active(): ActiveConversation | undefined {
    return this.conversations.active;
  }

  /** Updates the view: something that it shows has changed. */
  readonly refresh = (): void => this.view.refresh();

  /** Makes VS Code ask for the models of its chat again. */
  readonly modelsChanged = (): void => this.#modelsChanged.fire();

  /** Reads the key for an origin; a server that the workspace names has a key of its own. */
  readonly readKey: ReadKey = async (origin) =>
    (await this.keys.read(keyPlaceOf(origin, this.settings.named))) || undefined;

  /** Opens the conversation that was open last, or the sample if that was requested and nothing is open. */
  async start(): Promise<void> {
    const { run } = this.log;
    const factory = await this.factory;
    factory.threads.onDidUse((thread) => {
      // The status bar gets the thread in the view from the state of the view.
      if (thread.id !== this.active?.id) this.#status.showThread(thread);
      setContext('thread', true);
    });
    await Promise.all([factory.profiles.load(), this.attachments.restore()]);
    const opened = await this.conversations.openLast();
    if (!opened.ok) factory.showProblem(opened.error);
    if (this.adapters.openSample && this.active === undefined) await this.karl.openSample();
    this.previews.tellEnded();
    this.refresh();
    run(showModels());
    run(this.gateway.startIfEnabled());
    this.#subscriptions.push(pruneDaily(this, [this.conversations, factory.threads]));
  }

  /** The current state of the view, for each page. */
  present(pages: readonly object[]): readonly [ViewState, ...ViewState[]] {
    return presentPages(pages, {
      revision: ++this.#revision,
      active: this.active,
      mode: this.settings.current['compaction.mode'],
      missingTools: describeMissingTools(),
      attachments: this.attachments.list,
      waiting: this.waiting.list,
      notices: this.notices.states,
    });
  }

  /** Passes a new state on to the status bar and context keys, also while the view is hidden. */
  noteState(state: ViewState): void {
    this.#status.showOwn(state);
    this.previews.note();
    setContexts(state);
  }

  /** Resolves when the open conversation uses the current settings. */
  get applied(): Promise<void> {
    return this.#applied;
  }

  /** Reads the settings again and applies them to the open conversation. */
  async applySettings(): Promise<void> {
    this.settings.update();
    await this.#applySettings();
  }

  /** Finishes writing and lets other windows write. */
  async close(): Promise<void> {
    await this.gateway.close();
    await this.conversations.close();
    await Promise.all([this.log.file.flushAll(), this.attachments.flush(), this.keptPage.flush()]);
    await (await this.factory).dispose();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #loadFactory(): Promise<ConversationFactory> {
    // With loader hooks, as in the extension host, Node reads and compiles an import synchronously.
    await new Promise((resolve) => setImmediate(resolve));
    const { ConversationFactory } = await import('./conversations/conversationFactory.ts');
    return new ConversationFactory(this, await this.adapters.loadTools(diskFolders));
  }

  /** Applies changed settings to the open conversation. Not awaited here; sending awaits `applied`. */
  #apply(): void {
    this.#applied = this.#applySettings();
    this.log.run(this.#applied);
  }

  async #applySettings(): Promise<void> {
    this.log.follow();
    await (await this.factory).applySettings();
    this.modelsChanged();
  }
}

/** Creates and starts the host. Returns at once; `ready` resolves when the last conversation is open. */
export function startHost(context: vscode.ExtensionContext, adapters: HostAdapters): KarlApi {
  const host = new Host(context, adapters);
  context.subscriptions.push(host);
  const ready = host.start();
  return {
    ready,
    karl: host.karl,
    conversation: () => host.karl.active?.conversation,
    viewState: () => host.present([])[0],
    isViewVisible: () => host.view.isVisible,
    close: () => host.close(),
  };
}

/** The API of the extension, also used by its tests. */
export interface KarlApi {
  /** Resolves when the last conversation is open again, if there is one. */
  readonly ready: Promise<void>;
  readonly karl: UserActions;
  readonly conversation: () => ActiveConversation['conversation'] | undefined;
  readonly viewState: () => ViewState;
  /** Whether the user sees the view. */
  readonly isViewVisible: () => boolean;
  /** Finishes writing; nothing works afterwards. */
  readonly close: () => Promise<void>;
}

/** Sets Karl's language to VS Code's display language if there is a bundle for it. Call before anything is translated. */
export function speakDisplayLanguage(): void {
  const { bundle } = vscode.l10n;
  if (bundle !== undefined) speak(vscode.env.language, bundle);
}
