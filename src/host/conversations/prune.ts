import type { Result } from '../../core/result.ts';
import type { StorageLimits } from '../../core/session/conversationStore.ts';
import type { KarlSettings } from '../../core/session/settings.ts';

const MEGABYTE = 1024 * 1024;

/** Stores conversations, and deletes the oldest that exceed the limits. */
interface Pruned {
  prune(limits: StorageLimits): Promise<Result<unknown, { readonly message: string }>>;
}

/** Deletes what exceeds the limits of the settings; `warn` is told what could not be deleted. */
export async function pruneAll(
  stores: readonly Pruned[],
  { 'storage.days': days, 'storage.megabytes': megabytes }: KarlSettings,
  warn: (message: string) => void,
): Promise<void> {
  for (const store of stores) {
    const pruned = await store.prune({ days, bytes: megabytes * MEGABYTE });
    if (!pruned.ok) warn(pruned.error.message);
  }
}
