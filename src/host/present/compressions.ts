import { blockMessages, findHolding, rangeLength } from '../../core/chat/blocks.ts';
import type { Message, MessageId, MessageRange } from '../../core/chat/message.ts';
import type { AgentsOwn, Compaction, Receipt, UnsaidFact } from '../../core/compaction/compaction.ts';
import { countShortened } from '../../core/compaction/shorten.ts';
import { buildsOn, type CompactionEntry, undoneWith } from '../../core/conversation/compactedView.ts';
import { t } from '../../language/language.ts';
import type { AgentsOwnState, CompressionEntry, CompressionState } from '../../protocol/entries.ts';
import { describeReceipt } from './receipt.ts';
import type { Item } from './sent.ts';
import { knownLimit, triggerWords } from './words.ts';

/** Tells the user why nothing can be undone while something runs. `isServed`: a request of another agent. */
export function busyHint(isServed: boolean): string {
  return isServed
    ? t('The other agent is waiting for an answer. Undo when it has arrived.')
    : t('Karl is busy. Wait or press Stop.');
}

/** What the row of a compression is made with. */
export interface CompressionInput {
  readonly history: readonly CompactionEntry[];
  /** The raw conversation. */
  readonly messages: readonly Message[];
  readonly items: readonly Item[];
  /** Why no compression can be undone now. */
  readonly locked?: string | undefined;
}

/** The row of a compression. */
export function presentCompression(
  { compaction, undone, superseded }: CompactionEntry,
  { history, messages, items, locked }: CompressionInput,
): CompressionEntry {
  const { id, receipt, strategy, transcriptLength } = compaction;
  const last = Math.max(0, transcriptLength - 1);
  const isManual = strategy === 'manual';
  const takesAlong = undone ? undoneWith(history, id) : buildsOn(history, id);
  const run: CompressionState = {
    id,
    at: new Date(compaction.at).toISOString(),
    trigger: triggerWords(compaction.trigger),
    isManual,
    strategy,
    model: receipt.model,
    before: receipt.tokensBefore,
    after: receipt.tokensAfter,
    limit: knownLimit(receipt.limitTokens),
    kept: describeKept(compaction, messages),
    receipt: describeReceipt(receipt),
    agent: compaction.agent && presentAgents(compaction.agent, items),
    hasSummary: !isManual && compaction.replacements.length > 0,
    transcriptLength,
    undone,
    superseded,
    takesAlong: takesAlong.length,
    locked,
  };
  return { kind: 'compression', key: `d${id}`, from: last, to: last, run };
}

/** For each compression in force, without changes by hand, oldest first: how many raw messages come before its row. */
export function placesOfCompressions(history: readonly CompactionEntry[]): readonly number[] {
  const inForce = history.filter(({ undone, compaction }) => !undone && compaction.strategy !== 'manual');
  return inForce.map(({ compaction }) => compaction.transcriptLength);
}

/**
 * What a compression kept and what became of the rest, in one line. Counts only what it did itself; its receipt includes
 * earlier compressions.
 */
export function describeKept(made: Compaction, messages: readonly Message[]): string {
  const { receipt, replacements, edits = [] } = made;
  if (made.strategy === 'manual') {
    const changed = replacements.reduce((sum, { range }) => sum + rangeLength(range), edits.length);
    if (changed === 0) return t('It has since been pinned and is sent whole again.');
    return `${describeByHand(made.trigger, changed)} ${t('Nothing else was changed.')}`;
  }
  if (made.agent !== undefined) return describeLost(made.agent, made);
  const { shortened, summarized, dropped } = fatesOf(made, messages);
  const whole = receipt.messages.whole + receipt.messages.shortened - shortened;
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

/** What an agent's own compression discarded, in one line. */
function describeLost({ name, lost, unsaid, more }: AgentsOwn, { replacements }: Compaction): string {
  const count = lost.reduce((sum, range) => sum + rangeLength(range), 0);
  const threw = count === 1 ? t('{0} discarded 1 message.', name) : t('{0} discarded {1} messages.', name, count);
  if (!replacements.some(({ by }) => by.kind === 'note'))
    return `${threw} ${t('Its session does not contain the summary.')}`;
  const missing =
    unsaid.length === 0
      ? t('Its summary states every rule, to-do, changed file and error that Karl found.')
      : t('Its summary lacks {0} of the rules, to-dos, changed files and errors.', unsaid.length + more);
  return `${threw} ${missing}`;
}

function presentAgents({ name, lost, unsaid, more }: AgentsOwn, items: readonly Item[]): AgentsOwnState {
  const isSent = (id: MessageId): boolean => {
    const item = items[findHolding(items, id)];
    return item?.kind === 'whole' || item?.replacement.by.kind === 'shortened';
  };
  const groups = Map.groupBy(unsaid, (fact) => fact.class);
  return {
    name,
    restored: restoredIn(lost, items).length,
    more,
    unsaid: [...groups].map(([kind, facts]) => ({
      label: nameOfFacts(kind),
      facts: facts.map(({ value, at }) => ({ text: value, at, isSent: isSent(at) })),
    })),
  };
}

/** The messages of some ranges that are sent whole. */
export function restoredIn(ranges: readonly MessageRange[], items: readonly Item[]): readonly MessageId[] {
  const end = Math.max(-1, ...ranges.map(({ to }) => to));
  return items.flatMap((item) => {
    const { from, to } = item.range;
    if (from > end || item.kind !== 'whole' || item.block.kind === 'system') return [];
    const isLost = ranges.some((range) => range.from <= from && to <= range.to);
    return isLost ? blockMessages(item.block).map(({ id }) => id) : [];
  });
}

function nameOfFacts(kind: UnsaidFact['class']): string {
  const names: Readonly<Record<typeof kind, string>> = {
    constraint: t('Rules'),
    todo: t('To-dos'),
    'file-changed': t('Changed files'),
    error: t('Errors'),
  };
  return names[kind];
}

/** How many messages had which fate. */
function fatesOf({ replacements }: Compaction, messages: readonly Message[]) {
  const fates = { shortened: 0, summarized: 0, dropped: 0 };
  for (const { range, by } of replacements) {
    if (by.kind === 'shortened')
      fates.shortened += countShortened(messages.slice(range.from, range.to + 1), by.messages);
    else fates[by.kind === 'line' && by.isTold !== true ? 'dropped' : 'summarized'] += rangeLength(range);
  }
  return fates;
}

/** Says that the model's summary is missing; the receipt says why. */
function tellMissing({ withoutNote, fellBackFrom, strategy }: Receipt): readonly string[] {
  if (fellBackFrom !== undefined) return [t('By the fallback {0}, since {1} failed.', strategy, fellBackFrom)];
  return withoutNote === undefined ? [] : [t('Without a summary by the model: see Details for the reason.')];
}

function describeByHand(act: Compaction['trigger'], count: number): string {
  if (act === 'dropped') return count === 1 ? t('1 message dropped by you.') : t('{0} messages dropped by you.', count);
  if (act === 'shortened')
    return count === 1 ? t('1 message shortened by you.') : t('{0} messages shortened by you.', count);
  return count === 1 ? t('1 message restored by you.') : t('{0} messages restored by you.', count);
}
