import assert from 'node:assert/strict';
import type { HostAdapters } from '../../../src/adapters.ts';
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
  it("is requested from a server at once, from VS Code's models only with a message", async () => {
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
});

describe('what a server accepted', () => {
  it('is stored by server and model, and forgotten with the window', async () => {
    const kept = new Map<string, unknown>();
    const memory = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => {
        if (value === undefined) kept.delete(key);
        else kept.set(key, value);
      },
    };
    const reopen = () => open(undefined, memory).accepted;
    const { profile } = resolveProfile({ model: 'local', baseUrl: 'http://127.0.0.1:9/v1' });
    const key = profileKey(profile);
    const accepted = reopen();
    accepted.set(key, 31_000);
    assert.deepEqual([accepted.get(key), accepted.get('another'), reopen().get(key)], [31_000, undefined, 31_000]);
    accepted.delete(key);
    assert.deepEqual([accepted.get(key), reopen().get(key)], [undefined, undefined]);
    accepted.set(key, 9_000);
    await open(undefined, memory).forget(profile);
    assert.equal(reopen().get(key), undefined);
  });
});
