import * as vscode from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { figuresOf, parseFigures } from '../../core/conversation/figures.ts';
import type { ConversationStore } from '../../core/session/conversationStore.ts';
import {
  budgetForReader,
  type Listed,
  type Readable,
  type ReadableConversations,
  recallForReader,
} from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { AgentThreads } from '../conversations/agentThreads.ts';
import { CONVERSATION_PORTS } from '../conversations/system.ts';

/** What the tool `karl_recall` is asked. */
export interface RecallInput {
  readonly query: string;
  readonly conversation?: string;
}

const UNTRUSTED = 'Error: this folder is not trusted, so Karl reads no conversation for an agent.';

/** Answers the tool `karl_recall`, in the tokens that the caller has room for. */
export async function recall(
  places: ConversationPlaces,
  input: RecallInput,
  tokens: vscode.LanguageModelToolTokenizationOptions | undefined,
): Promise<string> {
  if (!vscode.workspace.isTrusted) return UNTRUSTED;
  const room =
    tokens === undefined
      ? undefined
      : { budget: tokens.tokenBudget, count: (text: string) => tokens.countTokens(text) };
  return (await recallForReader(new WorkspaceConversations(places), { ...input }, room)).text;
}

/** Answers the tool `karl_budget`. */
export async function readBudget(places: ConversationPlaces): Promise<string> {
  if (!vscode.workspace.isTrusted) return UNTRUSTED;
  return (await budgetForReader(new WorkspaceConversations(places))).text;
}

/** Where the conversations of this workspace are. */
export interface ConversationPlaces {
  readonly store: ConversationStore;
  readonly threads: () => Promise<AgentThreads>;
  readonly active: () => ActiveConversation | undefined;
}

/**
 * The conversations of this workspace, to be read by other agents: those in use as they are now, the others as stored.
 */
class WorkspaceConversations implements ReadableConversations {
  readonly #places: ConversationPlaces;

  constructor(places: ConversationPlaces) {
    this.#places = places;
  }

  async list(): Promise<readonly Listed[]> {
    const { store, threads } = this.#places;
    const stored = await store.list();
    const own = stored.ok ? stored.value : [];
    const all: Listed[] = [...own, ...(await (await threads()).list())];
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  async open(id?: string): Promise<Readable | undefined> {
    const threads = await this.#places.threads();
    const active = this.#places.active();
    const wanted = id ?? (await this.list())[0]?.id;
    if (wanted === undefined) return undefined;
    if (active?.id === wanted) return live(wanted, active.title, active.conversation, async () => undefined);
    const used = await threads.use(wanted);
    if (used !== undefined) return live(wanted, used.record.title, used.conversation, used.release);
    const read = await this.#places.store.read(wanted);
    if (!read.ok) return undefined;
    const { transcript, title, details } = read.value;
    const figures = parseFigures(details.state?.figures);
    const source = recallStored(transcript, CONVERSATION_PORTS);
    const release = async () => undefined;
    return { id: wanted, title, source, isLive: false, release, ...(figures !== undefined && { figures }) };
  }
}

function live(id: string, title: string, conversation: Conversation, release: Readable['release']): Readable {
  const figures = figuresOf(conversation, Date.now());
  return { id, title, source: conversation, isLive: true, figures, release };
}
