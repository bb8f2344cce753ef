import * as vscode from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import { retell } from '../../core/language.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import { interruptedReply } from '../../core/session/continuation.ts';
import type { OpenConversation, StorageProblem } from '../../core/session/conversationStore.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import type { Tool } from '../../core/session/tools.ts';
import { parseKeptReply } from '../../protocol/parseKept.ts';
import { classifyRefusal, EditorModelClient } from '../editorModels/editorModelClient.ts';
import { askEditorModel, findEditorWindow } from '../editorModels/editorModels.ts';
import { connectModels } from '../provider/connectModels.ts';
import type { ModelProvider } from '../provider/modelProvider.ts';
import { KnownWindows } from '../servers/knownWindows.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { Agent } from './agent.ts';
import { agentMaker, receiveEvent } from './agentMaker.ts';
import { AgentThreads } from './agentThreads.ts';
import type { Connections } from './connections.ts';
import type { OtherConversations } from './conversations.ts';
import { Hooks } from './hooks.ts';
import { changeForSettings, chooseSummarizer, keepCounters, openLiveConversation } from './liveConversation.ts';
import { ModelProfiles } from './modelProfiles.ts';
import { otherConversations } from './openThread.ts';

/** Where conversations come alive: connects them to counter, model, tools, settings, log and user. */
export class ConversationFactory {
  readonly #parts: Connections;
  readonly #counters;
  readonly #hooks: Hooks;
  readonly #createAgent: (active: ActiveConversation) => Agent;
  /** The conversations of other agents. */
  readonly threads: AgentThreads;
  /** Karl's models for VS Code's chat. */
  readonly models: ModelProvider;
  /** What is known about models. */
  readonly profiles: ModelProfiles;
  #client: ModelClient | undefined;
  readonly #windows: KnownWindows;
  /** How often settings, profiles and trust were applied. */
  #applied = 0;

