import assert from 'node:assert/strict';
import { detectProvider, profileKey } from '../../../src/core/model/providers.ts';

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

describe('the key of a model on a server', () => {
  it('is the origin and the id, without path and credentials', () => {
    assert.equal(
      profileKey({ id: 'm', provider: 'x', baseUrl: 'http://user:pass@host:1234/v1/' }),
      'http://host:1234|m',
    );
    assert.equal(profileKey({ id: 'm', provider: 'ollama' }), 'ollama|m');
  });
});
