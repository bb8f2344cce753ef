// npm run bench -- NAME [options]: runs one benchmark; each says what its options are.

/** Loaded only when asked for: each imports what the others do not need. */
const BENCHMARKS: Readonly<Record<string, { readonly what: string; readonly file: string }>> = {
  tokens: { what: 'how fast tokens are counted', file: './tokens/run.ts' },
  compaction: { what: 'every strategy on every transcript of a folder', file: './compaction/run.ts' },
  blocking: { what: 'how long the editor waits at most, case by case', file: './blocking/run.ts' },
  activation: { what: 'loading and activating the extension as it ships', file: './activation/run.ts' },
  gateway: { what: 'what the gateway adds to a request', file: './gateway/run.ts' },
  view: { what: 'the view in a browser: first paint, streaming, memory', file: './view/run.ts' },
};

const [name, ...rest] = process.argv.slice(2);
const benchmark = name === undefined ? undefined : BENCHMARKS[name];
if (benchmark === undefined) {
  console.error('usage: npm run bench -- NAME [options]\n');
  for (const [known, { what }] of Object.entries(BENCHMARKS)) console.error(`  ${known.padEnd(12)} ${what}`);
  process.exitCode = 1;
} else {
  // A benchmark reads its own options from process.argv, as if it had been started alone.
  process.argv.splice(2, process.argv.length - 2, ...rest);
  await import(benchmark.file);
}
