/** How many files are offered. */
const MOST_OFFERED = 20;

/**
 * The files that match what was typed, best first: matches in the name before matches in the path, at the start before
 * inside, shorter paths first. Case does not matter; folders may be left out (`src/a` finds `src/web/app.ts`).
 */
export function rankFiles(paths: readonly string[], typed: string): readonly string[] {
  const words = typed.toLowerCase().replaceAll('\\', '/');
  const pieces = words.split('/').filter((piece) => piece !== '');
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), words, pieces) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort(
      (one, other) => one.rank - other.rank || one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
    )
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

/** The part of VS Code's Git extension that knows what is ignored. */
export interface GitExtension<File> {
  /** Throws if Git is missing or switched off. */
  getAPI?(version: 1): { getRepository(file: File): { checkIgnore?(paths: string[]): Promise<Set<string>> } | null };
}

/** The paths of the files that Git ignores; empty if Git cannot say. */
export async function findIgnored<File extends { readonly fsPath: string }>(
  git: GitExtension<File>,
  files: readonly File[],
): Promise<ReadonlySet<string>> {
  try {
    const api = git.getAPI?.(1);
    const byRepository = Map.groupBy(files, (file) => api?.getRepository(file));
    const ignored = await Promise.all(
      [...byRepository].map(([repository, own]) => repository?.checkIgnore?.(own.map(({ fsPath }) => fsPath))),
    );
    return new Set(ignored.flatMap((paths) => [...(paths ?? [])]));
  } catch {
    // It is better to offer an ignored file than to offer no file at all.
    return new Set();
  }
}
