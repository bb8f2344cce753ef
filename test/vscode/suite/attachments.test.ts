import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../src/core/chat/attachments.ts';
import { UserActions } from '../../../src/host/actions/userActions.ts';
import { WaitingMessages } from '../../../src/host/actions/waitingMessages.ts';
import { Attachments } from '../../../src/host/files/attachments.ts';
import { KeptFile } from '../../../src/host/files/keptFile.ts';
import type { Notices } from '../../../src/host/notices/notices.ts';
import { makeNotices, partsOf } from '../../host/kit.ts';
import { workspaceFolder } from './karl.ts';

const pathsOf = (list: readonly Attachment[] = []) => list.map((one) => one.kind === 'file' && one.path);

describe('a file that is attached', () => {
  const inFolder = (name: string) => path.join(workspaceFolder(), name);
  const ignore = () => undefined;
  let open: string | undefined;
  const make = () => {
    const conversations = {
      get active() {
        return open === undefined ? undefined : { id: open };
      },
    };
    file = new KeptFile(vscode.Uri.file(path.join(outside, 'storage')), 'attachments.json', ignore);
    return new Attachments(partsOf({ notices, conversations, file }));
  };
  let notices: Notices;
  let attachments: Attachments;
  let file: KeptFile;
  let outside: string;
  beforeEach(() => {
    open = 'one';
    notices = makeNotices();
    outside = fs.mkdtempSync(path.join(tmpdir(), 'karl-outside-'));
    attachments = make();
    fs.mkdirSync(path.join(outside, 'keys'));
    fs.writeFileSync(path.join(outside, 'keys/id.txt'), 'secret');
    fs.symlinkSync(outside, inFolder('linked'), 'junction');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(inFolder('linked'));
    fs.rmSync(outside, { recursive: true });
  });

  it('is never read through a link anywhere on its path, not even while it is open', async () => {
    await vscode.workspace.openTextDocument(inFolder('linked/keys/id.txt'));
    await attachments.addPath('linked/keys/id.txt');
    assert.deepEqual(attachments.list, []);
    const texts = notices.states.map(({ text }) => text);
    assert.deepEqual(texts, ['linked is a link and may lead out of the workspace. Attach the file that it leads to.']);
  });

  it('is not offered behind a link', async () => {
    assert.deepEqual(await attachments.files.complete('id.txt'), []);
    assert.deepEqual((await attachments.files.complete('AGENTS')).slice(0, 1), ['AGENTS.md']);
  });

  it('that cannot be read is named, and its message is not sent', async () => {
    await attachments.addPath('AGENTS.md');
    const adding = attachments.addPath('linked/keys/id.txt');
    assert.equal(await attachments.take(), undefined);
    await adding;
    assert.equal(attachments.list.length, 1, 'what is attached stays');
    assert.match(notices.states[0]?.text ?? '', /^linked is a link/);
    assert.equal((await attachments.take())?.length, 1, 'the user has read it and sends without');
  });

  it('that cannot be read does not hold up another conversation', async () => {
    const adding = attachments.addPath('linked/keys/id.txt');
    open = 'two';
    assert.deepEqual(await attachments.take(), []);
    await adding;
  });

  it('that a text names goes with the message, if it is offered; others hold nothing up', async () => {
    const names = ['AGENTS.md).', 'none.md', 'linked/keys/id.txt', path.join(outside, 'keys/id.txt')];
    const adding = names.map((name) => attachments.addNamed(name));
    assert.deepEqual(pathsOf(await attachments.take()), ['AGENTS.md']);
    await Promise.all(adding);
    assert.deepEqual([attachments.list, notices.states], [[], []]);
  });

  it('is removed by its label, even if it has moved; nothing else is removed in its place', async () => {
    fs.writeFileSync(inFolder('new.md'), 'New.');
    await attachments.addPath('AGENTS.md');
    await attachments.addPath('new.md');
    await attachments.addPath('AGENTS.md');
    attachments.remove(0, 'AGENTS.md');
    assert.deepEqual(pathsOf(attachments.list), ['new.md']);
    attachments.remove(0, 'AGENTS.md');
    assert.deepEqual(pathsOf(attachments.list), ['new.md']);
    fs.rmSync(inFolder('new.md'));
  });

  it('belongs to its conversation, also while a message is edited', async () => {
    const file = (path: string) => ({ kind: 'file', path, text: '' }) as const;
    open = undefined;
    await attachments.addPath('AGENTS.md');
    open = 'one';
    assert.deepEqual(pathsOf(attachments.list), ['AGENTS.md'], 'the first that opens takes it over');
    attachments.edit(3, [file('a.ts')]);
    open = 'two';
    assert.deepEqual([attachments.editing, pathsOf(attachments.list)], [undefined, []]);
    attachments.edit(5, [file('b.ts')]);
    const sent = await attachments.take();
    assert.deepEqual(pathsOf(sent), ['b.ts']);
    open = 'one';
    assert.deepEqual([attachments.editing, pathsOf(attachments.list)], [3, ['a.ts']]);
    assert.ok(sent);
    attachments.putBack(sent, 'two');
    assert.deepEqual(pathsOf(attachments.list), ['a.ts'], 'what comes back is where it was attached');
  });

  it('survives the window, like a selection, an image and what was put aside, until it was sent', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    await attachments.addPath('AGENTS.md');
    const lines = { kind: 'file', path: 'a.ts', lines: { from: 2, to: 4 }, text: 'const a = 1;' } as const;
    attachments.edit(3, [lines]);
    attachments.addImage(image);
    await file.flush();
    const again = make();
    await again.restore();
    assert.equal(again.editing, 3);
    assert.deepEqual(again.list, attachments.list);
    assert.deepEqual((await again.take())?.at(-1), { kind: 'image', url: image });
    assert.deepEqual(pathsOf(again.list), ['AGENTS.md']);
    await again.take();
    await file.flush();
    const last = make();
    await last.restore();
    assert.deepEqual([last.list, last.editing], [[], undefined]);
  });

  it('comes back with the text when sending fails', async () => {
    open = undefined;
    const posts: unknown[] = [];
    const fail = () => Promise.reject(new Error('The disk is full'));
    const post = (message: unknown) => void posts.push(message);
    const waiting = new WaitingMessages({ active: undefined }, ignore);
    const karl = new UserActions(partsOf({ attachments, waiting, conversations: {}, setup: { complete: fail } }));
    const page = { post, tellOthers: ignore };
    await attachments.addPath('AGENTS.md');
    await assert.rejects(karl.send('First.', { page }), /disk is full/);
    assert.equal(attachments.list.length, 1);
    assert.equal(await karl.send('Again.', { page, inPlaceOf: 3 }), false);
    assert.deepEqual([attachments.list.length, attachments.editing], [1, 3]);
    attachments.take = async () => undefined;
    assert.equal(await karl.send('Again.', { page, inPlaceOf: 3 }), false);
    assert.equal(attachments.list.length, 1, 'nothing had been taken');
    attachments.take = fail;
    await assert.rejects(karl.send('Second.', { page }), /disk is full/);
    const [unsent, edited] = [
      { type: 'unsent', text: 'First.', of: undefined },
      { type: 'edit', id: 3, text: 'Again.' },
    ];
    assert.deepEqual(posts, [unsent, edited, edited, { ...unsent, text: 'Second.' }]);
    assert.deepEqual(waiting.list, []);
  });

  it('is sent with its message even if it is still being read', async () => {
    const adding = attachments.addPath('AGENTS.md');
    const taken = await attachments.take();
    assert.deepEqual(pathsOf(taken), ['AGENTS.md']);
    assert.deepEqual(attachments.list, []);
    await adding;
  });
});
