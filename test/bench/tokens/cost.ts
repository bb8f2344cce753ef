import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { CONTENDERS, type Contender, OTHERS_FOLDER } from './contenders.ts';
import { ContenderProcess, type KarlFiles } from './process.ts';
import { median, table } from './table.ts';

/** Load time, memory after loading and size of the bundle, of each contender. */
export async function measureCost(karl: KarlFiles, rounds: number): Promise<void> {
  const loads = new Map<string, { ms: number; memoryMb: number }[]>();
  for (let round = 0; round < rounds; round++) {
    for (const { name } of CONTENDERS) {
      const contender = new ContenderProcess(name, karl);
      const { ms, memoryMb } = await contender.loaded;
      contender.stop();
      loads.set(name, [...(loads.get(name) ?? []), { ms, memoryMb }]);
    }
  }
  console.log(`\nCost of having it (o200k_base; medians of ${rounds} new processes; processor time)\n`);
  const rows: string[][] = [];
  for (const contender of CONTENDERS) {
    const measured = loads.get(contender.name) ?? [];
    const { bytes, compressed } = await bundleSize(contender, karl.ranksFile);
    rows.push([
      contender.name,
      median(measured.map(({ ms }) => ms)).toFixed(0),
      median(measured.map(({ memoryMb }) => memoryMb)).toFixed(0),
      (bytes / 1000).toFixed(0),
      (compressed / 1000).toFixed(0),
    ]);
  }
  console.log(table(['', 'load + first call, ms', 'memory, MB', 'bundle, kB', 'gzip, kB'], rows));
  console.log("(Karl's bundle has both encodings, the others' o200k_base alone.)");
}

async function bundleSize(contender: Contender, ranksFile: string): Promise<{ bytes: number; compressed: number }> {
  const code = await bundle(contender);
  let bytes = code.reduce((sum, { length }) => sum + length, 0);
  let compressed = code.reduce((sum, content) => sum + gzipSync(content).length, 0);
  for (const file of contender.bundle.beside ?? []) {
    const { size } = statSync(file === 'ranks' ? ranksFile : file);
    bytes += size;
    compressed += size; // the ranks are compressed already; WebAssembly is taken as it is
  }
  return { bytes, compressed };
}

async function bundle(contender: Contender): Promise<Uint8Array[]> {
  const { outputFiles } = await build({
    stdin: { contents: contender.bundle.source, resolveDir: OTHERS_FOLDER, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    loader: { '.wasm': 'empty' },
  });
  return outputFiles.map(({ contents }) => contents);
}

/** Writes the bundle of the engine's `countTokens`, with the ranks beside it, and returns its path. */
export async function bundleKarl(folder: string, ranksFile: string): Promise<string> {
  const karl = CONTENDERS.find(({ name }) => name === 'Karl');
  if (karl === undefined) throw new Error('Karl is not among the contenders');
  const file = join(folder, 'karl.mjs');
  writeFileSync(file, Buffer.concat(await bundle(karl)));
  copyFileSync(ranksFile, join(folder, 'ranks.bin'));
  return file;
}
