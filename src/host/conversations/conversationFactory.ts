import * as vscode from 'vscode';
import { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { translate } from '../../core/language.ts';
import { parseCalibration } from '../../core/model/calibration.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import type { Result } from '../../core/result.ts';
import { interruptedReply } from '../../core/session/continuation.ts';
import type { OpenConversation, StorageProblem } from '../../core/session/conversationStore.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { makeRecallTool } from '../../core/session/recallTool.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import { buildSystemPrompt } from '../../core/session/systemPrompt.ts';
import { TODO_TOOL } from '../../core/session/todoTool.ts';
import type { Tool } from '../../core/session/tools.ts';
import type { Encoding, TextCounter } from '../../core/tokens/counter.ts';
import { parseKeptReply } from '../../protocol/parseKept.ts';
import type { HostAdapters, SessionContent, ToolKit } from '../adapters.ts';
import { EditorModelClient } from '../editorModels/editorModelClient.ts';
import { askEditorModel, findEditorWindow } from '../editorModels/editorModels.ts';
import type { Host } from '../host.ts';
import { announceResult, chooseStrategy } from '../notices/compressionResult.ts';
import { SELECT_MODEL } from '../notices/describeModelError.ts';
import { toolsNotice } from '../notices/outcomes.ts';
import { ModelProvider } from '../provider/modelProvider.ts';
import { diskFolders } from '../settings/trust.ts';
import { AgentWork } from '../work/agentWork.ts';
import { findOtherTools } from '../work/otherTools.ts';
import { ActiveConversation } from './activeConversation.ts';
import { Agent } from './agent.ts';
import { AgentThreads } from './agentThreads.ts';
import { handleEvent, runHookBefore } from './events.ts';
import { ModelProfiles } from './modelProfiles.ts';
import { openThread } from './openThread.ts';
import { type OpenedSession, recordSession } from './sessionOrigin.ts';
import { changeForSettings, chooseSummarizer } from './settingsChange.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** Conventions for agents that a workspace folder may have. */
const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];
/** Nothing, or nothing but the name of another file: `@AGENTS.md`. */
const ONLY_NAMES = /^(?:@\S+)?$/;

/** Creates live conversations: connects them to counter, model, tools, settings, log and user. */
export class ConversationFactory {
  readonly host: Host;
  readonly #kit: ToolKit;
  /** Made when they are first needed. */
  readonly #counters = new Map<Encoding, TextCounter>();
  /** What is known about models. */
  readonly profiles: ModelProfiles;
  /** The conversations of other agents. */
  readonly threads: AgentThreads;
  /** Karl's models for VS Code's chat. */
  readonly models: ModelProvider;
  /** Models that take no tool definitions. Forgotten with the window, since a server can be restarted with other options. */
  readonly withoutTools = new Set<string>();
  #client: ModelClient | undefined;
  /** How often settings, profiles and trust were applied. */
  #applied = 0;

