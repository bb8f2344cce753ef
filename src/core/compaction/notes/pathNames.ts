/** Paths are shortened by the deepest folder that holds at least this share of them. */
const ROOT_SHARE = 0.8;

/** How the notes of one run name files: whole where an edit is first told, and no longer than it takes from then on. */
export class PathNames {
  readonly #root: string;
  readonly #edited: Set<string>;
  readonly #counted: Set<string>;

  private constructor(root: string, edited: Set<string>, counted: Set<string>) {
    this.#root = root;
    this.#edited = edited;
    this.#counted = counted;
  }

  /** Names for some files, none of which was named before. */
  static of(paths: readonly string[]): PathNames {
    return new PathNames(commonFolder(paths), new Set(), new Set());
  }

  /** The same names, to go on with for a note that may yet be left out. */
  copy(): PathNames {
    return new PathNames(this.#root, new Set(this.#edited), new Set(this.#counted));
  }

  /** A file that was changed: its whole path first, then its last two parts. */
  edited(path: string): string {
    if (this.#edited.has(path)) return path.split(/[\\/]/).slice(-2).join('/');
    this.#edited.add(path);
    return path;
  }

  /** A file that is only counted: its path in the common folder first, then its name. */
  counted(path: string): string {
    if (this.#edited.has(path) || this.#counted.has(path)) return path.split(/[\\/]/).at(-1) || path;
    this.#counted.add(path);
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }
}

/** The deepest folder, with its last separator, that holds most absolute paths; '' when there is none. */
function commonFolder(paths: readonly string[]): string {
  let inside = [...new Set(paths)].filter((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path));
  const least = inside.length * ROOT_SHARE;
  let folder = '';
  while (inside.length > 1) {
    const counts = new Map<string, number>();
    for (const path of inside) {
      const end = path.slice(folder.length).search(/[\\/]/);
      if (end < 0) continue;
      const next = path.slice(0, folder.length + end + 1);
      counts.set(next, (counts.get(next) ?? 0) + 1);
    }
    const next = [...counts].find(([, count]) => count >= least)?.[0];
    if (next === undefined) return folder;
    folder = next;
    inside = inside.filter((path) => path.startsWith(next));
  }
  return folder;
}
