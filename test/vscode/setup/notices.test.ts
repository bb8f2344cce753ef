import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { useFolder } from '../../adapters/folder.ts';
import { NOTICES, packageOf, writeNotices } from './notices.ts';
import { root } from './root.ts';

describe('third-party notices', () => {
  const inFolder = useFolder();
  const dist = path.join(root, 'dist');
  const read = (name: string) => fs.readFileSync(path.join(dist, name), 'utf8');
  /** The packages in the bundles that match, by their source maps: what the build itself says is not asked. */
  const bundled = (pattern: string) =>
    new Set(
      fs
        .globSync(pattern, { cwd: dist })
        .flatMap((file) => (JSON.parse(read(file)) as { sources: string[] }).sources)
        .flatMap((source) => packageOf(source) ?? []),
    );

  const all = ['@modelcontextprotocol/sdk', 'zod'];
  for (const [file, pattern, some] of [
    [NOTICES, '{*.js,chunks/*.js,mcp.mjs}.map', [...all, 'lit-html', 'marked', 'dompurify']],
    [`engine.${NOTICES}`, '{engine,gateway,mcp}.mjs.map', all],
  ] as const) {
    it(`${file} names every package that is bundled, with its licence`, () => {
      const packages = bundled(pattern);
      for (const name of some)
        assert.ok(packages.has(name), `${name} is not in the bundles: ${[...packages].join(', ')}`);
      const headings = new Set([...read(file).matchAll(/^-{80}\n\n(\S+) \S+ \(.+\)\n\n\S/gm)].map(([, name]) => name));
      const missing = [...packages].filter((name) => !headings.has(name));
      assert.deepEqual(missing, []);
    });
  }

  it('name the sources of the data: token tables, model figures and icons', () => {
    for (const work of [/^tiktoken \(MIT\)[\s\S]*OpenAI/m, /^@earendil-works\/pi-ai \(MIT\)/m]) {
      assert.match(read(NOTICES), work);
      assert.match(read(`engine.${NOTICES}`), work);
    }
    assert.match(read(NOTICES), /^@vscode\/codicons [\d.]+ \(CC-BY-4\.0\)[\s\S]*Creative Commons/m);
  });

  it('cannot be written for a package without a licence text', () => {
    fs.mkdirSync(inFolder('node_modules/bare'), { recursive: true });
    fs.writeFileSync(inFolder('node_modules/bare/package.json'), '{ "version": "1.0.0", "license": "MIT" }');
    assert.throws(() => writeNotices(inFolder(), ['node_modules/bare/index.js']), /bare has no licence text/);
  });

  it('stay in the bundles too, where a package asks for it', () => {
    assert.match(read('webview.js'), /SPDX-License-Identifier: BSD-3-Clause/);
  });
});

it('the bundles of the extension share what they have in common: no source is in two of them', () => {
  const dist = path.join(root, 'dist');
  const owners = new Map<string, string[]>();
  for (const file of fs.globSync('{extension.js,modelClient.js,chunks/*.js}.map', { cwd: dist })) {
    const { sources } = JSON.parse(fs.readFileSync(path.join(dist, file), 'utf8')) as { sources: string[] };
    for (const source of sources) {
      const name = source.replace(/^(?:\.\.\/)+/, '');
      owners.set(name, [...(owners.get(name) ?? []), file]);
    }
  }
  assert.ok(owners.has('src/core/model/classify.ts'));
  const shared = [...owners].filter(([, files]) => files.length > 1);
  assert.deepEqual(shared, []);
});

describe('the package of a file', () => {
  for (const [file, name] of [
    ['node_modules/zod/v4/core/core.js', 'zod'],
    ['../node_modules/@lit/reactive-element/css-tag.js', '@lit/reactive-element'],
    ['node_modules/a/node_modules/b/index.js', 'b'],
    ['src/engine.ts', undefined],
  ] as const) {
    it(`${file} is ${name}`, () => assert.equal(packageOf(file), name));
  }
});
