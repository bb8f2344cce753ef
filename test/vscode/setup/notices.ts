import fs from 'node:fs';
import path from 'node:path';

/** The file that goes with every package: what Karl includes from others, with the texts of the licences. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const RULE = `\n${'-'.repeat(80)}\n\n`;

/**
 * The notices of what a bundle includes: the licence of each package in it, and the `.notice.txt` beside data that was
 * taken from others into a source folder. `inputs`: the files that went into the bundle, relative to `root`. Throws when a
 * package has no licence text.
 */
export function writeNotices(root: string, inputs: readonly string[]): string {
  const packages = [...new Set(inputs.flatMap((file) => packageOf(file) ?? []))].sort();
  const folders = [
    ...new Set(inputs.filter((file) => file.startsWith('src/')).map((file) => path.dirname(file))),
  ].sort();
  const data = folders.flatMap((folder) =>
    fs.globSync('*.notice.txt', { cwd: path.join(root, folder) }).map((name) => path.join(root, folder, name)),
  );
  return [
    'Karl contains the following works of others.\n',
    ...packages.map((name) => licenceOf(root, name)),
    ...data.map((file) => fs.readFileSync(file, 'utf8')),
  ].join(RULE);
}

/** The package that a file of `node_modules` belongs to; undefined for another file. */
export function packageOf(file: string): string | undefined {
  return /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function licenceOf(root: string, name: string): string {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = fs.readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(file));
  if (!files.some((file) => /^licen/i.test(file)))
    throw new Error(`${name} has no licence text: add one to its notice`);
  const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