  constructor(parts: Connections, workspaceTools: readonly Tool[]) {
    this.#parts = parts;
    const { adapters, settings, warn } = parts;
    this.profiles = new ModelProfiles(parts);
    this.#windows = new KnownWindows({
      ...parts,
      windowsChanged: parts.modelsChanged,
      discover: (profile, readKey, signal) =>
        profile.baseUrl === EDITOR_MODELS
          ? findEditorWindow(profile, signal)
          : parts.adapters.discoverWindow(profile, readKey, signal),
      readKey: this.profiles.readKey,
    });
    this.#hooks = new Hooks({ settings: () => settings.current, run: adapters.runHook, home: adapters.home, warn });
    this.#counters = keepCounters((encoding) => {
      const counter = parts.adapters.createCounter(encoding, parts.warn);
      counter.onCorrected?.(parts.refresh);
      return counter;
    });
    const shared = {
      connections: parts,
      hooks: this.#hooks,
      windows: this.#windows,
      counter: ({ encoding = 'o200k_base' }: ModelProfile) => this.#counters.find(encoding),
    };
    this.#createAgent = agentMaker({
      ...shared,
      profiles: this.profiles,
      client: this.#getClient,
      workspaceTools,
      changeFor: (profile, conversation) => this.#changeFor(profile, () => conversation),
    });
    this.threads = new AgentThreads({
      ...shared,
      change: () => changeForSettings(settings.current),
      changeFor: (profile, client) => this.#changeFor(profile, () => undefined, client),
    });
    this.models = connectModels({
      ...shared,
      threads: this.threads,
      readKey: this.profiles.readKey,
      loadProfiles: () => this.profiles.load(),
      layers: () => this.profiles.usable,
    });
  }

  /** Makes the live conversation of a file, with the settings in force. */
  async open(file: OpenConversation): Promise<ActiveConversation> {
    const { details, problems } = file.stored;
    const applied = this.#applied;
    const resolved = this.profiles.toOpen(details.profile);
    const { profile } = resolved;
    // What was learned belongs to the model before.
    const isSame = details.profile === undefined || profileKey(details.profile) === profileKey(profile);
    for (const problem of problems) this.showProblem(problem);
    const active: ActiveConversation = await openLiveConversation({
      file,
      resolved,
      change: this.#changeFor(profile, () => active.conversation),
      window: this.#windows.toRestore(profile, isSame ? details.learnedWindow : undefined),
      counter: this.#counters.find(profile.encoding ?? 'o200k_base'),
      beforeCompact: (about, signal) => this.#hooks.before(file.id, about, signal),
      createAgent: this.#createAgent,
      onEvent: (owner, event) => receiveEvent(owner, event, this.#parts, this.#hooks),
      onProblem: (problem) => this.#showProblemOf(problem, active),
    });
    file.onProblem((problem) => {
      if (problem.kind === 'lock-lost') active.giveUp(problem.message);
      this.#showProblemOf(problem, active);
    });
    await this.#takeReply(active);
    if (applied !== this.#applied) await this.applySettings(() => active);
    else if (active.conversation.learnedWindow() === undefined) this.#parts.run(this.#askForWindow(active));
    return active;
  }

  /** Records what had come of a reply when the window before this one ended without a word. */
  async #takeReply({ file, conversation, readOnly }: ActiveConversation): Promise<void> {
    if (readOnly !== undefined) return;
    const { reply: kept } = file.stored;
    if (kept === undefined) return;
    const parsed = parseKeptReply(kept);
    const reply = parsed && interruptedReply(conversation.transcript, parsed);
    if (reply !== undefined && file.queue([reply]).ok) conversation.append([reply]);
    // Kept for the next window as long as the disk is full.
    await file.keepReply(undefined);
  }

  /** The conversations of other agents, to be shown and deleted. */
  get others(): OtherConversations {
    return otherConversations({ ...this.#parts, threads: this.threads, onProblem: this.#showProblemOf });
  }

  /**
   * Serves the clients of the gateway, with the models of the settings. One attempt each: clients retry by themselves.
   */
  createRelay(): Relay {
    const resolve = async (model: string) => {
      await this.profiles.load();
      return this.profiles.resolve(model).profile;
    };
    return this.threads.relay({ readKey: this.profiles.readKey, resolve, mostAttempts: 1 });
  }

  /** Gives the conversation that is open by then the settings and profiles in force; one that is just opening takes them. */
  async applySettings(opened: () => ActiveConversation | undefined): Promise<void> {
    await this.profiles.load();
    this.#applied += 1;
    const active = opened();
    if (active === undefined) return;
    if (active.otherAgent !== undefined) {
      // Its profile and tools come with the agent's next request.
      active.conversation.configure(changeForSettings(this.#settings));
      return this.#parts.refresh();
    }
    const resolved = this.profiles.toOpen(active.conversation.profile());
    const { profile } = resolved;
    const { conversation, agent } = active;
    active.resolved = resolved;
    const isOther = profileKey(profile) !== profileKey(conversation.profile());
    // What was learned belongs to the model before.
    const window = isOther
      ? { learnedWindow: this.#windows.known(profile) }
      : this.#windows.changed(conversation, profile);
    conversation.configure({ ...this.#changeFor(profile, () => conversation), ...window, profile });
    agent.refreshTools();
    this.#parts.refresh();
    if (conversation.learnedWindow() === undefined) this.#parts.run(this.#askForWindow(active));
  }

  /** Asks the server of the settings for its window before a message is sent. What a turn has learned meanwhile stays. */
  async #askForWindow({ conversation }: ActiveConversation): Promise<void> {
    if (!vscode.workspace.isTrusted || this.#settings.model === '') return;
    const [profile, before] = [conversation.profile(), conversation.learnedWindow()];
    const learnedWindow = await this.#windows.findChanged(profile);
    const isSame = profileKey(conversation.profile()) === profileKey(profile);
    if (isSame && conversation.learnedWindow() === before) conversation.configure({ learnedWindow });
    this.#parts.refresh();
  }

  /** Tells of something that is wrong with a stored conversation. */
  showProblem(problem: StorageProblem): void {
    // The message box says for as long as it holds that another window has taken over.
    if (problem.kind === 'lock-lost') this.#parts.refresh();
    else
      this.#parts.notices.show({ id: `storage ${problem.kind}`, severity: 'warning', text: retell(problem.message) });
  }

  /** Of a conversation that is closed only what was not stored is told, and not among the notices of the next one. */
  readonly #showProblemOf = (problem: StorageProblem, active: ActiveConversation): void => {
    if (this.#parts.active() === active) this.showProblem(problem);
    else if (problem.kind !== 'closed' && problem.kind !== 'lock-lost') this.#parts.warn(problem.message);
  };

  /** Stores the conversations of other agents and ends the workers of the counters. */
  async dispose(): Promise<void> {
    this.models.dispose();
    await this.threads.close();
    await Promise.all(this.#counters.all().map((counter) => counter.dispose()));
  }

  get #settings() {
    return this.#parts.settings.current;
  }

  readonly #getClient = (): ModelClient => {
    this.#client ??= withEditorModels(this.#parts.adapters.createClient(this.profiles.readKey));
    return this.#client;
  };

  /** In an untrusted workspace no model is asked, not even for a summary. */
  #changeFor(
    profile: ModelProfile,
    owner: () => Conversation | undefined,
    client: () => ModelClient = this.#getClient,
  ): ConversationChange {
    const makers = {
      client,
      resolve: (model: string) => this.profiles.resolve(model).profile,
      isForeign: client !== this.#getClient,
      findWindow: (asked: ModelProfile) => this.#windows.ofSummaries(asked, owner()),
    };
    const summarizer = vscode.workspace.isTrusted
      ? chooseSummarizer(this.#settings, profile, makers)
      : { summarizer: undefined };
    return { ...changeForSettings(this.#settings), ...summarizer };
  }
}

/** A client that asks the models of VS Code itself, and leaves servers to another client. */
function withEditorModels(servers: ModelClient): ModelClient {
  const editor = new EditorModelClient({ ask: askEditorModel, classify: classifyRefusal });
  return {
    complete: (request, ...rest) => {
      const client = request.profile.baseUrl === EDITOR_MODELS ? editor : servers;
      return client.complete(request, ...rest);
    },
  };
}
