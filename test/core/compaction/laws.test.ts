import assert from 'node:assert/strict';
import { fence } from '../../../src/core/chat/fence.ts';
import { deriveView } from '../../../src/core/chat/view.ts';
import { startDraft } from '../../../src/core/compaction/draft.ts';
import { findBrokenLaw } from '../../../src/core/compaction/laws.ts';
import type { Fact } from '../../../src/core/ledger/fact.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, transcriptOf } from '../conversation/kit.ts';

const facts = ['src/a.ts', 'src/b.ts'].map((value): Fact => ({ class: 'file-changed', key: value, value, at: 0 }));

/** The law that is broken by a run that replaces everything with a note, followed by this state. */
function judge(state: string | undefined): string | undefined {
  const { blocks } = transcriptOf(assistant('src/a.ts and src/b.ts were changed'));
  const before = runAtOnce(
    startDraft({
      items: runAtOnce(deriveView(blocks, [], (one) => one)),
      pins: new Set(),
      requests: new Set(),
      humans: new Set(),
      unread: 1,
      count: () => 1,
    }),
  );
  const note = fence('mark', '[t0] 1 message');
  const messages = state === undefined ? [note] : [note, fence('mark', state)];
  const by = { kind: 'note' as const, messages, volatile: messages.length - 1 };
  const after = runAtOnce(before.replace([{ start: 0, count: 1, by }]));
  const ledger = { ...createLedger(), facts: () => facts };
  const broken = runAtOnce(findBrokenLaw({ before, after, ledger, promise: 'facts-in-view', limit: 100 }));
  return broken === undefined ? undefined : inEnglish(broken);
}

describe('the seventh law', () => {
  it('holds where the view states each fact or the state counts it as left out, and is broken by one fact less', () => {
    assert.equal(judge('Files:\n- [t0] src/a.ts\n- [t0] src/b.ts'), undefined);
    assert.equal(judge('Files:\n- [t0] src/b.ts\n+1 more'), undefined);
    assert.equal(judge('+2 more'), undefined);
    assert.match(judge('Files:\n- [t0] src/b.ts') ?? '', /^audited: file-changed "src\/a.ts" of t0/);
    assert.match(judge('+1 more') ?? '', /^audited/);
    assert.match(judge('- [t0] wrote "+2 more"') ?? '', /^audited/);
    assert.match(judge(undefined) ?? '', /^audited/);
  });
});
