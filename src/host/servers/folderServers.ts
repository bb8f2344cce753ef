import type { ProfileLayer } from '../../core/model/profileFile.ts';
import { originOf } from '../../core/model/providers.ts';
import { resolveProfile } from '../../core/model/resolve.ts';

/** A server named by a workspace folder, which gets data only after the user has allowed it. */
export interface NamedServer {
  /** The path of the folder that the decision is about. */
  readonly folder: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Where it is named, for example the path of a file. */
  readonly source: string;
}

/** The user's decision about a server; `undefined`: none yet. */
export type Decision = (server: Pick<NamedServer, 'folder' | 'origin'>) => boolean | undefined;

/**
 * The profiles of a window, and which of their servers may be used: the user's own (the configured base URL, the user's
 * own file) always; a folder's if the user has allowed that origin for that folder.
 */
export class FolderServers {
  readonly #layers: readonly ProfileLayer[];
  readonly #baseUrl: string;
  readonly #decision: Decision;
  readonly #own: ReadonlySet<string>;

  /** `baseUrl`: from the settings; may be empty. */
  constructor(layers: readonly ProfileLayer[], baseUrl: string, decision: Decision) {
    this.#layers = layers;
    this.#baseUrl = baseUrl;
    this.#decision = decision;
    const own = layers.filter(({ folder }) => folder === undefined).flatMap((layer) => [...originsIn(layer)]);
    this.#own = new Set(baseUrl === '' ? own : [...own, originOf(baseUrl) ?? '']);
  }

  /** The profiles without forbidden servers; everything else in their entries stays. */
  get usable(): readonly ProfileLayer[] {
    return this.#without((decision) => decision === true);
  }

  /** Whether only folders name an origin; such a server gets no key. */
  isForeign(origin: string): boolean {
    return !this.#own.has(origin) && this.#layers.some((layer) => originsIn(layer).has(origin));
  }

  /** A server that one of the models would use if it were allowed, and about which the user has not decided. */
  findUndecided(models: readonly string[]): NamedServer | undefined {
    const layers = this.#without((decision) => decision !== false);
    for (const model of models) {
      const asked = this.#baseUrl === '' ? model : { model, baseUrl: this.#baseUrl };
      const { baseUrl } = resolveProfile(asked, layers).profile;
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
