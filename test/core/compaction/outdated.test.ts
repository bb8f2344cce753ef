import assert from 'node:assert/strict';
import { lastReport } from '../../../src/core/compaction/noteText.ts';
import { outdatedByMessage, withoutOutdated } from '../../../src/core/compaction/outdated.ts';
import { createLedger } from '../../../src/core/ledger/createLedger.ts';
import { blocksOf, human, model } from '../ledger/script.ts';

describe('a quotation of what the model last said', () => {
  const report = 'The map is drawn. NET-4 is blocked. lib/net: 3 passed, 1 failed.';

  it('leaves out the sentences that no longer hold', () => {
    const blocks = blocksOf(
      model(report),
      human('NET-4 please as done. lib/net shows 4 passed, 0 failed.'),
      model('Fine.'),
    );
    const ledger = createLedger();
    ledger.update(blocks);
    assert.equal(lastReport(blocks.slice(0, 1), outdatedByMessage(ledger)), 'Last said (t0): The map is drawn. …');
  });

  it('is as it was said while it holds', () => {
    const blocks = blocksOf(model(report), human('And NET-5 please as done.'), model('Fine.'));
    const ledger = createLedger();
    ledger.update(blocks);
    assert.equal(lastReport(blocks.slice(0, 1), outdatedByMessage(ledger)), `Last said (t0): ${report}`);
  });

  it('is nothing when all of it is over', () => {
    assert.equal(
      withoutOutdated('NET-4 is blocked.', [
        { class: 'todo', value: 'NET-4', anchor: 'NET-4', state: 'blocked', key: 'net-4', at: 0, by: 'model' },
      ]),
      '',
    );
  });
});
