/**
 * npm run bench -- threads --transcripts DIR [--window 32000] [--only TEXT] [--many 200]
 *
 * Turns each session of a folder into the growing requests of clients that send the whole history each time, in four
 * styles, and has threads take them in. A session should be one thread; with the client's own summary it is one and its
 * fork, since what the client dropped is no longer part of what it works with, and undo must not bring it back there.
 * The bench names the sessions that are not so, those with a view between two compactions that does not extend the last
 * one byte for byte, and those with a message that is in no transcript; any sets the exit code. `overhead` is the
 * processor time that a request takes beyond counting what is new; `long`: with a history of more than 150,000 tokens.
 * Then `--many` threads are opened over a store of files, and the memory is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import { inEnglish } from '../../../src/core/language.ts';
import type { ChatMessage } from '../../../src/engine.ts';
import { readTranscripts } from '../compaction/transcripts.ts';
import { table } from '../table.ts';
import { makeThreads, modelOf, type Replayed, replay, STYLES, TOOLS } from './replay.ts';

const LONG_HISTORY = 150_000;

/** The most messages of each of many threads, so that the bench does not take too long. */
const MOST_MESSAGES = 400;

/** What many threads may take, megabytes. */
const MOST_MEGABYTES = 300;

const { values } = parseArgs({
  options: {
    transcripts: { type: 'string' },
    window: { type: 'string', default: '32000' },
    only: { type: 'string', default: '' },
    many: { type: 'string', default: '200' },
  },
});
if (values.transcripts === undefined) throw new Error('--transcripts must name a folder with sessions');
const sessions = readTranscripts(values.transcripts).filter(({ id }) => id.includes(values.only));
const profile = modelOf(Number(values.window));
const rows: string[][] = [];
for (const style of STYLES) {
  const results: Replayed[] = [];
  for (const { id, messages } of sessions) {
    const result = await replay(messages, style, profile);
    results.push(result);
    const { threads, forks, asides, identical, followed, lost } = result;
    const most = style.name === 'own summary' ? 2 : 1;
    if (threads > most || forks !== threads - 1 || asides > 0 || identical < followed || lost > 0)
      fail(`${style.name} · ${id}: ${JSON.stringify({ threads, forks, asides, identical, followed, lost })}`);
  }
  rows.push([style.name, ...rowOf(results)]);
}
const head = ['style', 'sessions', 'requests', 'threads/session', 'forks', 'asides', 'compactions'];
console.log(table([...head, 'identical', 'lost', 'p50 ms', 'p99 ms', 'long p50', 'long p99', 'long max'], rows));
const { threads, messages, tokens, before, after } = await measureMany(Number(values.many));
console.log(
  `\n${threads} threads, ${messages} messages, ${tokens} tokens. The process takes ${after.process} MB ` +
    `(${before.process} MB before), its objects ${after.objects} MB (${before.objects} MB before).`,
);
if (after.process - before.process > MOST_MEGABYTES) fail(`more than ${MOST_MEGABYTES} MB`);

function fail(what: string): void {
  console.error(what);
  process.exitCode = 1;
}

function rowOf(results: readonly Replayed[]): string[] {
  const sum = (of: (result: Replayed) => number) => results.reduce((total, result) => total + of(result), 0);
  const overhead = results.flatMap((result) => result.overhead).sort((one, two) => one.ms - two.ms);
  const [all, long] = [overhead, overhead.filter(({ tokens }) => tokens > LONG_HISTORY)];
  const share = (100 * sum(({ identical }) => identical)) / (sum(({ followed }) => followed) || 1);
  return [
    String(results.length),
    String(sum(({ requests }) => requests)),
    (sum(({ threads }) => threads) / results.length).toFixed(2),
    String(sum(({ forks }) => forks)),
    String(sum(({ asides }) => asides)),
    String(sum(({ compactions }) => compactions)),
    `${share.toFixed(2)} %`,
    String(sum(({ lost }) => lost)),
    ...[at(all, 0.5), at(all, 0.99), at(long, 0.5), at(long, 0.99), at(long, 1)],
  ];
}

function at(sorted: Replayed['overhead'], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.ms.toFixed(2) ?? '-';
}

/**
 * Opens this many threads over a store of files, each with a session of its own as its history, and measures the
 * memory.
 */
async function measureMany(count: number) {
  const root = mkdtempSync(join(tmpdir(), 'karl-bench-threads-'));
  const told: string[] = [];
  const store = new ThreadFiles({ root, now: () => Date.now(), onProblem: (message) => told.push(inEnglish(message)) });
  const threads = makeThreads(store);
  const before = measureMemory();
  let [messages, tokens] = [0, 0];
  try {
    for (let index = 0; index < count; index += 1) {
      const session = sessions[index % sessions.length]?.messages.slice(0, MOST_MESSAGES) ?? [];
      const history = [
        { role: 'user' as const, content: `Task ${index}.` },
        ...session.map((message) => ownCopy(message, index)),
      ];
      const match = await threads.match({ messages: history, tools: TOOLS, profile });
      messages += history.length;
      tokens += match.conversation.budget().used.tokens;
      const problem = await match.release();
      if (problem !== undefined) told.push(inEnglish(problem));
    }
    if (told.length > 0) throw new Error(told[0]);
    return { threads: threads.list().length, messages, tokens, before, after: measureMemory() };
  } finally {
    await threads.saveAll();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A message with ids of its own: with equal ids it would be taken for the same session. */
function ownCopy(message: ChatMessage, index: number): ChatMessage {
  const copy = JSON.parse(JSON.stringify(message)) as ChatMessage;
  const calls = copy.tool_calls?.map((call) => ({ ...call, id: `${call.id}-${index}` }));
  return {
    ...copy,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(copy.tool_call_id !== undefined && { tool_call_id: `${copy.tool_call_id}-${index}` }),
  };
}

/** Megabytes: the whole process, and the objects in use (only those still referenced, with node --expose-gc). */
function measureMemory() {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { process: Math.round(rss / 2 ** 20), objects: Math.round((heapUsed + external) / 2 ** 20) };
}
