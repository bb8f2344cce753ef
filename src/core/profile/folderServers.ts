import { originOf } from './editorModels.ts';
import { resolveProfile } from './resolve.ts';
import type { ProfileLayer } from './schema.ts';

/** A server that a workspace folder names. What sends data there is used only when the user has allowed it. */
export interface NamedServer {
  /** What the decision holds for: the path of the folder. */
  readonly folder: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** What names it, e.g. the path of a file. */
  readonly source: string;
}

/** What the user decided about a server; `undefined` = nothing yet. */
export type Decision = (server: Pick<NamedServer, 'folder' | 'origin'>) => boolean | undefined;

/**
 * The profiles of a window, and which of the servers that they name may be used: those of the user (the base URL in
 * force, the user's own file) always, those of a folder when the user has allowed that origin for that folder.
 */
export class FolderServers {
  readonly #layers: readonly ProfileLayer[];
  readonly #baseUrl: string;
  readonly #decision: Decision;
  readonly #own: ReadonlySet<string>;

  /** `baseUrl`: of the settings; empty when there is none. */
  constructor(layers: readonly ProfileLayer[], baseUrl: string, decision: Decision) {
    this.#layers = layers;
    this.#baseUrl = baseUrl;
    this.#decision = decision;
    const own = layers.filter(({ folder }) => folder === undefined).flatMap((layer) => [...originsIn(layer)]);
    this.#own = new Set(baseUrl === '' ? own : [...own, originOf(baseUrl) ?? '']);
  }

  /** The profiles without the servers that may not be used. What else an entry says stays. */
  get usable(): readonly ProfileLayer[] {
    return this.#without((decision) => decision === true);
  }

  /** Whether only a folder names an origin: such a server gets no key. */
  isForeign(origin: string): boolean {
    return !this.#own.has(origin) && this.#layers.some((layer) => originsIn(layer).has(origin));
  }

  /** A server that one of the models would be asked on if it were allowed, and about which nothing was decided. */
  findUndecided(models: readonly string[]): NamedServer | undefined {
    const layers = this.#without((decision) => decision !== false);
    for (const model of models) {
      const { baseUrl } = resolveProfile(
        { model, ...(this.#baseUrl !== '' && { baseUrl: this.#baseUrl }) },
        layers,
      ).profile;
      const origin = originOf(baseUrl ?? '') ?? '';
      for (const layer of this.#own.has(origin) ? [] : layers) {
        const { folder, source } = layer;
        if (folder === undefined || !originsIn(layer).has(origin)) continue;
        if (this.#decision({ folder, origin }) === undefined) return { folder, origin, source };
      }
    }
    return undefined;
  }

  #without(isUsable: (decision: boolean | undefined) => boolean): readonly ProfileLayer[] {
    return this.#layers.map((layer) => {
      const { folder } = layer;
      if (folder === undefined) return layer;
      return withoutServers(layer, (origin) => this.#own.has(origin) || isUsable(this.#decision({ folder, origin })));
    });
  }
}

function originsIn(layer: ProfileLayer): ReadonlySet<string> {
  return new Set(layer.entries.flatMap(({ baseUrl }) => originOf(baseUrl ?? '') ?? []));
}

function withoutServers(layer: ProfileLayer, mayUse: (origin: string) => boolean): ProfileLayer {
  const entries = layer.entries.map(({ baseUrl, ...entry }) =>
    baseUrl === undefined || !mayUse(originOf(baseUrl) ?? '') ? entry : { ...entry, baseUrl },
  );
  return { ...layer, entries };
}
