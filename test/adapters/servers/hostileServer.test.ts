import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseEndpoint } from '../../../src/adapters/servers/endpoint.ts';
import { listModels } from '../../../src/adapters/servers/models.ts';
import { discoverWindow, readOllamaModel } from '../../../src/adapters/servers/window.ts';
import { askAt } from '../openai/asking.ts';
import { startServer } from './loopback.ts';

const MEGABYTE = 1_000_000;

describe('what a hostile server or setting says', () => {
  for (const [what, parameters] of [
    ['line ends', '\n'.repeat(MEGABYTE)],
    ['blanks', ' '.repeat(MEGABYTE)],
    ['names without a figure', 'num_ctx '.repeat(MEGABYTE / 8)],
    ['a name and blanks', `num_ctx${' '.repeat(MEGABYTE)}`],
    ['a figure and blanks', `num_ctx 5${' '.repeat(MEGABYTE)}x`],
  ] as const) {
    it(`does not hang the reading of a window: ${what}`, () => {
      assert.equal(readOllamaModel({ model_info: {}, parameters }), undefined);
    });
  }

  it('does not hang the reading of an address', () => {
    const address = `http://127.0.0.1${'/'.repeat(MEGABYTE / 10)}x`;
    assert.ok(parseEndpoint(address).ok);
    const slashes = parseEndpoint('http://127.0.0.1/v1///');
    assert.equal(slashes.ok && slashes.value.completions, 'http://127.0.0.1/v1/chat/completions');
  });
});

describe('a base URL as people write it', () => {
  afterEach(() => mock.restoreAll());

  for (const [written, completions, models] of [
    ['http://127.0.0.1:1/v1', '/v1/chat/completions', '/v1/models'],
    ['http://127.0.0.1:1/v1/', '/v1/chat/completions', '/v1/models'],
    ['http://127.0.0.1:1/v1/chat/completions', '/v1/chat/completions', '/v1/models'],
    ['http://127.0.0.1:1/v1/chat/completions/', '/v1/chat/completions', '/v1/models'],
    [
      'http://127.0.0.1:1/openai?api-version=2024-10-21',
      '/openai/chat/completions?api-version=2024-10-21',
      '/openai/models?api-version=2024-10-21',
    ],
  ] as const) {
    it(written, async () => {
      const endpoint = parseEndpoint(written);
      assert.equal(endpoint.ok && endpoint.value.completions, `http://127.0.0.1:1${completions}`);
      const asked: string[] = [];
      const answer: typeof fetch = async (url) => {
        asked.push(String(url));
        return Response.json([{ id: 'm', context_length: 4096 }]);
      };
      const query = { baseUrl: written, signal: new AbortController().signal };
      mock.method(globalThis, 'fetch', answer);
      assert.equal((await listModels(query)).ok, true);
      assert.deepEqual(asked, [`http://127.0.0.1:1${models}`]);
      // The bare list, without `data` around it, states windows too.
      const found = await discoverWindow({ ...query, model: 'm', provider: 'together' });
      assert.equal(found.window?.tokens, 4096);
    });
  }
});

describe('a key that no header can carry', () => {
  for (const key of ['sk-canary\nsecond-half', 'sk-canary\r\nx-evil: 1', 'sk-canary\0second-half', 'sk-canary-ключ']) {
    it(`is not sent, and no part of it is in the error: ${JSON.stringify(key)}`, async () => {
      const server = await startServer({ '/v1/models': { object: 'list', data: [] } });
      const signal = new AbortController().signal;
      const query = { baseUrl: `${server.origin}/v1`, getKey: async () => key, signal };
      const results = [
        await listModels(query),
        await discoverWindow({ ...query, model: 'm' }),
        await askAt(query.baseUrl, { options: { getKey: query.getKey } }),
      ];
      await server.stop();
      assert.deepEqual(server.asked, []);
      const text = JSON.stringify(results);
      assert.match(text, /has characters that cannot be sent/);
      assert.doesNotMatch(text, /canary|second-half|x-evil|ключ/i);
    });
  }
});
