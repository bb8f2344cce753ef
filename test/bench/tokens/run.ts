import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { CONTENDERS } from './contenders.ts';
import { type Corpus, ordinaryTexts, pathologicalTexts } from './corpora.ts';
import { bundleKarl, measureCost } from './cost.ts';
import { ContenderProcess, type KarlFiles } from './process.ts';
import { type CorpusFile, measureHangs, measureSpeed } from './speed.ts';

/**
 * npm run bench -- tokens [--rounds 7] [--limit 3000] [--only speed,hang,cost]
 *
 * Compares Karl's counter with the JavaScript tokenizers, o200k_base, each in a process of its own. `--limit` is when a
 * call on a pathological text is given up, milliseconds.
 */

const PARTS = ['speed', 'hang', 'cost'] as const;

/** Runs the benchmark and prints its tables. */
export async function runTokensBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '7' },
      limit: { type: 'string', default: '3000' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  });
  const rounds = Number(values.rounds);
  const wanted = (part: (typeof PARTS)[number]): boolean => values.only.split(',').includes(part);
  const ranksFile = findRanks();
  const folder = mkdtempSync(join(tmpdir(), 'karl-bench-'));
  try {
    const karl: KarlFiles = { bundle: await bundleKarl(folder, ranksFile), ranksFile };
    const ordinary = store(folder, ordinaryTexts());
    if (wanted('speed')) await raceOrdinary(ordinary, karl, rounds);
    if (wanted('hang')) await measureHangs(store(folder, pathologicalTexts()), karl, Number(values.limit));
    if (wanted('cost')) await measureCost(karl, Math.min(rounds, 5));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function raceOrdinary(corpora: readonly CorpusFile[], karl: KarlFiles, rounds: number): Promise<void> {
  const contenders = new Map<string, ContenderProcess>();
  try {
    for (const { name } of CONTENDERS) {
      const contender = new ContenderProcess(name, karl);
      contenders.set(name, contender);
      await contender.loaded;
    }
    await measureSpeed(contenders, corpora, rounds);
  } finally {
    for (const contender of contenders.values()) contender.stop();
  }
}

/** Puts each text into a file, from which the contenders read it; JSON keeps lone surrogates. */
function store(folder: string, corpora: readonly Corpus[]): CorpusFile[] {
  return corpora.map(({ name, text }) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
    writeFileSync(file, JSON.stringify(text));
    return { name, text, file, bytes: Buffer.byteLength(text) };
  });
}

await runTokensBench(process.argv.slice(2));
