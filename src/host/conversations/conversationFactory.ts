import * as vscode from 'vscode';
import { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import { retell } from '../../core/language.ts';
import { parseCalibration } from '../../core/model/calibration.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import { interruptedReply } from '../../core/session/continuation.ts';
import type { OpenConversation, StorageProblem } from '../../core/session/conversationStore.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import type { Tool } from '../../core/session/tools.ts';
import type { Encoding } from '../../core/tokens/counter.ts';
import { parseKeptReply } from '../../protocol/parseKept.ts';
import type { HostAdapters } from '../adapters.ts';
import { EditorModelClient } from '../editorModels/editorModelClient.ts';
import { askEditorModel, findEditorWindow } from '../editorModels/editorModels.ts';
import { ModelProvider } from '../provider/modelProvider.ts';
import { KnownWindows } from '../servers/knownWindows.ts';
import { ActiveConversation } from './activeConversation.ts';
import type { Agent } from './agent.ts';
import { agentMaker, receiveEvent } from './agentMaker.ts';
import { AgentThreads } from './agentThreads.ts';
import type { Connections } from './connections.ts';
import type { OtherConversations } from './conversations.ts';
import { Hooks } from './hooks.ts';
import { ModelProfiles } from './modelProfiles.ts';
import { otherConversations } from './openThread.ts';
import { changeForSettings, chooseSummarizer } from './settingsChange.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** Where conversations come alive: connects them to counter, model, tools, settings, log and user. */
export class ConversationFactory {
  readonly #parts: Connections;
  /** Made when they are first needed. */
  readonly #counters = new Map<Encoding, ReturnType<HostAdapters['createCounter']>>();
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
    const { settings } = parts;
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
    this.#hooks = new Hooks(parts);
    const shared = {
      connections: parts,
      hooks: this.#hooks,
      windows: this.#windows,
      counter: (profile: ModelProfile) => this.#counter(profile),
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
    this.models = new ModelProvider({
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
    // A learned window is valid for its own model only.
    const isSame = details.profile === undefined || profileKey(details.profile) === profileKey(profile);
    for (const problem of problems) this.showProblem(problem);
    const learnedWindow = this.#windows.toRestore(profile, isSame ? details.learnedWindow : undefined);
    const calibration = parseCalibration(details.state?.calibration);
    const conversation: Conversation = await Conversation.open({
      ...this.#changeFor(profile, () => conversation),
      profile,
      counter: this.#counter(profile),
      beforeCompact: (about, signal) => this.#hooks.before(file.id, about, signal),
      ports: CONVERSATION_PORTS,
      restore: {
        version: 1,
        transcript: file.stored.transcript,
        compactions: details.compactions,
        pins: details.pins,
        ...(details.undone !== undefined && { undone: details.undone }),
        ...(learnedWindow !== undefined && { learnedWindow }),
        ...(calibration !== undefined && { calibration }),
      },
    });
    const active: ActiveConversation = new ActiveConversation({
      file,
      conversation,
      resolved,
      createAgent: this.#createAgent,
      onProblem: (problem) => this.#showProblemOf(problem, active),
    });
    conversation.on((event) => receiveEvent(active, event, this.#parts, this.#hooks));
    file.onProblem((problem) => {
      if (problem.kind === 'lock-lost') active.giveUp(problem.message);
      this.#showProblemOf(problem, active);
    });
    await this.#takeReply(active);
    if (applied !== this.#applied) await this.applySettings(() => active);
    else if (active.conversation.learnedWindow() === undefined) this.#parts.run(this.#askForWindow(active));
    return active;
  }

  /** Records the part of a reply that an earlier window had received before it was killed. */
  async #takeReply({ file, conversation, readOnly }: ActiveConversation): Promise<void> {
    if (readOnly !== undefined) return;
    const { reply: kept } = file.stored;
    if (kept === undefined) return;
    const parsed = parseKeptReply(kept);
    const reply = parsed && interruptedReply(conversation.transcript, parsed);
    if (reply !== undefined && file.queue([reply]).ok) conversation.append([reply]);
    // While the disk is full, the kept reply stays for the next window.
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

  /** Applies settings and profiles to the conversation that is open once they are read; one that is being opened takes them itself. */
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
    // A learned window is valid for its own model only.
    const window = isOther
      ? { learnedWindow: this.#windows.known(profile) }
      : this.#windows.changed(conversation, profile);
    conversation.configure({ ...this.#changeFor(profile, () => conversation), ...window, profile });
    agent.refreshTools();
    this.#parts.refresh();
    if (conversation.learnedWindow() === undefined) this.#parts.run(this.#askForWindow(active));
  }

  /** Asks the server for the model's window before the first message. What a turn learned meanwhile takes precedence. */
  async #askForWindow({ conversation }: ActiveConversation): Promise<void> {
    if (!vscode.workspace.isTrusted || this.#settings.model === '') return;
    const [profile, before] = [conversation.profile(), conversation.learnedWindow()];
    const learnedWindow = await this.#windows.findChanged(profile);
    const isSame = profileKey(conversation.profile()) === profileKey(profile);
    if (isSame && conversation.learnedWindow() === before) conversation.configure({ learnedWindow });
    this.#parts.refresh();
  }

  /** Shows a problem with a stored conversation. */
  showProblem(problem: StorageProblem): void {
    // The message box says that another window has taken over.
    if (problem.kind === 'lock-lost') this.#parts.refresh();
    else
      this.#parts.notices.show({ id: `storage ${problem.kind}`, severity: 'warning', text: retell(problem.message) });
  }

  /** Problems of a closed conversation are shown as warnings of VS Code, and only when something was not stored. */
  readonly #showProblemOf = (problem: StorageProblem, active: ActiveConversation): void => {
    if (this.#parts.active() === active) this.showProblem(problem);
    else if (problem.kind !== 'closed' && problem.kind !== 'lock-lost') this.#parts.warn(problem.message);
  };

  /** Stores the conversations of other agents and ends the workers of the counters. */
  async dispose(): Promise<void> {
    this.models.dispose();
    await this.threads.close();
    await Promise.all([...this.#counters.values()].map((counter) => counter.dispose()));
  }

  get #settings() {
    return this.#parts.settings.current;
  }

  readonly #getClient = (): ModelClient => {
    this.#client ??= withEditorModels(this.#parts.adapters.createClient(this.profiles.readKey));
    return this.#client;
  };

  #counter({ encoding = 'o200k_base' }: ModelProfile): ReturnType<HostAdapters['createCounter']> {
    const known = this.#counters.get(encoding);
    if (known !== undefined) return known;
    const counter = this.#parts.adapters.createCounter(encoding, this.#parts.warn);
    counter.onCorrected?.(this.#parts.refresh);
    this.#counters.set(encoding, counter);
    return counter;
  }

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
  const editor = new EditorModelClient(askEditorModel);
  return {
    complete: (request, ...rest) => {
      const client = request.profile.baseUrl === EDITOR_MODELS ? editor : servers;
      return client.complete(request, ...rest);
    },
  };
}
