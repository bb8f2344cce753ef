/** Paths are shortened by the deepest folder that contains at least this share of them. */
const ROOT_SHARE = 0.8;

/**
 * How the notes of one run name files: with the whole path where an edit is first mentioned, as briefly as possible
 * afterwards.
 */
export class PathNames {
  readonly #root: string;
  readonly #edited: Set<string>;
  readonly #counted: Set<string>;

  private constructor(root: string, edited: Set<string>, counted: Set<string>) {
    this.#root = root;
    this.#edited = edited;
    this.#counted = counted;
  }

  /** Names for some files, none of them used yet. */
  static of(paths: readonly string[]): PathNames {
    return new PathNames(commonFolder(paths), new Set(), new Set());
  }

  /** A copy, for a note that may yet be discarded. */
  copy(): PathNames {
    return new PathNames(this.#root, new Set(this.#edited), new Set(this.#counted));
  }

  /** The name of a file that was changed: its whole path the first time, then its last two parts. */
  edited(path: string): string {
    if (this.#edited.has(path)) return path.split(/[\\/]/).slice(-2).join('/');
    this.#edited.add(path);
    return path;
  }

  /** The name of a file in a count: its path within the common folder the first time, then its base name. */
  counted(path: string): string {
    if (this.#edited.has(path) || this.#counted.has(path)) return path.split(/[\\/]/).at(-1) || path;
    this.#counted.add(path);
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }
}

/** The deepest folder, with a separator at its end, that contains most absolute paths; '' when there is none. */
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
