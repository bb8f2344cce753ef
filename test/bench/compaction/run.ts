/**
 * npm run bench -- compaction [--transcripts DIR] [--target 0.25] [--only NAME]
 *
 * Compacts each transcript of a folder (`*.json`, `*.json.gz`; default: the sample conversation and generated ones) with every
 * strategy and a scripted summarizer, and prints what came of it and which laws were broken.
 */
import { parseArgs } from 'node:util';
import { table } from '../tokens/table.ts';
import { type Measured, measureStrategy, STRATEGIES } from './strategies.ts';
import { defaultTranscripts, readTranscripts } from './transcripts.ts';

/** Runs the benchmark and prints its table. Sets the exit code when a law was broken. */
export async function runCompactionBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      transcripts: { type: 'string' },
      target: { type: 'string', default: '0.25' },
      only: { type: 'string', default: '' },
    },
  });
  const all = values.transcripts === undefined ? defaultTranscripts() : readTranscripts(values.transcripts);
  const rows: Measured[] = [];
  for (const transcript of all) {
    if (!transcript.id.includes(values.only)) continue;
    for (const strategy of STRATEGIES) {
      const measured = await measureStrategy(transcript, strategy, Number(values.target));
      rows.push(measured);
      console.error(`${measured.id} ${strategy}: ${measured.outcome}, ${measured.broken.join('; ') || 'laws held'}`);
    }
  }
  console.log(table(HEAD, rows.map(toRow)));
  const broken = rows.filter((row) => row.broken.length > 0);
  for (const row of broken) console.log(`\n${row.id} ${row.strategy}:\n  ${row.broken.join('\n  ')}`);
  const left = rows.filter((row) => row.outcome.startsWith('compacted') && !row.reached).map((row) => row.strategy);
  console.log(
    `\n${rows.length} runs, ${broken.length} broke a law; compacted without reaching the target: ${count(left)}.`,
  );
  console.log(
    'karl and sandwich keep what their figures say, action-trace only looks at the running turn: they may miss it by design.',
  );
  if (broken.length > 0) process.exitCode = 1;
}

const HEAD = ['transcript', 'strategy', 'outcome', 'target', 'before', 'after', 'ms', 'longest block ms', 'laws'];

function toRow(row: Measured): string[] {
  return [
    row.id,
    row.strategy,
    row.outcome,
    row.reached ? 'reached' : 'missed',
    String(row.before),
    String(row.after),
    row.ms.toFixed(0),
    row.longestBlock.toFixed(0),
    row.broken.length === 0 ? 'held' : `${row.broken.length} broken`,
  ];
}

function count(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.size === 0 ? 'none' : [...counts].map(([name, times]) => `${name} ${times}`).join(', ');
}

await runCompactionBench(process.argv.slice(2));
