import type { ConversationFile } from '../../adapters/node/conversationFile.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { figuresOf } from '../../core/conversation/figures.ts';
import {
  type HistoryMoment,
  historyOf,
  noteEvent,
  parseTokenHistory,
  type TokenHistory,
} from '../../core/conversation/tokenHistory.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { triggerTokens } from '../../core/model/budget.ts';
import { noteProfile, type ProfileUse, type ResolvedProfile } from '../../core/model/resolve.ts';
import type { Words } from '../../core/phrase.ts';
import { ok, type Result } from '../../core/result.ts';
import type { ConversationAccess, ConversationDetails, StorageProblem } from '../../core/session/conversationStore.ts';
import { sentence } from '../../language/language.ts';
import type { Shows, Side } from '../../protocol/viewState.ts';
import type { Shown } from '../present/entries.ts';
import type { StreamingReply } from '../present/unsent.ts';
import type { CompressionPreview } from '../preview/compressionPreview.ts';
import type { Agent } from './agent.ts';
import { parseSessionFile } from './sessionOrigin.ts';

/** An agent that leads its conversation elsewhere: nothing can be sent or stopped here. */
export interface OtherAgent {
  /** Why nothing can be written here, a sentence. */
  readonly sentence: string;
  /** Whether one of its requests is being served. */
  isServed(): boolean;
  /** The reply to that, until it is in the transcript. */
  lastReply(): StreamingReply | undefined;
}

/** The file of an open conversation, without what only the agent that leads it reads and writes. */
interface OpenFile extends Pick<ConversationFile, 'id' | 'access' | 'flush' | 'save' | 'close'> {
  readonly stored: Pick<ConversationFile['stored'], 'title' | 'details'>;
}

/** The parts of an open conversation. */
interface ActiveParts {
  readonly file: OpenFile;
  readonly conversation: Conversation;
  /** The profile that the conversation opens with. */
  readonly resolved: ResolvedProfile;
  /** Makes Karl's own agent; called once. Absent for a conversation of another agent. */
  readonly createAgent?: (active: ActiveConversation) => Agent;
  readonly other?: OtherAgent;
  /** A write that failed; each is reported once. */
  readonly onProblem: (problem: StorageProblem) => void;
}

/** The conversation that this window shows: the live object, its file and the state of the view. */
export class ActiveConversation {
  readonly file: OpenFile;
  readonly conversation: Conversation;
  /** Karl's own agent, unless another one leads the conversation. */
  readonly agent: Agent | undefined;
  readonly other: OtherAgent | undefined;
  readonly #onProblem: (problem: StorageProblem) => void;
  /** The compressions that the user started, by the controller that stops them. */
  readonly #compressions = new Map<AbortController, Promise<unknown>>();
  /** The rows that each page shows; none for pages whose reader is at the end. */
  shown = new WeakMap<object, Shown>();
  /** The side of the conversation that the view shows. */
  shows: Side = 'history';
  /** Whether the view shows what fills the window, in front of the conversation. */
  showsContents = false;
  #saving: Promise<unknown> = Promise.resolve();
  title: string;
  /** The file of the agent's stored session that it was opened from. */
  readonly sessionFile: string | undefined;
  /** Why this window may not write; `undefined` when it may. */
  readOnly: Words | undefined;
  /** The profile in force, with the entries that made it. */
  resolved: ResolvedProfile;
  /** Every profile that turns ran with, oldest first. */
  profiles: readonly ProfileUse[];
  /** What happened to the tokens of its requests. */
  history: TokenHistory;
  /** A compaction that runs now. */
  compressing: Extract<KarlEvent, { type: 'compaction-started' }> | undefined;
  /** A compression that is shown before it is done. */
  preview: CompressionPreview | undefined;

  constructor(parts: ActiveParts) {
    this.file = parts.file;
    this.conversation = parts.conversation;
    this.resolved = parts.resolved;
    const { details, title } = parts.file.stored;
    this.profiles = details.profiles ?? [];
    const { messages } = parts.conversation.transcript;
    this.history =
      parseTokenHistory(details.state?.tokenHistory, messages.length) ?? historyOf(parts.conversation.history());
    this.title = title;
    this.sessionFile = parseSessionFile(details.state?.session);
    this.#onProblem = parts.onProblem;
    this.other = parts.other;
    this.readOnly = describeAccess(parts.file.access);
    this.agent = parts.createAgent?.(this);
  }

  get id(): string {
    return this.file.id;
  }

  /** Sets the profile that turns use from now on. */
  runWith(resolved: ResolvedProfile): void {
    this.resolved = resolved;
    this.profiles = noteProfile(this.profiles, resolved, Date.now());
  }

