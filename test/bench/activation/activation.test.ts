import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../../vscode/setup/root.ts';
import type { ActivationRun } from './activateOnce.ts';

/**
 * Code that is compiled before `activate` returns, unminified: a new package on this path shows here before it shows in
 * the time.
 */
const MOST_KILOBYTES = 680;

describe('the activation of the bundle', () => {
  let run: ActivationRun;

  before(() => {
    const script = path.join(import.meta.dirname, 'activateOnce.ts');
    const words = [script, path.join(root, 'dist/extension.js')];
    run = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as ActivationRun;
  });

  it('reads no token ranks, not even by the time the extension is ready', () => {
    assert.equal(run.ranksRead, false);
  });

  it('leaves agent, strategies and extractors to be loaded after it', () => {
    assert.ok(run.kilobytesRead < MOST_KILOBYTES, `${run.kilobytesRead} kB`);
  });
});
