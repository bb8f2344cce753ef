import assert from 'node:assert/strict';
import type { CompactionError } from '../../../src/core/compaction/compaction.ts';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import { adviseOnCompaction } from '../../../src/host/notices/describeProblem.ts';

describe('what to do about a summary that is missing', () => {
  const refused = (failure: unknown): CompactionError => ({
    kind: 'summarizer-failed',
    message: 'It said no.',
    refusal: classifyModelError(failure),
  });
  const cures = (error: CompactionError, model = '') => adviseOnCompaction(error, model).cures.map(({ kind }) => kind);

  it('is what mends a turn that fails in the same way', () => {
    assert.deepEqual(cures(refused({ status: 401 })), ['set-key', 'select-server']);
    assert.match(adviseOnCompaction(refused({ status: 401 }), '').next, /karl\.baseUrl/);
    assert.deepEqual(cures(refused({ status: 429 })), ['select-model', 'select-server']);
  });

  it('is to look at the setting where another model writes the summaries', () => {
    const { next, cures } = adviseOnCompaction(refused({ status: 401 }), 'small-model');
    assert.match(next, /karl\.summary\.model/);
    assert.deepEqual(cures, [{ kind: 'open-setting', setting: 'summary.model' }]);
  });

  it('is to select a model where there is none', () => {
    assert.deepEqual(cures({ kind: 'no-summarizer', message: 'None is set.' }), ['select-model']);
  });

  it('is nothing where the request was too long, or the text was refused', () => {
    assert.deepEqual(cures(refused({ status: 413 })), []);
    assert.deepEqual(cures({ kind: 'summary-rejected', message: 'It states nothing.' }), []);
    assert.deepEqual(cures({ kind: 'summarizer-failed', message: 'It was cut.' }), []);
  });
});
