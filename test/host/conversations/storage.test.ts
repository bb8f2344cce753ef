import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { findStorageRoot, prune, resolveLogDirectory } from '../../../src/host/conversations/storage.ts';
import { DEFAULT_SETTINGS } from '../../../src/host/settings/settingRules.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../../adapters/folder.ts';

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
  const folder = useFolder();
  let now: number;
  beforeEach(() => {
    now = Date.now();
  });

  const openWindow = () => new ConversationFiles({ root: folder(), now: () => now });
  const stored = () => ['here', 'elsewhere', 'closed'].filter((id) => existsSync(folder('conversations', id)));

  async function create(id: string, store: ConversationFiles) {
    const created = await store.create({ id, title: id });
    return created.ok ? created.value : assert.fail(inEnglish(created.error.message));
  }

  it('are applied when a window opens, never to a conversation that is open in any window', async () => {
    const store = openWindow();
    const here = await create('here', store);
    const elsewhere = await create('elsewhere', openWindow());
    await (await create('closed', store)).close();
    const pruneAfter = async (days: number, limit: number) => {
      now += days * DAY_MS;
      const settings = { current: { ...DEFAULT_SETTINGS, 'storage.days': limit } };
      await prune([store], settings, (told) => assert.fail(inEnglish(told)));
    };
    await pruneAfter(0, 5);
    assert.deepEqual(stored(), ['here', 'elsewhere', 'closed']);
    await pruneAfter(6, 5);
    assert.deepEqual(stored(), ['here', 'elsewhere']);
    await elsewhere.close();
    await pruneAfter(3, 30);
    assert.deepEqual(stored(), ['here', 'elsewhere'], 'the settings in force count');
    await pruneAfter(30, 30);
    assert.deepEqual(stored(), ['here']);
    await here.close();
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
