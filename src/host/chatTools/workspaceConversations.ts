import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationStore } from '../../core/session/conversationStore.ts';
import { recallStored } from '../../core/session/recallStored.ts';
import type { RecallSource } from '../../core/session/recallTool.ts';
import type { ActiveConversation } from '../activeConversation.ts';
import type { AgentThreads } from '../agentThreads.ts';
import { CONVERSATION_PORTS } from '../conversationPorts.ts';

/** A conversation of this workspace, Karl's own or another agent's. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Which agent speaks; absent for Karl's own. */
  readonly client?: string;
}

/** A conversation that is open for reading, until `release`. */
export interface Readable {
  readonly id: string;
  readonly title: string;
  readonly source: RecallSource;
  /** Absent for one that was read from the disk only. */
  readonly live?: Conversation;
  readonly release: () => Promise<unknown>;
}

/** Where the conversations of this workspace are. */
export interface ConversationPlaces {
  readonly store: ConversationStore;
  readonly threads: () => Promise<AgentThreads>;
  readonly active: () => ActiveConversation | undefined;
}

/** The conversations of this workspace, to be read by other agents; nothing here changes one. */
export class WorkspaceConversations {
  readonly #places: ConversationPlaces;

  constructor(places: ConversationPlaces) {
    this.#places = places;
  }

  /** Every conversation, the one that was used last first. */
  async list(): Promise<readonly Listed[]> {
    const { store, threads } = this.#places;
    const stored = await store.list();
    const own = stored.ok ? stored.value : [];
    const all: Listed[] = [...own, ...(await (await threads()).list())];
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  /** Opens a conversation for reading, without an id the one that was used last; the error is one sentence for a model. */
  async open(id?: string): Promise<Readable | string> {
    const threads = await this.#places.threads();
    const active = this.#places.active();
    const wanted = id ?? (await this.list())[0]?.id;
    if (wanted === undefined) return 'There is no conversation in this workspace.';
    if (active?.id === wanted) {
      const { conversation, title } = active;
      return { id: wanted, title, source: conversation, live: conversation, release: async () => undefined };
    }
    const used = await threads.use(wanted);
    if (used !== undefined) {
      const { conversation, record, release } = used;
      return { id: wanted, title: record.title, source: conversation, live: conversation, release };
    }
    const read = await this.#places.store.read(wanted);
    if (!read.ok)
      return `There is no conversation ${JSON.stringify(wanted)} in this workspace; karl_budget lists them.`;
    const source = recallStored(read.value.messages, CONVERSATION_PORTS);
    return { id: wanted, title: read.value.title, source, release: async () => undefined };
  }
}
