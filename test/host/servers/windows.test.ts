import assert from 'node:assert/strict';
import type { HostAdapters } from '../../../src/adapters.ts';
import type { LearnedWindow } from '../../../src/core/model/budget.ts';
import { EDITOR_MODELS, profileKey } from '../../../src/core/model/providers.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { Windows } from '../../../src/host/servers/windows.ts';
import { partsOf } from '../kit.ts';

const NO_MEMORY = { get: () => undefined, update: async () => undefined };

/** Windows of a host whose servers say this. */
function open(discoverWindow: HostAdapters['discoverWindow'] | undefined, globalState: object = NO_MEMORY): Windows {
  return new Windows(partsOf({ memory: globalState, discover: discoverWindow }));
}

describe('the window of a model that a setting names', () => {
  it("is asked of a server at once, and of VS Code's models only with a message", async () => {
    const asked: string[] = [];
    const windows = open(async ({ id }) => {
      asked.push(id);
      return { window: { tokens: 8000, source: 'server' }, dropsOldest: false };
    });
    const { profile: editor } = resolveProfile({ model: 'copilot/gpt-4.1', baseUrl: EDITOR_MODELS });
    const { profile: local } = resolveProfile({ model: 'local', baseUrl: 'http://127.0.0.1:9/v1' });
    assert.equal(await windows.findChanged(editor), undefined);
    assert.equal((await windows.findChanged(local))?.tokens, 8000);
    assert.deepEqual(asked, ['local']);
    await windows.find(editor);
    assert.equal((await windows.findChanged(editor))?.tokens, 8000);
    assert.deepEqual(asked, ['local', 'copilot/gpt-4.1']);
  });

  it('is what the server said last while it says nothing, until it is reset', async () => {
    let said: LearnedWindow | undefined = { tokens: 32_768, source: 'server' };
    const windows = open(async () => ({ ...(said !== undefined && { window: said }), dropsOldest: false }));
    const { profile } = resolveProfile({ model: 'local', baseUrl: 'http://127.0.0.1:9/v1' });
    assert.equal((await windows.find(profile))?.tokens, 32_768);
    said = undefined;
    assert.equal((await windows.find(profile))?.tokens, 32_768);
    said = { tokens: 16_384, source: 'server' };
    assert.equal((await windows.find(profile))?.tokens, 16_384);
    said = undefined;
    await windows.forget(profile);
    assert.equal(windows.known(profile), undefined, 'a reset forgets it');
    assert.equal(await windows.find(profile), undefined);
  });
});

describe('what a server accepted', () => {
  it('is remembered by server and model across restarts, and forgotten with the window', async () => {
    const kept = new Map<string, unknown>();
    let written = 0;
    const memory = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => {
        written += 1;
        if (value === undefined) kept.delete(key);
        else kept.set(key, value);
      },
    };
    const reopen = () => open(undefined, memory).accepted;
    const { profile } = resolveProfile({ model: 'local', baseUrl: 'http://127.0.0.1:9/v1' });
    const key = profileKey(profile);
    const accepted = reopen();
    accepted.set(key, 31_000);
    accepted.set(key, 31_500);
    assert.deepEqual([accepted.get(key), accepted.get('another'), written], [31_500, undefined, 1]);
    assert.equal(reopen().get(key), 31_000, 'accurate to a twentieth');
    accepted.set(key, 40_000);
    assert.equal(reopen().get(key), 40_000);
    accepted.delete(key);
    assert.deepEqual([accepted.get(key), reopen().get(key)], [undefined, undefined]);
    accepted.set(key, 9_000);
    await open(undefined, memory).forget(profile);
    assert.equal(reopen().get(key), undefined);
  });
});
