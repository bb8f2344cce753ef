import assert from 'node:assert/strict';
import { withNarratives } from '../../../src/core/compaction/notes/noteText.ts';

describe('the part of a note that a model wrote', () => {
  const note = '[t1-30] 30 messages; not quoted: 1 text; 1 Read\n- [t4-5] $ npm test → 12 passed';
  const told = [
    { covers: { from: 1, to: 12 }, text: 'The lock was read for $& and $1.' },
    { covers: { from: 13, to: 30 }, text: 'The lock is released.' },
  ];

  it('is below the line of the range, and leaves no trace when it is taken out', () => {
    const both = withNarratives(note, told);
    assert.match(
      both,
      /^\[t1-30\] 30 messages; not quoted: 1 text; 1 Read\nSummary by the model of \[t1-12\], as of t12;[^\n]*\nThe lock was read for \$& and \$1\.\n\nSummary/,
    );
    assert.equal(withNarratives(both, [], told), note);
    assert.equal(withNarratives(both, told.slice(0, 1), told), withNarratives(note, told.slice(0, 1)));
  });
});
