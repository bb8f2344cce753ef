import * as vscode from 'vscode';
import type { ConversationFile } from '../../adapters/node/conversationFile.ts';
import type { StoredSession } from '../../adapters/sessions/session.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { parseCalibration } from '../../core/model/calibration.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import { interruptedReply } from '../../core/session/continuation.ts';
import type { ConversationDetails, StorageProblem } from '../../core/session/conversationStore.ts';
import { t, translate } from '../../language/language.ts';
import { parseKeptReply } from '../../protocol/parseKept.ts';
import { askInView, CompressionQuestion, type QuestionParts } from '../actions/compressionQuestion.ts';
import { announceResult } from '../notices/compressionResult.ts';
import { SELECT_MODEL } from '../notices/describeModelError.ts';
import { ModelProvider, type ProviderParts } from '../provider/modelProvider.ts';
import { AgentWork, readPrompt, type WorkParts } from '../work/agentWork.ts';
import { ActiveConversation, type Opened } from './activeConversation.ts';
import { Agent } from './agent.ts';
import { AgentThreads, type ThreadParts } from './agentThreads.ts';
import { handleEvent } from './events.ts';
import { type ModelParts, Models } from './models.ts';
import { openThread } from './openThread.ts';
import { recordSession } from './sessionOrigin.ts';
import { changeForSettings } from './settingsChange.ts';

/** What its parts need, and the conversation that the view shows. */
type FactoryParts = ModelParts &
  QuestionParts &
  WorkParts &
  Omit<ThreadParts, 'models'> &
  Omit<ProviderParts, 'models' | 'threads'> & {
    readonly active: () => ActiveConversation | undefined;
  };

/** Creates live conversations: connects them to counter, model, tools, settings, log and user. */
export class ConversationFactory {
  readonly #parts: FactoryParts;
  readonly models: Models;
  /** The conversations of other agents. */
  readonly threads: AgentThreads;
  /** Karl's models for VS Code's chat. */
  readonly provider: ModelProvider;

  constructor(parts: FactoryParts) {
    this.#parts = parts;
    this.models = new Models(parts);
    this.threads = new AgentThreads({ ...parts, models: this.models });
    this.provider = new ModelProvider({ ...parts, models: this.models, threads: this.threads });
  }

  /** Makes the live conversation of a file, with the settings in force. */
  async open(file: ConversationFile): Promise<ActiveConversation> {
    const { details, problems } = file.stored;
    const resolved = this.models.toOpen(details.profile);
    const { profile } = resolved;
    // A learned window is valid for its own model only; one from a single error only while the conversation is open.
    const isSame = details.profile === undefined || profileKey(details.profile) === profileKey(profile);
    const isKept = isSame && details.learnedWindow?.source !== 'error';
    for (const problem of problems) this.showProblem(problem);
    const conversation = await this.models.open(file.id, profile, {
      restore: {
        version: 1,
        transcript: file.stored.transcript,
        compactions: details.compactions,
        pins: details.pins,
        undone: details.undone,
        learnedWindow: this.#parts.windows.known(profile, isKept ? details.learnedWindow : undefined),
        calibration: parseCalibration(details.state?.calibration),
      },
    });
    const active: ActiveConversation = new ActiveConversation({
      file,
      conversation,
      resolved,
      createAgent: (created) => this.#createAgent(created, file),
      onProblem: (problem) => this.#showProblemOf(problem, active),
    });
    conversation.on((event) => this.#receive(active, event));
    file.onProblem((problem) => {
      if (problem.kind === 'lock-lost') active.giveUp(problem.message);
      this.#showProblemOf(problem, active);
    });
    await this.#takeReply(active, file);
    this.#applyTo(active);
    return active;
  }

  #createAgent(active: ActiveConversation, file: ConversationFile): Agent {
    const parts = this.#parts;
    return new Agent(active, {
      ...parts,
      file,
      models: this.models,
      question: new CompressionQuestion(active.conversation, parts.settings, askInView(parts)),
      work: new AgentWork(active.id, active.conversation, parts),
      readPrompt: () => readPrompt(parts.adapters.readInstructions),
      isShown: () => parts.active() === active,
      onEvent: (event) => this.#receive(active, event),
    });
  }

  /** The details of a conversation that is opened from an agent's session. Rejects with the reason of the signal. */
  async recordSession(file: string, session: StoredSession, signal: AbortSignal): Promise<ConversationDetails> {
    const counter = this.models.counter(this.models.toOpen(undefined).profile);
    return await recordSession(file, session, { counter, signal });
  }

