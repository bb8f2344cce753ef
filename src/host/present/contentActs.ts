import type { ByHand } from '../../core/compaction/byHand/planByHand.ts';
import { t } from '../../core/language.ts';
import type { Block } from '../../core/messages/blocks.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { PLANNED_MARK } from '../../core/messages/fence.ts';
import type { Message, MessageId } from '../../core/messages/message.ts';
import type { RefusedAct, RowAct } from '../../protocol/contents.ts';
import type { SentMessage } from './sent.ts';

/** What can be done with a row, and what cannot, and why. */
export interface Acts {
  readonly acts: readonly RowAct[];
  readonly refused: readonly RefusedAct[];
}

interface Given {
  readonly pins: ReadonlySet<MessageId>;
  /** The messages of the current request. */
  readonly requests: ReadonlySet<MessageId>;
  readonly count: (message: ChatMessage) => number;
  readonly byHand: ByHand;
}

/**
 * Tokens of the line in place of a dropped result, and of any other message, where it is in a fence, about; and from how
 * many tokens on a message is larger than any such line, so that its own is not made to be counted.
 */
const LINE_OF_RESULT = { tokens: 30, most: 60 };
const LINE_OF_MESSAGE = { tokens: 65, most: 90 };

/** Says of messages of a block, sent whole or shortened, what the user can do with them. `tokens`: of what is sent. */
export function actsIn(block: Block, given: Given): (one: SentMessage, tokens: number) => Acts {
  const lineOf = given.byHand.droppedForms(block, PLANNED_MARK);
  return ({ message, sent }, tokens) => {
    const { id } = message;
    const frozen = given.byHand.whyFrozen(id, block, given);
    const shortened = frozen ?? shorten(message, block, sent, tokens, given);
    const dropped = frozen ?? drop(message, tokens, () => given.count(lineOf(message)));
    const raw = sent === 'shortened' ? given.count(message.wire) - tokens : undefined;
    return {
      acts: [
        ...(raw === undefined ? [] : [{ act: 'restored', ids: [id], tokens: raw } as const]),
        ...(typeof shortened === 'string' ? [] : [{ act: 'shortened', ids: [id], tokens: shortened } as const]),
        ...(typeof dropped === 'string' ? [] : [{ act: 'dropped', ids: [id], tokens: dropped } as const]),
      ],
      refused: [
        ...(typeof shortened === 'string' ? [{ act: 'shortened', why: shortened } as const] : []),
        ...(typeof dropped === 'string' ? [{ act: 'dropped', why: dropped } as const] : []),
      ],
    };
  };
}

/** How many tokens a shortened form saves, or why there is none. */
function shorten(
  message: Message,
  block: Block,
  sent: SentMessage['sent'],
  tokens: number,
  { count, byHand }: Given,
): number | string {
  const form = sent === 'shortened' ? undefined : byHand.shortenedForm(message, block);
  const gain = form === undefined ? 0 : tokens - count(form);
  if (gain > 0) return gain;
  return message.role === 'assistant' && sent !== 'shortened'
    ? t('Only very long replies can be shortened.')
    : t('Short already: there is nothing to leave out.');
}

/** How many tokens a line in place of a message saves, or why it cannot be dropped. */
function drop(message: Message, tokens: number, countLine: () => number): number | string {
  if (message.role === 'assistant' && message.calls.length > 0)
    return t('A result needs its call: drop the results instead.');
  const line = message.role === 'tool' ? LINE_OF_RESULT : LINE_OF_MESSAGE;
  const gain = tokens - (tokens > line.most ? line.tokens : countLine());
  return gain > 0 ? gain : t('Nothing to save: the line in its place would be as long.');
}
