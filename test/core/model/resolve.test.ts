import assert from 'node:assert/strict';
import { type ProfileLayer, parseProfiles } from '../../../src/core/model/profileFile.ts';
import { detectProvider, profileKey } from '../../../src/core/model/providers.ts';
import { imageRuleOf, resolveProfile } from '../../../src/core/model/resolve.ts';
import { parseSummary } from '../../../src/core/session/parseSummary.ts';

type Entries = ProfileLayer['entries'];
const workspace = (...entries: Entries): ProfileLayer => ({ source: '.karl/model-profiles.json', entries });
const environment = (...entries: Entries): ProfileLayer => ({ source: 'KARL_MODEL_PROFILES', entries });

describe('the profile of a model', () => {
  it('comes from the built-in figures when the model is known', () => {
    const { profile, matches } = resolveProfile('gpt-5');
    assert.deepEqual([profile.contextWindow, profile.inputLimit, profile.provider], [400_000, 272_000, 'openai']);
    assert.deepEqual(matches, [{ source: 'built-in', rule: 'exact', id: 'gpt-5' }]);
  });

  it('has the defaults of the engine where nothing is said', () => {
    const { profile, matches } = resolveProfile('nobody-knows-this');
    assert.deepEqual(profile, {
      id: 'nobody-knows-this',
      provider: 'openai-compatible',
      completionReserve: 1024,
      timeoutMs: 600_000,
      tools: true,
      envelope: 'standard',
      encoding: 'o200k_base',
      extra: {},
    });
    assert.deepEqual(matches, [{ source: 'built-in', rule: 'default' }]);
  });

  it('prefers exact over wildcard over default, and the longest wildcard, within a source', () => {
    const layer = workspace(
      { id: 'lab-*', contextWindow: 1000 },
      { id: 'lab-big-*', contextWindow: 2000 },
      { id: 'lab-big-1', contextWindow: 3000 },
    );
    const models = ['lab-big-1', 'lab-big-2', 'lab-small', 'other-lab'];
    const windows = models.map((model) => resolveProfile(model, [layer]).profile.contextWindow);
    assert.deepEqual(windows, [3000, 2000, 1000, undefined]);
  });

  it('is overridden field by field: built-in, then workspace, then environment', () => {
    const { profile, matches } = resolveProfile('gpt-4o', [
      workspace({ id: 'gpt-4o', timeoutMs: 5000, extra: { a: 1, b: 1 } }),
      environment({ id: 'gpt-*', timeoutMs: 7000, extra: { b: 2 } }),
    ]);
    assert.equal(profile.contextWindow, 128_000);
    assert.equal(profile.timeoutMs, 7000);
    assert.deepEqual(profile.extra, { a: 1, b: 2 });
    assert.deepEqual(matches, [
      { source: 'built-in', rule: 'exact', id: 'gpt-4o' },
      { source: '.karl/model-profiles.json', rule: 'exact', id: 'gpt-4o' },
      { source: 'KARL_MODEL_PROFILES', rule: 'wildcard', id: 'gpt-*' },
    ]);
  });

  it('forgets a built-in input limit when the window is overridden', () => {
    const { profile } = resolveProfile('gpt-5', [workspace({ id: 'gpt-5', contextWindow: 1_000_000 })]);
    assert.equal(profile.inputLimit, undefined);
  });

  it('leaves the window of a local server unknown, whatever other hosts say about a model of that name', () => {
    for (const [provider, port] of Object.entries({ lmstudio: 1234, ollama: 11434, vllm: 8000, llamacpp: 8080 })) {
      const { profile } = resolveProfile({ model: 'openai/gpt-oss-120b', baseUrl: `http://localhost:${port}/v1` });
      assert.deepEqual([profile.provider, profile.contextWindow], [provider, undefined]);
    }
  });

  it('knows the two models that local users start with', () => {
    assert.equal(resolveProfile('qwen/qwen3.6-35b-a3b').profile.contextWindow, 262_144);
    assert.equal(resolveProfile('nvidia/nemotron-3-nano-omni').profile.contextWindow, 256_000);
  });

  it('reads a provider in front of the model name', () => {
    const { profile, matches } = resolveProfile('ollama/llama3.2');
    assert.equal(profile.provider, 'ollama');
    assert.equal(profile.baseUrl, 'http://localhost:11434/v1');
    assert.equal(matches[0]?.rule, 'wildcard');
    assert.equal(resolveProfile('openrouter/openai/gpt-5').profile.inputLimit, 272_000);
  });

  it('takes a known model behind an unknown address for what it is, but not its prices', () => {
    const { profile } = resolveProfile({ model: 'gpt-5', baseUrl: 'https://gateway.example/v1' });
    assert.deepEqual([profile.contextWindow, profile.price], [400_000, undefined]);
    assert.deepEqual([profile.baseUrl, profile.provider], ['https://gateway.example/v1', 'openai-compatible']);
  });

  it('keeps an eighth of the window for the completion, within the output limit', () => {
    assert.equal(resolveProfile('gpt-4o').profile.completionReserve, 16_000);
    assert.equal(resolveProfile('gpt-4-turbo').profile.completionReserve, 4096);
    assert.equal(resolveProfile('claude-opus-4-6').profile.completionReserve, 32_768);
  });
});

