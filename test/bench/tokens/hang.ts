import { CONTENDERS } from './contenders.ts';
import { ContenderProcess, type KarlFiles } from './process.ts';
import type { CorpusFile } from './speed.ts';
import { table } from './table.ts';

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
