import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import { Conversations } from '../../../src/host/conversations/conversations.ts';
import { OtherAgent } from '../../../src/host/conversations/openThread.ts';
import { presentView } from '../../../src/host/present/presenter.ts';
import { KarlView } from '../../../src/host/view/view.ts';
import { activateKarl, openSample, until } from './karl.ts';

describe('a conversation that is opened in place of another', () => {
  const ignore = () => undefined;
  /** The conversation of each snapshot, without repetitions. */
  let shown: (string | undefined)[];
  /** What opening waits for. */
  let gate: Promise<unknown>;
  let root: string;
  let conversations: Conversations;
  let view: KarlView;

  beforeEach(async () => {
    shown = [];
    gate = Promise.resolve();
    root = fs.mkdtempSync(path.join(tmpdir(), 'karl-opening-'));
    const api = await activateKarl();
    const conversation = await openSample(api);
    const { resolved } = api.karl.active ?? assert.fail('the sample is open');
    const ids = ['one', 'two'];
    conversations = new Conversations({
      store: new ConversationFiles({ root, now: Date.now }),
      memory: { get: ignore, update: async () => undefined, keys: () => [] },
      newId: () => ids.shift() ?? assert.fail('two are opened'),
      others: () => assert.fail('none is of another agent'),
      openLive: async (file) => {
        await gate;
        const createAgent = () => new OtherAgent(() => false, ignore);
        return new ActiveConversation({ file, conversation, resolved, createAgent, onProblem: ignore });
      },
    });
    view = new KarlView({
      extensionUri: vscode.Uri.file(root),
      present: () => {
        const id = conversations.active?.id;
        if (shown.length === 0 || id !== shown.at(-1)) shown.push(id);
        return [presentView({ revision: 1, notices: [] })];
      },
      isChanging: () => conversations.isChanging,
      onIntent: ignore,
      onInvalid: ignore,
      onState: ignore,
    });
    conversations.onDidChangeActive(() => view.refresh());
    await conversations.create();
    await until(() => shown.length === 1);
  });

  afterEach(async () => {
    await conversations.close();
    view.dispose();
    conversations.dispose();
    fs.rmSync(root, { recursive: true });
  });

  it('follows it in the view at once: no view without a conversation flashes between them', async () => {
    gate = setTimeout(200);
    await conversations.create();
    await until(() => shown.length > 1);
    assert.deepEqual(shown, ['one', 'two']);
  });

  it('leaves the view without one where it takes long, or cannot be opened', async () => {
    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    const creating = conversations.create();
    await until(() => shown.length > 1);
    opened.resolve();
    await creating;
    await until(() => shown.length > 2);
    assert.equal((await conversations.open('none')).ok, false);
    await until(() => shown.length > 3);
    assert.deepEqual(shown, ['one', undefined, 'two', undefined]);
  });
});
