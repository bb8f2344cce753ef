import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { activateKarl, openSample, restoreSettings, setSetting, until, workspaceFolder } from './karl.ts';

describe('hooks', () => {
  const inWorkspace = (name: string) => path.join(workspaceFolder(), name);

  /** Sets a hook that keeps what it is told in a file. */
  async function setHook(hook: 'beforeCompact' | 'afterCompact'): Promise<string> {
    await mkdir(inWorkspace('.karl'), { recursive: true });
    const script = `import fs from 'node:fs';
      fs.writeFileSync('.karl/${hook}.json', fs.readFileSync(0, 'utf8'));`;
    await writeFile(inWorkspace(`.karl/${hook}.mjs`), script);
    await setSetting(`hooks.${hook}`, `node .karl/${hook}.mjs`);
    return inWorkspace(`.karl/${hook}.json`);
  }

  const read = async (file: string): Promise<unknown> => {
    await until(async () => (await readFile(file, 'utf8').catch(() => '')).endsWith('\n'), file);
    return JSON.parse(await readFile(file, 'utf8'));
  };

  afterEach(() => restoreSettings());

  it('run before and after a compression, with its figures as input', async () => {
    const api = await activateKarl();
    const [before, after] = [await setHook('beforeCompact'), await setHook('afterCompact')];
    const conversation = await openSample(api);
    const used = conversation.budget().used.tokens;
    await api.karl.compress(undefined, 'keep the invoices');
    const [compaction] = conversation.compactions();
    assert.ok(compaction !== undefined, 'it went on');
    const { limit } = conversation.budget();
    const what = { trigger: 'command', strategy: 'adaptive', instructions: 'keep the invoices' };
    const common = { conversation: api.karl.active?.id, model: 'sample-16k', ...what };
    assert.deepEqual(await read(before), { hook: 'beforeCompact', ...common, tokens: { before: used, limit } });
    const { tokensAfter, summarized } = compaction.receipt;
    const tokens = { before: used, after: tokensAfter, limit };
    const made = { compaction: compaction.id, messages: summarized };
    assert.deepEqual(await read(after), { hook: 'afterCompact', ...common, tokens, ...made });
    const told = await readFile(before, 'utf8');
    assert.ok(!told.includes('northwind'), 'no message text');
  });
});
