import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { inEnglish } from '../../../src/core/language.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/session/settings.ts';
import { findStorageRoot, pruneDaily, resolveLogDirectory } from '../../../src/host/conversations/storage.ts';

describe('findStorageRoot', () => {
  it('is one folder for all windows of a workspace', () => {
    const first = '/data/User/workspaceStorage/2c1743a391305fbf367df8e4f069f9f9/karl-budget.karl';
    assert.equal(findStorageRoot(first), first);
    assert.equal(findStorageRoot(first.replace('f9/', 'f9-1/')), first);
    assert.equal(findStorageRoot(first.replace('f9/', 'f9-12/')), first);
  });

  it('leaves ids that begin with a minus sign and other folders alone', () => {
    for (const path of [
      '/data/workspaceStorage/-48e8f41f/karl',
      '/data/workspaceStorage/-12/karl',
      '/home/me-1/globalStorage/karl-2',
    ]) {
      assert.equal(findStorageRoot(path), path);
    }
    assert.equal(findStorageRoot('/data/workspaceStorage/-48e8f41f-1/karl'), '/data/workspaceStorage/-48e8f41f/karl');
    assert.equal(findStorageRoot('C:\\d\\workspaceStorage\\abc-1\\karl'), 'C:\\d\\workspaceStorage\\abc\\karl');
  });
});

const DAY_MS = 24 * 60 * 60 * 1000;

describe('the limits of what is stored', () => {
  let root: string;
  let now: number;
  let pruned: Promise<unknown>;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-prune-'));
    now = Date.now();
  });
  afterEach(() => {
    mock.timers.reset();
    rmSync(root, { recursive: true, force: true });
  });

  const openWindow = () => new ConversationFiles({ root, now: () => now });
  const stored = () => ['here', 'elsewhere', 'closed'].filter((id) => existsSync(join(root, 'conversations', id)));

  async function create(id: string, store: ConversationFiles) {
    const created = await store.create({ id, title: id });
    return created.ok ? created.value : assert.fail(inEnglish(created.error.message));
  }

  async function passDays(days: number): Promise<void> {
    now += days * DAY_MS;
    mock.timers.tick(DAY_MS);
    await pruned;
  }

  it('are applied every day while a window is open, never to a conversation that is open in any window', async () => {
    const store = openWindow();
    const here = await create('here', store);
    const elsewhere = await create('elsewhere', openWindow());
    await (await create('closed', store)).close();
    let days = 5;
    // Only now: the heartbeats of the locks are not meant.
    mock.timers.enable({ apis: ['setInterval'] });
    const settings = {
      get current() {
        return { ...DEFAULT_SETTINGS, 'storage.days': days };
      },
    };
    const run = (work: Promise<unknown>) => {
      pruned = work;
    };
    const pruning = pruneDaily([store], settings, { note: (told) => assert.fail(inEnglish(told)), run });
    await pruned;
    assert.deepEqual(stored(), ['here', 'elsewhere', 'closed']);
    await passDays(6);
    assert.deepEqual(stored(), ['here', 'elsewhere'], 'the limit is exceeded since the window was opened');
    await elsewhere.close();
    days = 30;
    await passDays(3);
    assert.deepEqual(stored(), ['here', 'elsewhere'], 'the settings in force count');
    await passDays(30);
    assert.deepEqual(stored(), ['here']);
    await here.close();
    pruning.dispose();
    await passDays(1);
    assert.deepEqual(stored(), ['here'], 'the window is closed');
  });
});

const PLACES = { storage: '/s', workspaceFolder: '/w/$&', home: '/h' };
const STORAGE = '$' + '{storage}';
const FOLDER = '$' + '{workspaceFolder}';

describe('resolveLogDirectory', () => {
  for (const [setting, folder, what] of [
    [`${STORAGE}/logs`, '/s/logs', 'the storage'],
    [`${FOLDER}/logs`, '/w/$&/logs', 'a folder, in whose path nothing is a pattern'],
    ['~/logs', '/h/logs', 'the home'],
    ['~', '/h', 'the home itself'],
    ['/var/log/~/karl', '/var/log/~/karl', 'another path'],
    ['C:\\logs', 'C:\\logs', 'a path of Windows'],
  ] as const)
    it(`knows ${what}`, () => assert.equal(resolveLogDirectory(setting, PLACES), folder));

  it('uses the storage in a window without a folder', () => {
    assert.equal(resolveLogDirectory(`${FOLDER}/logs`, { ...PLACES, workspaceFolder: undefined }), '/s/logs');
  });
});
