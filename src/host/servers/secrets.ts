import type * as vscode from 'vscode';
import { EDITOR_MODELS } from '../../core/model/providers.ts';
import { t } from '../../language/language.ts';
import type { Decision, NamedServer } from './folderServers.ts';

/**
 * API keys in VS Code's SecretStorage. A key belongs to the origin of a base URL and is never used for another one. The
 * server that the workspace names (`named`) has a key of its own, in that folder only.
 */
export function keysIn(secrets: vscode.SecretStorage, named: () => NamedServer | undefined) {
  const nameOf = (origin: string): string => {
    const server = named();
    return server?.origin === origin ? `karl.key ${origin} ${server.folder}` : `karl.key ${origin}`;
  };
  return {
    /** The name under which the key for an origin is stored. */
    nameOf,
    /** The key; empty if the user said that none is needed, `undefined` if the user was never asked. */
    read: (origin: string) => secrets.get(nameOf(origin)),
    /** Stores a key under a name; empty means that the server needs none. */
    store: (name: string, key: string) => secrets.store(name, key),
  };
}

/** The stored keys. */
export type Keys = ReturnType<typeof keysIn>;

/** True for servers on this machine and the models of VS Code. */
export function needsNoKey(origin: string): boolean {
  return origin === EDITOR_MODELS || isLocal(origin);
}

/** The name of a server for the user. */
export function describeServer(origin: string): string {
  return origin === EDITOR_MODELS ? t("VS Code's own models") : origin;
}

/** True for servers on this machine. */
export function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.endsWith('.localhost') || /^127\./.test(hostname);
}

/** Remembers whether the user allows the conversations of a folder to go to a server that the folder names. */
export class Servers {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  readonly decision: Decision = ({ folder, origin }) => this.#memory.get<boolean>(decisionName(folder, origin));

  async decide({ folder, origin }: NamedServer, allowed: boolean): Promise<void> {
    await this.#memory.update(decisionName(folder, origin), allowed);
  }

  /** Forgets all decisions, so that the user is asked again. */
  async forgetAll(): Promise<void> {
    for (const name of this.#memory.keys()) if (name.startsWith(PREFIX)) await this.#memory.update(name, undefined);
  }
}

const PREFIX = 'karl.server ';

function decisionName(folder: string, origin: string): string {
  return `${PREFIX}${JSON.stringify([folder, origin])}`;
}
