import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { findServers } from '../../../src/adapters/servers/models.ts';
import { type Answers, startServer } from './loopback.ts';

const list = (...data: object[]) => ({ object: 'list', data });
const { signal } = new AbortController();

/** An answer with a status of its own. */
const answer = (status: number, type: string, body: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': type }).end(body);

describe('findServers', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  afterEach(() => server.stop());

  const find = async (answers: Answers, how: AbortSignal = signal) => {
    server = await startServer(answers);
    const baseUrl = `${server.origin}/v1`;
    return { baseUrl, found: await findServers(how, [{ label: 'Usual', baseUrl }]) };
  };

  for (const [owner, label] of [
    ['organization_owner', 'LM Studio'],
    ['library', 'Ollama'],
    ['llamacpp', 'llama.cpp'],
    ['vllm', 'vLLM'],
  ])
    it(`finds ${label}, whatever usually answers there, and names its models`, async () => {
      const { found, baseUrl } = await find({ '/v1/models': list({ id: 'b' }, { id: 'a', owned_by: owner }) });
      assert.deepEqual(found, [{ label, baseUrl, models: ['a', 'b'], needsKey: false }]);
    });

  it('takes a server without models for what usually answers there, and names none that has others', async () => {
    const { found, baseUrl } = await find({ '/v1/models': list() });
    assert.deepEqual(found, [{ label: 'Usual', baseUrl, models: [], needsKey: false }]);
    await server.stop();
    const other = await find({ '/v1/models': list({ id: 'a', owned_by: 'somebody' }) });
    assert.deepEqual(other.found, [{ baseUrl: other.baseUrl, models: ['a'], needsKey: false }]);
  });

  it('names a server that has models for embeddings only, and offers none of them', async () => {
    const { found, baseUrl } = await find({ '/v1/models': list({ id: 'a', owned_by: 'vllm', type: 'embedding' }) });
    assert.deepEqual(found, [{ label: 'vLLM', baseUrl, models: [], needsKey: false }]);
  });

  it('finds a server that asks for a key, by its usual name, and sends none', async () => {
    const { found, baseUrl } = await find({ '/v1/models': answer(401, 'application/json', '{}') });
    assert.deepEqual(found, [{ label: 'Usual', baseUrl, models: [], needsKey: true }]);
    const keys = server.asked.map(({ headers }) => headers.authorization);
    assert.deepEqual(keys, [undefined]);
  });

  it('leaves out a web server and a port where nothing listens', async () => {
    const { found, baseUrl } = await find({ '/v1/models': answer(200, 'text/html', '<!doctype html><p>It works') });
    assert.deepEqual(found, []);
    await server.stop();
    assert.deepEqual(await findServers(signal, [{ label: 'Gone', baseUrl }]), []);
  });

  it('asks nothing when it was cancelled before', async () => {
    const { found } = await find({ '/v1/models': list() }, AbortSignal.abort());
    assert.deepEqual([found, server.asked], [[], []]);
  });
});
