import * as vscode from 'vscode';
import type { ConversationFiles } from '../../adapters/node/conversationFiles.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { figuresOf, parseFigures } from '../../core/conversation/figures.ts';
import {
  budgetForReader,
  type Listed,
  type Readable,
  type ReadableConversations,
  recallForReader,
} from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import type { ConversationFactory } from '../conversations/conversationFactory.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { CONVERSATION_PORTS } from '../conversations/system.ts';

/** The input of the tool `karl_recall`. */
export interface RecallInput {
  readonly query: string;
  readonly conversation?: string;
}

/** Where the tools find conversations. */
export interface OpenConversations {
  readonly store: ConversationFiles;
  readonly conversations: Pick<Conversations, 'active'>;
  readonly factory: Promise<ConversationFactory>;
}

/** Answers the tool `karl_recall` within the caller's token budget, or `karl_budget`. */
export async function answer(
  open: OpenConversations,
  tool: 'karl_recall' | 'karl_budget',
  input: RecallInput,
  tokens: vscode.LanguageModelToolTokenizationOptions | undefined,
): Promise<string> {
  if (!vscode.workspace.isTrusted)
    return 'Error: this folder is not trusted, so Karl reads no conversation for an agent.';
  const conversations = readable(open);
  if (tool === 'karl_budget') return (await budgetForReader(conversations)).text;
  const room = tokens && { budget: tokens.tokenBudget, count: (text: string) => tokens.countTokens(text) };
  return (await recallForReader(conversations, { ...input }, room)).text;
}

/** The conversations of this workspace for other agents to read: those in use as they are now, the others as stored. */
function readable({ store, conversations, factory }: OpenConversations): ReadableConversations {
  const list = async (): Promise<readonly Listed[]> => {
    const stored = await store.list();
    const { threads } = await factory;
    const all: Listed[] = [...(stored.ok ? stored.value : []), ...(await threads.list())];
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  };
  const open = async (id?: string): Promise<Readable | undefined> => {
    const { threads } = await factory;
    const { active } = conversations;
    const wanted = id ?? (await list())[0]?.id;
    if (wanted === undefined) return undefined;
    if (active?.id === wanted) return live(wanted, active.title, active.conversation, async () => undefined);
    const used = await threads.use(wanted);
    if (used !== undefined) return live(wanted, used.record.title, used.conversation, used.release);
    const read = await store.read(wanted);
    if (!read.ok) return undefined;
    const { transcript, title, details } = read.value;
    const figures = parseFigures(details.state?.figures);
    const source = recallStored(transcript, CONVERSATION_PORTS);
    const release = async () => undefined;
    return { id: wanted, title, source, isLive: false, release, ...(figures !== undefined && { figures }) };
  };
  return { list, open };
}

function live(id: string, title: string, conversation: Conversation, release: Readable['release']): Readable {
  const figures = figuresOf(conversation, Date.now());
  return { id, title, source: conversation, isLive: true, figures, release };
}
