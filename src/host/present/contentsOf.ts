import { triggerTokens } from '../../core/budget/thresholds.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import type { TokenHistory } from '../../core/conversation/tokenHistory.ts';
import { isClientMade } from '../../core/messages/human.ts';
import type { ContentsState } from '../../protocol/contents.ts';
import { type ContentsInput, presentContents } from './contents.ts';
import { presentHistory } from './historyPoints.ts';
import type { ShownConversation } from './presenter.ts';
import { formatTokens, TRIGGER_WORDS } from './words.ts';

/** What fills the window of a conversation. */
export function contentsOf(
  conversation: ShownConversation,
  given: Pick<ContentsInput, 'count' | 'toolTokens' | 'room'> & { readonly history?: TokenHistory },
): ContentsState {
  const { messages } = conversation.transcript;
  const history = conversation.history();
  const manual = history.filter(({ compaction }) => compaction.strategy === 'manual');
  const { limit } = conversation.budget();
  const trigger = triggerTokens(conversation.thresholds(), limit);
  const points = presentHistory(given.history?.points ?? [], { limit, trigger, messages: messages.length });
  const contents = presentContents({
    ...given,
    items: conversation.items(),
    messages,
    pins: conversation.pins(),
    request: messages.findLast(({ role, text }) => role === 'user' && !isClientMade(text))?.id,
    manual: new Set(manual.map(({ compaction }) => compaction.id)),
  });
  const last = describeLast(history);
  return { ...contents, history: points, ...(last !== undefined && { last }) };
}

/** The newest record in force, when the user made it by hand. */
function describeLast(history: readonly CompactionEntry[]): ContentsState['last'] {
  const newest = history.findLast(({ undone }) => !undone)?.compaction;
  if (newest?.strategy !== 'manual') return undefined;
  const { id, trigger, receipt } = newest;
  const [word] = TRIGGER_WORDS[trigger].split(' ');
  const figures = `${formatTokens(receipt.tokensBefore)} → ${formatTokens(receipt.tokensAfter)} tokens`;
  return { id, text: `${word?.replace(/^./, (first) => first.toUpperCase())}: ${figures}` };
}
