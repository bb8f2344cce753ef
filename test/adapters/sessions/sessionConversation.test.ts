import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { openSession } from '../../../src/adapters/sessions/readSession.ts';
import { budgetForReader, type ReadableConversations, recallForReader } from '../../../src/core/session/readers.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';
import { SAMPLES } from './samples.ts';

describe('the session of an agent that others recall from', () => {
  const path = useFolder();

  async function open(text: string): Promise<ReadableConversations> {
    writeFileSync(path('session.jsonl'), text);
    const opened = await openSession(path('session.jsonl'));
    assert.ok(opened.ok, JSON.stringify(opened));
    return opened.value;
  }

  it('opens handles and finds words, by the positions of its messages', async () => {
    const conversation = await open(SAMPLES.claude ?? '');
    const opened = await recallForReader(conversation, { query: 't2' });
    assert.match(opened.text, /\[t2 .*STATUS: pending/s);
    const found = await recallForReader(conversation, { query: 'pending' });
    assert.match(found.text, /t2/);
    assert.equal(opened.failed ?? false, false);
    assert.match((await budgetForReader(conversation)).text, /s1/);
  });

  it('is the only conversation, and is indexed once', async () => {
    const conversation = await open(SAMPLES.codex ?? '');
    const [listed, ...others] = await conversation.list();
    assert.deepEqual([listed?.id, listed?.client, others], ['s1', 'codex', []]);
    assert.equal((await conversation.open())?.source, (await conversation.open('s1'))?.source);
    assert.equal(await conversation.open('another'), undefined);
  });

  it('is listed whatever time was stored', async () => {
    const conversation = await open(SAMPLES.codex ?? '');
    const list = async () => (await conversation.list()).map((one) => ({ ...one, updatedAt: 1e300 }));
    const { text } = await budgetForReader({ open: (id) => conversation.open(id), list });
    assert.match(text, /^- s1 .*last used Invalid Date$/m);
  });

  it('is refused with a sentence that names the file where it is none', async () => {
    writeFileSync(path('foreign'), '{"name":"package"}');
    const opened = await openSession(path('foreign'));
    assert.ok(!opened.ok && inEnglish(opened.error).includes(path('foreign')));
  });
});
