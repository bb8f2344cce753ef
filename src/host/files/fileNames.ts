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

/** The most names of one text that are looked for. */
const MOST_NAMES = 20;

/**
 * What a text names after an `@`, each with all that may be meant, the likeliest first: what ends a sentence, a bracket
 * or a quotation may follow a path, and so may lines (`:3-9`, `#L3`); a slash before it may stand for the folder.
 */
export function namesIn(text: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(/(?<=^|[\s([{"'`])@([^\s@]\S{0,500})/gu)];
  const names = new Set(found.map(([, name = '']) => name.replaceAll('\\', '/')));
  return [...names].slice(0, MOST_NAMES).map((name) => {
    const bare = name.replace(/[^\p{L}\p{N}_]+$/u, '');
    const ways = new Set([name, bare, bare.replace(/[:#]L?\d+(?:-L?\d+)?$/, '')]);
    return [...ways].flatMap((way) => [way, ...(way.startsWith('/') ? [way.slice(1)] : [])]).filter(Boolean);
  });
}

/** The part of VS Code's Git extension that knows what is ignored. */
export interface GitExtension<File> {
  /** Throws where there is no Git, or where it is switched off. */
  getAPI?(version: 1): { getRepository(file: File): GitRepository | null };
}

interface GitRepository {
  checkIgnore?(paths: string[]): Promise<Set<string>>;
}

/** The paths of those files that Git ignores, each asked of its own repository; none where Git cannot say. */
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
    // Offering an ignored file does no harm; offering no file at all would.
    return new Set();
  }
}
