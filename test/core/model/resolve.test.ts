import assert from 'node:assert/strict';
import type { ProfileLayer } from '../../../src/core/model/profileFile.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';

const workspace = (...entries: ProfileLayer['entries']): ProfileLayer => ({
  source: '.karl/model-profiles.json',
  entries,
});
const environment = (...entries: ProfileLayer['entries']): ProfileLayer => ({ source: 'KARL_MODEL_PROFILES', entries });

describe('the profile of a model', () => {
  it('comes from the built-in figures when the model is known', () => {
    const { profile, matches } = resolveProfile('gpt-5');
    assert.equal(profile.contextWindow, 400_000);
    assert.equal(profile.inputLimit, 272_000);
    assert.equal(profile.provider, 'openai');
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
    assert.equal(profile.contextWindow, undefined);
    assert.deepEqual(
      matches.map(({ source, rule }) => `${source} ${rule}`),
      ['built-in default'],
    );
  });

  it('prefers exact over wildcard over default, and the longest wildcard, within a source', () => {
    const layer = workspace(
      { id: 'lab-*', contextWindow: 1000 },
      { id: 'lab-big-*', contextWindow: 2000 },
      { id: 'lab-big-1', contextWindow: 3000 },
    );
    const windowOf = (model: string) => resolveProfile(model, [layer]).profile.contextWindow;
    assert.equal(windowOf('lab-big-1'), 3000);
    assert.equal(windowOf('lab-big-2'), 2000);
    assert.equal(windowOf('lab-small'), 1000);
    assert.equal(windowOf('other-lab'), undefined);
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
    for (const [port, provider] of [
      [1234, 'lmstudio'],
      [11434, 'ollama'],
      [8000, 'vllm'],
      [8080, 'llamacpp'],
    ] as const) {
      const { profile } = resolveProfile({ model: 'openai/gpt-oss-120b', baseUrl: `http://localhost:${port}/v1` });
      assert.equal(profile.provider, provider);
      assert.equal(profile.contextWindow, undefined);
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
    assert.equal(profile.contextWindow, 400_000);
    assert.equal(profile.price, undefined);
    assert.equal(profile.baseUrl, 'https://gateway.example/v1');
    assert.equal(profile.provider, 'openai-compatible');
  });

  it('keeps an eighth of the window for the completion, within the output limit', () => {
    assert.equal(resolveProfile('gpt-4o').profile.completionReserve, 16_000);
    assert.equal(resolveProfile('gpt-4-turbo').profile.completionReserve, 4096);
    assert.equal(resolveProfile('claude-opus-4-6').profile.completionReserve, 32_768);
  });
});
