import assert from 'node:assert/strict';
import type { CompactionMode } from '../../../src/core/session/settings.ts';
import { CompressionQuestion } from '../../../src/host/actions/compressionQuestion.ts';
import type { Announcer } from '../../../src/host/notices/announcer.ts';
import { Notices } from '../../../src/host/notices/notices.ts';

describe('Not Now in a preview that the user opened', () => {
  let mode: CompactionMode;
  let used: number;
  let compactions: number;
  let notices: Notices;
  let question: CompressionQuestion;
  beforeEach(() => {
    [mode, used, compactions] = ['automatic', 800, 0];
    notices = new Notices(() => undefined);
    question = new CompressionQuestion({
      mode: () => mode,
      about: () => ({ used, limit: 1_000, compactions }),
      notices,
      // The view is in sight: the question is there alone.
      announcer: { ask: async () => true } as unknown as Announcer,
      preview: () => undefined,
      onChange: () => undefined,
    });
  });
  const may = (trigger: 'threshold' | 'hard-limit' | 'overflow' = 'threshold') =>
    question.mayCompress(trigger, new AbortController().signal);

  it('puts an automatic compression off until another tenth of the budget is used', async () => {
    assert.equal(await may(), true);
    question.decline();
    used = 899;
    assert.deepEqual([await may(), question.isDeclined], [false, true]);
    used = 900;
    assert.deepEqual([await may(), question.isDeclined], [true, false]);
  });

  it('never puts one off that the request needs', async () => {
    used = 950;
    question.decline();
    assert.deepEqual([await may(), await may('overflow')], [false, true]);
    used = 1_001;
    assert.equal(await may('hard-limit'), true);
  });

  it('puts the question off in the mode ask, and ends one that is open', async () => {
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

  it('holds no longer after a compression, or in another mode', async () => {
    question.decline();
    compactions = 1;
    assert.equal(await may(), true);
    mode = 'ask';
    question.decline();
    mode = 'automatic';
    assert.deepEqual([await may(), question.isDeclined], [true, false]);
  });
});
