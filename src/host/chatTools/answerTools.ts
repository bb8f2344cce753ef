import * as vscode from 'vscode';
import { budgetForReader, recallForReader } from '../../core/session/readers.ts';
import { type ConversationPlaces, WorkspaceConversations } from './workspaceConversations.ts';

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
