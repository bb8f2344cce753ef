import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import { ConversationFiles } from './adapters/node/conversationFiles.ts';
import { DailyLog } from './adapters/node/dailyLog.ts';
import { SLICES } from './adapters/node/slices.ts';
import { ThreadFiles } from './adapters/node/threadFiles.ts';
import { LoadingCounter } from './adapters/tiktoken/loadingCounter.ts';
import { ok } from './core/result.ts';
import type { ModelClient } from './core/session/modelClient.ts';
import type { HostAdapters, ReadKey } from './host/adapters.ts';
import { type KarlApi, speakDisplayLanguage, startHost } from './host/host.ts';

/** The composition root: the only file that knows both the host and the adapters. */
export function activate(context: vscode.ExtensionContext): KarlApi {
  speakDisplayLanguage();
  running = startHost(context, createAdapters(join(context.extensionPath, 'dist')));
  return running;
}

/** VS Code waits for this when a window closes. */
export async function deactivate(): Promise<void> {
  await running?.close();
}

let running: KarlApi | undefined;

function createAdapters(dist: string): HostAdapters {
  return {
    home: homedir(),
    openSample: process.env.KARL_OPEN_SAMPLE === '1',
    createStore: (root) => new ConversationFiles({ root, now: () => Date.now() }),
    createThreadStore: (root, onProblem) => new ThreadFiles({ root, now: () => Date.now(), onProblem }),
    createLog: (directory, onWarning) => new DailyLog({ directory, now: () => Date.now(), onWarning }),
    createCounter: (encoding, onWarning) =>
      new LoadingCounter({ encoding, ranksFile: join(dist, 'ranks.bin'), slicing: SLICES, onWarning }),
    runHook: async (...asked) => (await import('./adapters/node/shellCommand.ts')).runHookCommand(...asked),
    createClient: (getKey) => createLazyClient(join(dist, 'modelClient.js'), getKey),
    loadTools: async (folders) => (await import('./adapters/node/toolKit.ts')).makeToolKit(folders),
    readInstructions: async (...asked) =>
      (await import('./adapters/node/workspaceTools/openTextFile.ts')).readInstructionsFile(...asked),
    listModels: async (baseUrl, getKey, signal) => {
      const { idsForChat, listModels } = await import('./adapters/servers/models.ts');
      const listed = await listModels({ baseUrl, getKey, signal, fetch });
      if (!listed.ok) return listed;
      return ok(listed.value.length === 0 ? undefined : idsForChat(listed.value));
    },
    findServers: async (signal) => (await import('./adapters/servers/models.ts')).findServers({ fetch, signal }),
    discoverWindow: async ({ id, provider, baseUrl }, getKey, signal) => {
      if (baseUrl === undefined) return { dropsOldest: false };
      const { discoverWindow } = await import('./adapters/servers/window.ts');
      const { window, dropsOldest } = await discoverWindow({ baseUrl, model: id, provider, getKey, signal, fetch });
      return { ...(window !== undefined && { window: { tokens: window, source: 'server' } }), dropsOldest };
    },
    askForModels: async (baseUrl, getKey, signal) =>
      (await import('./adapters/servers/models.ts')).askForModels({ baseUrl, getKey, signal, fetch }),
    startGateway: async ({ readKey, onLoss, ...start }) => {
      const { Gateway } = await import('./adapters/gateway/gateway.ts');
      const { OwnServers } = await import('./adapters/gateway/dialects/ownServers.ts');
      return Gateway.start({ ...start, servers: new OwnServers({ getKey: readKey, onLoss }) });
    },
    listAgents: async () => (await import('./adapters/agents/agents.ts')).listAgents(),
    listSessions: async (most) => (await import('./adapters/sessions/findSessions.ts')).listSessions(most),
    findSessionFiles: async (...is) => (await import('./adapters/sessions/findSessions.ts')).findSessionsNamed(...is),
    readSession: async (...asked) => (await import('./adapters/sessions/readSession.ts')).tryReadSession(...asked),
    glanceAtSession: async (file) => (await import('./adapters/sessions/findSessions.ts')).glanceAtFile(file),
    rescue: () => import('./rescue/rescue.ts'),
    loadProfiles: async (folders) =>
      (await import('./adapters/node/profileFiles.ts')).readProfileFiles({ folders, environment: process.env }),
  };
}

/**
 * The client is in a bundle of its own, loaded with the first request: compiling the SDK takes longer than the rest of
 * the activation together.
 */
function createLazyClient(bundle: string, getKey: ReadKey): ModelClient {
  let client: Promise<ModelClient> | undefined;
  const load = async (): Promise<ModelClient> => {
    const { OpenAIModelClient }: typeof import('./adapters/openai/client.ts') = await import(
      pathToFileURL(bundle).href
    );
    return new OpenAIModelClient({ getKey });
  };
  return {
    complete: async (request, onDelta, signal) => {
      client ??= load();
      return (await client).complete(request, onDelta, signal);
    },
  };
}
