import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { activateKarl, openSample, restoreSettings, setSetting, showView, until, workspaceFolder } from './karl.ts';

describe('hooks', () => {
  const inWorkspace = (name: string) => path.join(workspaceFolder(), name);

  /** Sets a hook that keeps what it is told in a file, and ends with this code. */
  async function setHook(hook: 'beforeCompact' | 'afterCompact', code: number): Promise<string> {
    await mkdir(inWorkspace('.karl'), { recursive: true });
    const script = `import fs from 'node:fs';
      fs.writeFileSync('.karl/${hook}.json', fs.readFileSync(0, 'utf8'));
      console.error('The release is under way.');
      process.exit(${code});`;
    await writeFile(inWorkspace(`.karl/${hook}.mjs`), script);
    await setSetting(`hooks.${hook}`, `node .karl/${hook}.mjs`);
    return inWorkspace(`.karl/${hook}.json`);
  }

  const read = async (file: string): Promise<unknown> => {
    await until(async () => (await readFile(file, 'utf8').catch(() => '')).endsWith('\n'), file);
    return JSON.parse(await readFile(file, 'utf8'));
  };

  afterEach(restoreSettings);

  it('run before and after a compression, and are told of it', async () => {
    const api = await activateKarl();
    const [before, after] = [await setHook('beforeCompact', 0), await setHook('afterCompact', 0)];
    const conversation = await openSample(api);
    const used = conversation.budget().used.tokens;
    await api.karl.compress(undefined, 'keep the invoices');
    const [compaction] = conversation.compactions();
    assert.ok(compaction !== undefined, 'it went on');
    const { limit } = conversation.budget();
    const common = {
      conversation: api.karl.active?.id,
      model: 'sample-16k',
      trigger: 'command',
      strategy: 'adaptive',
      instructions: 'keep the invoices',
    };
    assert.deepEqual(await read(before), { hook: 'beforeCompact', ...common, tokens: { before: used, limit } });
    assert.deepEqual(await read(after), {
      hook: 'afterCompact',
      ...common,
      tokens: { before: used, after: compaction.receipt.tokensAfter, limit },
      compaction: compaction.id,
      messages: compaction.receipt.summarized,
    });
    const told = await readFile(before, 'utf8');
    assert.ok(!told.includes('northwind'), 'no message text');
  });

  it('may stop a compression, which changes nothing', async () => {
    const api = await activateKarl();
    await setHook('beforeCompact', 2);
    const conversation = await openSample(api);
    const request = JSON.stringify(conversation.request());
    await showView(api);
    await vscode.commands.executeCommand('karl.compress');
    const [notice] = api.viewState().notices;
    assert.match(notice?.text ?? '', /stopped the compression \(manual\): The release is under way\.$/);
    assert.equal(conversation.compactions().length, 0);
    assert.equal(JSON.stringify(conversation.request()), request);
    assert.equal(conversation.due(), 'threshold');
    assert.deepEqual(api.viewState().activity, { kind: 'idle' });
  });
});
