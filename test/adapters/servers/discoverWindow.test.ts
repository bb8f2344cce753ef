import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { idsForChat, listModels } from '../../../src/adapters/servers/models.ts';
import { discoverWindow } from '../../../src/adapters/servers/window.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { cases } from '../../attack/seed.ts';
import { type Answers, startServer } from './loopback.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

describe('asking a server', () => {
  const servers: Server[] = [];
  const start = async (answers: Answers): Promise<Server> => {
    const server = await startServer(answers);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  const base = { signal: new AbortController().signal };
  describe('for its true window', () => {
    const LLAMA = { model_info: { 'llama.context_length': 131_072 } };
    const lmStudio = (about: object, ...loaded: readonly [id: string, length: number][]) => {
      const loaded_instances = loaded.map(([id, context_length]) => ({ id, config: { context_length } }));
      return { '/api/v1/models': { models: [{ ...about, loaded_instances }] } };
    };
    const TWICE = lmStudio({ key: 'key' }, ['m', 32_768], ['m:2', 8192]);
    const OLD = [{ id: 'm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 8192 }];
    const TRAINED = { '/v1/models': { data: [{ id: 'm', meta: { n_ctx_train: 131_072 } }] } };
    const PROPS = { '/props': { default_generation_settings: { n_ctx: 16_384 }, total_slots: 4 } };
    const top_provider = { context_length: 131_072, max_completion_tokens: 32_768 };
    const ROUTER = { '/v1/models': { data: [{ id: 'vendor/m', context_length: 262_144, top_provider }] } };

    for (const [what, answers, model, expected] of [
      [
        'LM Studio: the loaded context, not the maximum',
        lmStudio({ key: 'qwen/qwen3.6', max_context_length: 262_144 }, ['qwen/qwen3.6', 4096]),
        'qwen/qwen3.6',
        { window: 4096 },
      ],
      ['LM Studio: of two that are loaded the smaller one is safe', TWICE, 'key', { window: 8192 }],
      ['LM Studio: the one that is named is exact', TWICE, 'm', { window: 32_768 }],
      [
        'LM Studio: a model that is not loaded has no window yet',
        lmStudio({ key: 'm', max_context_length: 131_072 }),
        'm',
        {},
      ],
      ['LM Studio before 0.4', { '/api/v0/models': { data: OLD }, '/v1/models': { data: OLD } }, 'm', { window: 8192 }],
      [
        'Ollama: what is allocated, and that it drops the oldest messages silently',
        {
          '/api/ps': { models: [{ model: 'llama3.2:latest', context_length: 4096 }] },
          '/api/show': { ...LLAMA, parameters: 'stop "x"\nnum_ctx                        16384' },
        },
        'llama3.2',
        { window: 4096, dropsOldest: true },
      ],
      [
        'Ollama: num_ctx of a model that is not loaded',
        { '/api/show': { ...LLAMA, parameters: 'num_ctx 16384' } },
        'm',
        { window: 16_384, dropsOldest: true },
      ],
      [
        'Ollama: what a model was trained for is no window',
        { '/api/ps': { models: [] }, '/api/show': LLAMA },
        'm',
        { dropsOldest: true },
      ],
      [
        'vLLM: max_model_len',
        { '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } },
        'm',
        { window: 40_960 },
      ],
      ['llama.cpp: n_ctx of a slot, not n_ctx_train', { ...PROPS, ...TRAINED }, 'm', { window: 16_384 }],
      ['llama.cpp: n_ctx_train alone is no window', TRAINED, 'm', {}],
      ['OpenRouter: the lower of the two lengths', ROUTER, 'vendor/m', { window: 131_072 }],
    ] as const)
      it(what, async () => {
        const { origin } = await start(answers);
        const provider = answers === ROUTER ? { provider: 'openrouter' } : {};
        const found = await discoverWindow({ ...base, baseUrl: `${origin}/v1`, model, ...provider });
        const shown = { ...found, window: found.window?.tokens };
        assert.deepEqual(shown, { window: undefined, dropsOldest: false, ...expected });
      });

    it('a hosted provider is asked for its models only', async () => {
      const server = await start({ '/v1/models': { data: [{ id: 'm' }] } });
      const found = await discoverWindow({ ...base, baseUrl: `${server.origin}/v1`, model: 'm', provider: 'openai' });
      assert.equal(found.window, undefined);
      const paths = server.asked.map(({ path }) => path);
      assert.deepEqual(paths, ['/v1/models']);
    });
  });

  describe('with care', () => {
    const models = { '/v1/models': { object: 'list', data: [{ id: 'b' }, { id: 'a', max_model_len: 8192 }] } };

    it('sends the key to the origin of the base URL only, and follows no redirect', async () => {
      const thief = await start(models);
      const server = await start({
        '/v1/models': (response: ServerResponse) =>
          response.writeHead(302, { location: `${thief.origin}/v1/models` }).end(),
      });
      const origins: string[] = [];
      const getKey = async (origin: string): Promise<string> => {
        origins.push(origin);
        return 'the-key';
      };
      const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1`, getKey });
      assert.ok(!listed.ok && /another address/.test(inEnglish(listed.error.message)));
      assert.equal(server.asked[0]?.headers.authorization, 'Bearer the-key');
      assert.deepEqual(thief.asked, []);
      assert.deepEqual(origins, [server.origin]);
      assert.doesNotMatch(JSON.stringify(listed), /the-key/);
    });

    const OWNED = { data: ['chat', 'embed'].map((id) => ({ id, owned_by: 'organization_owner' })) };
    const types = (chat: string, embed: string, name: string) => [
      { type: chat, [name]: 'chat' },
      { type: embed, [name]: 'embed' },
    ];
    const cannotChat: Readonly<Record<string, Answers>> = {
      'LM Studio 0.4': { '/v1/models': OWNED, '/api/v1/models': { models: types('llm', 'embedding', 'key') } },
      'LM Studio 0.3': { '/v1/models': OWNED, '/api/v0/models': { data: types('vlm', 'embeddings', 'id') } },
      Ollama: {
        '/v1/models': { data: ['chat', 'old', 'embed'].map((id) => ({ id, owned_by: 'library' })) },
        '/api/show': (response: ServerResponse, body: string) => {
          const capabilities = { chat: ['completion', 'tools'], embed: ['embedding'] }[String(JSON.parse(body).model)];
          response.end(JSON.stringify({ capabilities }));
        },
      },
      Mistral: { '/v1/models': { data: [{ id: 'chat' }, { id: 'embed', capabilities: { completion_chat: false } }] } },
    };
    for (const [name, answers] of Object.entries(cannotChat))
      it(`${name}: leaves out a model of which the server says that it only makes embeddings`, async () => {
        const server = await start(answers);
        const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1` });
        assert.deepEqual(listed.ok && idsForChat(listed.value), name === 'Ollama' ? ['chat', 'old'] : ['chat']);
      });

    it('reads each of very many models once, and lists the first of each id in order', async () => {
      const count = cases(100_000);
      const data = Array.from({ length: count }, (_, index) => ({
        id: `m${String((index * 7_919) % count).padStart(6, '0')}`,
        context_length: index + 1,
      }));
      const server = await start({ '/v1/models': { object: 'list', data: [...data, { id: 'm000000' }] } });
      const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1`, timeoutMs: 60_000 });
      assert.ok(listed.ok);
      assert.equal(listed.value.length, count);
      assert.deepEqual(listed.value[0], { id: 'm000000', owner: undefined, canChat: true });
      assert.equal(listed.value.at(-1)?.id, `m${String(count - 1).padStart(6, '0')}`);
    });

    for (const baseUrl of ['no url', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/v1', '']) {
      it(`refuses ${JSON.stringify(baseUrl)} and never repeats credentials`, async () => {
        const listed = await listModels({ ...base, baseUrl });
        assert.ok(!listed.ok && listed.error.kind === 'invalid-url');
        assert.doesNotMatch(JSON.stringify(listed), /secret/);
        const found = await discoverWindow({ ...base, baseUrl, model: 'm' });
        assert.deepEqual(found, { dropsOldest: false });
      });
    }

    it('says when nobody is there', async () => {
      const server = await startServer({});
      await server.stop();
      const baseUrl = `${server.origin}/v1`;
      const listed = await listModels({ ...base, baseUrl });
      assert.ok(!listed.ok && listed.error.kind === 'unreachable');
      assert.match(inEnglish(listed.error.message), /ECONNREFUSED/);
      assert.equal((await discoverWindow({ ...base, baseUrl, model: 'm' })).window, undefined);
    });

    it('does not wait for a server that never answers, and stops when told', async () => {
      const server = await start({ '/v1/models': () => undefined });
      const query = { ...base, baseUrl: `${server.origin}/v1` };
      const late = await listModels({ ...query, timeoutMs: 50 });
      assert.ok(!late.ok && late.error.kind === 'unreachable');
      const controller = new AbortController();
      const pending = listModels({ ...query, signal: controller.signal, timeoutMs: 60_000 });
      controller.abort();
      const cancelled = await pending;
      assert.ok(!cancelled.ok && cancelled.error.kind === 'cancelled');
    });

    for (const [what, body] of [
      ['HTML', '<html>'],
      ['an empty body', ''],
      ['JSON of another shape', '{"hello":1}'],
    ] as const) {
      it(`reads ${what} as no answer`, async () => {
        const server = await start({ '/v1/models': (response: ServerResponse) => response.end(body) });
        const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1` });
        assert.ok(!listed.ok && listed.error.kind === 'refused');
        const found = await discoverWindow({ ...base, baseUrl: `${server.origin}/v1`, model: 'm' });
        assert.deepEqual(found, { dropsOldest: false });
      });
    }
  });
});
