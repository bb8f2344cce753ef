/**
 * npm run bench -- threads --transcripts DIR [--window 32000] [--only TEXT]
 *
 * Turns each session of a folder into the growing requests of clients that send the whole history each time, in four
 * styles, and has threads take them in. A style fails when a session is not one thread (with the client's own summary:
 * one and its fork), when a view between two compactions does not extend the last one byte for byte, or when a message
 * of a session is in no transcript.
 */
import { parseArgs } from 'node:util';
import { readTranscripts } from '../compaction/transcripts.ts';
import { table } from '../tokens/table.ts';
import { modelOf, type Replayed, replay } from './replay.ts';
import { STYLES } from './styles.ts';

/** History for which overhead has a limit, tokens, and the limit, milliseconds. */
const LONG_HISTORY = 150_000;

/** Replays and prints the table. */
export async function runThreadsBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      transcripts: { type: 'string' },
      window: { type: 'string', default: '32000' },
      only: { type: 'string', default: '' },
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
      const expected = style.name === 'own summary' ? 2 : 1;
      if (threads !== expected || asides > 0 || identical < followed || lost > 0)
        console.error(
          `${style.name} · ${id}: ${JSON.stringify({ threads, forks, asides, identical, followed, lost })}`,
        );
    }
    rows.push([style.name, ...rowOf(results)]);
  }
  const head = ['style', 'sessions', 'requests', 'threads/session', 'forks', 'asides', 'compactions'];
  console.log(table([...head, 'identical', 'lost', 'p50 ms', 'p99 ms', 'long p50', 'long p99', 'long max'], rows));
}

function rowOf(results: readonly Replayed[]): string[] {
  const sum = (of: (result: Replayed) => number) => results.reduce((total, result) => total + of(result), 0);
  const overhead = results.flatMap((result) => result.overhead);
  const all = overhead.map(({ ms }) => ms).sort((one, two) => one - two);
  const long = overhead
    .filter(({ tokens }) => tokens > LONG_HISTORY)
    .map(({ ms }) => ms)
    .sort((one, two) => one - two);
  const share =
    (100 * sum(({ identical }) => identical)) /
    Math.max(
      1,
      sum(({ followed }) => followed),
    );
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

function at(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(2) ?? '-';
}

await runThreadsBench(process.argv.slice(2));
