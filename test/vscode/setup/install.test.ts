import assert from 'node:assert/strict';
import { findMissing } from './install.mjs';

describe('installed packages against the lock file', () => {
  const locked = {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/@esbuild/win32-x64': { version: '0.28.2', optional: true },
  };

  for (const [what, installed, missing] of [
    ['complete when every version is as locked; another platform may be missing', { zod: '4.6.7' }, []],
    ['incomplete when one is missing', {}, ['zod']],
    ['incomplete when one has another version', { zod: '4.0.0' }, ['zod']],
    [
      'incomplete when an optional one has another version',
      { zod: '4.6.7', '@esbuild/win32-x64': '0.1.0' },
      ['@esbuild/win32-x64'],
    ],
  ] as const)
    it(`are ${what}`, () => {
      const found = Object.entries(installed).map(([name, version]) => [`node_modules/${name}`, { version }]);
      const expected = missing.map((name) => `node_modules/${name}`);
      assert.deepEqual(findMissing(locked, Object.fromEntries(found)), expected);
    });
});
