import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ConversationFile } from '../../../src/adapters/node/conversationFile.ts';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import { Conversations } from '../../../src/host/conversations/conversations.ts';
import { presentNothing } from '../../../src/host/present/presenter.ts';
import { KarlView } from '../../../src/host/view/view.ts';
import { idleAgent, partsOf } from '../../host/kit.ts';
import { activateKarl, openSample, until } from './karl.ts';

describe('a conversation that replaces another', () => {
  const ignore = () => undefined;
  /** The conversation of each snapshot, without repetitions. */
  let shown: (string | undefined)[];
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
    const open = async (file: ConversationFile) => {
      await gate;
      const createAgent = () => idleAgent();
      return new ActiveConversation({ file, conversation, resolved, createAgent, onProblem: ignore });
    };
    conversations = new Conversations(
      partsOf({
        store: new ConversationFiles({ root, now: Date.now }),
        memory: { get: ignore, update: async () => undefined },
        factory: Promise.resolve({ open, threads: { has: async () => false } }),
      }),
    );
    /** By the order in which they are shown first. */
    const ids: string[] = [];
    view = new KarlView(
      partsOf({
        isChanging: () => conversations.isChanging,
        present: () => {
          const id = conversations.active?.id;
          if (id !== undefined && !ids.includes(id)) ids.push(id);
          const name = id === undefined ? undefined : ['one', 'two'][ids.indexOf(id)];
          if (shown.length === 0 || name !== shown.at(-1)) shown.push(name);
          return [presentNothing(1, [])];
        },
      }),
    );
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

  it('is shown at once, without an empty view in between', async () => {
    gate = setTimeout(200);
    await conversations.create();
    await until(() => shown.length > 1);
    assert.deepEqual(shown, ['one', 'two']);
  });

  it('leaves the view empty if it takes long or cannot be opened', async () => {
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
