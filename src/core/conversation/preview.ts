import type { CompactionRun, PreparedNote } from '../compaction/compactionRun.ts';
import { readLedger } from '../compaction/compactionRun.ts';
import { type PreparedRun, runCompaction } from '../compaction/compactor.ts';
import { finishRun, type MadeRun } from '../compaction/madeRun.ts';
import type { ModelUse } from '../compaction/modelUse.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { NoteEdit } from '../compaction/preview/noteEdits.ts';
import { type CompactionPreview, describePreview } from '../compaction/preview/preview.ts';
import { rebase } from '../compaction/preview/rebase.ts';
import { english } from '../language.ts';
import { runInSlices } from '../steps.ts';
import { isSameBasis, type ViewBasis } from './compactedView.ts';
import type { CompactRequest } from './conversationOptions.ts';
import { keptBy } from './makeRun.ts';
import type { RunOwner } from './runs.ts';

/** A run to be shown before it is recorded. */
export interface PreviewRequest extends Omit<CompactRequest, 'preview'> {
  readonly edits?: readonly NoteEdit[];
  /** The preview that this one takes the place of: what a model wrote for it serves again where it fits. */
  readonly earlier?: PreparedPreview;
}

/** What a preview came to: something to be applied, or why there is nothing. */
export type PreviewOutcome =
  | { readonly kind: 'previewed'; readonly preview: PreparedPreview }
  | Exclude<CompactionResult, { kind: 'compacted' }>;

/** A run that was made and is not recorded. `conversation.compact({ ...request, preview })` records it. */
export interface PreparedPreview {
  readonly shown: CompactionPreview;
  readonly request: CompactRequest;
  readonly made: MadeRun;
  /** What the run was made for. */
  readonly basis: ViewBasis;
  /** All that a model wrote for this preview and those before it. */
  readonly notes: readonly PreparedNote[];
  readonly spent?: ModelUse;
}

/** Plans and acts like a run, and records nothing. `ahead`: a note that was written before, for this very view. */
export async function preparePreview(
  { edits, earlier, signal, ...request }: PreviewRequest,
  { view, makeRun, options }: Pick<RunOwner, 'view' | 'makeRun' | 'options'>,
  ahead: PreparedNote | undefined,
): Promise<PreviewOutcome> {
  const basis = view.basis();
  const isOf = earlier !== undefined && isSameBasis(earlier.basis, basis);
  const known = isOf ? earlier.notes : ahead === undefined ? [] : [ahead];
  const spent = earlier?.spent ?? ahead?.use;
  const run = {
    ...makeRun(signal === undefined ? request : { ...request, signal }),
    ...(edits !== undefined && { edits }),
    ...(spent !== undefined && { spent }),
    prepared: known,
  };
  const { result, made } = await runCompaction(run, options.ports);
  if (made === undefined || result.kind === 'cancelled')
    return result.kind === 'compacted' ? { kind: 'cancelled', strategy: run.strategy } : result;
  const { note } = made.acted;
  const isNew = note !== undefined && !known.some(({ told }) => told === note.told) && made.use !== undefined;
  const preview: PreparedPreview = {
    shown: describePreview(made, result, run, { pins: view.pins, keep: keptBy(request), upTo: request.upTo }),
    request,
    made,
    basis,
    notes: isNew ? [...known, { ...note, use: made.use }] : known,
    ...(made.use !== undefined && { spent: made.use }),
  };
  return { kind: 'previewed', preview };
}

const STALE = english('The conversation has changed since this was previewed. Preview it again.');

/** Puts a preview on the conversation as it is now and checks it again, as if it had been made now. */
export async function finishPreview(
  { made, basis }: PreparedPreview,
  run: CompactionRun,
  { view, options }: Pick<RunOwner, 'view' | 'options'>,
): Promise<PreparedRun> {
  const { ports } = options;
  const stale = (why = ''): PreparedRun => ({
    result: {
      kind: 'failed',
      strategy: made.strategy.id,
      error: {
        kind: 'stale-preview',
        message:
          why === ''
            ? STALE
            : english('The conversation has changed since this was previewed. Preview it again. ({0})', why),
      },
    },
  });
  if (!isSameBasis(basis, view.basis())) return stale();
  await runInSlices(readLedger(run), ports);
  const now = await runInSlices(rebase(made, run), ports);
  if (now === undefined) return stale();
  const result = await finishRun(run, now, ports);
  if (result.kind === 'failed') return stale(result.error.message);
  return result.kind === 'skipped' ? stale(result.message) : { result, made: now };
}
