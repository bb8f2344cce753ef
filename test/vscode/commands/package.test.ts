import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SAMPLES } from '../../adapters/sessions/samples.ts';
import { type Editor, openEditor } from '../harness/editor.ts';
import { runCommand } from '../harness/quickInput.ts';
import { waitUntilReady } from '../harness/ready.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectText, until } from '../harness/tries.ts';
import { findWebview } from '../harness/workbench.ts';
import { NOTICES } from '../setup/notices.ts';
import { packageExtension } from '../setup/packageExtension.ts';

/** Bytes: small enough to install over a slow line. */
const LARGEST_PACKAGE = 3 * 1024 * 1024;

describe('the package', () => {
  let folder: string;
  let file: string;
  let editor: Editor | undefined;

  before(async () => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-package-'));
    file = await packageExtension(folder);
  });
  afterEach(async () => {
    await editor?.close();
    editor = undefined;
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is smaller than 3 MB', () => {
    assert.ok(fs.statSync(file).size < LARGEST_PACKAGE, `${fs.statSync(file).size} bytes`);
  });

  it('installs into VS Code and activates there as an installed extension', async () => {
    editor = await openEditor({ extension: { kind: 'package', file }, env: { KARL_OPEN_SAMPLE: '1' } });
    const installed = fs.readdirSync(path.join(editor.server.folder, 'extensions'));
    const isInstalled = installed.some((name) => name.startsWith('karl-budget.karl-'));
    assert.ok(isInstalled, installed.join(', '));
    const [home = ''] = fs.globSync('karl-budget.karl-*', { cwd: path.join(editor.server.folder, 'extensions') });
    const inside = path.join(editor.server.folder, 'extensions', home);
    assert.match(fs.readFileSync(path.join(inside, 'dist', NOTICES), 'utf8'), /^zod \S+ \(MIT\)$/m);
    assert.doesNotMatch(fs.readFileSync(path.join(inside, 'readme.md'), 'utf8'), /\]\((?!https?:)/);
    assert.deepEqual(fs.readdirSync(path.join(inside, 'media')).sort(), [
      'compress-light.gif',
      'compress.gif',
      'compressed-dark.png',
      'compressed-light.png',
      'full-dark.png',
      'full-light.png',
      'icon.png',
      'karl.svg',
      'sample',
      'servers-dark.png',
      'servers-light.png',
    ]);
    // What is loaded later finds its files in the package, too.
    const session = path.join(folder, 'session.jsonl');
    fs.writeFileSync(session, SAMPLES.claude ?? '');
    const [chunk = ''] = fs.globSync('dist/chunks/rescue-*.js', { cwd: inside });
    const rescue = `const { tryRescue } = await import(${JSON.stringify(pathToFileURL(path.join(inside, chunk)).href)});
      console.log(JSON.stringify(await tryRescue(${JSON.stringify(session)}, 'claude')));`;
    const env = { ...process.env, CLAUDE_CONFIG_DIR: path.join(folder, 'claude') };
    const words = ['--input-type=module', '--eval', rescue];
    const rescued = execFileSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
    assert.equal(JSON.parse(rescued).ok, true, rescued);

    const page = await editor.openPage();
    await waitUntilReady(page);
    assert.doesNotMatch(await page.title(), /Extension Development Host/);

    // The page of the installed extension: what it draws comes from the package.
    await runCommand(page, 'Extensions: Show Installed Extensions');
    const entry = page.locator('.extension-list-item', { hasText: 'Karl' }).first();
    await until(page.locator('.extension-editor'), () => entry.click());
    const shown = await findWebview(page, 'summary');
    for (const step of await shown.locator('summary').all()) await step.click();
    await expectText(shown.locator('body'), /97%.*Press Compress.*54%.*Press Undo.*97%/);
    assert.equal(await shown.locator('img').count(), 0, 'a picture that cannot be drawn');
    await takePicture(page, 'extension-page');
  });
});
