import assert from 'node:assert/strict';
import { resolveLogDirectory } from '../../../src/host/log/logDirectory.ts';

const PLACES = { storage: '/s', workspaceFolder: '/w/$&', home: '/h' };
const STORAGE = '$' + '{storage}';
const FOLDER = '$' + '{workspaceFolder}';

describe('resolveLogDirectory', () => {
  it('replaces the variables at the beginning, taking nothing in a path for a pattern', () => {
    assert.equal(resolveLogDirectory(`${STORAGE}/logs`, PLACES), '/s/logs');
    assert.equal(resolveLogDirectory(`${FOLDER}/logs`, PLACES), '/w/$&/logs');
    assert.equal(resolveLogDirectory('~/logs', PLACES), '/h/logs');
    assert.equal(resolveLogDirectory('~', PLACES), '/h');
  });

  it('leaves other paths alone', () => {
    assert.equal(resolveLogDirectory('/var/log/~/karl', PLACES), '/var/log/~/karl');
    assert.equal(resolveLogDirectory('C:\\logs', PLACES), 'C:\\logs');
  });

  it('uses the storage in a window without a folder', () => {
    assert.equal(resolveLogDirectory(`${FOLDER}/logs`, { storage: '/s', home: '/h' }), '/s/logs');
  });
});
