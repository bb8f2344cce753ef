import assert from 'node:assert/strict';
import type { Evidence } from '../../../src/core/compaction/audit/evidence.ts';
import { isTold, saysNothingDone } from '../../../src/core/compaction/audit/told.ts';

/** A source: its sentences. */
const said = (...sentences: string[]): Evidence => ({ said: sentences, answers: [], acts: [] });

/** A message that has every word of the statement below, but not in one sentence. */
const SCATTERED = said(
  'The migration is planned for autumn.',
  'Customers wait for their invoices.',
  'I looked at the staging database.',
  'The nightly backup is large.',
);
const CLAIM = 'The migration of customers on the staging database ran after the nightly backup.';

describe('what is said about the state of the work', () => {
  it('has a source where one sentence says it, even in other words', () => {
    assert.ok(isTold(CLAIM, [said('Ran it: customers are migrated on the staging database, backup done before.')]));
    assert.ok(
      isTold('Rechnungen der Kunden wurden verschickt.', [
        said('Die Rechnungen der Kunden sind heute verschickt worden.'),
      ]),
    );
  });

  it('has no source in words that are scattered all over a text', () => {
    assert.ok(!isTold(CLAIM, [SCATTERED]));
    assert.ok(
      !isTold('Rechnungen der Kunden wurden verschickt.', [said('Die Rechnungen liegen bereit.', 'Kunden warten.')]),
    );
  });

  it('may have several sources, each in one place', () => {
    const first = said('All customers are in the staging database.');
    const second = said('The migration ran, and before it the nightly backup.');
    assert.ok(isTold(CLAIM, [first, second]));
    assert.ok(!isTold(CLAIM, [said('All customers pay.'), said('The backup is large.')]));
  });

  it('may have its source at the end of a long output', () => {
    const printed = `${'compiling the payments module\n'.repeat(500)}214 specs passed on staging`;
    const use = { name: 'bash' } as Evidence['acts'][number]['use'];
    const acts = [{ use, called: ['npm run specs'], printed }];
    assert.ok(isTold('214 specs of the payments module passed on staging.', [{ said: [], answers: [], acts }]));
  });

  it('needs no source where it says first that something is open or was never done', () => {
    assert.ok(saysNothingDone(`Never run: ${CLAIM}`));
    assert.ok(saysNothingDone('**Open** at t12: the migration of customers on the staging database.'));
    assert.ok(saysNothingDone(`Only claimed: ${CLAIM}`));
    assert.ok(saysNothingDone('Open (t12): the migration of customers on the staging database.'));
    for (const done of [
      `Done: ${CLAIM} No error came up.`,
      'Done, nothing open: the payments module is fixed and the branch is pushed to main.',
      'Done: no failing tests remain, main is pushed.',
      'No spec fails: the branch is pushed to main.',
      'Fixed open specs of the payments module and pushed the branch to main.',
      'Added no-cache header.',
      'Готово: исправил функцию open, все тесты прошли.',
    ])
      assert.ok(!saysNothingDone(done), done);
  });
});
