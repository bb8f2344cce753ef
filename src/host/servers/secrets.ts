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
export function decisionsIn(memory: vscode.Memento) {
  const prefix = 'karl.server ';
  const nameOf = ({ folder, origin }: Parameters<Decision>[0]) => `${prefix}${JSON.stringify([folder, origin])}`;
  return {
    decision: (server: Parameters<Decision>[0]) => memory.get<boolean>(nameOf(server)),
    decide: async (server: NamedServer, allowed: boolean) => await memory.update(nameOf(server), allowed),
    /** Forgets all decisions, so that the user is asked again. */
    forgetAll: async () => {
      for (const name of memory.keys()) if (name.startsWith(prefix)) await memory.update(name, undefined);
    },
  };
}

/** The user's decisions. */
export type Decisions = ReturnType<typeof decisionsIn>;
