import type * as vscode from 'vscode';
import type { NamedServer } from '../../core/profile/folderServers.ts';

/** What a key belongs to: scheme, host and port, and the folder when only a folder names them. */
export interface KeyPlace {
  readonly origin: string;
  readonly folder?: string;
}

/**
 * API keys in VS Code's SecretStorage. A key belongs to the origin of a base URL and is never given for another one: a
 * changed origin asks again. So does a folder that names a server: it gets no key that was entered elsewhere.
 */
export class Keys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** The key; empty when the user said that none is needed, `undefined` when none was asked for. */
  async read(place: KeyPlace): Promise<string | undefined> {
    return await this.#secrets.get(nameOf(place));
  }

  /** Keeps a key; empty means that the server needs none. */
  async store(place: KeyPlace, key: string): Promise<void> {
    await this.#secrets.store(nameOf(place), key);
  }
}

function nameOf({ origin, folder }: KeyPlace): string {
  return folder === undefined ? `karl.key ${origin}` : `karl.key ${origin} ${folder}`;
}

/** The origin of a base URL that was checked; a wrong one has none. */
export function originOf(baseUrl: string): string | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

/** What the key for an origin belongs to, where the workspace may name a server. */
export function keyPlaceOf(origin: string, named: NamedServer | undefined): KeyPlace {
  return named?.origin === origin ? { origin, folder: named.folder } : { origin };
}

/** True for servers on this machine, which need no key. */
export function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.endsWith('.localhost') || /^127\./.test(hostname);
}
