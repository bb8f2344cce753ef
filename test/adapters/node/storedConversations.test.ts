import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { openStored } from '../../../src/adapters/node/storedConversations.ts';
import type { Words } from '../../../src/core/phrase.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';
import { say, value } from './kit.ts';

describe('stored conversations', () => {
  const path = useFolder();

  async function store(id: string, at: number): Promise<void> {
    const created = value(await new ConversationFiles({ root: path(), now: () => at }).create({ id, title: id }));
    value(await created.append([say(`This is ${id}.`)]));
    await created.close();
  }

  it('give the newest that can be read, and report one that cannot', async () => {
    await store('older', 1000);
    await store('newer', 2000);
    const raw = path('conversations/newer/conversation-raw.jsonl');
    rmSync(raw);
    mkdirSync(raw);
    const told: string[] = [];
    const opened = value(await openStored(path(), (words: Words) => told.push(inEnglish(words))));
    const newest = await opened.open();
    assert.equal(newest?.id, 'older');
    assert.match(told.join('\n'), /newer/);
  });
});
