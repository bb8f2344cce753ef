import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateKarl } from './karl.ts';

it('activation registers every command of the manifest', async () => {
  await activateKarl();
  const manifest = vscode.extensions.getExtension('karl-budget.karl')?.packageJSON as {
    contributes: { commands: { command: string }[] };
  };
  const declared = manifest.contributes.commands.map(({ command }) => command);
  const known = new Set(await vscode.commands.getCommands(true));
  assert.ok(declared.length >= 14);
  const missing = declared.filter((command) => !known.has(command));
  assert.deepEqual(missing, []);
});
