import assert from 'node:assert/strict';
import { type EditorModelName, findModel, listModels } from '../../../src/host/editorModels/editorModelClient.ts';

const ALL: readonly EditorModelName[] = [
  { vendor: 'copilot', id: 'gpt-4.1' },
  { vendor: 'openrouter', id: 'z-ai/glm' },
  { vendor: 'karl', id: 'gpt-4.1' },
];

/** VS Code with these models, and what it was asked. */
function editor() {
  const asked: (EditorModelName | undefined)[] = [];
  const select = async (name?: EditorModelName) => {
    asked.push(name);
    return ALL.filter(({ vendor, id }) => name === undefined || (vendor === name.vendor && id === name.id));
  };
  return { asked, select };
}

const open = () => new AbortController().signal;
const never = () => new Promise<readonly EditorModelName[]>(() => undefined);

describe('the models that VS Code has', () => {
  it('are found by asking their own vendor, never Karl', async () => {
    const { asked, select } = editor();
    assert.equal(await findModel('copilot/gpt-4.1', select, open()), ALL[0]);
    assert.equal(await findModel('openrouter/z-ai/glm', select, open()), ALL[1]);
    assert.deepEqual(asked, [
      { vendor: 'copilot', id: 'gpt-4.1' },
      { vendor: 'openrouter', id: 'z-ai/glm' },
    ]);
    for (const name of ['karl/gpt-4.1', 'gpt-4.1', '/gpt-4.1', 'copilot/', '']) {
      assert.equal(await findModel(name, select, open()), undefined);
    }
    assert.equal(asked.length, 2);
  });

  it("are listed by name, without Karl's", async () => {
    const { asked, select } = editor();
    assert.deepEqual(await listModels(select, open()), { ok: true, value: ['copilot/gpt-4.1', 'openrouter/z-ai/glm'] });
    assert.deepEqual(asked, [undefined]);
    const none = await listModels(async () => [], open());
    assert.ok(!none.ok && none.error.kind === 'refused');
  });

  it('are not awaited after the signal has aborted', async () => {
    assert.deepEqual(await listModels(never, AbortSignal.timeout(1)), {
      ok: false,
      error: { kind: 'unreachable', message: "VS Code's models gave no answer in time" },
    });
    assert.equal(await findModel('copilot/gpt-4.1', never, AbortSignal.timeout(1)), undefined);
  });
});