describe('the window of a model by its name, on a server that states nothing', () => {
  const baseUrl = 'https://models.example.com/v1';
  for (const [model, window] of [
    ['deepseek-chat', 163_840],
    ['minimax-m2', 204_800],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 200_000],
    ['anthropic/claude-sonnet-4.5:free', 200_000],
    ['gpt-5.2-2025-12-11', 400_000],
    // Nobody states these, nor an older version of them.
    ['x-ai/grok-4', undefined],
    ['some-model', undefined],
    // Tags belong to local servers, whose window depends on how they were started.
    ['qwen3:32b', undefined],
  ] as const)
    it(`${model}: ${window ?? 'unknown'}`, () =>
      assert.equal(resolveProfile({ model, baseUrl }).profile.contextWindow, window));

  for (const model of ['gpt-6', 'gemini-3-pro-preview'])
    it(`${model}: that of the newest older member of its family, which is said`, () => {
      const { profile, matches } = resolveProfile({ model, baseUrl });
      assert.ok((profile.contextWindow ?? 0) >= 400_000);
      assert.equal(matches[0]?.rule, 'family');
      const profiles = [{ since: 0, profile, matches }];
      const stored = parseSummary({ v: 1, title: 'T', createdAt: 0, compactions: [], pins: [], profiles }, 0);
      assert.deepEqual(stored?.dropped, [], 'it is read again with its conversation');
    });
});

describe('the rule for images', () => {
  it('is the documented one of the family, also behind a router', () => {
    assert.deepEqual(imageRuleOf('gpt-4o'), { kind: 'tiles', base: 85, tile: 170 });
    assert.equal(imageRuleOf('openai/gpt-5-mini')?.kind, 'patches');
    assert.equal(imageRuleOf('anthropic/claude-sonnet-4.5')?.kind, 'area');
  });

  it('is unknown for models whose provider documents none', () => {
    assert.equal(imageRuleOf('qwen3:32b'), undefined);
  });

  it('can be stated in a profile, and a bad one is reported', () => {
    const images = { kind: 'area', pixels: 600, longest: 1000 };
    const { layer } = parseProfiles([{ id: 'mine', images }], 'test');
    assert.deepEqual(resolveProfile('mine', [layer]).profile.images, images);
    const { problems } = parseProfiles([{ id: 'mine', images: { kind: 'guess' } }], 'test');
    assert.match(problems[0]?.path ?? '', /images/);
  });
});

describe('the provider behind a base URL', () => {
  for (const [url, provider] of [
    ['https://api.openai.com/v1', 'openai'],
    ['https://openrouter.ai/api/v1', 'openrouter'],
    ['https://api.groq.com/openai/v1', 'groq'],
    ['http://localhost:1234/v1', 'lmstudio'],
    ['http://192.168.1.5:11434/v1', 'ollama'],
    ['http://[::1]:8000/v1', 'vllm'],
    ['http://127.0.0.1:8080', 'llamacpp'],
    ['https://openrouter.ai.evil.example/v1', 'openai-compatible'],
    ['https://notz.ai/v1', 'openai-compatible'],
    ['no url', 'openai-compatible'],
    [undefined, 'openai-compatible'],
  ] as const) {
    it(`${url} is ${provider}`, () => assert.equal(detectProvider(url), provider));
  }
});

it('the key of a model on a server is the origin and the id, without path and credentials', () => {
  const onServer = { id: 'm', provider: 'x', baseUrl: 'http://user:pass@host:1234/v1/' };
  assert.equal(profileKey(onServer), 'http://host:1234|m');
  assert.equal(profileKey({ id: 'm', provider: 'ollama' }), 'ollama|m');
});
