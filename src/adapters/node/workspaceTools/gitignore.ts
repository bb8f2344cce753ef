import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { decoderOf, openTextFile } from './openTextFile.ts';
import type { WorkspacePath } from './workspacePath.ts';

/** The rules of one `.gitignore`, for what is below its folder. */
export interface IgnoreRules {
  /** The real path of the folder. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** A larger file is no list of rules, bytes. */
const LARGEST = 1_000_000;

/**
 * A rule with more stars in one name is left out: the library makes expressions of the rules, and how long these take
 * grows with a name's length to the power of its stars.
 */
const MOST_STARS = 3;

/** The rules of the `.gitignore` in a folder; undefined when there is none that may be read. */
export async function readIgnoreRules({
  real,
  folder,
}: Omit<WorkspacePath, 'shown'>): Promise<IgnoreRules | undefined> {
  const opened = await openTextFile({ shown: '.gitignore', real: join(real, '.gitignore'), folder });
  if (!opened.ok) return undefined;
  const { handle, bytes, encoding } = opened.value;
  try {
    if (bytes > LARGEST) return undefined;
    const lines = decoderOf(encoding)
      .decode(await handle.readFile())
      .split(/\r?\n/)
      .filter(isQuick);
    return { folder: real, rules: ignore().add(lines) };
  } finally {
    await handle.close();
  }
}

function isQuick(line: string): boolean {
  return line.length <= 256 && line.split('/').every((name) => (name.match(/\*+/g)?.length ?? 0) <= MOST_STARS);
}

/**
 * The rules that hold at a place from the folders above it, outermost first; none when they ignore the place itself:
 * then it was asked for by name.
 */
export async function rulesAbove(place: Omit<WorkspacePath, 'shown'>): Promise<IgnoreRules[]> {
  const above: IgnoreRules[] = [];
  const inner = relative(place.folder, dirname(place.real));
  if (place.real === place.folder || inner.startsWith('..')) return above;
  let real = place.folder;
  for (const name of ['', ...inner.split(sep).filter((part) => part !== '')]) {
    real = join(real, name);
    const rules = await readIgnoreRules({ real, folder: place.folder });
    if (rules !== undefined) above.push(rules);
  }
  const isIgnoredHere = isIgnored(above, place.real, true) || isIgnored(above, place.real, false);
  return isIgnoredHere ? [] : above;
}

/** Whether Git ignores a file or folder: the innermost `.gitignore` with a rule for it decides. */
export function isIgnored(all: readonly IgnoreRules[], real: string, isFolder: boolean): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const path = relative(folder, real).split(sep).join('/');
    const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path);
    if (ignored || unignored) return ignored;
  }
  return false;
}
