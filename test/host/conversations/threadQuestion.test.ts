import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { CompactionMode } from '../../../src/core/session/settings.ts';
import { ThreadQuestion } from '../../../src/host/conversations/threadQuestion.ts';
import type { Notice } from '../../../src/host/notices/notices.ts';
import { system, user } from '../../core/conversation/kit.ts';
import { makeThreads, request } from '../../core/conversation/threads/kit.ts';

describe("the question before a request in another agent's conversation", () => {
  let mode: CompactionMode;
  let shown: { readonly text: string; readonly press: (label: string | undefined) => void }[];
  let question: ThreadQuestion;
  let conversation: Conversation;

  beforeEach(async () => {
    mode = 'ask';
    shown = [];
    const notify = ({ text, actions = [] }: Omit<Notice, 'id'>) =>
      new Promise<string | undefined>((resolve) => {
        const press = (label: string | undefined): void => {
          actions.find((action) => action.label === label)?.run();
          resolve(label);
        };
        shown.push({ text, press });
      });
    question = new ThreadQuestion({ mode: () => mode, teller: () => ({ notify }) });
    conversation = (await makeThreads().match(request([system('You help.'), user('Fix the import.')]))).conversation;
  });

  const ask = (signal = new AbortController().signal) => question.mayCompact('threshold', signal, conversation);

  it('is asked in the mode "ask" alone, and never about an overflow', async () => {
    const asked = ask();
    assert.equal(shown[0]?.text, 'threshold reached. Compress the conversation before the next request?');
    shown[0]?.press('Compress');
    assert.equal(await asked, true);
    mode = 'automatic';
    assert.equal(await ask(), true);
    mode = 'manual';
    assert.equal(await ask(), false);
    assert.equal(await question.mayCompact('overflow', new AbortController().signal, conversation), true);
    assert.equal(shown.length, 1);
  });

  for (const label of ['Not Now', undefined])
    it(`is not asked again at once after ${label ?? 'it was dismissed'}`, async () => {
      const asked = ask();
      shown[0]?.press(label);
      assert.equal(await asked, false);
      assert.equal(await ask(), false);
      assert.equal(shown.length, 1);
    });

  it('says so when it is answered after its request has ended, and is asked anew at the next one', async () => {
    const ended = new AbortController();
    const asked = ask(ended.signal);
    ended.abort();
    assert.equal(await asked, false);
    shown[0]?.press('Compress');
    assert.equal(shown[1]?.text, 'That was settled meanwhile.');
    const again = ask();
    assert.equal(shown.length, 3);
    shown[2]?.press('Compress');
    assert.equal(await again, true);
  });
});
