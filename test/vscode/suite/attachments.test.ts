import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Attachments } from '../../../src/host/files/attachments.ts';
import { Announcer } from '../../../src/host/notices/announcer.ts';
import { Notices } from '../../../src/host/notices/notices.ts';

describe('a file that is attached', () => {
  const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
  const ignore = () => undefined;
  let notices: Notices;
  let attachments: Attachments;
  let outside: string;
  beforeEach(() => {
    notices = new Notices(ignore);
    const announcer = new Announcer(notices, () => true);
    attachments = new Attachments({ announcer, refresh: ignore, profile: ignore });
    outside = fs.mkdtempSync(path.join(tmpdir(), 'karl-outside-'));
    fs.mkdirSync(path.join(outside, 'keys'));
    fs.writeFileSync(path.join(outside, 'keys/id.txt'), 'secret');
    fs.symlinkSync(outside, path.join(folder(), 'linked'), 'junction');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(path.join(folder(), 'linked'));
    fs.rmSync(outside, { recursive: true });
  });

  it('comes through no link, wherever on its way, also while it is open', async () => {
    await vscode.workspace.openTextDocument(path.join(folder(), 'linked/keys/id.txt'));
    await attachments.addPath('linked/keys/id.txt');
    assert.deepEqual(attachments.list, []);
    assert.deepEqual(
      notices.states.map(({ text }) => text),
      ['linked is a link and may lead out of the workspace. Attach the file that it leads to.'],
    );
  });

  it('goes with the message that is sent while it is read', async () => {
    const adding = attachments.addPath('AGENTS.md');
    const taken = await attachments.take();
    assert.deepEqual(
      taken.map((one) => one.kind === 'file' && one.path),
      ['AGENTS.md'],
    );
    assert.deepEqual(attachments.list, []);
    await adding;
  });
});
