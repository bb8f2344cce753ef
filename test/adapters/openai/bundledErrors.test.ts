import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** Errors of the SDK carry no name of their own: their classes are told apart by name, which a minifier would change. */
const PROGRAM = `
  import { APIConnectionTimeoutError, APIUserAbortError } from 'openai';
  import { classifyModelError } from './src/core/model/classify.ts';
  const nested = new Error('maximum context length is 5 tokens', { cause: new APIUserAbortError() });
  export const kinds = [new APIUserAbortError(), new APIConnectionTimeoutError(), nested].map(
    (error) => classifyModelError(error).kind,
  );
`;

describe('errors of the SDK in the shipped bundle', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'karl-bundle-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are told apart by type after minifying', async function () {
    this.timeout(30_000);
    assert.match(readFileSync(join(root, 'esbuild.mjs'), 'utf8'), /keepNames: true/, 'as the bundle is made');
    const outfile = join(folder, 'program.mjs');
    buildSync({
      stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      minify: true,
      keepNames: true,
      outfile,
      banner: { js: "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);" },
    });
    const { kinds } = (await import(pathToFileURL(outfile).href)) as { kinds: readonly string[] };
    assert.deepEqual(kinds, ['cancelled', 'timeout', 'cancelled']);
  });
});
