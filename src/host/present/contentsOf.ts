import { triggerTokens } from '../../core/budget/thresholds.ts';
import type { HandAct, Receipt, Trigger } from '../../core/compaction/compaction.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import { requestsIn } from '../../core/conversation/humans.ts';
import type { TokenHistory } from '../../core/conversation/tokenHistory.ts';
import { t } from '../../core/language.ts';
import type { ContentsState } from '../../protocol/contents.ts';
import { rowsOfRecords } from './compressions.ts';
import { type ContentsInput, presentContents } from './contents.ts';
import { presentHistory } from './historyPoints.ts';
import type { ShownConversation } from './presenter.ts';
import { scaleContents } from './scaleContents.ts';

interface Given extends Pick<ContentsInput, 'count' | 'toolTokens' | 'room'> {
  readonly history?: TokenHistory;
  /** The model whose tokenizer counts. */
  readonly model: string;
}

/** What was made last, and of what. */
interface Kept {
  readonly madeOf: readonly unknown[];
  readonly contents: ContentsState;
  /** What the items were read with. */
  readonly readWith: readonly unknown[];
  readonly known: ContentsInput['known'];
}

const kept = new WeakMap<ShownConversation, Kept>();

/** What fills the window of a conversation; the same object while nothing of it has changed. */
export function contentsOf(conversation: ShownConversation, given: Given): ContentsState {
  const last = kept.get(conversation);
  const budget = conversation.budget();
  const { limit, used } = budget;
  const trigger = triggerTokens(conversation.thresholds(), budget);
  // Each of these is another object after a change; the source changes when estimates have been counted.
  const readWith = [conversation.pins(), conversation.history(), given.model, used.source];
  const counted = conversation.viewTokens() + given.toolTokens;
  const scale = counted === 0 ? 1 : used.tokens / counted;
  const figures = [given.toolTokens, given.room, limit, trigger, scale];
  const madeOf = [...readWith, conversation.items(), given.history, ...figures];
  if (last !== undefined && isSame(last.madeOf, madeOf)) return last.contents;
  const known: Kept['known'] = last !== undefined && isSame(last.readWith, readWith) ? last.known : new WeakMap();
  const contents = makeContents(conversation, { ...given, limit, trigger, scale, known });
  kept.set(conversation, { madeOf, contents, readWith, known });
  return contents;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, index) => value === other[index]);
}

interface Figures {
  readonly limit: number;
  readonly trigger: number;
  /** Tokens of the gauge for each counted token. */
  readonly scale: number;
}

function makeContents(
  conversation: ShownConversation,
  { limit, trigger, scale, ...given }: Given & Pick<Kept, 'known'> & Figures,
): ContentsState {
  const { messages } = conversation.transcript;
  const history = conversation.history();
  const manual = history.filter(({ compaction }) => compaction.strategy === 'manual');
  const points = presentHistory(given.history?.points ?? [], {
    limit,
    trigger,
    messages: messages.length,
    inEffect: new Set(history.flatMap(({ undone, compaction }) => (undone ? [] : [compaction.id]))),
    rows: rowsOfRecords(history, messages),
  });
  const contents = presentContents({
    ...given,
    room: given.room / scale,
    items: conversation.items(),
    messages,
    pins: conversation.pins(),
    byHand: conversation.byHand,
    requests: requestsIn(messages),
    manual: new Set(manual.map(({ compaction }) => compaction.id)),
  });
  const last = describeLast(history);
  return { ...scaleContents(contents, scale), history: points, ...(last !== undefined && { last }) };
}

/** The newest record in force, when the user made it by hand and no pin has restored everything since. */
function describeLast(history: readonly CompactionEntry[]): ContentsState['last'] {
  const newest = history.findLast(({ undone }) => !undone)?.compaction;
  if (newest?.strategy !== 'manual') return undefined;
  const { id, trigger, receipt, replacements, edits = [] } = newest;
  if (replacements.length + edits.length === 0) return undefined;
  return { id, text: describeByHand(trigger, receipt) };
}

function describeByHand(act: HandAct | Trigger, { tokensBefore, tokensAfter }: Receipt): string {
  switch (act) {
    case 'dropped':
      return t('Dropped: {0} → {1} tokens', tokensBefore, tokensAfter);
    case 'shortened':
      return t('Shortened: {0} → {1} tokens', tokensBefore, tokensAfter);
    default:
      return t('Restored: {0} → {1} tokens', tokensBefore, tokensAfter);
  }
}
