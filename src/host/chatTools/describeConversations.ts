import { triggerTokens } from '../../core/budget/thresholds.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { USED_SOURCE_WORDS, WINDOW_SOURCE_WORDS } from '../present/words.ts';
import type { Listed } from './workspaceConversations.ts';

/** How many conversations are listed. */
const LISTED = 20;

/** What a model is told of a conversation's budget. */
export function describeBudget(id: string, title: string, conversation: Conversation | undefined): string {
  const name = nameOf({ id, title });
  if (conversation === undefined) return `${name} is not open now.`;
  const { used, limit, window, windowSource, reserve } = conversation.budget();
  const compactions = conversation.compactions();
  const last = compactions.at(-1)?.receipt;
  return [
    `${name}, model ${conversation.profile().id}:`,
    `used: ${count(used.tokens)} of ${count(limit)} tokens (${USED_SOURCE_WORDS[used.source]})`,
    `window: ${count(window)} tokens (${WINDOW_SOURCE_WORDS[windowSource]}), ${count(reserve)} of them kept free for the reply`,
    `next compression: at ${count(triggerTokens(conversation.thresholds(), limit))} tokens`,
    last === undefined
      ? 'compressions: none'
      : `compressions: ${compactions.length}, the last from ${count(last.tokensBefore)} to ${count(last.tokensAfter)} tokens`,
  ].join('\n');
}

/** The list of the conversations of this workspace, for a model. */
export function describeList(all: readonly Listed[]): string {
  const lines = all.slice(0, LISTED).map((one) => {
    const who = one.client === undefined ? '' : `, by ${one.client}`;
    return `- ${nameOf(one)}${who}, last used ${new Date(one.updatedAt).toISOString()}`;
  });
  const more = all.length > LISTED ? [`… and ${all.length - LISTED} older ones`] : [];
  return ['Conversations of this workspace, newest first:', ...lines, ...more].join('\n');
}

/** A title is text of the user or of a client: it stands in quotes, on one line. */
export function nameOf({ id, title }: Pick<Listed, 'id' | 'title'>): string {
  return `${id} ${JSON.stringify(title)}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
