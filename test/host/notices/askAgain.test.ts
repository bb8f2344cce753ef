import assert from 'node:assert/strict';
import { type AskedAbout, mayAskAgain } from '../../../src/host/notices/askAgain.ts';

describe('mayAskAgain', () => {
  const about = (used: number, change: Partial<AskedAbout> = {}) => ({ used, limit: 1_000, compactions: 1, ...change });
  const after = (declined: number, used: number, change = {}) => mayAskAgain(about(declined), about(used, change));

  it('waits for a tenth of the budget more', () => {
    assert.deepEqual([after(800, 790), after(800, 899), after(800, 900)], [false, false, true]);
  });

  it('does not wait when the budget is used up', () => {
    assert.deepEqual([after(950, 999), after(950, 1_000)], [false, true]);
  });

  it('asks again after a compression, and about another model', () => {
    assert.deepEqual([after(800, 800, { compactions: 2 }), after(800, 800, { limit: 900 })], [true, true]);
  });
});
