import { requiredFacts } from '../../ledger/audit.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { fence } from '../../messages/fence.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import type { Change, Draft } from '../draft.ts';
import { labelRange } from '../notes/label.ts';
import { CHARACTERS_A_TOKEN } from '../shorten.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import { isFrozen, type Unit } from '../unit.ts';

/** The most tokens that a fenced line with the handle and label of one block takes, as a rule. */
const LINE_TOKENS = 80;
/** The same for what the state says around a fact: its handle, how it stands, its share of a title. */
const FACT_TOKENS = 15;

/**
 * Tells whether the user may set a unit aside: it must be one block that is sent, not frozen (law 4), and longer than the
 * line that would replace it plus what the state would then have to say (law 7).
 */
export function whatMayGo(ledger: Ledger, promise: Strategy['promise']): (unit: Unit) => boolean {
  const said = new Map<MessageId, number>();
  if (promise === 'facts-in-view')
    for (const { at, value, detail = '' } of requiredFacts(ledger).literal)
      said.set(at, (said.get(at) ?? 0) + FACT_TOKENS + (value.length + detail.length) / CHARACTERS_A_TOKEN);
  return (unit) => {
    const [block] = unit.blocks;
    const isSent = unit.state === 'shortened' || (unit.state === 'whole' && block?.kind !== 'stray');
    if (!isSent || block === undefined || isFrozen(unit)) return false;
    return unit.tokens > block.messages.reduce((least, { id }) => least + (said.get(id) ?? 0), LINE_TOKENS);
  };
}

/** Replaces the blocks that the user set aside with lines: those that may go and that the plan has not replaced itself. */
export function* setAside(
  draft: Draft,
  ids: ReadonlySet<MessageId>,
  { ledger, promise, mark }: Pick<PlanInput, 'ledger' | 'mark'> & Pick<Strategy, 'promise'>,
): Steps<Draft> {
  if (ids.size === 0) return draft;
  const mayGo = whatMayGo(ledger, promise);
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    if (!ids.has(unit.range.from) || !mayGo(unit)) continue;
    yield;
    const messages = [fence(mark, labelRange(unit.range, unit.blocks))];
    changes.push({ start, count: 1, by: { kind: 'line', messages } });
  }
  return yield* draft.replaceInSteps(changes);
}
