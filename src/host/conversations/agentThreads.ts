import * as vscode from 'vscode';
import type { ThreadFiles } from '../../adapters/node/threadFiles.ts';
import type { ReadKey } from '../../adapters.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { StorageLimits } from '../../core/session/conversationStore.ts';
import { Relay } from '../../core/session/relay/relay.ts';
import type { Match, StatelessRequest, ThreadOpening, ThreadUse } from '../../core/session/threads/match.ts';
import type { ThreadRecord, ThreadStoreProblem } from '../../core/session/threads/threadStore.ts';
import { Threads } from '../../core/session/threads/threads.ts';
import { sentence } from '../../language/language.ts';
import { askElsewhere, CompressionQuestion } from '../actions/compressionQuestion.ts';
import { announceResult, type ResultParts } from '../notices/compressionResult.ts';
import { elsewhere, nameOfThread, type Teller } from '../notices/notices.ts';
import { handleEvent } from './events.ts';
import type { Models } from './models.ts';
import { CONVERSATION_PORTS, newId, SYSTEM_CLOCK } from './system.ts';

const AT_WORK = sentence('Its agent is still working in this conversation. Delete it when the agent has its answer.');

/** What the conversations of other agents use. */
export interface ThreadParts extends ResultParts {
  readonly models: Models;
  readonly store: ThreadFiles;
}

/** A conversation of another agent, and whether a request of it is served now. */
export interface ThreadInUse {
  readonly id: string;
  readonly conversation: Conversation;
  readonly isBusy: boolean;
}

/** The conversations of agents that know nothing about Karl. They are logged and announced like Karl's own. */
export class AgentThreads {
  readonly #parts: ThreadParts;
  readonly #used = new vscode.EventEmitter<ThreadInUse>();
  readonly #stored: Threads;
  /** Conversations that began while the setting kept them out of storage. */
  readonly #unstored: Threads;
  /** Fires when a request of a conversation begins or ends, or its budget changes meanwhile. */
  readonly onDidUse = this.#used.event;
  /** The conversation of the newest request. */
  #current: ThreadInUse | undefined;
  /** The question of each conversation that was opened. */
  readonly #questions = new WeakMap<Conversation, CompressionQuestion>();

  constructor(parts: ThreadParts) {
    this.#parts = parts;
    const { store, log } = parts;
    const shared = {
      newId,
      now: () => Date.now(),
      open: (opening: ThreadOpening) => this.#open(opening),
      slicing: CONVERSATION_PORTS,
      onProblem: log.warn,
    };
    this.#stored = new Threads({ ...shared, store });
    this.#unstored = new Threads(shared);
  }

  /** Every conversation, in memory or stored. */
  async list(): Promise<readonly ThreadRecord[]> {
    await this.#stored.load();
    const all = [...this.#stored.list(), ...this.#unstored.list()];
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  async has(id: string): Promise<boolean> {
    return (await this.list()).some((record) => record.id === id);
  }

  /** Deletes stored conversations that exceed the limits, never what is in memory. */
  async prune(limits: StorageLimits): Promise<Result<readonly string[], ThreadStoreProblem>> {
    return await this.#stored.deleteStored(() => this.#parts.store.prune(limits));
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
      const deleted = await this.#parts.store.delete(id);
      return deleted.ok ? ok([id]) : deleted;
    });
    return removed.ok ? ok(undefined) : removed;
  }

  /** Serves the requests to one server. `resolve`: the profile of a model of it, by the profiles that were read last. */
  relay(readKey: ReadKey, resolve: (model: string) => ModelProfile): Relay {
    const { adapters, models, settings, windows } = this.#parts;
    const client = adapters.createClient(readKey);
    return new Relay({
      client,
      clock: SYSTEM_CLOCK,
      threads: { match: (request) => this.#match(request) },
      findModel: async (name) => {
        await models.load();
        const profile = resolve(name);
        return {
          profile,
          change: models.changeFor(profile, undefined, client),
          findWindow: () => windows.findRecent(profile, readKey),
        };
      },
      mayCompact: async (trigger, signal, conversation) =>
        (await this.#questions.get(conversation)?.mayCompress(trigger, signal)) ?? false,
      preparesSummaries: () => settings.current['compaction.mode'] !== 'manual',
      onEvent: (match, event) => {
        // For the log: a request that belongs to no conversation has no id.
        this.#receive(match.kind === 'thread' ? match.id : 'aside', match.conversation, event);
      },
    });
  }

  /** Stores what is in memory. */
  async close(): Promise<void> {
    this.#used.dispose();
    for (const problem of await this.#stored.saveAll()) this.#parts.log.warn(problem);
  }

  /** Finds the conversation of a request and marks it as in use. */
  async #match(request: StatelessRequest): Promise<Match> {
    const isStored = this.#parts.settings.current['storage.otherAgents'];
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

  async #open({ id, profile, tools, restore, kind }: ThreadOpening): Promise<Conversation> {
    const { models, windows } = this.#parts;
    const learnedWindow = windows.known(profile);
    const conversation = await models.open(id, profile, { tools, learnedWindow, restore });
    const ask = askElsewhere(() => this.#namedTeller(kind === 'aside' ? undefined : id));
    this.#questions.set(conversation, new CompressionQuestion(conversation, this.#parts.settings, ask));
    if (kind === 'aside') return conversation;
    conversation.on((event) => this.#receive(id, conversation, event));
    return conversation;
  }

  #namedTeller(id: string | undefined): Teller {
    const record = [...this.#stored.list(), ...this.#unstored.list()].find((one) => one.id === id);
    return elsewhere(this.#parts.notices, nameOfThread(record));
  }

  #use(thread: ThreadInUse): void {
    this.#current = thread;
    this.#used.fire(thread);
  }

  #receive(id: string, conversation: Conversation, event: KarlEvent): void {
    const isShown = this.#parts.shown() === id;
    handleEvent(this.#parts, id, conversation.profile(), event, isShown);
    if (event.type === 'compaction-ended')
      announceResult(event.result, event.trigger, {
        ...{ id, parts: this.#parts },
        announcer: isShown ? this.#parts.notices : this.#namedTeller(id),
      });
    if (this.#current?.conversation === conversation) this.#used.fire(this.#current);
  }
}
