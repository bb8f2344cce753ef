import * as vscode from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import type { UserContent } from '../../core/session/session.ts';
import { plainText } from '../notices/plainText.ts';

/**
 * Whether a message may be sent; asks about one that is larger than what the model takes, which no compression can
 * change. Where the window is only assumed, nothing is known to be too large.
 */
export async function maySendSize(
  conversation: Pick<Conversation, 'budget' | 'tokensOf' | 'toolTokens' | 'profile'>,
  content: UserContent,
): Promise<boolean> {
  const { limit, windowSource } = conversation.budget();
  const { tokens } = conversation.tokensOf({ role: 'user', content });
  const room = Math.max(0, limit - conversation.toolTokens().tokens);
  if (windowSource === 'assumed' || tokens <= room) return true;
  const send = t('Send It Anyway');
  const question = t(
    'This message has about {0} tokens. {1} has room for {2}.',
    tokens,
    conversation.profile().id,
    room,
  );
  const detail = t('No compression can make it fit. Shorten it, or select a model with a larger window.');
  return (await vscode.window.showWarningMessage(plainText(question), { modal: true, detail }, send)) === send;
}
