import assert from 'node:assert/strict';
import type { ProfileLayer } from '../../../src/core/model/profileFile.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { FolderServers } from '../../../src/host/servers/folderServers.ts';

const MINE = 'http://mine.example/v1';
const THEIRS = 'http://theirs.example/v1';
const ORIGIN = 'http://theirs.example';

const layer = (baseUrl: string, folder?: string, id = '*'): ProfileLayer => ({
  source: `${folder ?? 'home'}/model-profiles.json`,
  entries: [{ id, baseUrl, contextWindow: 12_345 }],
  ...(folder !== undefined && { folder }),
});

const NOTHING = () => undefined;

/** The server that a model is asked at. */
const serverOf = (servers: FolderServers, model = 'some-model') =>
  resolveProfile({ model, baseUrl: MINE }, servers.usable).profile.baseUrl;

describe('a server that a file of a folder names', () => {
  it('is not used until it is allowed; the rest of the entry applies', () => {
    const servers = new FolderServers([layer(THEIRS, '/folder')], MINE, NOTHING);
    assert.equal(serverOf(servers), MINE);
    assert.equal(resolveProfile('some-model', servers.usable).profile.contextWindow, 12_345);
    const expected = { folder: '/folder', origin: ORIGIN, source: '/folder/model-profiles.json' };
    assert.deepEqual(servers.findUndecided(['some-model']), expected);
  });

  it('is used when that origin was allowed for that folder, and asked about for another', () => {
    const decision = ({ folder, origin }: { folder: string; origin: string }) =>
      folder === '/folder' && origin === ORIGIN ? true : undefined;
    const allowed = new FolderServers([layer(THEIRS, '/folder')], MINE, decision);
    assert.equal(serverOf(allowed), THEIRS);
    assert.equal(allowed.findUndecided(['some-model']), undefined);
    for (const other of [layer(THEIRS, '/other'), layer('http://theirs.example:81/v1', '/folder')]) {
      const asked = new FolderServers([other], MINE, decision);
      assert.equal(serverOf(asked), MINE);
      assert.notEqual(asked.findUndecided(['some-model']), undefined);
    }
  });

  it('is not used and not asked about again when it was refused', () => {
    const refused = new FolderServers([layer(THEIRS, '/folder')], MINE, () => false);
    assert.equal(serverOf(refused), MINE);
    assert.equal(refused.findUndecided(['some-model']), undefined);
  });

  it('is asked about only for a model that would go there', () => {
    const servers = new FolderServers([layer(THEIRS, '/folder', 'rare-model')], MINE, NOTHING);
    assert.equal(servers.findUndecided(['some-model']), undefined);
    assert.equal(servers.findUndecided(['some-model', 'rare-model'])?.origin, ORIGIN);
  });

  it('is found behind another one that was refused', () => {
    const layers = [layer(THEIRS, '/one'), layer('http://evil.example/v1', '/two')];
    const servers = new FolderServers(layers, MINE, ({ folder }) => (folder === '/two' ? false : undefined));
    assert.equal(servers.findUndecided(['some-model'])?.origin, ORIGIN);
  });

  it('needs no permission where the user names it as well', () => {
    const inSettings = new FolderServers([layer('http://mine.example/v2', '/folder')], MINE, NOTHING);
    assert.equal(inSettings.findUndecided(['some-model']), undefined);
    assert.equal(serverOf(inSettings), 'http://mine.example/v2');
    const inFile = new FolderServers([layer(THEIRS, '/folder'), layer(THEIRS)], MINE, NOTHING);
    assert.equal(inFile.findUndecided(['some-model']), undefined);
    assert.equal(serverOf(inFile), THEIRS);
  });

  it('gets no key, allowed or not', () => {
    for (const decided of [undefined, true, false]) {
      const servers = new FolderServers([layer(THEIRS, '/folder')], MINE, () => decided);
      assert.equal(servers.isForeign(ORIGIN), true);
      assert.equal(servers.isForeign('http://mine.example'), false);
    }
    assert.equal(new FolderServers([layer(THEIRS, '/folder'), layer(THEIRS)], MINE, NOTHING).isForeign(ORIGIN), false);
  });
});
