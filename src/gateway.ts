#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder } from './adapters/node/durableWrite.ts';
import { readProfileFiles } from './adapters/node/profileFiles.ts';
import { ThreadFiles } from './adapters/node/threadFiles.ts';
import { describeProblems } from './core/model/profileFile.ts';
import type { Words } from './core/phrase.ts';
import { ok } from './core/result.ts';
import type { StorageLimits } from './core/session/conversationStore.ts';
import { runProgram } from './engine/commandLine.ts';
import { readServerOptions, SERVER_OPTIONS, Upstream } from './engine/upstream.ts';
import { inEnglish } from './language/language.ts';

const USAGE = `karl-gateway: keeps any agent that speaks OpenAI's, Anthropic's or Gemini's API inside the context window of its model.

  karl-gateway --upstream URL [--dialect D] [--window N] [--port N] [--token T] [--data FOLDER [--days N] [--megabytes N]]

  --upstream URL  base URL of the OpenAI-compatible server, e.g. http://localhost:1234/v1
  --dialect D     the only API that the server speaks: chat, messages, responses or gemini; default: found out with the first requests
  --window N      the context window of its models, in tokens; default: what the server and model profiles state
  --port N        the port on 127.0.0.1; default: 0, a free one
  --token T       what clients give as their API key; default: KARL_GATEWAY_TOKEN, or a new one
  --data FOLDER   keeps conversations there; default: in memory
  --days N        deletes conversations that have not been used for N days; default: 90
  --megabytes N   deletes the least recently used ones when all together take more than N MB; default: 500
  --help          prints this

  KARL_UPSTREAM_KEY     the key of the server, when it needs one
  KARL_GATEWAY_TOKEN    the token; better than --token, which other users of this machine can see
  KARL_MODEL_PROFILES   a file with model profiles: windows, reserves, extras

When it is ready it prints one line of JSON: the address, and the token if none was given. Ctrl+C ends it.`;

/** Text that can be sent as a bearer token. */
const TOKEN = /^[\x21-\x7e]{8,}$/;

/** How much is kept, or what is wrong with the options. The defaults are those of the editor's settings. */
function readLimits(values: Partial<Record<'data' | 'days' | 'megabytes', string>>): StorageLimits | string {
  const { data, days = '90', megabytes = '500' } = values;
  for (const [name, given, most] of [
    ['days', values.days, 36_500],
    ['megabytes', values.megabytes, 1_000_000],
  ] as const) {
    if (given === undefined) continue;
    if (data === undefined) return `--${name} needs --data, the folder that it applies to.`;
    if (!/^[1-9]\d{0,6}$/.test(given) || Number(given) > most)
      return `--${name} must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}.`;
  }
  return { days: Number(days), bytes: Number(megabytes) * 1024 * 1024 };
}

async function canKeepThreads(folder: string): Promise<boolean> {
  const threads = path.join(folder, 'threads');
  return makeFolder(threads)
    .then(() => access(threads, constants.W_OK))
    .then(
      () => true,
      () => false,
    );
}

async function main(): Promise<string | undefined> {
  const { values } = parseArgs({
    options: {
      ...SERVER_OPTIONS,
      port: { type: 'string', default: '0' },
      token: { type: 'string' },
      data: { type: 'string' },
      days: { type: 'string' },
      megabytes: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return undefined;
  }
  if (values.upstream === undefined) return 'needs --upstream, the base URL of an OpenAI-compatible server.';
  const server = readServerOptions(values);
  if (!server.ok) return server.error;
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) return `--port must be 0 to 65535, not ${values.port}.`;
  if (values.data === '') return '--data needs a folder.';
  const limits = readLimits(values);
  if (typeof limits === 'string') return limits;
  const given = values.token ?? process.env.KARL_GATEWAY_TOKEN;
  if (given !== undefined && !TOKEN.test(given))
    return 'The token must consist of at least 8 visible ASCII characters.';
  const token = given ?? randomBytes(24).toString('base64url');
  const { layers, problems } = await readProfileFiles([]);
  const said = new Set<string>();
  // What fails with each request, as on a full disk, is said once an hour.
  const complain = (words: Words) => {
    const sentence = inEnglish(words);
    if (!said.has(sentence)) console.error(`karl-gateway: ${sentence}`);
    said.add(sentence);
  };
  for (const problem of problems) complain(describeProblems([problem]));
  const key = process.env.KARL_UPSTREAM_KEY;
  const root = values.data === undefined ? undefined : path.resolve(values.data);
  if (root !== undefined && !(await canKeepThreads(root)))
    return `--data must be a writable folder, not ${JSON.stringify(values.data)}.`;
  const store = root === undefined ? undefined : new ThreadFiles({ root, now: () => Date.now(), onProblem: complain });
  const upstream = new Upstream({
    baseUrl: values.upstream,
    key,
    layers,
    onProblem: complain,
    store,
    window: server.value.window,
  });
  const prune = async () => {
    const pruned = await upstream.threads.deleteStored(async () => (await store?.prune(limits)) ?? ok([]));
    if (!pruned.ok) complain(pruned.error.message);
  };
  await prune();
  setInterval(
    () => {
      said.clear();
      void prune();
    },
    60 * 60 * 1000,
  ).unref();
  const { dialect } = server.value;
  const onBug = (error: unknown) => console.error(error);
  const started = await upstream.startGateway({ port, token, stated: dialect, onLoss: complain, onBug });
  if (!started.ok) return inEnglish(started.error);
  const gateway = started.value;
  const end = async () => {
    await gateway.close();
    for (const problem of await upstream.threads.saveAll()) complain(problem);
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
  console.log(JSON.stringify({ url: gateway.url, ...(given === undefined && { token }) }));
  return undefined;
}

await runProgram('karl-gateway', USAGE, main);
