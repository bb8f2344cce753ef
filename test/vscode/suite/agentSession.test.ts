import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { SAID, SAMPLES } from '../../adapters/sessions/samples.ts';
import { activateKarl, until } from './karl.ts';

describe('the session of another agent', () => {
  let karl: KarlApi;
  let folder: string;

  before(async () => {
    karl = await activateKarl();
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-session-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const open = async (name: string, text: string): Promise<void> => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    await vscode.commands.executeCommand('karl.openSession', vscode.Uri.file(file));
    assert.equal(fs.readFileSync(file, 'utf8'), text, 'it was only read');
  };
  const shown = () => karl.karl.active?.conversation;
  const said = () => shown()?.transcript.messages.filter(({ role }) => role !== 'system');

  it('is opened as a conversation that may be written to', async () => {
    await open('claude.jsonl', SAMPLES['claude'] ?? '');
    await until(() => said()?.length === SAID.length, 'its messages');
    assert.deepEqual(
      said()?.map(({ role, text }) => [role, text]),
      SAID.map(({ role, content }) => [role, content]),
    );
    assert.equal(karl.karl.active?.readOnly, undefined);
    assert.equal(karl.karl.active?.otherAgent, undefined);
  });

  it('that is none leaves the conversation that is open', async () => {
    const before = shown();
    void open('notes.jsonl', '{"a":1}\n');
    // The error message waits for the user.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(shown(), before);
  });
});
