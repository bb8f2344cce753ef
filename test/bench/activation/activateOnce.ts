// node activateOnce.ts BUNDLE: loads and activates the extension once, against a stand-in for the editor; prints JSON.
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** One activation in a process of its own. */
export interface ActivationRun {
  /** Reading, compiling and running the bundle, ms. */
  readonly loadMs: number;
  /** The call of `activate`, ms. */
  readonly activateMs: number;
  /** Code that was read before `activate` returned. */
  readonly kilobytesRead: number;
  /** Whether the tables of the tokenizers were opened before the extension was ready. */
  readonly ranksRead: boolean;
}

interface Extension {
  activate(context: unknown): { readonly ready: Promise<void>; close(): Promise<void> };
}

const bundle = path.resolve(process.argv[2] ?? '');
let bytes = 0;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: new URL('./editorStandIn.mjs', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url.startsWith(pathToFileURL(path.dirname(bundle)).href)) bytes += Buffer.byteLength(String(loaded.source));
    return loaded;
  },
});
let ranksRead = false;
watchReads((file) => {
  if (file.endsWith('ranks.bin')) ranksRead = true;
});

const storage = fs.mkdtempSync(path.join(tmpdir(), 'karl-storage-'));
const memory = { get: () => undefined, update: async () => undefined };
const context = {
  extensionPath: path.dirname(path.dirname(bundle)),
  extensionUri: {},
  globalStorageUri: { fsPath: storage },
  subscriptions: [],
  workspaceState: memory,
  globalState: memory,
  secrets: { get: async () => undefined, store: async () => undefined },
};

const start = performance.now();
const extension = (await import(pathToFileURL(bundle).href)) as Extension;
const loaded = performance.now();
const api = extension.activate(context);
const active = performance.now();
const read = bytes;
await api.ready;
const run: ActivationRun = {
  loadMs: loaded - start,
  activateMs: active - loaded,
  kilobytesRead: Math.ceil(read / 1024),
  ranksRead,
};
await api.close();
fs.rmSync(storage, { recursive: true, force: true });
console.log(JSON.stringify(run));

/** Reports every file that this process opens through Node's `fs`, in whichever way. */
function watchReads(tell: (file: string) => void): void {
  const watched = [
    [fs, 'readFileSync'],
    [fs, 'openSync'],
    [fs, 'createReadStream'],
    [fs.promises, 'readFile'],
    [fs.promises, 'open'],
  ] as const;
  for (const [owner, name] of watched) {
    const original = Reflect.get(owner, name) as (...words: unknown[]) => unknown;
    Reflect.set(owner, name, (file: unknown, ...rest: unknown[]) => {
      tell(String(file));
      return original.call(owner, file, ...rest);
    });
  }
  syncBuiltinESMExports();
}
