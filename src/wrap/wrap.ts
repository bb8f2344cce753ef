import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { AGENTS, type PreparedAgent, prepareAgent } from '../adapters/agents/agents.ts';
import { listAt, textAt } from '../adapters/fields.ts';
import { readProfileFiles } from '../adapters/node/profileFiles.ts';
import { parseEndpoint } from '../adapters/servers/endpoint.ts';
import type { Words } from '../core/phrase.ts';
import { readServerOptions, SERVER_OPTIONS, Upstream } from '../engine/upstream.ts';
import { inEnglish } from '../language/language.ts';

/** A shell's exit code for a command that does not exist. */
const NOT_FOUND = 127;

/**
 * Runs an agent behind its own gateway, and ends with it. Resolves with the agent's exit code, or with 1 after a message
 * about wrong arguments.
 */
export async function wrap(words: readonly string[]): Promise<number> {
  const { own, name, rest } = splitWords(words);
  const { values } = parseArgs({ args: [...own], options: { ...SERVER_OPTIONS, model: { type: 'string' } } });
  const complain = (message: string) => console.error(`karl: ${message}`);
  const refuse = (problem: string) => {
    console.error(`karl wrap: ${problem}`);
    return 1;
  };
  const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (agent === undefined) return refuse(`knows ${Object.keys(AGENTS).join(', ')}, but not ${JSON.stringify(name)}.`);
  const problem = agent.problem?.();
  if (problem !== undefined) return refuse(inEnglish(problem));
  const baseUrl = values.upstream ?? agent.upstream;
  if (baseUrl === undefined) return refuse(`${name} needs --upstream URL, the base URL of the model's server.`);
  const server = readServerOptions(values);
  if (!server.ok) return refuse(server.error);
  // The agent's own address may contain a password, so it is not repeated.
  if (!parseEndpoint(baseUrl).ok)
    return refuse(`the base URL that ${name} is set to use cannot be used: give --upstream URL.`);
  const key = process.env.KARL_UPSTREAM_KEY;
  const { layers } = await readProfileFiles([]);
  // Karl's messages wait until the agent has left the terminal.
  const later = new Set<string>();
  const tell = (message: Words) => void later.add(inEnglish(message));
  const upstream = new Upstream({ baseUrl, key, layers, window: server.value.window, onProblem: tell });
  const token = randomBytes(24).toString('base64url');
  const started = await upstream.startGateway({
    port: 0,
    token,
    stated: server.value.dialect,
    onLoss: tell,
    onBug: (error) => tell(error instanceof Error ? error.message : String(error)),
  });
  if (!started.ok) return refuse(inEnglish(started.error));
  let prepared: PreparedAgent | undefined;
  try {
    const model = values.model ?? (agent.upstream === undefined ? await firstModel(upstream) : undefined);
    if (model === undefined && agent.upstream === undefined)
      return refuse(`${name} needs --model: ${baseUrl} lists no models.`);
    const address = started.value.url.replace(/\/v1$/, '');
    const keepsKey = values.upstream === undefined && key === undefined;
    prepared = prepareAgent(agent, { address, token, model, keepsKey });
    const code = await run(agent.command, rest, prepared);
    if (code === NOT_FOUND) tell(`${agent.command} was not found: npm install -g ${agent.package}`);
    return code;
  } finally {
    later.forEach(complain);
    prepared?.remove();
    await started.value.close();
  }
}

/** Karl's own options come before the name of the agent; everything after it is the agent's. */
function splitWords(words: readonly string[]) {
  let at = 0;
  while (words[at]?.startsWith('--') === true) at += words[at]?.includes('=') === true ? 1 : 2;
  return { own: words.slice(0, at), name: words[at] ?? '', rest: words.slice(at + 1) };
}

/** The first model that the server lists: most local servers have one. */
async function firstModel(upstream: Upstream): Promise<string | undefined> {
  const listed = await upstream.listModels(AbortSignal.timeout(5_000));
  return listed.ok ? textAt(listAt(listed.value, 'data')[0], 'id') : undefined;
}

/** Starts the agent in this terminal and passes signals on. Resolves with its exit code, as a shell states it. */
function run(command: string, rest: readonly string[], { environment, words }: PreparedAgent): Promise<number> {
  const child: ChildProcess = spawn(command, [...words, ...rest], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    // npm's programs are scripts there, which only a shell can start.
    shell: process.platform === 'win32',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Ctrl+C also reaches the agent through the terminal; how it reacts is its own business.
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