  constructor(host: Host, kit: ToolKit) {
    this.host = host;
    this.#kit = kit;
    this.profiles = new ModelProfiles(host);
    this.threads = new AgentThreads(this);
    this.models = new ModelProvider(this);
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
    const conversation: Conversation = await Conversation.open({
      ...this.changeFor(profile, () => conversation),
      profile,
      counter: this.counter(profile),
      acceptedSizes: this.host.windows.accepted,
      beforeCompact: (about, signal) => runHookBefore(this.host, file.id, about, signal),
      ports: CONVERSATION_PORTS,
      restore: {
        version: 1,
        transcript: file.stored.transcript,
        compactions: details.compactions,
        pins: details.pins,
        undone: details.undone,
        learnedWindow: this.host.windows.toRestore(profile, isSame ? details.learnedWindow : undefined),
        calibration: parseCalibration(details.state?.calibration),
      },
    });
    const active: ActiveConversation = new ActiveConversation({
      file,
      conversation,
      resolved,
      createAgent: (created) => new Agent(created, this),
      onProblem: (problem) => this.showProblemOf(problem, active),
    });
    conversation.on((event) => this.receive(active, event));
    file.onProblem((problem) => {
      if (problem.kind === 'lock-lost') active.giveUp(problem.message);
      this.showProblemOf(problem, active);
    });
    await this.#takeReply(active);
    if (applied !== this.#applied) await this.#applyTo(active);
    else if (active.conversation.learnedWindow() === undefined) this.host.log.run(this.#askForWindow(active));
    return active;
  }

  /** What a conversation begins with that is opened from an agent's session. Rejects with the reason of the signal. */
  async recordSession(file: string, session: SessionContent, signal: AbortSignal): Promise<OpenedSession> {
    const counter = this.counter(this.profiles.toOpen(undefined).profile);
    return await recordSession(file, session, { counter, signal });
  }

  /** Shows a conversation of another agent. */
  async openThread(id: string): Promise<Result<ActiveConversation, StorageProblem>> {
    return await openThread(id, this);
  }

  /** Records the part of a reply that an earlier window had received before it was killed. */
  async #takeReply({ file, conversation, readOnly }: ActiveConversation): Promise<void> {
    const { reply: kept } = file.stored;
    if (readOnly !== undefined || kept === undefined) return;
    const parsed = parseKeptReply(kept);
    const reply = parsed && interruptedReply(conversation.transcript, parsed);
    if (reply !== undefined && file.queue([reply]).ok) conversation.append([reply]);
    // While the disk is full, the kept reply stays for the next window.
    await file.keepReply(undefined);
  }

  /** Serves the clients of the gateway, with the models of the settings. */
  createRelay(): Relay {
    const resolve = async (model: string) => {
      await this.profiles.load();
      return this.profiles.resolve(model).profile;
    };
    return this.threads.relay({ readKey: this.profiles.readKey, resolve });
  }

  /**
   * Reads the profiles, then applies them and the settings to the open conversation. One that is being opened applies
   * them itself.
   */
  async applySettings(): Promise<void> {
    await this.profiles.load();
    this.#applied += 1;
    if (this.host.active !== undefined) await this.#applyTo(this.host.active);
  }

  async #applyTo(active: ActiveConversation): Promise<void> {
    const { conversation, agent } = active;
    if (active.otherAgent !== undefined) {
      // Its profile and tools come with the agent's next request.
      conversation.configure(changeForSettings(this.host.settings.current));
      return this.host.refresh();
    }
    active.resolved = this.profiles.toOpen(conversation.profile());
    const { profile } = active.resolved;
    // A learned window is valid for its own model only.
    const window =
      profileKey(profile) === profileKey(conversation.profile())
        ? this.host.windows.changed(conversation, profile)
        : { learnedWindow: this.host.windows.known(profile) };
    conversation.configure({ ...this.changeFor(profile, () => conversation), ...window, profile });
    agent.refreshTools();
    this.host.refresh();
    if (conversation.learnedWindow() === undefined) this.host.log.run(this.#askForWindow(active));
  }

  /** Asks the server for the model's window before the first message. What a turn learned meanwhile takes precedence. */
  async #askForWindow({ conversation }: ActiveConversation): Promise<void> {
    if (!vscode.workspace.isTrusted || this.host.settings.current.model === '') return;
    const [profile, before] = [conversation.profile(), conversation.learnedWindow()];
    const learnedWindow = await this.host.windows.findChanged(profile);
    const isSame = profileKey(conversation.profile()) === profileKey(profile);
    if (isSame && conversation.learnedWindow() === before) conversation.configure({ learnedWindow });
    this.host.refresh();
  }

  /** Passes an event of a conversation of Karl's own to log, file, hooks, view and user. */
  receive(active: ActiveConversation, event: KarlEvent): void {
    const { log, notices, announcer, settings, karl, view } = this.host;
    const { run } = log;
    // A closed conversation must not add notices to the next one.
    const isOpen = this.host.active === active;
    const begun = active.compressing;
    active.follow(event, run);
    handleEvent(this.host, active.id, active.conversation.profile(), event, isOpen);
    if (event.type === 'window-learned') run(active.saveAndReport());
    if (event.type === 'tools-refused' && isOpen)
      notices.show(toolsNotice(event.model, () => run(karl.mend(SELECT_MODEL))));
    if (event.type === 'compaction-ended' && isOpen) {
      notices.remove('busy');
      // A preview has already shown what its run lacks.
      const isOwn = begun !== undefined && !(active.preview !== undefined && event.result.kind === 'compacted');
      announceResult(event.result, event.trigger, announcer, {
        undo: (id) => run(karl.undo(id)),
        show: () => run(view.reveal()),
        choose: () => chooseStrategy(announcer),
        mend: (cure, after) => run(karl.mend(cure).then((isMended) => (isMended ? after() : undefined))),
        again: isOwn ? (inPlaceOf) => run(karl.compress(begun.strategy, begun.instructions, inPlaceOf)) : undefined,
        summaryModel: settings.current['summary.model'],
      });
    }
    this.host.refresh();
  }

