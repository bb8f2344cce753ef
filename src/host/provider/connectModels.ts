import type { ModelProfile } from '../../core/model/profile.ts';
import type { ProfileLayer } from '../../core/model/profileFile.ts';
import { err, ok } from '../../core/result.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import type { TextCounter } from '../../core/tokens/counter.ts';
import type { ReadKey } from '../adapters.ts';
import type { AgentThreads } from '../conversations/agentThreads.ts';
import type { Connections } from '../conversations/connections.ts';
import { resolveWithSettings } from '../conversations/modelProfiles.ts';
import type { KnownWindows } from '../servers/knownWindows.ts';
import { ModelProvider } from './modelProvider.ts';
import { keysOf, ModelLists, type ModelServer } from './modelServer.ts';

/** What Karl's models for VS Code's chat are made of. */
interface ModelConnections {
  readonly connections: Connections;
  readonly threads: AgentThreads;
  /** Karl's own keys; none for a server that only a folder names. */
  readonly readKey: ReadKey;
  readonly loadProfiles: () => Promise<void>;
  /** The user's profiles, without the servers that may not be used. */
  readonly layers: () => readonly ProfileLayer[];
  readonly counter: (profile: ModelProfile) => TextCounter;
  readonly windows: KnownWindows;
}

/** How long a server may take to list its models, milliseconds. */
const LIST_TIMEOUT = 5000;

/** Connects Karl's models for VS Code's chat with the servers, the profiles and the conversations of this window. */
export function connectModels(parts: ModelConnections): ModelProvider {
  const { connections, threads, loadProfiles, counter, windows } = parts;
  const relays = new Map<string, Relay>();
  const lists = new ModelLists({
    ask: async (server) => {
      await loadProfiles();
      const signal = AbortSignal.timeout(LIST_TIMEOUT);
      const listed = await connections.adapters.listModels(server.baseUrl, keysOf(server, parts.readKey), signal);
      return listed.ok ? ok(listed.value ?? []) : err(listed.error.message);
    },
    onAskAgain: connections.modelsChanged,
    now: () => Date.now(),
    later: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  });
  const resolve = (server: ModelServer, model: string): ModelProfile => resolveFor(server, model, parts);
  return new ModelProvider({
    settings: () => connections.settings.current,
    lists,
    resolve,
    onDuplicate: connections.modelsChanged,
    knownWindow: (profile) => windows.known(profile),
    counter,
    relay: (server) => {
      const name = JSON.stringify(server);
      const relay =
        relays.get(name) ??
        threads.relay({
          readKey: keysOf(server, parts.readKey),
          resolve: async (model) => {
            await loadProfiles();
            return resolve(server, model);
          },
        });
      relays.set(name, relay);
      return relay;
    },
  });
}

/** A model of a group is asked on the group's server, whatever server a profile names. */
function resolveFor(
  { baseUrl, isGroup }: ModelServer,
  model: string,
  { connections, layers }: ModelConnections,
): ModelProfile {
  const settings = { ...connections.settings.current, baseUrl };
  const { profile } = resolveWithSettings(model, settings, layers());
  return isGroup ? { ...profile, baseUrl } : profile;
}
