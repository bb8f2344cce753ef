import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for each test of a suite, removed after it. Gives a path in it, or its own. */
export function useFolder(): (...names: readonly string[]) => string {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'karl-test-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}

/** Sets variables of the environment before each test of a suite, and restores them after it. */
export function useVariables(make: () => Readonly<Record<string, string>>): void {
  let before: [name: string, value: string | undefined][] = [];
  beforeEach(() => {
    before = Object.keys(make()).map((name) => [name, process.env[name]]);
    Object.assign(process.env, make());
  });
  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
}
