import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { idsForChat, listModels } from '../../../src/adapters/servers/models.ts';
import { discoverWindow } from '../../../src/adapters/servers/window.ts';
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

  const base = { fetch, signal: new AbortController().signal };
  const ask = async (answers: Answers, model: string, provider?: string, path = '/v1') => {
    const server = await start(answers);
    return discoverWindow({
      ...base,
      baseUrl: server.origin + path,
      model,
      ...(provider !== undefined && { provider }),
    });
  };

  describe('for its true window', () => {
    it('LM Studio: the loaded context, not the maximum', async () => {
      const models = [
        {
          key: 'qwen/qwen3.6-35b-a3b',
          max_context_length: 262_144,
          loaded_instances: [{ id: 'qwen/qwen3.6-35b-a3b', config: { context_length: 4096 } }],
        },
      ];
      const found = await ask({ '/api/v1/models': { models } }, 'qwen/qwen3.6-35b-a3b');
      assert.ok(found.ok);
      assert.equal(found.value.window, 4096);
      assert.equal(found.value.provider, 'lmstudio');
      assert.deepEqual(found.value.seen, { loaded_context_length: 4096, max_context_length: 262_144 });
    });

    it('LM Studio: loaded twice, the smaller one is safe, the named one is exact', async () => {
      const loaded_instances = [
        { id: 'm', config: { context_length: 32_768 } },
        { id: 'm:2', config: { context_length: 8192 } },
      ];
      const answers = { '/api/v1/models': { models: [{ key: 'key', loaded_instances }] } };
      const [byKey, byInstance] = [await ask(answers, 'key'), await ask(answers, 'm')];
      assert.equal(byKey.ok && byKey.value.window, 8192);
      assert.equal(byInstance.ok && byInstance.value.window, 32_768);
    });

    it('LM Studio: a model that is not loaded has no window yet', async () => {
      const found = await ask(
        { '/api/v1/models': { models: [{ key: 'm', max_context_length: 131_072, loaded_instances: [] }] } },
        'm',
      );
      assert.ok(!found.ok && found.error.kind === 'unknown');
      assert.deepEqual(found.error.seen, { max_context_length: 131_072 });
    });

    it('LM Studio before 0.4', async () => {
      const data = [{ id: 'm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 8192 }];
      const found = await ask({ '/api/v0/models': { data }, '/v1/models': { data } }, 'm');
      assert.equal(found.ok && found.value.window, 8192);
    });

    it('Ollama: what is allocated, and that it drops the oldest messages silently', async () => {
      const answers = {
        '/api/ps': { models: [{ model: 'llama3.2:latest', context_length: 4096 }] },
        '/api/show': {
          model_info: { 'llama.context_length': 131_072 },
          parameters: 'stop "x"\nnum_ctx                        16384',
        },
      };
      const found = await ask(answers, 'llama3.2');
      assert.ok(found.ok);
      assert.equal(found.value.window, 4096);
      assert.equal(found.value.dropsOldest, true);
      assert.deepEqual(found.value.seen, { context_length: 4096, num_ctx: 16_384, trained_context_length: 131_072 });
    });

    it('Ollama: num_ctx of a model that is not loaded; what it was trained for is no window', async () => {
      const show = { model_info: { 'llama.context_length': 131_072 } };
      const configured = await ask({ '/api/show': { ...show, parameters: 'num_ctx 16384' } }, 'm');
      assert.equal(configured.ok && configured.value.window, 16_384);
      const unset = await ask({ '/api/ps': { models: [] }, '/api/show': show }, 'm');
      assert.ok(!unset.ok && unset.error.kind === 'unknown');
      assert.equal(unset.error.dropsOldest, true);
      assert.deepEqual(unset.error.seen, { trained_context_length: 131_072 });
    });

    it('vLLM: max_model_len', async () => {
      const found = await ask({ '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } }, 'm');
      assert.ok(found.ok);
      assert.equal(found.value.window, 40_960);
      assert.equal(found.value.provider, 'vllm');
    });

    it('llama.cpp: n_ctx of a slot, not n_ctx_train', async () => {
      const answers = {
        '/props': { default_generation_settings: { n_ctx: 16_384 }, total_slots: 4 },
        '/v1/models': { data: [{ id: 'm', meta: { n_ctx_train: 131_072 } }] },
      };
      const found = await ask(answers, 'm');
      assert.ok(found.ok);
      assert.equal(found.value.window, 16_384);
      assert.equal(found.value.provider, 'llamacpp');
      const withoutProps = await ask({ '/v1/models': answers['/v1/models'] }, 'm');
      assert.ok(!withoutProps.ok && withoutProps.error.kind === 'unknown');
    });

    it('OpenRouter: the lower of the two lengths, and the most that a reply may have', async () => {
      const top_provider = { context_length: 131_072, max_completion_tokens: 32_768 };
      const answers = { '/api/v1/models': { data: [{ id: 'vendor/m', context_length: 262_144, top_provider }] } };
      const found = await ask(answers, 'vendor/m', 'openrouter', '/api/v1');
      assert.ok(found.ok);
      assert.equal(found.value.window, 131_072);
      assert.equal(found.value.outputLimit, 32_768);
    });

    it('a hosted provider is asked for its models only', async () => {
      const server = await start({ '/v1/models': { data: [{ id: 'm' }] } });
      const found = await discoverWindow({ ...base, baseUrl: `${server.origin}/v1`, model: 'm', provider: 'openai' });
      assert.ok(!found.ok);
      assert.deepEqual(
        server.asked.map(({ path }) => path),
        ['/v1/models'],
      );
    });
  });

  describe('with care', () => {
    const models = { '/v1/models': { object: 'list', data: [{ id: 'b' }, { id: 'a', max_model_len: 8192 }] } };

    it('sends the key to the origin of the base URL only, and follows no redirect beyond it', async () => {
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
      assert.ok(!listed.ok && /another server/.test(listed.error.message));
      assert.equal(server.asked[0]?.headers.authorization, 'Bearer the-key');
      assert.deepEqual(thief.asked, []);
      assert.deepEqual(origins, [server.origin]);
      assert.doesNotMatch(JSON.stringify(listed), /the-key/);
    });

    const cannotChat: readonly (readonly [string, Answers])[] = [
      [
        'LM Studio 0.4',
        {
          '/v1/models': { data: ['chat', 'embed'].map((id) => ({ id, owned_by: 'organization_owner' })) },
          '/api/v1/models': {
            models: [
              { type: 'llm', key: 'chat' },
              { type: 'embedding', key: 'embed' },
            ],
          },
        },
      ],
      [
        'LM Studio 0.3',
        {
          '/v1/models': { data: ['chat', 'embed'].map((id) => ({ id, owned_by: 'organization_owner' })) },
          '/api/v0/models': {
            data: [
              { type: 'vlm', id: 'chat' },
              { type: 'embeddings', id: 'embed' },
            ],
          },
        },
      ],
      [
        'Mistral',
        { '/v1/models': { data: [{ id: 'chat' }, { id: 'embed', capabilities: { completion_chat: false } }] } },
      ],
    ];
    for (const [name, answers] of cannotChat)
      it(`${name}: leaves out a model of which the server says that it only makes embeddings`, async () => {
        const server = await start(answers);
        const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1` });
        assert.deepEqual(listed.ok && idsForChat(listed.value), ['chat']);
      });

    it('Ollama: asks what each model can do, and leaves out those that cannot complete', async () => {
      const can: Readonly<Record<string, unknown>> = { chat: ['completion', 'tools'], embed: ['embedding'] };
      const server = await start({
        '/v1/models': { data: ['chat', 'embed', 'untold'].map((id) => ({ id, owned_by: 'library' })) },
        '/api/show': (response: ServerResponse) => {
          const { model } = JSON.parse(server.asked.at(-1)?.body ?? '{}');
          response.end(JSON.stringify({ capabilities: can[model] }));
        },
      });
      const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1` });
      assert.deepEqual(listed.ok && idsForChat(listed.value), ['chat', 'untold']);
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
      assert.deepEqual(listed.value[0], { id: 'm000000', contextWindow: 1 });
      assert.equal(listed.value.at(-1)?.id, `m${String(count - 1).padStart(6, '0')}`);
    });

    it('follows a redirect within the origin, but not for ever', async () => {
      const server = await start({
        ...models,
        '/old/models': (response: ServerResponse) => response.writeHead(308, { location: '/v1/models' }).end(),
        '/loop/models': (response: ServerResponse) => response.writeHead(302, { location: '/loop/models' }).end(),
      });
      const moved = await listModels({ ...base, baseUrl: `${server.origin}/old` });
      assert.ok(moved.ok);
      assert.deepEqual(moved.value, [{ id: 'a', contextWindow: 8192 }, { id: 'b' }]);
      const loop = await listModels({ ...base, baseUrl: `${server.origin}/loop` });
      assert.ok(!loop.ok && loop.error.kind === 'refused');
    });

    for (const baseUrl of ['no url', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/v1', '']) {
      it(`refuses ${JSON.stringify(baseUrl)} and never repeats credentials`, async () => {
        const listed = await listModels({ ...base, baseUrl });
        assert.ok(!listed.ok && listed.error.kind === 'invalid-url');
        const found = await discoverWindow({ ...base, baseUrl, model: 'm' });
        assert.ok(!found.ok && found.error.kind === 'invalid-url');
        assert.doesNotMatch(JSON.stringify([listed, found]), /secret/);
      });
    }

    it('says when nobody is there', async () => {
      const server = await startServer({});
      await server.stop();
      const found = await discoverWindow({ ...base, baseUrl: `${server.origin}/v1`, model: 'm' });
      assert.ok(!found.ok && found.error.kind === 'unreachable');
      assert.match(found.error.message, /ECONNREFUSED/);
    });

    it('says when the key is wrong', async () => {
      const server = await start({ '/v1/models': (response: ServerResponse) => response.writeHead(401).end('{}') });
      const listed = await listModels({ ...base, baseUrl: `${server.origin}/v1` });
      assert.ok(!listed.ok && listed.error.kind === 'refused' && listed.error.status === 401);
    });

    it('does not wait for a server that never answers, and stops when told', async () => {
      const silent = (): void => undefined;
      const server = await start({ '/v1/models': silent });
      const late = await listModels({ ...base, baseUrl: `${server.origin}/v1`, timeoutMs: 50 });
      assert.ok(!late.ok && late.error.kind === 'unreachable');
      const controller = new AbortController();
      const pending = listModels({
        ...base,
        baseUrl: `${server.origin}/v1`,
        signal: controller.signal,
        timeoutMs: 60_000,
      });
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
        assert.ok(!found.ok && found.error.kind === 'unknown');
      });
    }
  });
});