  /** Shows a conversation of another agent. */
  async openThread(id: string): Promise<Opened> {
    return await openThread(id, this.threads, this.#parts, (...problem) => this.#showProblemOf(...problem));
  }

  /** Records the part of a reply that an earlier window had received before it was killed. */
  async #takeReply({ conversation, readOnly }: ActiveConversation, file: ConversationFile): Promise<void> {
    const { reply: kept } = file.stored;
    if (readOnly !== undefined || kept === undefined) return;
    const parsed = parseKeptReply(kept);
    const reply = parsed && interruptedReply(conversation.transcript, parsed);
    if (reply !== undefined && file.queue([reply]).ok) conversation.append([reply]);
    // While the disk is full, the kept reply stays for the next window.
    await file.keepReply(undefined);
  }

  /**
   * Reads the profiles, then applies them and the settings to the open conversation. One that is being opened applies
   * them itself.
   */
  async applySettings(): Promise<void> {
    await this.models.load();
    const active = this.#parts.active();
    if (active !== undefined) this.#applyTo(active);
  }

  #applyTo(active: ActiveConversation): void {
    const { settings, windows, log, view } = this.#parts;
    const { conversation, agent } = active;
    if (active.other !== undefined) {
      // Its profile and tools come with the agent's next request.
      conversation.configure(changeForSettings(settings.current));
      view.refresh();
      return;
    }
    active.resolved = this.models.toOpen(conversation.profile());
    const { profile } = active.resolved;
    const isSame = profileKey(profile) === profileKey(conversation.profile());
    const own = conversation.learnedWindow();
    const learnedWindow = windows.known(profile, isSame ? own : undefined);
    const isKept = own?.tokens === learnedWindow?.tokens && own?.source === learnedWindow?.source;
    const tools = agent?.work.listTools().map((tool) => tool.definition);
    const change = { ...this.models.changeFor(profile, conversation), profile, ...(tools && { tools }) };
    conversation.configure(isKept ? change : { ...change, learnedWindow });
    view.refresh();
    if (conversation.learnedWindow() === undefined) log.run(this.#askForWindow(active));
  }

  /** Asks the server for the model's window before the first message. What a turn learned meanwhile takes precedence. */
  async #askForWindow({ conversation }: ActiveConversation): Promise<void> {
    const { settings, windows, view } = this.#parts;
    if (!vscode.workspace.isTrusted || settings.current.model === '') return;
    const [profile, before] = [conversation.profile(), conversation.learnedWindow()];
    // The vendors of VS Code's models are asked only when the user sends a message.
    if (profile.baseUrl === EDITOR_MODELS) return;
    const learnedWindow = await windows.find(profile);
    const isSame = profileKey(conversation.profile()) === profileKey(profile);
    if (isSame && conversation.learnedWindow() === before) conversation.configure({ learnedWindow });
    view.refresh();
  }

  /** Passes an event of a conversation of Karl's own to log, file, hooks, view and user. */
  #receive(active: ActiveConversation, event: KarlEvent): void {
    const { log, notices, karl, view } = this.#parts;
    const { run } = log;
    // A closed conversation must not add notices to the next one.
    const isShown = this.#parts.active() === active;
    const begun = active.compressing;
    active.follow(event, run);
    handleEvent(this.#parts, active.id, active.conversation.profile(), event, isShown);
    if (event.type === 'window-learned') run(active.saveAndReport());
    if (event.type === 'tools-refused' && isShown)
      notices.show({
        id: 'no-tools',
        severity: 'info',
        text: t(
          'The server does not accept tools for {0} (karl.model). Karl describes them in the prompt instead, which works less well.',
          event.model,
        ),
        actions: [{ label: t('Select Model…'), run: () => run(karl.mend(SELECT_MODEL)) }],
      });
    if (event.type === 'compaction-ended' && isShown) {
      notices.remove('busy');
      // A preview has already shown what its run lacks.
      const isOwn = begun !== undefined && !(active.preview !== undefined && event.result.kind === 'compacted');
      const again = isOwn
        ? (inPlaceOf?: string) => run(karl.compress(begun.strategy, begun.instructions, inPlaceOf))
        : undefined;
      announceResult(event.result, event.trigger, {
        ...{ id: active.id, parts: this.#parts, announcer: notices },
        own: { again },
      });
    }
    view.refresh();
  }

  /** Shows a problem with a stored conversation. */
  readonly showProblem = (problem: StorageProblem): void => {
    const { notices, view } = this.#parts;
    // The message box already says that another window has taken over.
    if (problem.kind === 'lock-lost') view.refresh();
    else notices.show({ id: `storage ${problem.kind}`, severity: 'warning', text: translate(problem.message) });
  };

  /** Shows a problem; one of a closed conversation as a warning of VS Code, and only if something was not stored. */
  #showProblemOf(problem: StorageProblem, active: ActiveConversation): void {
    if (this.#parts.active() === active) this.showProblem(problem);
    else if (problem.kind !== 'closed' && problem.kind !== 'lock-lost') this.#parts.log.warn(problem.message);
  }
}
