import assert from 'node:assert/strict';
import { resolveProfile } from '../../../src/core/model/resolve.ts';

describe('the window of a model by its name, on a server that states nothing', () => {
  const baseUrl = 'https://models.example.com/v1';
  for (const [model, window] of [
    ['deepseek-chat', 163_840],
    ['minimax-m2', 204_800],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 200_000],
    ['anthropic/claude-sonnet-4.5:free', 200_000],
    ['gpt-5.2-2025-12-11', 400_000],
    // Nobody states these, nor anything of which they could be a later version under that name.
    ['x-ai/grok-4', undefined],
    ['some-model', undefined],
    // A tag is that of a local server, whose window depends on how it was started.
    ['qwen3:32b', undefined],
  ] as const)
    it(`${model}: ${window ?? 'unknown'}`, () =>
      assert.equal(resolveProfile({ model, baseUrl }).profile.contextWindow, window));

  for (const model of ['gpt-6', 'gemini-3-pro-preview'])
    it(`${model}: that of the newest older member of its family, which is said`, () => {
      const { profile, matches } = resolveProfile({ model, baseUrl });
      assert.ok((profile.contextWindow ?? 0) >= 400_000);
      assert.equal(matches[0]?.rule, 'family');
    });
});
