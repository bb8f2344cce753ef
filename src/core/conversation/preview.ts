import type { CompactionResult } from '../compaction/compaction.ts';
import type { CompactionRun, NoteEdit, PreparedNote } from '../compaction/compactionRun.ts';
import { finishRun, type PreparedRun, runCompaction } from '../compaction/compactor.ts';
import { rebase } from '../compaction/preview/choices.ts';
import { describePreview } from '../compaction/preview/preview.ts';
import { sentence, type Words } from '../language.ts';
import type { MessageId } from '../messages/message.ts';
import { runInSlices } from '../steps.ts';
import { isSameBasis } from './compactedView.ts';
import type { CompactRequest, PreparedPreview } from './conversationOptions.ts';
import type { ConversationParts } from './conversationParts.ts';
import { makeRun } from './makeRun.ts';

/** A request for a run that is shown before it is recorded. */
export interface PreviewRequest extends Omit<CompactRequest, 'preview'> {
  readonly edits?: readonly NoteEdit[];
  /** Messages to set aside although the run would keep them. */
  readonly aside?: readonly MessageId[];
  /** The preview that this one replaces; the notes that a model wrote for it are reused where they fit. */
  readonly earlier?: PreparedPreview | undefined;
}

/** The result of a preview: a run that can be applied, or the reason why there is none. */
export type PreviewOutcome =
  | { readonly kind: 'previewed'; readonly preview: PreparedPreview }
  | Exclude<CompactionResult, { kind: 'compacted' }>;

/** Makes a run without recording it. `ahead`: a note written ahead for this view. */
export async function preparePreview(
  { edits, aside = [], earlier, signal, ...request }: PreviewRequest,
  parts: ConversationParts,
  ahead: PreparedNote | undefined,
): Promise<PreviewOutcome> {
  const { view, options } = parts;
  const basis = view.basis();
  const isOf = earlier !== undefined && isSameBasis(earlier.basis, basis);
  const known = isOf ? earlier.notes : ahead === undefined ? [] : [ahead];
  const spent = earlier?.spent ?? ahead?.use;
  const run = {
    ...makeRun({ ...request, signal }, parts),
    edits,
    aside: aside.length > 0 ? new Set(aside) : undefined,
    spent,
    prepared: known,
  };
  const { result, made } = await runCompaction(run, options.ports);
  if (made === undefined || result.kind === 'cancelled')
    return result.kind === 'compacted' ? { kind: 'cancelled', strategy: run.strategy } : result;
  const note = made.reusable;
  const isNew = note !== undefined && !known.some(({ written }) => written === note.written) && made.use !== undefined;
  const preview: PreparedPreview = {
    shown: describePreview(made, result, run, {
      pins: view.pins,
      keep: new Set(request.keep),
      aside: new Set(aside),
      upTo: request.upTo,
    }),
    request,
    aside: new Set(aside),
    made,
    basis,
    notes: isNew ? [...known, { ...note, use: made.use }] : known,
    spent: made.use,
  };
  return { kind: 'previewed', preview };
}

const STALE = sentence('The conversation has changed since this was previewed. Preview it again.');

/** Applies a preview to the present conversation and checks it again, as if it had just been made. */
export async function finishPreview(
  { made, basis, aside }: PreparedPreview,
  run: CompactionRun,
  { view, options }: Pick<ConversationParts, 'view' | 'options'>,
): Promise<PreparedRun> {
  const { ports } = options;
  const stale = (why?: Words): PreparedRun => {
    const message =
      why === undefined
        ? STALE
        : sentence('The conversation has changed since this was previewed. Preview it again. ({0})', why);
    return { result: { kind: 'failed', strategy: made.strategy.id, error: { kind: 'stale-preview', message } } };
  };
  if (!isSameBasis(basis, view.basis())) return stale();
  await runInSlices(run.ledger.read(run.transcript.blocks), ports);
  const now = await runInSlices(rebase(made, run), ports);
  if (now === undefined) return stale();
  const result = await finishRun({ ...run, aside }, now, ports);
  if (result.kind === 'failed') return stale(result.error.message);
  return result.kind === 'skipped' ? stale(result.message) : { result, made: now };
}
