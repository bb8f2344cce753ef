import assert from 'node:assert/strict';
import { call, factsOf, latest } from './script.ts';

/** The lines with figures that are kept of a command's output. */
function reported(command: string, output: string): string[] {
  return factsOf(call('bash', { command }, output))
    .filter((fact) => fact.class === 'number' && fact.supersededAt === undefined)
    .map((fact) => fact.anchor ?? '');
}

describe('figures that programs report', () => {
  for (const [command, line] of [
    ['go test -bench Merge', 'BenchmarkMergeRows-8   	  98211	     11804 ns/op	     256 B/op	       4 allocs/op'],
    ['cargo bench', 'merge/rows              time:   [412.10 µs 415.32 µs 419.02 µs]'],
    ["hyperfine './bin/merge'", 'Time (mean ± σ):     204.3 ms ±   3.1 ms    [User: 31.2 ms, System: 12.9 ms]'],
    ['k6 run load.js', 'http_req_duration..............: avg=41.21ms min=3.1ms med=38.1ms p(95)=88.70ms'],
    ['pytest --cov', 'TOTAL                 2114    310    85%'],
    ['docker images web', 'web   latest    3fa1c0de9b11   2 minutes ago   412MB'],
    ['du -sh dist', '37M	dist'],
    ['node server.js', 'Listening on http://localhost:5417'],
    ['npm run build', 'dist/assets/app.js   412.08 kB │ gzip: 131.02 kB'],
    ['wrk -t2 http://localhost', 'Requests/sec:  18211.40'],
  ] as const) {
    it(`keeps the line: ${line.replace(/\s+/g, ' ').slice(0, 60)}`, () => {
      assert.deepEqual(reported(command, `starting\n${line}\n`), [line]);
    });
  }

  for (const line of [
    '✓ merges rows (412ms)',
    '(pass) merge > keeps the order [41.00ms]',
    'Wall time: 0.2320 seconds',
    '2026-03-02T10:11:12Z INFO request done duration=41ms',
    'src/merge.ts:412',
    'added 12 packages in 3s',
    'Checked 22 files in 22ms. No fixes applied.',
  ]) {
    it(`leaves out what says nothing of the program: ${line}`, () => {
      assert.deepEqual(reported('make', `starting\n${line}\n`), []);
    });
  }

  it('a sole figure answers what was asked', () => {
    assert.deepEqual(reported('psql -At -c "select count(*) from refund_queue"', '4127\n'), [
      'psql -At -c "select count(*) from refund_queue" → 4127',
    ]);
    assert.deepEqual(reported('make', 'done'), []);
  });

  it('an entry of a configuration counts whatever its name', () => {
    const output = 'API_URL=http://api.internal\nREFUND_ROWS=4127\nmailer.batch_rows: 900\nsrc/app.go:412';
    assert.deepEqual(reported('cat .env', output), ['REFUND_ROWS=4127', 'mailer.batch_rows: 900']);
  });

  it('a log line that says how much was done counts without its time', () => {
    const output =
      '2026-03-02T10:14:10Z INFO opened id=0d6dfc86\n2026-03-02T10:14:11Z INFO migrated 6791 rows into refund_archive';
    assert.deepEqual(reported('./migrate', output), ['migrated 6791 rows into refund_archive']);
    assert.deepEqual(reported('tail -50 migrate.log', output), ['migrated 6791 rows into refund_archive']);
    assert.deepEqual(reported('cat notes.txt', 'It took 41 ms to load the page.'), []);
  });

  it('of many lines of one shape the odd ones are kept', () => {
    const chunks = Array.from({ length: 12 }, (_, i) => `dist/assets/c${i}f.js   ${300 + i} kB`);
    const output = [...chunks.slice(0, 6), 'dist/report.js   47199 kB │ gzip: 63 kB', ...chunks.slice(6)].join('\n');
    assert.ok(reported('npx vite build', output).includes('dist/report.js   47199 kB │ gzip: 63 kB'));
  });

  it('the newest run of a measure ends the older one', () => {
    const first = call('bash', { command: 'npm run bench' }, 'rows merged: 4120\nbundle 412.08 kB');
    const second = call('bash', { command: 'npm run bench' }, 'rows merged: 5230\nbundle 398.11 kB');
    assert.deepEqual(
      factsOf(first, second)
        .filter((fact) => fact.class === 'number')
        .map((fact) => [fact.value, fact.supersededAt !== undefined]),
      [
        ['4120', true],
        ['412.08 kB', true],
        ['5230', false],
        ['398.11 kB', false],
      ],
    );
  });

  it('of a patch only what it puts in counts', () => {
    const patch = '*** Begin Patch\n*** Update File: app.yaml\n@@\n-pool_size: 40\n+pool_size: 64\n*** End Patch';
    assert.deepEqual(latest('number', call('apply_patch', { input: patch }, 'Done!')), ['64']);
  });
});
