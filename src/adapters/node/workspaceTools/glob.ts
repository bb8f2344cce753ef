import { expand } from 'brace-expansion';
import ignore from 'ignore';
import { err, ok, type Result } from '../../../core/result.ts';

/** A longer pattern cannot match any file name, and would only be slow. Characters. */
export const LONGEST_GLOB = 256;

/** The most globs that braces and commas may expand to; further ones are left out. */
const MOST_GLOBS = 64;

/**
 * The most stars in one name and the most `**` in a pattern. The library turns patterns into regular expressions, whose
 * time grows with the length of a name to the power of its stars, and with the depth of a path to that of its `**`.
 */
const MOST_STARS = 3;

/**
 * Reads globs for paths with `/` as Git reads patterns: `*` within a name, `**` for folders, `?` one character, `[a-z]`, a
 * trailing `/` for everything below a folder. Besides, `{a,b}`, several globs separated by commas, and `!` for exclusions.
 * A glob without `/` matches the last name, or that of a folder above; a leading `./` or `/` anchors it at the start. The
 * error is a sentence for the model.
 */
export function readGlob(globs: string): Result<(path: string) => boolean, string> {
  // Two parts at least, or the braces would be characters.
  const all = expand(`{,${globs}}`, { max: MOST_GLOBS }).map((glob) => glob.trim().replace(/^(!?)(?:\.\/)+/, '$1/'));
  if (!all.every(isQuick))
    return err(`Such a glob takes too long: at most ${MOST_STARS} * in a name and ${MOST_STARS} **.`);
  const patterns = all.filter((glob) => glob !== '');
  const wanted = ignore({ ignorecase: false }).add(patterns.filter((glob) => !glob.startsWith('!')));
  const without = patterns.flatMap((glob) => (glob.startsWith('!') ? [glob.slice(1)] : []));
  if (without.length === patterns.length) wanted.add('*');
  const unwanted = ignore({ ignorecase: false }).add(without);
  return ok((path) => wanted.ignores(path) && !unwanted.ignores(path));
}

/** Whether a pattern of Git is matched in little time. */
export function isQuick(pattern: string): boolean {
  const names = pattern.split('/');
  return (
    pattern.length <= LONGEST_GLOB &&
    names.filter((name) => name === '**').length <= MOST_STARS &&
    names.every((name) => (name.match(/\*+/g)?.length ?? 0) <= MOST_STARS)
  );
}
