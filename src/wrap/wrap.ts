import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OwnServers } from '../adapters/gateway/dialects/ownServer.ts';
import { Gateway } from '../adapters/gateway/gateway.ts';
import { readProfileFiles } from '../adapters/node/profileFiles.ts';
import { at, listAt } from '../adapters/servers/query.ts';
import { readTypedWindow } from '../core/model/windows.ts';
import { Upstream } from '../engine/upstream.ts';
import { AGENTS, type WrapPlan } from './agents.ts';

/** The APIs that an upstream can be said to speak. */
const DIALECTS = ['chat', 'messages', 'responses'] as const;

/** What a shell gives back for a command that is not there. */
const NOT_FOUND = 127;

/** What is said about a wrong call, or the exit code of the agent. */
export type WrapEnd = { readonly problem: string } | { readonly code: number };

/** Runs an agent behind a gateway of its own, and ends with it. */
export async function wrap(words: readonly string[]): Promise<WrapEnd> {
  const { own, name, rest } = splitWords(words);
  const options = {
    upstream: { type: 'string' },
    dialect: { type: 'string' },
    window: { type: 'string' },
    model: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...own], options });
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (agent === undefined) return { problem: `knows ${Object.keys(AGENTS).join(', ')}, not ${JSON.stringify(name)}.` };
  const dialect = DIALECTS.find((one) => one === values.dialect);
  if (values.dialect !== undefined && dialect === undefined)
    return { problem: `--dialect must be one of ${DIALECTS.join(', ')}, not ${JSON.stringify(values.dialect)}.` };
  const window = values.window === undefined ? undefined : readTypedWindow(values.window);
  if (window?.ok === false) return { problem: `--window: ${window.error}` };
  const baseUrl = values.upstream ?? agent.upstream;
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    return { problem: `${name} needs --upstream URL, the base URL of the model's server.` };
  const key = process.env.KARL_UPSTREAM_KEY;
  const complain = (message: string) => console.error(`karl: ${message}`);
  const { layers } = await readProfileFiles({ folders: [], environment: process.env });
  const upstream = new Upstream({
    baseUrl,
    key,
    layers,
    // The terminal is the agent's.
    ...(window?.value !== undefined && { window: window.value }),
  });
  const token = randomBytes(24).toString('base64url');
  const started = await Gateway.start({
    port: 0,
    token,
    relay: upstream.relay,
    listModels: (signal) => upstream.listModels(signal),
    servers: new OwnServers(upstream.getKey, dialect),
    onBug: (error) => complain(error instanceof Error ? error.message : String(error)),
  });
  if (!started.ok) return { problem: started.error };
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-wrap-'));
  try {
    const model = values.model ?? (agent.upstream === undefined ? await firstModel(upstream) : undefined);
    const address = started.value.url.replace(/\/v1$/, '');
    const keepsKey = values.upstream === undefined && key === undefined;
    const plan = agent.plan({ address, token, model, keepsKey, folder });
    for (const [file, content] of Object.entries(plan.files ?? {}))
      fs.writeFileSync(path.join(folder, file), JSON.stringify(content), { mode: 0o600 });
    const code = await run(agent.command, rest, plan);
    if (code === NOT_FOUND) complain(`${agent.command} was not found: npm install -g ${agent.package}`);
    return { code };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
    await started.value.close();
  }
}

/** Karl's own options come before the name of the agent; everything after it is the agent's. */
function splitWords(words: readonly string[]) {
  let at = 0;
  while (words[at]?.startsWith('--') === true) at += words[at]?.includes('=') === true ? 1 : 2;
  return { own: words.slice(0, at), name: words[at] ?? '', rest: words.slice(at + 1) };
}

/** The first model that the server lists: local servers mostly have one. */
async function firstModel(upstream: Upstream): Promise<string | undefined> {
  const listed = await upstream.listModels(AbortSignal.timeout(5_000));
  const id = listed.ok ? at(listAt(listed.value, 'data')[0], 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Starts the agent in this terminal and passes signals on. Resolves with its exit code, as a shell states it. */
function run(command: string, rest: readonly string[], { environment, words = [] }: WrapPlan): Promise<number> {
  const child: ChildProcess = spawn(command, [...words, ...rest], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    // npm's programs are scripts there, which only a shell can start.
    shell: process.platform === 'win32',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Ctrl+C reaches the agent by the terminal, too; what it does about it is its own affair.
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    const end = (code: number) => {
      for (const signal of signals) process.off(signal, pass);
      resolve(code);
    };
    child.once('error', () => end(NOT_FOUND));
    child.once('exit', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
