import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { CONVERSATION_PORTS } from '../../../src/adapters/node/slices.ts';
import { StoredConversations } from '../../../src/adapters/node/storedConversations.ts';
import { user } from '../../core/conversation/kit.ts';

describe('stored conversations', () => {
  let root: string;
  let told: string[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-stored-'));
    told = [];
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function store(id: string, at: number): Promise<void> {
    const files = new ConversationFiles({ root, now: () => at });
    const created = await files.create({ id, title: id });
    assert.ok(created.ok);
    assert.ok((await created.value.append([user(`This is ${id}.`)])).ok);
    await created.value.close();
  }

  it('give the newest that can be read, and report one that cannot', async () => {
    await store('older', 1000);
    await store('newer', 2000);
    const raw = join(root, 'conversations/newer/conversation-raw.jsonl');
    rmSync(raw);
    mkdirSync(raw);
    const opened = await StoredConversations.open({
      root,
      ports: CONVERSATION_PORTS,
      onProblem: (text) => told.push(text),
    });
    assert.ok(opened.ok);
    const newest = await opened.value.open();
    assert.equal(newest?.id, 'older');
    assert.match(told.join('\n'), /newer/);
  });
});