  /**
   * Shows a side of the conversation, or what fills the window. Another side starts at its end in every page; after a
   * look at what fills the window, readers are back where they were.
   */
  show(shows: Shows): void {
    this.showsContents = shows === 'contents';
    if (shows === 'contents' || shows === this.shows) return;
    this.shows = shows;
    this.shown = new WeakMap();
  }

  /** What is stored beside the raw messages. */
  get details(): ConversationDetails {
    const { conversation, profiles, history, agent, sessionFile } = this;
    const { compactions, pins, undone, learnedWindow, calibration } = conversation.snapshot();
    return {
      compactions,
      pins,
      ...(undone !== undefined && { undone }),
      profile: conversation.profile(),
      ...(profiles.length > 0 && { profiles }),
      ...(learnedWindow !== undefined && { learnedWindow }),
      state: {
        figures: figuresOf(conversation, Date.now()),
        ...(calibration !== undefined && { calibration }),
        tokenHistory: history,
        ...(agent !== undefined && agent.cost.all > 0 && { cost: agent.cost.all, brokenCost: agent.cost.broken }),
        ...(agent !== undefined && agent.queue.length > 0 && { queued: agent.queue }),
        ...(sessionFile !== undefined && { session: { file: sessionFile } }),
      },
    };
  }

  /** Stores compactions, pins and profile. Resolves when they are on the disk; a read-only window stores nothing. */
  async save(): Promise<Result<void, StorageProblem>> {
    if (this.readOnly !== undefined) return ok(undefined);
    const saving = this.file.save(this.details, this.conversation.viewMessages());
    this.#saving = saving;
    return await saving;
  }

  /** Saves as `save` does; a failure is reported. */
  async saveAndReport(): Promise<void> {
    const saved = await this.save();
    if (!saved.ok) this.#onProblem(saved.error);
  }

  /** True while the agent works, here or elsewhere. */
  get isAtWork(): boolean {
    return this.agent?.isBusy ?? this.other?.isServed() === true;
  }

  /** True while the agent works or a compaction runs. */
  get isBusy(): boolean {
    return this.isAtWork || this.compressing !== undefined;
  }

  /** Aborts a compression when the user stops it or the conversation closes. */
  readonly whileOpen = async <Done>(abort: AbortController, done: Promise<Done>): Promise<Done> => {
    this.#compressions.set(abort, done);
    try {
      return await done;
    } finally {
      this.#compressions.delete(abort);
    }
  };

  /** Closes the preview. Nothing of it was recorded. */
  closePreview(): void {
    this.preview?.stop();
    this.preview = undefined;
  }

  /** Stops the compressions that the user started. */
  stopCompressing(): void {
    for (const abort of this.#compressions.keys()) abort.abort();
  }

  /** Stops everything here, because another window has taken over. */
  giveUp(reason: Words): void {
    this.readOnly = reason;
    this.stopCompressing();
    void this.agent?.cancel();
  }

  /**
   * Updates history, running compaction and preview from an event, and saves new records. `run` takes the saving, whose
   * failure is reported.
   */
  follow(event: KarlEvent, run: (work: Promise<unknown>) => void): void {
    this.history = noteEvent(this.history, event, this.#momentOf(event));
    switch (event.type) {
      case 'compaction-started':
        this.compressing = event;
        break;
      case 'compaction-ended':
        this.compressing = undefined;
        if (event.result.kind === 'compacted') this.preview?.noteRecords();
        run(this.saveAndReport());
        break;
      case 'compaction-by-hand':
      case 'compaction-undone':
      case 'compaction-redone':
        this.preview?.noteRecords();
        run(this.saveAndReport());
    }
  }

  /** The state of the conversation at an event, for its history of tokens. */
  #momentOf(event: KarlEvent): HistoryMoment {
    const budget = this.conversation.budget();
    const { limit } = event.type === 'request-answered' ? event : budget;
    const trigger = triggerTokens(this.conversation.settings.thresholds, { ...budget, limit });
    return { at: Date.now(), messages: this.conversation.transcript.messages.length, trigger };
  }

  /** Ends the running turn and compressions, finishes writing and lets other windows write. */
  async close(): Promise<void> {
    this.closePreview();
    this.stopCompressing();
    await Promise.allSettled(this.#compressions.values());
    await this.agent?.cancel();
    this.agent?.work.close();
    await this.#saving;
    await this.file.close();
  }
}

/** The conversation that was opened, or why it could not be. */
export type Opened = Result<ActiveConversation, StorageProblem>;

/** Why a window with this access may not write; undefined if it may. */
function describeAccess(access: ConversationAccess): Words | undefined {
  if (access.kind === 'read-only') return sentence('Open in {0}.', access.holder);
  return access.kind === 'unwritable' ? access.problem.message : undefined;
}
