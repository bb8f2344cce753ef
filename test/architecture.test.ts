import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readImports } from './architecture/readImports.ts';
import { findBreaches } from './architecture/rules.ts';

const root = path.resolve(import.meta.dirname, '..');

/** What the core may use beside ECMAScript itself: these names mean the same in Node, in workers and in browsers. */
const UNIVERSAL =
  /^(?:AbortController|AbortSignal|URL|TextEncoder|TextDecoder|atob|structuredClone|setTimeout|clearTimeout)$/;

describe('the shape of the source', () => {
  const files = fs
    .globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));

  it('follows the import table, the order of the core and the rules for files', () => {
    assert.ok(files.length > 50, `only ${files.length} files were found`);
    assert.deepEqual(findBreaches(files), []);
  });

  it('keeps the core free of the names of Node, of the DOM and of VS Code', () => {
    // A file that has two of them shows that they are found.
    assert.deepEqual(findForeignNames('export const a = [process.pid, document.title, new URL("a:b")];'), [
      "out/architecture/foreign.ts: Cannot find name 'process'",
      "out/architecture/foreign.ts: Cannot find name 'document'",
    ]);
  });

  it('keeps the composition root short', () => {
    const file = path.join(root, 'src/extension.ts');
    assert.ok(fs.readFileSync(file, 'utf8').split('\n').length < 100);
  });
});

describe('the rules themselves', () => {
  const breaches = (file: string, text: string) => findBreaches([{ file, text }]);

  for (const [file, text] of [
    ['src/core/model/a.ts', "import type { Uri } from 'vscode';"],
    ['src/core/model/a.ts', "const fs = await import('node:fs');"],
    ['src/core/model/a.ts', "export { b } from '../compaction/b.ts';"],
    ['src/core/model/a.ts', "import type { B } from '../../adapters/node/b.ts';"],
    ['src/core/a.ts', "import { b } from './budget/b.ts';"],
    ['src/adapters/node/a.ts', "import OpenAI from 'openai';"],
    ['src/protocol/a.ts', "import { b } from '../core/chat/b.ts';"],
    ['src/host/a.ts', "import { b } from '../adapters/openai/b.ts';"],
    ['src/webview/a.ts', "import { b } from '../protocol/b.ts';"],
    ['src/webview/a.ts', "import { type B, c } from '../protocol/b.ts';"],
    ['src/engine.ts', "import 'vscode';"],
    ['src/core/session/a.ts', "import * as z from 'zod';"],
    ['src/tools/a.ts', "import 'zod/mini';"],
    ['src/core/model/index.ts', ''],
    ['src/host/utils/a.ts', ''],
    ['src/adapters/openai/a.ts', "import { request } from 'node:http';"],
    ['src/adapters/openai/a.ts', "import https, { type Agent, request } from 'node:https';"],
  ] as const) {
    it(`refuse ${file} with ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.equal(breaches(file, text).length, 1);
    });
  }

  for (const [file, text] of [
    ['src/core/session/a.ts', "import * as z from 'zod/mini';\nimport { b } from '../result.ts';"],
    ['src/core/model/a.ts', "import { b } from './b.ts';\nexport type { C } from '../tokens/c.ts';"],
    ['src/core/model/a.ts', "// import 'vscode'\nconst text = \"import x from 'vscode'\";\nconst r = /['\"]/;"],
    ['src/protocol/a.ts', "import { type B, type C } from '../core/chat/b.ts';"],
    [
      'src/webview/a.ts',
      "import { repeat } from 'lit/directives/repeat.js';\nimport type { B } from '../protocol/b.ts';",
    ],
    ['src/adapters/a.ts', "import type { B } from 'node:http';\nimport https, { type C } from 'node:https';"],
    ['src/extension.ts', "import { a } from './adapters/node/a.ts';\nimport * as vscode from 'vscode';"],
  ] as const) {
    it(`allow ${file} with ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.deepEqual(breaches(file, text), []);
    });
  }

  it('count lines', () => {
    assert.equal(breaches('src/host/a.ts', '1;\n'.repeat(401)).length, 1);
    assert.equal(breaches('src/host/a.ts', '1;\n'.repeat(400)).length, 0);
  });

  it('read the imports of a file and nothing that only looks like one', () => {
    const source = "import a, { type B } from 'a';\nimport type C from 'c';\nconst d = x.from('d'); `import 'e'`;";
    assert.deepEqual(readImports(source), [
      { specifier: 'a', typeOnly: false },
      { specifier: 'c', typeOnly: true },
    ]);
  });
});

/**
 * Compiles the core and a file of this text with ECMAScript's own names alone, and returns the complaints about names that it
 * does not know.
 */
function findForeignNames(text: string): string[] {
  const folder = path.join(root, 'out/architecture');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'foreign.ts'), text);
  const project = path.join(folder, 'tsconfig.json');
  const compilerOptions = { lib: ['ES2024'], types: [] };
  const include = [path.join(root, 'src/core/**/*.ts'), path.join(folder, 'foreign.ts')];
  fs.writeFileSync(project, JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include }));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, encoding: 'utf8' });
  assert.notEqual(status, null, 'the compiler did not run');
  return [...stdout.matchAll(/^(.+?)\(.*(Cannot find name '(\w+)')/gm)].flatMap(([, file, complaint, name = '']) =>
    UNIVERSAL.test(name) ? [] : [`${file}: ${complaint}`],
  );
}
