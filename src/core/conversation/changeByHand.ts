import { planByHand } from '../compaction/byHand/planByHand.ts';
import type { Compaction, HandAct, Receipt } from '../compaction/compaction.ts';
import type { CompactionRun } from '../compaction/compactionRun.ts';
import { Draft, startDraft, type Unit } from '../compaction/draft.ts';
import { findBrokenLaw } from '../compaction/laws.ts';
import { measureRun } from '../compaction/receipt.ts';
import { type Sentence, sentence } from '../language.ts';
import type { MessageId } from '../messages/message.ts';
import { err, ok, type Result } from '../result.ts';
import { eachInSteps, mapInSteps, runInSlices, type Steps } from '../steps.ts';
import { type CompactedView, isSameBasis } from './compactedView.ts';
import type { ConversationParts } from './conversationParts.ts';
import { makeRun } from './makeRun.ts';

/**
 * Drops, shortens or restores messages of the user's choice, in a record of its own: checked against the laws, taken back
 * by one undo, without a least gain. `refused`: why each unchanged message stays. An error says why nothing was changed.
 */
export async function changeByHand(
  act: HandAct,
  ids: readonly MessageId[],
  parts: ConversationParts,
): Promise<Result<{ readonly compaction: Compaction; readonly refused: readonly Sentence[] }, Sentence>> {
  const { view, events, options } = parts;
  const { ports } = options;
  const started = ports.elapsed();
  await runInSlices(parts.prepare(), ports);
  const basis = view.basis();
  const run = makeRun({ trigger: 'command' }, parts);
  const { transcript, pins, requests } = run;
  const id = ports.newId();
  const items = view.items();
  const planned = planByHand({ act, ids, items, blocks: transcript.blocks, pins, requests, mark: id });
  if (!planned.ok) return planned;
  const { refused, replacements, edits } = planned.value;
  const bare = {
    id,
    at: ports.now(),
    strategy: 'manual',
    trigger: act,
    transcriptLength: transcript.messages.length,
    replacements,
    ...(edits.length > 0 && { edits }),
  } as const;
  const made = await runInSlices(makeRecord(bare, run, view), ports);
  if (!made.ok) return made;
  const compaction = made.value;
  const derived = await runInSlices(parts.viewWith(compaction), ports);
  if (!isSameBasis(basis, view.basis())) return err(sentence('The conversation was compressed meanwhile. Try again.'));
  const tokensBefore = parts.budget().used.tokens;
  view.add(compaction, derived);
  parts.meter.usage.forgetRequest();
  const tokensAfter = parts.budget().used.tokens;
  const ms = ports.elapsed() - started;
  events.emit({ type: 'compaction-by-hand', compaction, tokensBefore, tokensAfter, ms }, { type: 'budget-changed' });
  return ok({ compaction, refused });
}

function* makeRecord(
  bare: Omit<Compaction, 'receipt'>,
  run: CompactionRun,
  view: CompactedView,
): Steps<Result<Compaction, Sentence>> {
  // Both drafts must start from the same moment, since messages may be appended meanwhile.
  const items = view.items();
  const { items: changed } = yield* view.with(bare);
  // The user may also change what the model has not read yet.
  const all = { ...run, unread: run.transcript.nextId };
  const before = yield* startDraft({ ...all, items });
  const after = yield* withChanges(before, yield* startDraft({ ...all, items: changed }), run);
  const laws = { before, after, ledger: run.ledger, promise: 'handles-only', limit: run.limit } as const;
  const broken = yield* findBrokenLaw({ ...laws, byHand: () => true });
  if (broken !== undefined)
    return err(sentence('This cannot be done: it would break a law of compression ({0}).', broken));
  const receipt: Receipt = {
    ...(yield* measureRun({ ...laws, gauge: run.gauge })),
    strategy: 'manual',
    aim: 'target',
    rungs: [],
    rejected: [],
    unverified: 0,
    promise: 'handles-only',
    modelCalls: 0,
    ms: 0,
  };
  return ok({ ...bare, receipt });
}

/** The draft after the change, in which the units that differ are marked as changed, for the laws. */
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
