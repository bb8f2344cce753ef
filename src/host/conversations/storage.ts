import type { Words } from '../../core/language.ts';
import type { Result } from '../../core/result.ts';
import type { StorageLimits } from '../../core/session/conversationStore.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import type { Host } from '../host.ts';

/**
 * The folder of a workspace's storage, whichever window asks. A second window on the same workspace, and a window that
 * starts before the one it replaces has ended, gets a folder of its own from VS Code (`<id>-1`, `<id>-2`): its
 * conversations would be missing there. Karl locks each conversation itself, so all windows may share one folder.
 */
export function findStorageRoot(storage: string): string {
  return storage.replace(/([\\/]workspaceStorage[\\/]-?[0-9a-z]+)-\d{1,3}(?=[\\/])/i, '$1');
}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Stores conversations, and deletes the oldest that exceed the limits. */
interface Pruned {
  prune(limits: StorageLimits): Promise<Result<unknown, { readonly message: Words }>>;
}

/** Deletes what exceeds the limits now, and once a day from then on: a window stays open for days. */
export function pruneDaily({ log, settings }: Host, stores: readonly Pruned[]): { dispose(): void } {
  const prune = () => log.run(pruneAll(stores, settings.current, log.note));
  prune();
  const timer = setInterval(prune, DAY_MS);
  // Nothing waits for tomorrow: a process that is done ends.
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

async function pruneAll(
  stores: readonly Pruned[],
  { 'storage.days': days, 'storage.megabytes': megabytes }: KarlSettings,
  warn: (message: Words) => void,
): Promise<void> {
  for (const store of stores) {
    const pruned = await store.prune({ days, bytes: megabytes * MEGABYTE });
    if (!pruned.ok) warn(pruned.error.message);
  }
}
