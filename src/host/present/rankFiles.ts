/** How many files are offered. */
const MOST_OFFERED = 20;

/**
 * The files that someone who has typed this may mean, best first: matches in the name before those in the path, at its
 * beginning before within, shorter paths first. Case makes no difference; parts between slashes may be left out
 * (`src/a` finds `src/web/app.ts`).
 */
export function rankFiles(paths: readonly string[], typed: string): readonly string[] {
  const words = typed.toLowerCase().replaceAll('\\', '/');
  const pieces = words.split('/').filter((piece) => piece !== '');
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), words, pieces) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank || one.path.length - other.path.length || compare(one.path, other.path))
    .slice(0, MOST_OFFERED)
    .map(({ path }) => path);
}

function rankOf(path: string, words: string, pieces: readonly string[]): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(words)) return 0;
  if (path.startsWith(words)) return 1;
  if (name.includes(words)) return 2;
  if (path.includes(words)) return 3;
  let at = 0;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found < 0) return Number.POSITIVE_INFINITY;
    at = found + piece.length;
  }
  return 4;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
