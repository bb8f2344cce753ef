import type { CompactionResult, Trigger } from '../compaction/compaction.ts';
import type { CallContext } from './turnContext.ts';

/**
 * Compacts before a model call if a trigger holds; otherwise has the summary prepared in the background when the
 * threshold is near. Undefined: nothing was due or allowed.
 */
export async function compactWhenDue(context: CallContext): Promise<CompactionResult | undefined> {
  const trigger = context.conversation.due();
  if (trigger === undefined) {
    if (context.preparesSummaries) context.conversation.prepare(context.signal);
    return undefined;
  }
  return runCompaction(context, { trigger });
}

/** One automatic run, shown as activity; its result is saved. Undefined when the user does not allow it. */
export async function runCompaction(
  context: CallContext,
  run: { readonly trigger: Trigger; readonly targetTokens?: number },
): Promise<CompactionResult | undefined> {
  const { conversation, listener, signal } = context;
  if (!(await context.mayCompact(run.trigger, signal))) return undefined;
  listener.onState?.({ kind: 'compacting', trigger: run.trigger });
  let result = await conversation.compact({ ...run, signal });
  // It was cancelled by a change of the pins, not by the user, so it is made again.
  if (result.kind === 'cancelled' && !signal.aborted) result = await conversation.compact({ ...run, signal });
  if (result.kind === 'compacted') await saveState(context);
  return result;
}

/** Derived state can be lost without losing anything, so a failure is reported and does not stop the turn. */
export async function saveState({ store, listener }: Pick<CallContext, 'store' | 'listener'>): Promise<void> {
  const saved = await store.saveState();
  if (!saved.ok) listener.onEvent?.({ type: 'warning', message: saved.error.message });
}
