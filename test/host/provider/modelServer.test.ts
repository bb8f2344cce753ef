import assert from 'node:assert/strict';
import { findServer, keysOf } from '../../../src/host/provider/modelServer.ts';

const settings = { baseUrl: 'http://127.0.0.1:1234/v1' };

describe('the server of a group of models', () => {
  it('is that of the settings without a group, or with an empty address', () => {
    assert.deepEqual(findServer(undefined, settings), { baseUrl: settings.baseUrl, isGroup: false });
    assert.deepEqual(findServer({ url: ' ' }, settings), { baseUrl: settings.baseUrl, isGroup: true });
    assert.equal(findServer(undefined, { baseUrl: '' }), undefined);
  });

  it('is the one that the group names, with its key', () => {
    const group = { url: ' https://models.example/v1 ', apiKey: ' secret ' };
    const expected = { baseUrl: 'https://models.example/v1', key: 'secret', isGroup: true };
    assert.deepEqual(findServer(group, settings), expected);
  });

  it('is reported as missing or wrong, without repeating what may hold a password', () => {
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

  it('goes to the origin of its server and to no other', async () => {
    const read = keysOf({ baseUrl: 'https://models.example/v1', key: 'secret', isGroup: true }, readKey);
    assert.equal(await read('https://models.example'), 'secret');
    for (const origin of ['https://models.example:8443', 'http://models.example', 'https://example'])
      assert.equal(await read(origin), `own key of ${origin}`);
  });

  it('is Karl’s own where the group has none', async () => {
    const read = keysOf({ baseUrl: 'https://models.example/v1', isGroup: true }, readKey);
    assert.equal(await read('https://models.example'), 'own key of https://models.example');
  });
});
