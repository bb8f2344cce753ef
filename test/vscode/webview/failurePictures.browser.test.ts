import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup/root.ts';

const harness = (file: string) => pathToFileURL(path.join(root, 'test/vscode/harness', file)).href;

/** Fails at its first try, on a page that a hook of its suite closes. */
const MOODY = (name: string) => `
  import { launchBrowser } from '${harness('editor.ts')}';
  import { watchPage } from '${harness('failurePictures.ts')}';
  describe('a moody page', () => {
    let browser, page, tries = 0;
    before(async () => { browser = await launchBrowser(); });
    after(() => browser.close());
    afterEach(() => page.close());
    it('${name}', async () => {
      page = await browser.newPage();
      watchPage(page);
      tries += 1;
      if (tries === 1) throw new Error('the click came too early');
    });
  });
`;

it('a test that fails at its first try leaves a picture of its page', () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-moody-'));
  const name = path.basename(folder);
  const pictures = () => fs.globSync(`out/failures/a-moody-page-${name}-*.png`, { cwd: root });
  fs.writeFileSync(path.join(folder, 'moody.test.mjs'), MOODY(name));
  const file = path.relative(root, path.join(folder, 'moody.test.mjs'));
  const words = ['node_modules/mocha/bin/mocha.js', '--parallel', '--retries', '1', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  assert.equal(pictures().length, 1, stdout + stderr);
  for (const picture of pictures()) fs.rmSync(path.join(root, picture));
  fs.rmSync(folder, { recursive: true });
});
