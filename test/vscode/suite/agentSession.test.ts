import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { SAID, SAMPLES } from '../../adapters/sessions/samples.ts';
import { ACCEPT, activateKarl, shownCompressions, until } from './karl.ts';

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

  it('opens as a conversation that can be continued', async () => {
    await open('claude.jsonl', SAMPLES.claude ?? '');
    await until(() => said()?.length === SAID.length, 'its messages');
    const shown = said()?.map(({ role, text }) => [role, text]);
    const expected = SAID.map(({ role, content }) => [role, content]);
    assert.deepEqual(shown, expected);
    assert.equal(karl.karl.active?.readOnly, undefined);
    assert.equal(karl.karl.active?.other, undefined);
  });

  it('opens as its agent had compacted it, also after it was closed; undo restores everything', async () => {
    const about = { sessionId: 's1', cwd: '/work/app', isSidechain: false };
    const line = (uuid: string, parentUuid: string | null, content: string, fields: object = {}) =>
      JSON.stringify({ ...about, uuid, parentUuid, type: 'user', message: { role: 'user', content }, ...fields });
    const lines = [
      line('a', null, 'Never delete a.txt.'),
      line('b', null, '', { type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'a', message: undefined }),
      line('c', 'b', 'A file was spoken of.', { isCompactSummary: true }),
      line('d', 'c', 'Go on.'),
    ];
    await open('compacted.jsonl', `${lines.join('\n')}\n`);
    const texts = () =>
      shown()
        ?.viewMessages()
        .map(({ content }) => String(content)) ?? [];
    const asLeft = () =>
      texts().length === 2 && texts()[0]?.includes('A file was spoken of.') && texts()[1] === 'Go on.';
    await until(() => asLeft() === true, 'the view that the agent had left');
    const [made] = shownCompressions(karl);
    assert.equal(made?.agent?.name, 'Claude Code');
    assert.deepEqual(made?.agent?.unsaid, [
      { label: 'Rules', facts: [{ text: 'Never delete a.txt.', at: 0, isSent: false }] },
    ]);
    const id = karl.karl.active?.id ?? '';
    await karl.karl.newConversation();
    await karl.karl.openConversation(id);
    await until(() => asLeft() === true, 'the same after it was opened again');
    assert.equal(karl.karl.active?.sessionFile, path.join(folder, 'compacted.jsonl'));
    await karl.karl.undo(made?.id);
    assert.deepEqual(texts(), ['Never delete a.txt.', 'Go on.']);
  });

  it('is compressed into a new one for the chosen agent, with all that was added since it was opened here', async () => {
    const { CLAUDE_CONFIG_DIR } = process.env;
    process.env.CLAUDE_CONFIG_DIR = path.join(folder, 'claude-home');
    try {
      const file = path.join(folder, 'dead.jsonl');
      await open('dead.jsonl', SAMPLES.claude ?? '');
      const last = JSON.parse(SAMPLES.claude?.trim().split('\n').at(-1) ?? '');
      const added = { ...last, uuid: 'added', parentUuid: last.uuid, type: 'user' };
      const line = JSON.stringify({ ...added, message: { role: 'user', content: 'Then set MODE in beta.' } });
      const text = `${SAMPLES.claude}${line}\n`;
      fs.writeFileSync(file, text);
      const made = () => fs.globSync('claude-home/projects/*/*.jsonl', { cwd: folder });
      // The view of the test before may take the focus late: a dialog closes then, and is asked for again.
      let isAsked = false;
      const ask = async () => {
        isAsked = true;
        await vscode.commands.executeCommand('karl.rescueSession', vscode.Uri.file(file));
        isAsked = false;
      };
      // The list of agents begins with one that Karl can write for.
      await until(async () => {
        if (!isAsked) void ask();
        await vscode.commands.executeCommand(ACCEPT);
        return made().length > 0;
      }, 'a new session');
      const written = fs.readFileSync(path.join(folder, made()[0] ?? ''), 'utf8');
      assert.match(written, /Set STATUS in alpha.*Then set MODE in beta/s);
      assert.equal(fs.readFileSync(file, 'utf8'), text, 'it was only read');
    } finally {
      process.env.CLAUDE_CONFIG_DIR = CLAUDE_CONFIG_DIR;
    }
  });

  it('that is not one leaves the open conversation in place', async () => {
    const before = shown();
    void open('notes.jsonl', '{"a":1}\n');
    // The error message waits for the user.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(shown(), before);
  });
});
