import * as vscode from 'vscode';
import { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import type { Match, StatelessRequest, ThreadOpening, ThreadUse } from '../../core/conversation/threads/match.ts';
import type { ThreadRecord, ThreadStoreProblem } from '../../core/conversation/threads/threadStore.ts';
import { Threads } from '../../core/conversation/threads/threads.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { english, retell } from '../../core/language.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { StorageLimits } from '../../core/session/conversationStore.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { Relay } from '../../core/session/relay/relay.ts';
import type { TextCounter } from '../../core/tokens/counter.ts';
import { ThreadQuestion } from '../actions/compressionQuestion.ts';
import type { ReadKey } from '../adapters.ts';
import { announceResult, chooseStrategy } from '../notices/compressionResult.ts';
import { elsewhere, nameOfThread, type Teller } from '../notices/notices.ts';
import type { KnownWindows } from '../servers/knownWindows.ts';
import type { Connections } from './connections.ts';
import type { Hooks } from './hooks.ts';
import { undoInThread } from './openThread.ts';
import { CONVERSATION_PORTS, newId, SYSTEM_CLOCK } from './system.ts';

const AT_WORK = english('Its agent is still working in this conversation. Delete it when the agent has its answer.');

/** What the conversations of other agents share with Karl's own. */
interface AgentThreadsParts {
  readonly connections: Connections;
  readonly hooks: Hooks;
  readonly counter: (profile: ModelProfile) => TextCounter;
  /** What the settings change for every conversation. */
  readonly change: () => ConversationChange;
  /** What the settings change for a model, its summarizer among it. */
  readonly changeFor: (profile: ModelProfile, client: () => ModelClient) => ConversationChange;
  readonly windows: KnownWindows;
}

/** A server that other agents' requests go to. */
interface RelayTarget {
  readonly readKey: ReadKey;
  /** The profile in force for a model of it. */
  readonly resolve: (model: string) => Promise<ModelProfile>;
  /** How often a request is sent to the server; absent: as often as in Karl's own turns. */
  readonly mostAttempts?: number;
}

/** A conversation of another agent, and whether a request of it is served now. */
export interface ThreadInUse {
  readonly id: string;
  readonly conversation: Conversation;
  readonly isBusy: boolean;
}

/** The conversations of agents that know nothing of Karl: made, asked, logged and announced like Karl's own. */
export class AgentThreads {
  readonly #parts: AgentThreadsParts;
  readonly #used = new vscode.EventEmitter<ThreadInUse>();
  readonly #stored: Threads;
  /** Those that began while the setting kept them out of storage. */
  readonly #unstored: Threads;
  /** Fires when a request of a conversation begins or ends, or its budget changes meanwhile. */
  readonly onDidUse = this.#used.event;
  #current: ThreadInUse | undefined;
  readonly #question: ThreadQuestion;
  /** The ids of those that are in memory. */
  readonly #ids = new WeakMap<Conversation, string>();

  constructor(parts: AgentThreadsParts) {
    this.#parts = parts;
    const { threadStore: store, warn: onProblem, settings } = parts.connections;
    this.#question = new ThreadQuestion({
      mode: () => settings.current['compaction.mode'],
      teller: (conversation) => this.#namedTeller(this.#ids.get(conversation)),
    });
    const shared = {
      newId,
      now: () => Date.now(),
      open: (opening: ThreadOpening) => this.#open(opening),
      slicing: CONVERSATION_PORTS,
      onProblem,
    };
    this.#stored = new Threads({ ...shared, store });
    this.#unstored = new Threads(shared);
  }

  /** The conversation that was asked last. */
  get current(): ThreadInUse | undefined {
    return this.#current;
  }

  /** Every conversation, in memory or stored. */
  async list(): Promise<readonly ThreadRecord[]> {
    await this.#stored.load();
    const all = [...this.#stored.list(), ...this.#unstored.list()];
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  /** Deletes stored conversations that exceed the limits, never what is in memory. */
  async prune(limits: StorageLimits): Promise<Result<readonly string[], ThreadStoreProblem>> {
    return await this.#stored.deleteStored(() => this.#parts.connections.threadStore.prune(limits));
  }

  /** The conversation with an id, held in memory until it is released. Undefined: there is none. */
  async use(id: string): Promise<ThreadUse | undefined> {
    await this.#stored.load();
    return (await this.#unstored.use(id)) ?? (await this.#stored.use(id));
  }

  /** Whether a request of a conversation is served now. */
  isServed(id: string): boolean {
    return this.#stored.isAtWork(id) || this.#unstored.isAtWork(id);
  }

  /** Deletes a conversation, stored or not; the error is a sentence. */
  async delete(id: string): Promise<Result<void, ThreadStoreProblem>> {
    const isHeld = () => this.#stored.isHeld(id) || this.#unstored.isHeld(id);
    const removed = await this.#stored.deleteStored(async () => {
      if (isHeld()) return err({ message: AT_WORK });
      if (this.#unstored.drop(id)) return ok([]);
      const deleted = await this.#parts.connections.threadStore.delete(id);
      return deleted.ok ? ok([id]) : deleted;
    });
    return removed.ok ? ok(undefined) : removed;
  }

  /** Serves the requests to one server. The model client is made at the first request. */
  relay({ readKey, resolve, mostAttempts }: RelayTarget): Relay {
    const { changeFor, windows, connections } = this.#parts;
    let made: ModelClient | undefined;
    const client = (): ModelClient => {
      made ??= connections.adapters.createClient(readKey);
      return made;
    };
    return new Relay({
      client: { complete: (request, onDelta, signal) => client().complete(request, onDelta, signal) },
      clock: SYSTEM_CLOCK,
      ...(mostAttempts !== undefined && { mostAttempts }),
      threads: { match: (request) => this.#match(request) },
      findModel: async (name) => {
        const profile = await resolve(name);
        return {
          profile,
          change: changeFor(profile, client),
          findWindow: () => windows.findRecent(profile, readKey),
        };
      },
      mayCompact: (trigger, signal, conversation) => this.#question.mayCompact(trigger, signal, conversation),
      preparesSummaries: () => connections.settings.current['compaction.mode'] !== 'manual',
      acceptedSizes: connections.windows.accepted,
      onEvent: (match, event) => this.#receive(nameOf(match), match.conversation, event),
    });
  }

  /** Stores what is in memory. */
  async close(): Promise<void> {
    this.#used.dispose();
    for (const problem of await this.#stored.saveAll()) this.#parts.connections.warn(problem);
  }

  /** Finds the conversation of a request, and shows that it is in use. */
  async #match(request: StatelessRequest): Promise<Match> {
    const isStored = this.#parts.connections.settings.current['storage.otherAgents'];
    const match = await (isStored ? this.#stored : this.#unstored).match(request);
    if (match.kind === 'aside') return match;
    const { id, conversation } = match;
    this.#use({ id, conversation, isBusy: true });
    return {
      ...match,
      release: async () => {
        const unsaved = await match.release();
        this.#use({ id, conversation, isBusy: false });
        return unsaved;
      },
    };
  }

  async #open({ id, profile, tools, restore, kind, isRewritten = false }: ThreadOpening): Promise<Conversation> {
    const { hooks, counter, windows } = this.#parts;
    const learnedWindow = windows.known(profile);
    const { summarizer, ...change } = this.#parts.change();
    const conversation = await Conversation.open({
      ...change,
      ...(summarizer !== undefined && !isRewritten && { summarizer }),
      profile,
      tools,
      counter: counter(profile),
      beforeCompact: (about, signal) => hooks.before(id, about, signal),
      ports: CONVERSATION_PORTS,
      ...(learnedWindow !== undefined && { learnedWindow }),
      ...(restore !== undefined && { restore }),
    });
    if (kind === 'aside') return conversation;
    this.#ids.set(conversation, id);
    conversation.on((event) => this.#receive(id, conversation, event));
    return conversation;
  }

  async #undo(id: string, compaction: string): Promise<void> {
    const text = await undoInThread(id, compaction, this);
    if (text !== undefined) this.#teller(id).tell({ id: 'told', severity: 'info', text, passing: true });
  }

  /** Tells of a conversation in the view while that shows it. */
  #teller(id: string): Teller {
    return this.#isShown(id) ? this.#parts.connections.announcer : this.#namedTeller(id);
  }

  #namedTeller(id: string | undefined): Teller {
    const record = [...this.#stored.list(), ...this.#unstored.list()].find((one) => one.id === id);
    return elsewhere(this.#parts.connections.announcer, nameOfThread(record));
  }

  #isShown(id: string): boolean {
    return this.#parts.connections.active()?.id === id;
  }

  #use(thread: ThreadInUse): void {
    this.#current = thread;
    this.#used.fire(thread);
  }

  #receive(id: string, conversation: Conversation, event: KarlEvent): void {
    const { connections, hooks } = this.#parts;
    const profile = conversation.profile();
    connections.sinks.emit({ event, context: { at: Date.now(), conversation: id, model: profile.id } });
    switch (event.type) {
      case 'compaction-ended':
        if (event.result.kind === 'compacted') {
          connections.run(hooks.after({ conversation: id, model: profile.id }, event.result));
        }
        announceResult(event.result, event.trigger, this.#teller(id), {
          undo: (compaction) => connections.run(this.#undo(id, compaction)),
          show: () => connections.run(connections.actions.reveal(this.#isShown(id) ? undefined : id)),
          ...(this.#isShown(id) && { choose: () => chooseStrategy(connections.announcer) }),
          summaryModel: connections.settings.current['summary.model'],
        });
        break;
      case 'window-learned':
        if (event.window.source === 'error') connections.run(connections.windows.hear(profile, event.window));
        break;
      case 'warning':
        // About another conversation than the one that is shown, it would only be misunderstood: it is in the log.
        if (this.#isShown(id))
          connections.notices.show({ id: 'warning', severity: 'warning', text: retell(event.message), passing: true });
        break;
      default:
        break;
    }
    if (this.#current?.conversation === conversation) this.#used.fire(this.#current);
  }
}

/** For the log: a request that belongs to no conversation has no id. */
function nameOf(match: Match): string {
  return match.kind === 'thread' ? match.id : 'aside';
}
