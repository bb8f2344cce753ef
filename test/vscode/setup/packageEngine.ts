import fs from 'node:fs';
import path from 'node:path';
import { NOTICES } from './notices.ts';
import { root } from './root.ts';

const dist = path.join(root, 'dist');

/** The module, and the programs `karl`, `karl-gateway` and `karl-mcp`. */
const BUNDLES = ['engine.mjs', 'gateway.mjs', 'karl.mjs', 'mcp.mjs'];

/** Lays the npm package of the engine out in `dist/npm`, from what the build left in `dist`; returns the folder. */
export function packageEngine(): string {
  const folder = path.join(dist, 'npm');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
  for (const name of BUNDLES) {
    const bundle = fs.readFileSync(path.join(dist, name), 'utf8');
    write(name, bundle.replace(/^\/\/# sourceMappingURL=.*\n/m, ''));
  }
  write('package.json', `${JSON.stringify(manifest(), null, 2)}\n`);
  fs.copyFileSync(path.join(dist, 'ranks.bin'), path.join(folder, 'ranks.bin'));
  fs.copyFileSync(path.join(dist, `engine.${NOTICES}`), path.join(folder, NOTICES));
  fs.copyFileSync(path.join(root, 'src/engine/README.md'), path.join(folder, 'README.md'));
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copyTypes('engine.d.ts', path.join(folder, 'types'), new Set());
  return folder;
}

/** The package.json. Node 20.19 is the first release of its line whose `require` takes an ES module. */
function manifest(): object {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return {
    name: '@karl-budget/engine',
    version,
    description: 'Keeps the conversation of an agent inside a token budget: compaction with receipts, recall and undo.',
    license,
    type: 'module',
    engines: { node: '^20.19.0 || >=22.12.0' },
    exports: {
      '.': { types: './types/engine.d.ts', default: './engine.mjs' },
      './package.json': './package.json',
    },
    bin: { karl: 'karl.mjs', 'karl-gateway': 'gateway.mjs', 'karl-mcp': 'mcp.mjs' },
    sideEffects: false,
    files: [...BUNDLES, 'ranks.bin', 'types', NOTICES],
    keywords: ['agent', 'llm', 'context', 'tokens', 'compaction', 'tokenizer'],
    publishConfig: { access: 'public', provenance: true },
  };
}

/**
 * Copies a declaration file and those that it imports; their imports name the JavaScript files, which are not shipped.
 */
function copyTypes(file: string, target: string, done: Set<string>): void {
  if (done.has(file)) return;
  done.add(file);
  const imported: string[] = [];
  const text = fs
    .readFileSync(path.join(dist, 'types', file), 'utf8')
    .replace(/\b(from |import\()'(\.[^']*)\.ts'/g, (_, before: string, module: string) => {
      imported.push(path.join(path.dirname(file), `${module}.d.ts`));
      return `${before}'${module}.js'`;
    });
  fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
  fs.writeFileSync(path.join(target, file), text);
  for (const next of imported) copyTypes(next, target, done);
}
