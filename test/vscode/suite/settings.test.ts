import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateKarl, until } from './karl.ts';

describe('the settings that are objects', () => {
  const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
  const file = () => vscode.Uri.joinPath(folder(), '.vscode/settings.json');
  const write = (values: object) => vscode.workspace.fs.writeFile(file(), Buffer.from(JSON.stringify(values)));
  const read = (name: string) => vscode.workspace.getConfiguration('karl').get<unknown>(name);
  let kept: Uint8Array | undefined;

  beforeEach(async () => {
    kept = await vscode.workspace.fs.readFile(file()).then(
      (bytes) => bytes,
      () => undefined,
    );
  });
  afterEach(async () => {
    if (kept === undefined) await vscode.workspace.fs.delete(file());
    else await vscode.workspace.fs.writeFile(file(), kept);
  });

  it('replace single defaults, also under the former name of a setting', async () => {
    await activateKarl();
    await write({ 'karl.actionTrace': { keep: 4 }, 'karl.sandwich.topFraction': 0.1 });
    await until(() => read('actionTrace.keep') === 4 && read('sandwich.topFraction') === 0.1, 'the new figures');
    assert.deepEqual([read('actionTrace.trigger'), read('sandwich.bottomFraction')], [10, 0.3]);
  });
});
