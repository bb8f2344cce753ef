import type { Compaction, HandAct, Substitute, Trigger } from '../../core/compaction/compaction.ts';
import type { Receipt } from '../../core/compaction/receipt.ts';
import { buildsOn, undoneWith } from '../../core/conversation/buildsOn.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import { t } from '../../core/language.ts';
import { rangeLength } from '../../core/messages/blocks.ts';
import { isClientMade } from '../../core/messages/human.ts';
import type { Message } from '../../core/messages/message.ts';
import type { CompressionState, CompressionsEntry } from '../../protocol/entries.ts';
import { type Precisions, precisionsOf, presentMoment } from './moments.ts';
import { describeReceipt } from './receipt.ts';
import { triggerWords } from './words.ts';

/** Why no compression can be undone now; absent when they can. */
export type UndoBlock = 'read-only' | 'busy' | 'served';

/** What the user is told instead of an undo. */
export function undoHint(block: UndoBlock): string {
  switch (block) {
    case 'read-only':
      return t('This conversation is read-only here. Take it over first.');
    case 'busy':
      return t('Karl is busy. Wait or press Stop.');
    case 'served':
      return t('The other agent is waiting for an answer. Undo when it has arrived.');
  }
}

/** The compressions of one turn, and how many raw messages come before their row. */
export interface PlacedCompressions {
  readonly position: number;
  /** Made when it is asked for: few of the rows are shown, and each is compared with all later compressions. */
  readonly entry: CompressionsEntry;
}

/** One row for the compressions of each turn, in place of its newest one; oldest first. */
export function placeCompressions(
  history: readonly CompactionEntry[],
  messages: readonly Message[],
  blocked?: UndoBlock,
): readonly PlacedCompressions[] {
  const precisions = precisionsOf(history);
  return turnsOf(history, messages).map((turn) => ({
    position: placeOf(turn),
    get entry(): CompressionsEntry {
      const runs = turn.map((entry) => presentCompression(entry, history, precisions, blocked));
      return { kind: 'compressions', key: `d${runs[0]?.id}`, runs };
    },
  }));
}

/** For each compression in force, without changes by hand, oldest first: how many raw messages come before its row. */
export function placesOfCompressions(
  history: readonly CompactionEntry[],
  messages: readonly Message[],
): readonly number[] {
  return turnsOf(history, messages).flatMap((turn) => {
    const position = placeOf(turn);
    return turn.filter(({ undone, compaction }) => !undone && compaction.strategy !== 'manual').map(() => position);
  });
}

function placeOf(turn: readonly CompactionEntry[]): number {
  return turn.at(-1)?.compaction.transcriptLength ?? 0;
}

/** The records of each turn. */
function turnsOf(history: readonly CompactionEntry[], messages: readonly Message[]): readonly CompactionEntry[][] {
  const turns: CompactionEntry[][] = [];
  for (const entry of history) {
    const turn = turns.at(-1);
    const last = turn?.at(-1)?.compaction;
    if (turn !== undefined && last !== undefined && belongTogether(last, entry.compaction, messages)) turn.push(entry);
    else turns.push([entry]);
  }
  return turns;
}

/**
 * Whether two records are of one turn. A change by hand joins a compression only where nothing was said between them: the
 * row is at its newest record, and a compression stays where it was.
 */
function belongTogether(one: Compaction, next: Compaction, messages: readonly Message[]): boolean {
  const isAlike = (one.strategy === 'manual') === (next.strategy === 'manual');
  if (!isAlike && one.transcriptLength !== next.transcriptLength) return false;
  return !hasRequest(messages.slice(one.transcriptLength, next.transcriptLength));
}

const requests = new WeakMap<Message, boolean>();

/** True when a message of the human is among these: a turn begins. */
function hasRequest(messages: readonly Message[]): boolean {
  return messages.some((message) => {
    const known = requests.get(message) ?? (message.role === 'user' && !isClientMade(message.text));
    requests.set(message, known);
    return known;
  });
}

function presentCompression(
  { compaction, undone }: CompactionEntry,
  history: readonly CompactionEntry[],
  precisions: Precisions,
  blocked: UndoBlock | undefined,
): CompressionState {
  const { receipt } = compaction;
  const isManual = compaction.strategy === 'manual';
  return {
    id: compaction.id,
    ...presentMoment(compaction, precisions),
    trigger: triggerWords(compaction.trigger),
    ...(isManual && { isManual }),
    strategy: compaction.strategy,
    ...(receipt.model !== undefined && { model: receipt.model }),
    before: receipt.tokensBefore,
    after: receipt.tokensAfter,
    ...(receipt.limitTokens !== undefined && { limit: receipt.limitTokens }),
    kept: describeKept(compaction),
    receipt: describeReceipt(receipt),
    hasSummary: !isManual && compaction.replacements.length > 0,
    transcriptLength: compaction.transcriptLength,
    undone,
    takesAlong: (undone ? undoneWith(history, compaction.id) : buildsOn(history, compaction.id).toReversed()).map(
      (later) => presentMoment(later, precisions),
    ),
    ...(blocked !== undefined && { locked: undoHint(blocked) }),
  };
}

/** What a compression kept and what became of the rest, in one line. */
export function describeKept(compaction: Compaction): string {
  const { receipt, replacements, edits = [] } = compaction;
  if (compaction.strategy === 'manual') {
    const changed = replacements.reduce((sum, { range }) => sum + rangeLength(range), edits.length);
    return `${describeByHand(compaction.trigger, changed)} ${t('Nothing else was changed.')}`;
  }
  const { whole, shortened } = receipt.messages;
  // What is replaced, this record says: the receipt also counts what an earlier one replaced.
  const count = (...kinds: readonly Substitute['kind'][]) =>
    replacements.reduce((sum, { range, by }) => (kinds.includes(by.kind) ? sum + rangeLength(range) : sum), 0);
  const [summarized, dropped] = [count('note', 'removed'), count('line')];
  const parts = [whole === 1 ? t('1 message kept') : t('{0} messages kept', whole)];
  if (shortened > 0) parts.push(t('{0} shortened', shortened));
  if (summarized > 0) parts.push(t('{0} summarized', summarized));
  if (dropped > 0) parts.push(t('{0} dropped', dropped));
  const rules =
    receipt.promise === 'facts-in-view'
      ? t('Rules, to-dos, changed files and the latest error are kept word for word.')
      : t('What was removed can be looked up again by its number.');
  return [`${parts.join(', ')}.`, ...tellMissing(receipt), rules].join(' ');
}

/** Says that what the strategy wanted of the model is not there; the receipt says why. */
function tellMissing({ withoutNote, fellBackFrom, strategy }: Receipt): readonly string[] {
  if (fellBackFrom !== undefined) return [t('By the fallback {0}, since {1} failed.', strategy, fellBackFrom)];
  return withoutNote === undefined ? [] : [t('Without a summary by the model: Details say why.')];
}

function describeByHand(act: HandAct | Trigger, count: number): string {
  switch (act) {
    case 'dropped':
      return count === 1 ? t('1 message dropped by you.') : t('{0} messages dropped by you.', count);
    case 'shortened':
      return count === 1 ? t('1 message shortened by you.') : t('{0} messages shortened by you.', count);
    default:
      return count === 1 ? t('1 message restored by you.') : t('{0} messages restored by you.', count);
  }
}
