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
