import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ListedModels } from '../../../src/adapters.ts';
import { err, ok } from '../../../src/core/result.ts';
import { findServer, keysOf, ModelLists } from '../../../src/host/provider/modelServer.ts';

const settings = { baseUrl: 'http://127.0.0.1:1234/v1' };

describe('the server of a group of models', () => {
  it('is that of the settings if there is no group, or its address is empty', () => {
    assert.deepEqual(findServer(undefined, settings), { baseUrl: settings.baseUrl, isGroup: false });
    assert.deepEqual(findServer({ url: ' ' }, settings), { baseUrl: settings.baseUrl, isGroup: true });
    assert.equal(findServer(undefined, { baseUrl: '' }), undefined);
  });

  it('is the one of the group, with its key', () => {
    const group = { url: ' https://models.example/v1 ', apiKey: ' secret ' };
    const expected = { baseUrl: 'https://models.example/v1', key: 'secret', isGroup: true };
    assert.deepEqual(findServer(group, settings), expected);
  });

  it('is reported if it is missing or wrong, without repeating a password', () => {
    assert.throws(() => findServer({}, { baseUrl: '' }), /no server URL, and karl\.baseUrl is not set/);
    for (const url of ['ftp://x', 'https://ada:pass@x/v1', 7]) {
      assert.throws(
        () => findServer({ url }, settings),
        (error: Error) => /server URL of this group/.test(error.message) && !error.message.includes('pass@'),
      );
    }
  });
});

describe('the key of a group of models', () => {
  const readKey = async (origin: string) => `own key of ${origin}`;

  it('is sent only to the origin of its server', async () => {
    const read = keysOf({ baseUrl: 'https://models.example/v1', key: 'secret', isGroup: true }, readKey);
    assert.equal(await read('https://models.example'), 'secret');
    for (const origin of ['https://models.example:8443', 'http://models.example', 'https://example'])
      assert.equal(await read(origin), `own key of ${origin}`);
  });

  it('is Karl’s own if the group has none', async () => {
    const read = keysOf({ baseUrl: 'https://models.example/v1', isGroup: true }, readKey);
    assert.equal(await read('https://models.example'), 'own key of https://models.example');
  });
});

const server = { baseUrl: 'http://127.0.0.1:1234/v1', isGroup: false };
const OFF: ListedModels = err({ kind: 'unreachable', message: 'off' });
const REFUSED: ListedModels = err({ kind: 'refused', message: 'no such key' });

describe('the lists of models', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('are reused for a while, however often VS Code asks', async () => {
    const { lists, asked, pass } = play([ok(['a']), ok(['a', 'b'])]);
    assert.deepEqual(await lists.list(server), ok(['a']));
    assert.deepEqual(await lists.list(server), ok(['a']));
    assert.equal(asked.length, 1);
    pass(60_000);
    assert.deepEqual(await lists.list(server), ok(['a', 'b']));
  });

  it('are requested again until a server on this machine answers', async () => {
    const { lists, again, pass } = play([OFF, OFF, ok(['a'])]);
    for (const count of [1, 2]) {
      assert.equal((await lists.list(server)).ok, false);
      pass(60_000);
      assert.equal(again.count, count);
    }
    assert.deepEqual(await lists.list(server), ok(['a']));
    pass(3_600_000);
    assert.equal(again.count, 2);
  });

  it('are requested at once again after a refusal, but not from a server that does not answer', async () => {
    const { lists, asked } = play([REFUSED, OFF, ok(['a'])]);
    for (const expected of [REFUSED, OFF, OFF]) assert.equal(await lists.list(server), expected);
    assert.equal(asked.length, 2);
  });

  it('are not requested again from a server elsewhere, which nobody is about to start', async () => {
    const { lists, again, pass } = play([REFUSED]);
    await lists.list({ ...server, baseUrl: 'https://models.example/v1' });
    pass(3_600_000);
    assert.equal(again.count, 0);
  });
});

/** Lists of a server that answers as scripted, and a clock that is moved by hand. */
function play(answers: ListedModels[]) {
  const asked: string[] = [];
  const again = { count: 0 };
  const lists = new ModelLists(
    async ({ baseUrl }) => {
      asked.push(baseUrl);
      return answers.shift() ?? OFF;
    },
    () => {
      again.count += 1;
    },
  );
  return { lists, asked, again, pass: (ms: number) => mock.timers.tick(ms) };
}
