import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { askElsewhere, askInView, CompressionQuestion } from '../../../src/host/actions/compressionQuestion.ts';
import type { Notice, Notices } from '../../../src/host/notices/notices.ts';
import { type CompactionMode, DEFAULT_SETTINGS } from '../../../src/host/settings/settingRules.ts';
import { system, user } from '../../core/conversation/kit.ts';
import { makeThreads, request } from '../../core/session/threads/kit.ts';
import { makeNotices, partsOf } from '../kit.ts';

describe('Not Now, pressed in a preview', () => {
  let mode: CompactionMode;
  let used: number;
  let limit: number;
  let compactions: readonly object[];
  let notices: Notices;
  let question: CompressionQuestion;
  beforeEach(() => {
    [mode, used, limit, compactions] = ['automatic', 800, 1_000, []];
    notices = makeNotices();
    const conversation = {
      budget: () => ({ used: { tokens: used }, limit }),
      compactions: () => compactions,
    } as unknown as Conversation;
    const settings = {
      get current() {
        return { ...DEFAULT_SETTINGS, 'compaction.mode': mode };
      },
    };
    question = new CompressionQuestion(conversation, settings, askInView(partsOf({ notices })));
  });
  const may = (trigger: 'threshold' | 'hard-limit' | 'overflow' = 'threshold') =>
    question.mayCompress(trigger, new AbortController().signal);

  it('postpones an automatic compression until another tenth of the budget is used', async () => {
    assert.equal(await may(), true);
    question.decline();
    used = 899;
    assert.deepEqual([await may(), question.isDeclined], [false, true]);
    used = 900;
    assert.deepEqual([await may(), question.isDeclined], [true, false]);
  });

  it('never postpones a compression that the request needs', async () => {
    used = 950;
    question.decline();
    assert.deepEqual([await may(), await may('overflow')], [false, true]);
    mode = 'manual';
    assert.deepEqual([await may('hard-limit'), await may('overflow')], [false, true]);
    mode = 'automatic';
    used = 1_001;
    assert.equal(await may('hard-limit'), true);
  });

  it('postpones the question in the mode ask, and closes an open one', async () => {
    mode = 'ask';
    const asked = may();
    assert.equal(question.isOpen, true);
    question.decline();
    assert.deepEqual([await asked, question.isOpen, notices.states.length], [false, false, 0]);
    assert.equal(await may(), false);
    used = 900;
    void may();
    assert.equal(question.isOpen, true);
  });

  it('ends with a compression, a smaller model or another mode', async () => {
    question.decline();
    used = 500;
    assert.equal(await may(), true);
    used = 800;
    question.decline();
    compactions = [{}];
    assert.equal(await may(), true, 'it has grown to the same size again');
    question.decline();
    limit = 500;
    assert.equal(await may(), true);
    mode = 'ask';
    question.decline();
    mode = 'automatic';
    assert.deepEqual([await may(), question.isDeclined], [true, false]);
  });
});

describe("the question before a request in another agent's conversation", () => {
  let shown: { readonly text: string; readonly press: (label: string | undefined) => void }[];
  let question: CompressionQuestion;

  beforeEach(async () => {
    shown = [];
    const notify = ({ text, actions = [] }: Omit<Notice, 'id'>) =>
      new Promise<string | undefined>((resolve) => {
        const press = (label: string | undefined): void => {
          actions.find((action) => action.label === label)?.run();
          resolve(label);
        };
        shown.push({ text, press });
      });
    const messages = [system('You help.'), user('Fix the import.')];
    const { conversation } = await makeThreads().match(request(messages));
    question = new CompressionQuestion(
      conversation,
      { current: { ...DEFAULT_SETTINGS, 'compaction.mode': 'ask' } },
      askElsewhere(() => ({ notify })),
    );
  });

  const ask = (signal = new AbortController().signal) => question.mayCompress('threshold', signal);

  it('says how much of the budget is used, and takes the answer', async () => {
    const asked = ask();
    assert.match(shown[0]?.text ?? '', /^\d+% of the budget is used\. Compress before continuing\?$/);
    shown[0]?.press('Compress');
    assert.equal(await asked, true);
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

  it('cannot be answered after its request has ended, and is asked again for the next one', async () => {
    const ended = new AbortController();
    const asked = ask(ended.signal);
    ended.abort();
    assert.equal(await asked, false);
    shown[0]?.press('Compress');
    assert.equal(shown[1]?.text, 'This has already been settled.');
    const again = ask();
    assert.equal(shown.length, 3);
    shown[2]?.press('Compress');
    assert.equal(await again, true);
  });
});
