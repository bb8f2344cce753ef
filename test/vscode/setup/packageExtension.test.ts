import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { useFolder } from '../../adapters/folder.ts';
import { EXTENSION_PAGE, isPreRelease, withoutPaths } from './packageExtension.ts';
import { root } from './root.ts';

const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('what a marketplace shows', () => {
  const inFolder = useFolder();

  it('has no link that only works beside the source', () => {
    const page = withoutPaths(read(EXTENSION_PAGE));
    assert.doesNotMatch(page, /\]\((?!https?:)/);
    assert.doesNotMatch(read('CHANGELOG.md'), /\]\((?!https?:)/);
    assert.equal(page.match(/^## /gm)?.length, read(EXTENSION_PAGE).match(/^## /gm)?.length);
  });

  it('is for those who install it: it names files that exist, and no command of the source', () => {
    const page = read(EXTENSION_PAGE);
    const pictures = [...page.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, name]) => name ?? '');
    assert.deepEqual(pictures, ['media/compress.gif']);
    for (const name of pictures) assert.ok(fs.existsSync(path.join(root, name)), name);
    assert.doesNotMatch(page, /\bnpm\b/);
  });

  it('has a walkthrough whose steps each show a picture of their own, dark and light', () => {
    const steps: { media: { image: Record<string, string> } }[] = manifest.contributes.walkthroughs[0].steps;
    const pictures = steps.flatMap(({ media: { image } }) => [...new Set(Object.values(image))]);
    const contents = pictures.map((name) => fs.readFileSync(path.join(root, name), 'base64'));
    assert.equal(pictures.length, 2 * steps.length);
    assert.equal(new Set(contents).size, pictures.length);
  });

  it('keeps absolute links, and the words of the others', () => {
    const page =
      'One.\n\n![A picture](media/a.png)\n\nTwo [in a file](src/a.md), [on the web](https://a.example/b), [here](#one).\n';
    assert.equal(withoutPaths(page), 'One.\n\nTwo in a file, [on the web](https://a.example/b), [here](#one).\n');
  });

  it('is declared in the manifest: name, icon of at least 128 pixels, banner, questions, categories, licence', () => {
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.match(manifest.galleryBanner.theme, /^(?:dark|light)$/);
    assert.equal(manifest.qna, 'marketplace');
    assert.equal(manifest.license, 'MIT');
    assert.ok(manifest.keywords.length <= 30 && manifest.categories.length > 0);
    const icon = fs.readFileSync(path.join(root, manifest.icon));
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  });

  it('uses only finished API of the oldest editor that it names: a later name is a type error, and no proposal is asked for', () => {
    assert.equal(manifest.engines.vscode, `^${JSON.parse(read('node_modules/@types/vscode/package.json')).version}`);
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it('has its texts and sentences in every language that there is', async () => {
    const there = fs.globSync(['package.nls*.json', 'l10n/*.json'], { cwd: root });
    assert.ok(there.length >= 3, there.join());
    // Beside nothing else: what is installed here is tens of thousands of files to walk through.
    for (const file of ['package.json', '.vscodeignore', ...there]) fs.cpSync(path.join(root, file), inFolder(file));
    const packed = await listFiles({ cwd: inFolder(), packageManager: PackageManager.None });
    for (const file of there) assert.ok(packed.includes(file.replaceAll('\\', '/')), file);
    assert.ok(!packed.includes('.vscodeignore'), 'what is not to be packed is left out');
  });

  for (const [version, expected] of [
    ['0.1.0', true],
    ['0.2.3', false],
    ['1.0.0', false],
    ['1.13.0', true],
  ] as const) {
    it(`${version} is ${expected ? 'a pre-release' : 'a release'}`, () =>
      assert.equal(isPreRelease(version), expected));
  }
});
