import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtinProfiles } from '../../../src/core/model/builtin.ts';
import { makeBuiltin, PROVIDERS } from '../../../src/core/model/makeBuiltin.mjs';
import { parseProfiles } from '../../../src/core/model/profileFile.ts';
import { encodingOf } from '../../../src/core/model/resolve.ts';

const file = new URL('../../../src/core/model/builtin.generated.json', import.meta.url);

describe('the built-in profiles', () => {
  it('have a row of figures for each model of the source, with the input limit that OpenAI publishes', () => {
    const cost = { input: 1.25, output: 10, cacheRead: 0.125 };
    const free = { input: 0, output: 0, cacheRead: 0 };
    const made = makeFrom({
      openai: [
        { id: 'gpt-5', contextWindow: 272_000, maxTokens: 128_000, cost },
        { id: 'gpt-4', contextWindow: 8192, maxTokens: 8192, cost: { input: 30, output: 60, cacheRead: 0 } },
        { id: 'gpt-5:batch', contextWindow: 272_000, maxTokens: 128_000, cost },
        { id: 'a-voice', type: 'speech', contextWindow: 4096, maxTokens: 4096, cost },
      ],
      openrouter: [{ id: 'openai/gpt-5', contextWindow: 400_000, maxTokens: 128_000, cost: free }],
    });
    const rows = { 'gpt-4': [8192, 0, 0, 30, 60], 'gpt-5': [400_000, 272_000, 128_000, 1.25, 10, 0.125] };
    assert.deepEqual(made.openai?.models, rows);
    assert.deepEqual(made.openrouter?.models, { 'openai/gpt-5': [400_000, 272_000, 128_000] });
    assert.deepEqual(Object.keys(made), Object.keys(JSON.parse(readFileSync(file, 'utf8'))));
  });

  it('stay small enough to ship', () => {
    assert.ok(readFileSync(file).byteLength < 150_000);
  });

  it('pass the check that user entries pass', () => {
    const { entries } = builtinProfiles();
    assert.deepEqual(parseProfiles(entries, 'built-in').problems, []);
  });

  it('have no window of 0 and no input limit above the window', () => {
    for (const { id, contextWindow, inputLimit, outputLimit } of builtinProfiles().entries) {
      if (inputLimit !== undefined) assert.ok(contextWindow !== undefined && inputLimit < contextWindow, id);
      if (outputLimit !== undefined) assert.ok(contextWindow !== undefined && outputLimit < contextWindow, id);
    }
  });
});

describe('the tokenizer of a model family', () => {
  for (const [model, encoding] of [
    ['gpt-5', 'o200k_base'],
    ['gpt-4o', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    ['openai/gpt-4-turbo', 'cl100k_base'],
    ['gpt-4.1', 'o200k_base'],
    ['qwen/qwen3.6-35b-a3b', 'cl100k_base'],
    ['deepseek-v4-pro', 'o200k_base'],
    ['unheard-of', 'o200k_base'],
  ] as const) {
    it(`${model}: ${encoding}`, () => assert.equal(encodingOf(model), encoding));
  }
});

/** The table that the script makes of a source with these models. */
function makeFrom(models: Record<string, object[]>): Record<string, { models: object }> {
  const folder = mkdtempSync(join(tmpdir(), 'karl-figures-'));
  for (const name of Object.keys(PROVIDERS))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ group: { ...models[name] } }));
  const text = makeBuiltin(pathToFileURL(`${folder}/`));
  rmSync(folder, { recursive: true });
  return JSON.parse(text);
}