  /** Shows a problem with a stored conversation. */
  showProblem(problem: StorageProblem): void {
    const { notices, refresh } = this.host;
    // The message box already says that another window has taken over.
    if (problem.kind === 'lock-lost') refresh();
    else notices.show({ id: `storage ${problem.kind}`, severity: 'warning', text: translate(problem.message) });
  }

  /** Shows a problem; one of a closed conversation as a warning of VS Code, and only if something was not stored. */
  showProblemOf(problem: StorageProblem, active: ActiveConversation): void {
    if (this.host.active === active) this.showProblem(problem);
    else if (problem.kind !== 'closed' && problem.kind !== 'lock-lost') this.host.log.warn(problem.message);
  }

  /** Stores the conversations of other agents. */
  async dispose(): Promise<void> {
    this.models.dispose();
    await this.threads.close();
  }

  /** Asks the server for the window that the model really has, or VS Code for that of one of its own. Never rejects. */
  readonly discoverWindow: HostAdapters['discoverWindow'] = (profile, readKey, signal) =>
    profile.baseUrl === EDITOR_MODELS
      ? findEditorWindow(profile, signal)
      : this.host.adapters.discoverWindow(profile, readKey, signal);

  /** The client for Karl's own requests, made with the first: for the models of VS Code itself, and those of servers. */
  readonly client = (): ModelClient => {
    if (this.#client !== undefined) return this.#client;
    const [servers, editor] = [
      this.host.adapters.createClient(this.profiles.readKey),
      new EditorModelClient(askEditorModel),
    ];
    this.#client = {
      complete: (request, ...rest) =>
        (request.profile.baseUrl === EDITOR_MODELS ? editor : servers).complete(request, ...rest),
    };
    return this.#client;
  };

  counter({ encoding = 'o200k_base' }: ModelProfile): TextCounter {
    const counter = this.#counters.get(encoding) ?? this.host.adapters.createCounter(encoding, this.host.log.warn);
    this.#counters.set(encoding, counter);
    return counter;
  }

  /**
   * What the settings determine in a conversation with a model, including its summarizer. In an untrusted workspace no
   * model is asked, not even for a summary. `client`: that of another server, if the conversation belongs to one.
   */
  changeFor(
    profile: ModelProfile,
    owner: () => Conversation | undefined,
    client: () => ModelClient = this.client,
  ): ConversationChange {
    const settings = this.host.settings.current;
    const makers = {
      client,
      resolve: (model: string) => this.profiles.resolve(model).profile,
      isForeign: client !== this.client,
      findWindow: (asked: ModelProfile) => this.host.windows.ofSummaries(asked, owner()),
    };
    const summarizer = vscode.workspace.isTrusted
      ? chooseSummarizer(settings, profile, makers)
      : { summarizer: undefined };
    return { ...changeForSettings(settings), ...summarizer };
  }

  /**
   * The tools that settings and trust allow now: none in an untrusted workspace, only recall in a window without a
   * folder.
   */
  listTools(conversation: Conversation, work: AgentWork): readonly Tool[] {
    if (!vscode.workspace.isTrusted) return [];
    const own = diskFolders().length === 0 ? [] : [...this.#kit.readers, ...work.tools, TODO_TOOL];
    const enabled = new Set<string>(this.host.settings.current['tools.enabled']);
    return [
      ...[...own, makeRecallTool(conversation)].filter((tool) => enabled.has(tool.definition.function.name)),
      ...findOtherTools(this.host.settings.current['tools.others'], work),
    ];
  }

  /** What the agent of a conversation may do to the workspace. */
  createWork(id: string, conversation: Conversation): AgentWork {
    return new AgentWork(conversation, this.host, (ports) => this.#kit.createWork(this.host.root, id, ports));
  }

  /** The system prompt for this window, with the instructions for agents of every workspace folder. */
  async readPrompt(): Promise<string> {
    const folders = diskFolders();
    const read = await Promise.all(
      folders.flatMap((folder) =>
        INSTRUCTION_FILES.map(async (name) => ({
          path: folders.length > 1 ? `${folder.name}/${name}` : name,
          text: (await this.host.adapters.readInstructions(folder, name)) ?? '',
        })),
      ),
    );
    const texts = read.map(({ text }) => text.trim());
    // One of them often repeats, or only names, another.
    const isOwn = (text: string, index: number) => !ONLY_NAMES.test(text) && texts.indexOf(text) === index;
    const instructions = read.filter((_, index) => isOwn(texts[index] ?? '', index));
    return buildSystemPrompt({ folders: folders.map(({ name }) => name), instructions });
  }
}
