import assert from 'node:assert/strict';
import { findMissing } from './install.mjs';

describe('installed packages against the lock file', () => {
  const locked = {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/@esbuild/win32-x64': { version: '0.28.2', optional: true },
  };

  it('are complete when every version is as locked; another platform may be missing', () => {
    assert.deepEqual(findMissing(locked, { 'node_modules/zod': { version: '4.6.7' } }), []);
  });

  it('are incomplete when one is missing', () => {
    assert.deepEqual(findMissing(locked, {}), ['node_modules/zod']);
  });

  it('are incomplete when one has another version', () => {
    assert.deepEqual(findMissing(locked, { 'node_modules/zod': { version: '4.0.0' } }), ['node_modules/zod']);
  });

  it('are incomplete when an optional one has another version', () => {
    const installed = {
      'node_modules/zod': { version: '4.6.7' },
      'node_modules/@esbuild/win32-x64': { version: '0.1.0' },
    };
    assert.deepEqual(findMissing(locked, installed), ['node_modules/@esbuild/win32-x64']);
  });
});
