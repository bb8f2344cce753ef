import { CONTENDERS } from './contenders.ts';
import type { Corpus } from './corpora.ts';
import { ContenderProcess, type KarlFiles } from './process.ts';
import { median, table } from './table.ts';

/** A text that lies in a file, with its size. */
export interface CorpusFile extends Corpus {
  readonly file: string;
  readonly bytes: number;
}

/** A contender whose call takes longer than this is skipped, ms. */
const LIMIT_MS = 60_000;
/** Some systems count processor time in steps of 4 ms, so a warm measurement takes many of them. */
const MEASURED_MS = 100;

/**
 * Every contender counts every text in turn, `rounds` times, so that the machine's moods hit all alike; the first,
 * cold, round is shown separately. Prints MB/s and how many times faster Karl is.
 * @throws when a contender counts differently from Karl
 */
export async function measureSpeed(
  contenders: ReadonlyMap<string, ContenderProcess>,
  corpora: readonly CorpusFile[],
  rounds: number,
): Promise<void> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const { name: corpus, file } of corpora) {
      let expected: number | undefined;
      for (const [name, contender] of contenders) {
        const counted = await contender.count(file, round === 0 ? 0 : MEASURED_MS, LIMIT_MS);
        if (counted === undefined) throw new Error(`${name} took over ${LIMIT_MS} ms on ${corpus}`);
        expected ??= counted.tokens;
        if (round === 0 && counted.tokens !== expected) {
          console.warn(`! ${name} counts ${counted.tokens} tokens on ${corpus}, not ${expected}`);
        }
        const key = `${name}/${corpus}`;
        times.set(key, [...(times.get(key) ?? []), counted.ms]);
      }
    }
  }
  const speed = (name: string, { name: corpus, bytes }: CorpusFile, cold: boolean): number => {
    const [first = Number.NaN, ...others] = times.get(`${name}/${corpus}`) ?? [];
    return bytes / 1e3 / (cold ? first : median(others));
  };
  const names = [...contenders.keys()];
  const head = ['', ...corpora.map(({ name, bytes }) => `${name}, ${(bytes / 1e6).toFixed(2)} MB`)];
  for (const cold of [false, true]) {
    console.log(
      `\nMB/s of processor time, ${cold ? 'first call in the process' : `median of ${rounds} warm rounds`}\n`,
    );
    const row = (name: string): string[] => [name, ...corpora.map((corpus) => speed(name, corpus, cold).toFixed(1))];
    console.log(table(head, names.map(row)));
    console.log(`\nKarl is so many times as fast, ${cold ? 'first call' : 'warm'}\n`);
    const ratios = (name: string): string[] => [
      name,
      ...corpora.map((corpus) => `${(speed('Karl', corpus, cold) / speed(name, corpus, cold)).toFixed(1)}x`),
    ];
    console.log(table(head, names.filter((name) => name !== 'Karl').map(ratios)));
  }
}

/**
 * Milliseconds of one call in a new process for each pathological text; a process that exceeds the limit of elapsed
 * time is ended.
 */
export async function measureHangs(corpora: readonly CorpusFile[], karl: KarlFiles, limitMs: number): Promise<void> {
  console.log('\nPathological texts: ms of processor time of one call in a new process\n');
  const rows: string[][] = [];
  for (const { name: corpus, file, bytes } of corpora) {
    const row = [`${corpus}, ${(bytes / 1000).toFixed(0)} kB`];
    for (const { name } of CONTENDERS) {
      const contender = new ContenderProcess(name, karl);
      await contender.loaded;
      const counted = await contender.count(file, 0, limitMs);
      contender.stop();
      row.push(counted === undefined ? `> ${limitMs}` : counted.ms.toFixed(0));
    }
    rows.push(row);
  }
  console.log(table(['', ...CONTENDERS.map(({ name }) => name)], rows));
}
