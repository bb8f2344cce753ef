/**
 * The folder of a workspace's storage, whichever window asks. A second window on the same workspace, and a window that
 * starts before the one it replaces has ended, gets a folder of its own from VS Code (`<id>-1`, `<id>-2`): its
 * conversations would be missing there. Karl locks each conversation itself, so all windows may share one folder.
 */
export function findStorageRoot(storage: string): string {
  return storage.replace(/([\\/]workspaceStorage[\\/]-?[0-9a-z]+)-\d{1,3}(?=[\\/])/i, '$1');
}
