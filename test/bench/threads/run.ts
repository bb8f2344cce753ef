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
import { parseArgs } from 'node:util';
import { readTranscripts } from '../compaction/transcripts.ts';
import { table } from '../table.ts';
import { measureMany } from './many.ts';
import { modelOf, type Replayed, replay, STYLES } from './replay.ts';

const LONG_HISTORY = 150_000;

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
const { threads, messages, tokens, before, after } = await measureMany(Number(values.many), sessions, profile);
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
