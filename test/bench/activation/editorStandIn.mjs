// A module `vscode` that answers every call with itself: what an activation costs outside the editor.
const anything = new Proxy(class {}, {
  get: (_target, name) => answer(name),
  apply: () => anything,
  construct: () => anything,
  set: () => true,
});
function answer(name) {
  if (name === Symbol.toPrimitive) return () => '';
  if (name === Symbol.iterator) return () => [][Symbol.iterator]();
  // A thenable would be waited for.
  if (name === 'then') return undefined;
  return anything;
}
class EventEmitter {
  event = () => anything;
  fire = () => anything;
  dispose = () => anything;
}
class FileSystemError extends Error {}
const workspace = {
  // Nothing was kept by a window before.
  fs: { readFile: () => Promise.reject(new FileSystemError('no such file')) },
  isTrusted: true,
  workspaceFolders: undefined,
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined, update: async () => undefined }),
  onDidChangeConfiguration: () => anything,
  onDidGrantWorkspaceTrust: () => anything,
  onDidChangeWorkspaceFolders: () => anything,
  onDidCloseTextDocument: () => anything,
  registerTextDocumentContentProvider: () => anything,
};

export { EventEmitter, FileSystemError, workspace };
export const [window, commands, Uri, env, lm, Disposable, StatusBarAlignment, ThemeColor, MarkdownString] =
  Array(9).fill(anything);
export const [ProgressLocation, ConfigurationTarget] = [{}, {}];
/** English: no bundle. */
export const l10n = { bundle: undefined };
