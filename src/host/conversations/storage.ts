import type { Words } from '../../core/phrase.ts';
import type { Result } from '../../core/result.ts';
import type { StorageLimits } from '../../core/session/conversationStore.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The folder of a workspace's storage, whichever window asks. A second window on the same workspace, and a window that
 * starts before the one it replaces has ended, gets a folder of its own from VS Code (`<id>-1`, `<id>-2`): its
 * conversations would be missing there. Karl locks each conversation itself, so all windows may share one folder.
 */
export function findStorageRoot(storage: string): string {
  return storage.replace(/([\\/]workspaceStorage[\\/]-?[0-9a-z]+)-\d{1,3}(?=[\\/])/i, '$1');
}

/** Deletes the oldest conversations of stores that exceed the limits; `note` is told of a failure. */
export async function prune(
  stores: readonly { prune(limits: StorageLimits): Promise<Result<unknown, { readonly message: Words }>> }[],
  { current }: Pick<Settings, 'current'>,
  note: (told: Words) => void,
): Promise<void> {
  const { 'storage.days': days, 'storage.megabytes': megabytes } = current;
  for (const store of stores) {
    const pruned = await store.prune({ days, bytes: megabytes * 1024 * 1024 });
    if (!pruned.ok) note(pruned.error.message);
  }
}

/**
 * The folder that a checked value of `karl.log.directory` names. `${workspaceFolder}` in a window without a folder
 * stands for `${storage}`: there is no workspace whose folder could be meant.
 */
export function resolveLogDirectory(
  setting: string,
  places: { readonly storage: string; readonly workspaceFolder: string | undefined; readonly home: string },
): string {
  return setting
    .replace(/^\$\{storage\}/, () => places.storage)
    .replace(/^\$\{workspaceFolder\}/, () => places.workspaceFolder ?? places.storage)
    .replace(/^~(?=[\\/]|$)/, () => places.home);
}
