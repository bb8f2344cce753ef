import assert from 'node:assert/strict';
import { describeSkip, type SkipReason } from '../../../src/core/compaction/compaction.ts';
import { describeSkipped } from '../../../src/host/present/end.ts';

describe('a run that was skipped', () => {
  const told = (reason: SkipReason) =>
    describeSkipped({ kind: 'skipped', strategy: 'adaptive', reason, message: describeSkip({ reason }) });

  it('is told with its reason, and not twice', () => {
    assert.equal(
      told('nothing-to-compact'),
      'Nothing was compressed: what is left is the prompt, pinned messages, the current request and summaries.',
    );
    assert.equal(told('already-under-target'), 'Nothing was compressed. The conversation is already under the target.');
  });
});
