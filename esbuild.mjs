// Builds dist/, or the folder that KARL_DIST names: npm run build [-- --production] [-- --watch]. With --production it is
// what the extension ships.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { NOTICES, writeNotices } from './test/vscode/setup/notices.ts';
import { watching } from './test/vscode/setup/watching.ts';

const root = import.meta.dirname;
const dist = process.env.KARL_DIST ?? path.join(root, 'dist');
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** VS Code 1.105, the oldest that Karl supports, runs extensions on Node 22 and webviews on Chromium 138. */
const NODE = 'node22';
const CHROMIUM = 'chrome138';

/** CommonJS packages call `require`, which an ES module has to make for itself. */
const REQUIRE =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);";

const program = {
  platform: 'node',
  format: 'esm',
  target: NODE,
  banner: { js: REQUIRE },
};
/** What is shipped. `modelClient.js` is loaded with the first request. */
const outputs = [
  // One build: what they share, and what is loaded after the activation (`import()`), goes into chunks.
  {
    entries: {
      'extension.js': 'src/extension.ts',
      'modelClient.js': 'src/adapters/openai/client.ts',
    },
    ...program,
    minify: production,
    external: ['vscode'],
    splitting: true,
  },
  {
    entries: { 'engine.mjs': 'src/engine.ts', 'gateway.mjs': 'src/gateway.ts', 'karl.mjs': 'src/karl.ts' },
    ...program,
  },
  { entries: { 'mcp.mjs': 'src/mcp.ts' }, ...program, minify: true },
  {
    entries: { 'webview.js': 'src/webview/main.ts', 'highlight.js': 'src/webview/code/languages.ts' },
    platform: 'browser',
    format: 'iife',
    target: CHROMIUM,
    minify: true,
  },
];

fs.mkdirSync(dist, { recursive: true });
// What tests know of the last build does not hold any more.
fs.rmSync(path.join(dist, '.built'), { force: true });
const options = outputs.map(({ entries, ...rest }) => ({
  ...rest,
  absWorkingDir: root,
  entryPoints: Object.entries(entries).map(([file, entry]) => ({ in: entry, out: path.parse(file).name })),
  outdir: dist,
  outExtension: { '.js': path.extname(Object.keys(entries)[0]) },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  metafile: true,
  charset: 'utf8',
  loader: { '.svg': 'text' },
  legalComments: 'eof',
  sourcemap: production ? false : 'linked',
  logLevel: watch ? 'silent' : 'warning',
}));
if (watch) {
  const plugin = watching(options.length);
  await packTokenRanks();
  for (const option of options) await (await esbuild.context({ ...option, plugins: [plugin()] })).watch();
} else {
  const results = await Promise.all(options.map((option) => esbuild.build(option)));
  removeOldChunks(results);
  const [extension, engine, mcp, webview] = results.map(({ metafile }) => Object.keys(metafile.inputs));
  fs.writeFileSync(path.join(dist, NOTICES), writeNotices(root, [...extension, ...mcp, ...webview]));
  fs.writeFileSync(path.join(dist, `engine.${NOTICES}`), writeNotices(root, [...engine, ...mcp]));
}
if (!watch) {
  await packTokenRanks();
  if (!production) declareEngineTypes();
  report();
}

/** A chunk's name changes with its content. */
function removeOldChunks(results) {
  const written = new Set(
    results.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((file) => path.basename(file))),
  );
  const chunks = path.join(dist, 'chunks');
  for (const name of fs.existsSync(chunks) ? fs.readdirSync(chunks) : []) {
    if (!written.has(name)) fs.rmSync(path.join(chunks, name));
  }
}

/**
 * The rank tables of the tokenizers, packed into one compressed file that extension and engine share. Takes 3 s, so it is
 * done only when the file is older than its sources.
 */
async function packTokenRanks() {
  const folder = path.join(root, 'src/adapters/tiktoken');
  const source = path.join(folder, 'ranks.ts');
  const target = path.join(dist, 'ranks.bin');
  const inputs = [source, path.join(root, 'node_modules/js-tiktoken/package.json')];
  if (fs.existsSync(target) && inputs.every((file) => changeTime(file) < changeTime(target))) return;
  const { packRanks } = await import(source);
  await packRanks(target);
}

function changeTime(file) {
  return fs.statSync(file).mtimeMs;
}

/** dist/types holds the declarations of the engine and of what it exposes; dist/engine.d.mts is where they begin. */
function declareEngineTypes() {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const types = path.join(dist, 'types');
  const settings = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--rootDir',
    'src',
    '--outDir',
    types,
  ];
  fs.rmSync(types, { recursive: true, force: true });
  const project = path.join(dist, 'tsconfig.engine.json');
  fs.writeFileSync(project, JSON.stringify({ extends: '../tsconfig.json', include: [], files: ['../src/engine.ts'] }));
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, ...settings], {
    cwd: root,
    encoding: 'utf8',
  });
  fs.rmSync(project);
  // Declarations are written in any case; `npm run check` says in full what is wrong with the source.
  if (status !== 0) console.warn('dist/types is written from source with type errors: see npm run check');
  fs.writeFileSync(path.join(dist, 'engine.d.mts'), "export * from './types/engine.ts';\n");
}

function report() {
  const sizes = fs
    .readdirSync(dist)
    .filter((name) => /\.(js|mjs|bin)$/.test(name))
    .map((name) => `${name} ${Math.ceil(fs.statSync(path.join(dist, name)).size / 1024)} kB`);
  console.log(`dist: ${sizes.join(', ')}`);
}
