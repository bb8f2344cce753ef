import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OwnServersOptions } from './adapters/gateway/dialects/ownServers.ts';
import type { Gateway, GatewayOptions } from './adapters/gateway/gateway.ts';
import { ConversationFiles } from './adapters/node/conversationFiles.ts';
import { DailyLog } from './adapters/node/dailyLog.ts';
import type { readProfileFiles } from './adapters/node/profileFiles.ts';
import { SLICES } from './adapters/node/slices.ts';
import { ThreadFiles } from './adapters/node/threadFiles.ts';
import type { makeToolKit } from './adapters/node/toolKit.ts';
import type { WorkspaceFolder } from './adapters/node/workspaceTools/workspacePath.ts';
import type { QueryFailure } from './adapters/servers/query.ts';
import type { tryReadSession } from './adapters/sessions/readSession.ts';
import { LoadingCounter } from './adapters/tiktoken/loadingCounter.ts';
import type { ModelClient, ModelDelta, ModelRequest } from './core/model/modelClient.ts';
import type { ModelProfile } from './core/model/profile.ts';
import type { Words } from './core/phrase.ts';
import { ok, type Result } from './core/result.ts';
import type { RunHook } from './core/session/hooks.ts';
import type { Encoding, TextCounter } from './core/tokens/counter.ts';

/** Reads the key for an origin; `undefined` for a server without one. */
export type ReadKey = (origin: string) => Promise<string | undefined>;

/** Warns the user, in one sentence. */
export type Warn = (message: Words) => void;

/** The chat models of a server, undefined if it lists no models at all; or why it could not be asked. */
export type ListedModels = Result<readonly string[] | undefined, QueryFailure>;

/** The tools of Karl's own agent, and those that change the workspace for one conversation. */
export type ToolKit = ReturnType<typeof makeToolKit>;
export type Work = ReturnType<ToolKit['createWork']>;

/** The outside world, as the host sees it. */
export type HostAdapters = ReturnType<typeof createAdapters>;

