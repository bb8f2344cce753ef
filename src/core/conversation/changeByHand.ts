import { type HandPlan, planByHand } from '../compaction/byHand/planByHand.ts';
import type { Compaction, HandAct, Receipt } from '../compaction/compaction.ts';
import type { CompactionRun } from '../compaction/compactionRun.ts';
import { Draft, startDraft, type Unit } from '../compaction/draft.ts';
import { findBrokenLaw } from '../compaction/laws.ts';
import { makeReceipt } from '../compaction/receipt.ts';
import { t } from '../language.ts';
import type { MessageId } from '../messages/message.ts';
import { err, ok, type Result } from '../result.ts';
import { eachInSteps, mapInSteps, runInSlices, type Steps } from '../steps.ts';
import { isSameBasis, type PreparedRecord } from './compactedView.ts';
import type { RunOwner } from './runs.ts';

/** The result of a change by hand. */
export interface HandDone {
  readonly compaction: Compaction;
  /** One sentence for each message that stays as it is: why. */
  readonly refused: readonly string[];
}

/**
 * Drops, shortens or restores messages of the user's choice. This makes a record of its own, which is checked against
 * the laws and which one undo takes back; it need not gain anything. An error says in a sentence why nothing was
 * changed.
 */
export async function changeByHand(
  act: HandAct,
  ids: readonly MessageId[],
  owner: RunOwner,
): Promise<Result<HandDone, string>> {
  const { view, measured, events, options } = owner;
  const { ports } = options;
  const started = ports.elapsed();
  await runInSlices(measured.prepare(), ports);
  const basis = view.basis();
  const run = owner.makeRun({ trigger: 'command' });
  const { transcript, pins, requests } = run;
  const id = ports.newId();
  const items = view.items();
  const planned = planByHand({ act, ids, items, blocks: transcript.blocks, pins, requests, mark: id });
  if (!planned.ok) return planned;
  const { refused, ...plan } = planned.value;
  const made = await runInSlices(makeRecord(act, run, { id, plan, owner }), ports);
  if (!made.ok) return made;
  if (!isSameBasis(basis, view.basis())) return err(t('The conversation was compressed meanwhile. Try again.'));
  const tokensBefore = owner.budget().used.tokens;
  view.add(made.value);
  owner.forgetRequest();
  const { compaction } = made.value;
  const tokensAfter = owner.budget().used.tokens;
  const ms = ports.elapsed() - started;
  events.emit({ type: 'compaction-by-hand', compaction, tokensBefore, tokensAfter, ms }, { type: 'budget-changed' });
  return ok({ compaction, refused });
}

interface Making {
  readonly id: string;
  readonly plan: Omit<HandPlan, 'refused'>;
  readonly owner: RunOwner;
}

function* makeRecord(
  act: HandAct,
  run: CompactionRun,
  { id, plan, owner }: Making,
): Steps<Result<PreparedRecord, string>> {
  const { view, measured, options } = owner;
  const bare: Omit<Compaction, 'receipt'> = {
    id,
    at: options.ports.now(),
    strategy: 'manual',
    trigger: act,
    transcriptLength: run.transcript.messages.length,
    replacements: plan.replacements,
    ...(plan.edits.length > 0 && { edits: plan.edits }),
  };
  // Both drafts must start from the same moment: more messages may be appended while the record is made.
  const items = view.items();
  const changed = yield* measured.prepareRecord({ ...bare, receipt: NO_RECEIPT });
  // What the model has not read is the user's to change.
  const all = { ...run, unread: run.transcript.nextId };
  const before = yield* startDraft({ ...all, items });
  const after = yield* withChanges(before, yield* startDraft({ ...all, items: changed.items }), run);
  const laws = { before, after, ledger: run.ledger, promise: 'handles-only', limit: run.limit } as const;
  const broken = yield* findBrokenLaw({ ...laws, byHand: () => true });
  if (broken !== undefined) return err(t('This cannot be done: it would break a law of compression ({0}).', broken));
  const receipt = yield* makeReceipt({ ...laws, gauge: run.gauge }, NO_RECEIPT);
  return ok(yield* measured.prepareRecord({ ...bare, receipt }));
}

/** A placeholder until the view with the record is known. */
const NO_RECEIPT: Receipt = {
  strategy: 'manual',
  aim: 'target',
  rungs: [],
  tokensBefore: 0,
  tokensAfter: 0,
  messages: { whole: 0, shortened: 0, replaced: 0 },
  summarized: 0,
  summaryCharacters: 0,
  facts: [],
  rejected: [],
  unverified: 0,
  promise: 'handles-only',
  prefixKept: 1,
  modelCalls: 0,
  ms: 0,
};

/** The draft after the change, with those units marked as changed that differ from before: the laws check these. */
function* withChanges(before: Draft, after: Draft, run: CompactionRun): Steps<Draft> {
  const known = new Map<MessageId, Unit['messages']>();
  yield* eachInSteps(before.units, ({ range, messages }) => known.set(range.from, messages));
  const units = yield* mapInSteps(after.units, (unit) => {
    if (unit.state === 'whole') return unit;
    const were = known.get(unit.range.from);
    const isSame = unit.messages.every((message, index) => message === were?.[index]);
    return { ...unit, changed: !(isSame && unit.messages.length === were?.length) };
  });
  return new Draft(units, run);
}
