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
import { Notices } from '../../../src/host/notices/notices.ts';
import { partsOf } from '../../host/kit.ts';
import { workspaceFolder } from './karl.ts';

const pathsOf = ({ list }: { readonly list: readonly Attachment[] }) =>
  list.map((one) => one.kind === 'file' && one.path);

/** A view that the user sees all the time. */
const SEEN = { isVisible: true, onDidHide: new vscode.EventEmitter<void>().event, refresh: () => undefined };

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
    const file = new KeptFile(vscode.Uri.file(path.join(outside, 'storage')), 'attachments.json', ignore);
    return new Attachments(partsOf({ notices, conversations, file }));
  };
  let notices: Notices;
  /** The notifications. */
  let told: string[];
  let attachments: Attachments;
  let outside: string;
  beforeEach(() => {
    open = 'one';
    told = [];
    notices = new Notices(SEEN, async (_severity, text) => void told.push(text));
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
    assert.equal(await attachments.take(''), undefined);
    await adding;
    assert.equal(attachments.list.length, 1, 'what is attached stays');
    assert.match(notices.states[0]?.text ?? '', /^linked is a link/);
    assert.equal((await attachments.take(''))?.list.length, 1, 'the user has read it and sends without');
  });

  it('that cannot be read adds no notice to a conversation that was opened meanwhile', async () => {
    const adding = attachments.addPath('linked/keys/id.txt');
    open = 'two';
    assert.equal(await adding, false);
    assert.deepEqual(notices.states, []);
    assert.match(told.join(), /^linked is a link/);
  });

  it('that cannot be read does not hold up another conversation', async () => {
    const adding = attachments.addPath('linked/keys/id.txt');
    open = 'two';
    assert.deepEqual((await attachments.take(''))?.list, []);
    await adding;
  });

  it('is removed by its label, even if it has moved; nothing else is removed in its place', async () => {
    fs.writeFileSync(inFolder('new.md'), 'New.');
    await attachments.addPath('AGENTS.md');
    await attachments.addPath('new.md');
    await attachments.addPath('AGENTS.md');
    attachments.remove(0, 'AGENTS.md');
    assert.deepEqual(pathsOf(attachments), ['new.md']);
    attachments.remove(0, 'AGENTS.md');
    assert.deepEqual(pathsOf(attachments), ['new.md']);
    fs.rmSync(inFolder('new.md'));
  });

  it('belongs to its conversation, also while a message is edited', async () => {
    const file = (path: string) => ({ kind: 'file', path, text: '' }) as const;
    open = undefined;
    await attachments.addPath('AGENTS.md');
    open = 'one';
    assert.deepEqual(pathsOf(attachments), ['AGENTS.md'], 'the first that opens takes it over');
    attachments.edit(3, { list: [file('a.ts')], decided: new Set() });
    open = 'two';
    assert.deepEqual([attachments.editing, pathsOf(attachments)], [undefined, []]);
    attachments.edit(5, { list: [file('b.ts')], decided: new Set() });
    const sent = await attachments.take('');
    assert.deepEqual(sent && pathsOf(sent), ['b.ts']);
    open = 'one';
    assert.deepEqual([attachments.editing, pathsOf(attachments)], [3, ['a.ts']]);
    assert.ok(sent);
    attachments.putBack(sent);
    assert.deepEqual(pathsOf(attachments), ['a.ts'], 'what comes back is where it was attached');
  });

  it('survives the window, like a selection, an image and what was put aside, until it was sent', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    await attachments.addPath('AGENTS.md');
    const lines = { kind: 'file', path: 'a.ts', lines: { from: 2, to: 4 }, text: 'const a = 1;' } as const;
    attachments.edit(3, { list: [lines], decided: new Set() });
    attachments.addImage(image);
    await attachments.flush();
    const again = make();
    await again.restore();
    assert.equal(again.editing, 3);
    assert.deepEqual(again.list, attachments.list);
    assert.deepEqual((await again.take(''))?.list.at(-1), { kind: 'image', url: image });
    assert.deepEqual(pathsOf(again), ['AGENTS.md']);
    await again.take('');
    await again.flush();
    const last = make();
    await last.restore();
    assert.deepEqual([last.list, last.editing], [[], undefined]);
  });

  it('is attached by its name after an @: only if it is offered, once, and not after the user removed it', async () => {
    fs.writeFileSync(inFolder('new.md'), 'New.');
    await attachments.addPath('AGENTS.md');
    const secret = path.join(outside, 'keys/id.txt');
    const text = `@AGENTS.md and @new.md, not @none.md @linked/keys/id.txt @${secret} @${path.relative(workspaceFolder(), secret)}`;
    const taken = await attachments.take(text);
    assert.deepEqual(taken && pathsOf(taken), ['AGENTS.md', 'new.md']);
    assert.equal(notices.states.length, 0);
    const lines = { kind: 'file', path: 'AGENTS.md', lines: { from: 1, to: 2 }, text: 'Lines.' } as const;
    attachments.edit(3, { list: [lines], decided: new Set() });
    assert.equal((await attachments.take('More than these lines of @AGENTS.md'))?.list.length, 2);
    await attachments.addPath('new.md');
    attachments.remove(0, 'new.md');
    assert.deepEqual((await attachments.take('@new.md'))?.list, []);
    fs.writeFileSync(inFolder('new.md'), 'a\0b');
    assert.equal(await attachments.take('See @new.md.'), undefined, 'it is kept');
    assert.match(notices.states[0]?.text ?? '', /^new\.md is a binary file/);
    assert.deepEqual((await attachments.take('See @new.md.'))?.list, [], 'the user has read it and sends without');
    fs.rmSync(inFolder('new.md'));
  });

  it('is found by its exact name, also with characters of patterns, unless the settings hide it', async () => {
    const names = ['named/[id]/{a,b}.md', 'named/i/ab.md', 'node_modules/named/a.md'];
    for (const name of names) {
      fs.mkdirSync(inFolder(path.dirname(name)), { recursive: true });
      fs.writeFileSync(inFolder(name), 'Text.');
    }
    const found = await attachments.files.named(`@named/[id]/{a,b}.md @${names[2]}`);
    for (const name of ['named', 'node_modules/named']) fs.rmSync(inFolder(name), { recursive: true });
    assert.deepEqual(found, ['named/[id]/{a,b}.md']);
  });

  it('is found among more files than are listed', async () => {
    // Moved into the folder and out of it as a whole: what watches it hears of each file that is made there.
    const [made, many] = [path.join(outside, 'many'), inFolder('many')];
    fs.mkdirSync(made);
    for (let index = 0; index < 25_000; index++) fs.writeFileSync(path.join(made, `${index}.md`), '');
    fs.renameSync(made, many);
    const names = Array.from({ length: 20 }, (_, index) => `many/${index * 1000}.md`);
    const found = await attachments.files.named(names.map((name) => `@${name}`).join(' '));
    fs.renameSync(many, made);
    assert.deepEqual(found, names);
  });

  it('stays removed when its message comes back; so does an image', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    fs.writeFileSync(inFolder('a.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
    const text = 'See @AGENTS.md and @a.png';
    await attachments.addPath('AGENTS.md');
    attachments.addImage(url);
    attachments.remove(1, 'Image, 1 kB');
    attachments.remove(0, 'AGENTS.md');
    for (const time of ['first', 'second']) {
      const taken = (await attachments.take(text)) ?? assert.fail('it is sent');
      assert.deepEqual(taken.list, [], time);
      attachments.putBack(taken);
    }
    const taken = (await attachments.take('')) ?? assert.fail('it is sent');
    attachments.edit(3, taken);
    assert.deepEqual((await attachments.take(text))?.list, [], 'of a message that is edited');
    assert.equal((await attachments.take(text))?.list.length, 2, 'the next message names both anew');
    fs.rmSync(inFolder('a.png'));
  });

  it('does not hold up a message if the lookup fails', async () => {
    attachments.files.named = () => Promise.reject(new Error('no search'));
    assert.deepEqual((await attachments.take('@AGENTS.md'))?.list, []);
    attachments.files.named = () => new Promise(ignore);
    assert.deepEqual((await attachments.take('@AGENTS.md'))?.list, []);
  });

  it('comes back with the text when sending fails', async () => {
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
    attachments.take = fail;
    await assert.rejects(karl.send('Second.', { page }), /disk is full/);
    const [unsent, edited] = [
      { type: 'unsent', text: 'First.', of: undefined },
      { type: 'edit', id: 3, text: 'Again.' },
    ];
    assert.deepEqual(posts, [unsent, edited, { ...unsent, text: 'Second.' }]);
    assert.deepEqual(waiting.list, []);
  });

  it('is shown with its message as soon as it is read', async () => {
    const waiting = new WaitingMessages({ active: undefined }, ignore);
    const shown: unknown[] = [];
    const look = () => shown.push(waiting.list.map((one) => [one.text, one.attachments.length]));
    const named = Promise.withResolvers<readonly string[]>();
    attachments.files.named = () => named.promise;
    const complete = async () => {
      look();
      return false;
    };
    const karl = new UserActions(partsOf({ attachments, waiting, conversations: {}, setup: { complete } }));
    const sending = karl.send('See @AGENTS.md', { page: { post: look, tellOthers: ignore } });
    look();
    named.resolve(['AGENTS.md']);
    await sending;
    look();
    const text = 'See @AGENTS.md';
    assert.deepEqual(shown, [[[text, 0]], [[text, 1]], [], []], 'it leaves when it is back in the composer');
  });

  it('does not let a message overtake the one before', async () => {
    const order: string[] = [];
    const sent = ['@AGENTS.md', ''].map(async (text) => {
      const taken = await attachments.take(text);
      order.push(`${text}: ${taken?.list.length}`);
    });
    await Promise.all(sent);
    assert.deepEqual(order, ['@AGENTS.md: 1', ': 0']);
  });

  it('is sent with its message even if it is still being read', async () => {
    const adding = attachments.addPath('AGENTS.md');
    const taken = await attachments.take('');
    assert.deepEqual(taken && pathsOf(taken), ['AGENTS.md']);
    assert.deepEqual(attachments.list, []);
    await adding;
  });
});