/** Connects the host with the outside world. Nothing here does work before it is called. `dist`: the folder of the bundles. */
export function createAdapters(dist: string) {
  return {
    /** The user's home folder. */
    home: homedir(),
    /** Whether to open the sample conversation at start. */
    openSample: process.env.KARL_OPEN_SAMPLE === '1',
    createStore: (root: string): ConversationFiles => new ConversationFiles({ root, now: () => Date.now() }),
    /** Stores the conversations of other agents; `onProblem` is told of damage found in the files. */
    createThreadStore: (root: string, onProblem: Warn) => new ThreadFiles({ root, now: () => Date.now(), onProblem }),
    createLog: (directory: () => string, onWarning: Warn) =>
      new DailyLog({ directory, now: () => Date.now(), onWarning }),
    createCounter: (encoding: Encoding, onWarning: Warn): TextCounter =>
      new LoadingCounter(encoding, join(dist, 'ranks.bin'), SLICES, onWarning),
    /** Reads a reply that comes in the chunks of chat completions. */
    readReply: async (request: ModelRequest, onDelta: (delta: ModelDelta) => void) => {
      const { ReplyReader } = await import('./adapters/openai/replyReader.ts');
      const { PassedReply } = await import('./adapters/openai/readAnswer.ts');
      return new PassedReply(new ReplyReader(request), onDelta);
    },
    /** The client is in a bundle of its own, loaded with the first request, since it would lengthen the activation. */
    createClient: (getKey: ReadKey): ModelClient => {
      let client: Promise<ModelClient> | undefined;
      const load = async (): Promise<ModelClient> => {
        const { href } = pathToFileURL(join(dist, 'modelClient.js'));
        const { OpenAIModelClient }: typeof import('./adapters/openai/client.ts') = await import(href);
        return new OpenAIModelClient({ getKey });
      };
      return {
        complete: async (...asked) => {
          client ??= load();
          return (await client).complete(...asked);
        },
      };
    },
    runHook: async (...asked: Parameters<RunHook>) =>
      (await import('./adapters/node/shellCommand.ts')).runHookCommand(...asked),
    loadTools: async (folders: () => readonly WorkspaceFolder[]) =>
      (await import('./adapters/node/toolKit.ts')).makeToolKit(folders),
    /** Reads a text file at the top of a folder; `undefined` if there is none that may be read. */
    readInstructions: async (folder: WorkspaceFolder, name: string) =>
      (await import('./adapters/node/workspaceTools/openTextFile.ts')).readInstructionsFile(folder, name),
    /** Asks a server for its chat models, which also tests the connection. Never rejects. */
    listModels: async (baseUrl: string, getKey: ReadKey, signal: AbortSignal): Promise<ListedModels> => {
      const { idsForChat, listModels } = await import('./adapters/servers/models.ts');
      const listed = await listModels({ baseUrl, getKey, signal });
      if (!listed.ok) return listed;
      return ok(listed.value.length === 0 ? undefined : idsForChat(listed.value));
    },
    /** The server's list of models, unchanged. Never rejects; the error is one sentence. */
    askForModels: async (baseUrl: string, getKey: ReadKey, signal: AbortSignal) =>
      (await import('./adapters/servers/models.ts')).askForModels({ baseUrl, getKey, signal }),
    /** Looks for servers at the usual ports of this machine, without sending a key. Never rejects. */
    findServers: async (signal: AbortSignal) => (await import('./adapters/servers/models.ts')).findServers(signal),
    /** Asks the server for the model's actual window. Never rejects. */
    discoverWindow: async ({ id, provider, baseUrl = '' }: ModelProfile, getKey: ReadKey, signal: AbortSignal) => {
      const { discoverWindow } = await import('./adapters/servers/window.ts');
      return discoverWindow({ baseUrl, model: id, provider, getKey, signal });
    },
    /** Starts a gateway for other agents on 127.0.0.1. Never rejects; the error is one sentence. */
    startGateway: async ({ getKey, onLoss, ...start }: GatewayStart): Promise<Result<Gateway, Words>> => {
      const { Gateway } = await import('./adapters/gateway/gateway.ts');
      const { OwnServers } = await import('./adapters/gateway/dialects/ownServers.ts');
      return Gateway.start({ ...start, servers: new OwnServers({ getKey, onLoss }) });
    },
    /** The agents that can be started behind the gateway. */
    listAgents: async () => (await import('./adapters/agents/agents.ts')).listAgents(),
    /** The sessions of agents on this machine, newest first, at most `most`. */
    listSessions: async (most: number) => (await import('./adapters/sessions/findSessions.ts')).listSessions(most),
    /** The files that look like sessions and have this name and size. */
    findSessionFiles: async (name: string, bytes: number) =>
      (await import('./adapters/sessions/findSessions.ts')).findSessionsNamed(name, bytes),
    /** Reads a session; the error is one sentence. Rejects only with the reason of the signal. */
    readSession: async (...asked: Parameters<typeof tryReadSession>) =>
      (await import('./adapters/sessions/readSession.ts')).tryReadSession(...asked),
    /** Summarizes a session from the start and end of its file; undefined if the file is no session. */
    glanceAtSession: async (file: string) => (await import('./adapters/sessions/findSessions.ts')).glanceAtFile(file),
    rescue: () => import('./rescue/rescue.ts'),
    /** Reads the user's model profiles, and those in `folders`. Never rejects. */
    loadProfiles: async (folders: readonly string[]): ReturnType<typeof readProfileFiles> =>
      (await import('./adapters/node/profileFiles.ts')).readProfileFiles(folders),
  };
}

type GatewayStart = Omit<GatewayOptions, 'servers'> & Required<Pick<OwnServersOptions, 'getKey' | 'onLoss'>>;
