import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startDraft } from '../../../src/core/compaction/draft.ts';
import { noteRuns } from '../../../src/core/compaction/notes/notePlan.ts';
import { DEFAULT_STRATEGY_SETTINGS } from '../../../src/core/compaction/strategy.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { deriveView } from '../../../src/core/messages/view.ts';
import { runAtOnce, sortInSteps } from '../../../src/core/steps.ts';

/** Sorts, and counts the comparisons that were made between two steps. */
function sortCounted(numbers: readonly number[]): { sorted: readonly number[]; most: number; all: number } {
  let [now, most, all] = [0, 0, 0];
  const steps = sortInSteps(numbers, (one, other) => {
    now += 1;
    return one - other;
  });
  for (;;) {
    const step = steps.next();
    most = Math.max(most, now);
    all += now;
    now = 0;
    if (step.done === true) return { sorted: step.value, most, all };
  }
}

describe('sorting in steps', () => {
  it('sorts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 5_000 }), (numbers) => {
        assert.deepEqual(
          sortCounted(numbers).sorted,
          numbers.toSorted((one, other) => one - other),
        );
      }),
    );
  });

  it('never compares for long without a step, however many there are', () => {
    const count = 100_000;
    for (const at of [(index: number) => (index * 7_919) % count, (index: number) => count - index]) {
      const { most, all } = sortCounted(Array.from({ length: count }, (_, index) => at(index)));
      assert.ok(most < 20_000, `${most}`);
      assert.ok(all < count * 20, `${all}`);
    }
  });
});

describe('the notes of a long conversation', () => {
  it('are written with a step before each, so that nothing waits for all of them', () => {
    const transcript = new Transcript();
    const turns = 50;
    for (let turn = 0; turn < turns; turn += 1) {
      transcript.append(parseMessage({ role: 'user', content: `Do step ${turn}.` }, transcript.nextId));
      transcript.append(parseMessage({ role: 'assistant', content: `Step ${turn} is done.` }, transcript.nextId));
    }
    const draft = runAtOnce(
      startDraft({
        items: runAtOnce(deriveView(transcript.blocks, [], (one) => one)),
        pins: new Set(),
        requests: new Set(),
        humans: new Set(),
        unread: Number.MAX_SAFE_INTEGER,
        count: ({ content }) => String(content).length,
      }),
    );
    const runs = Array.from({ length: turns }, (_, turn) => ({ start: 2 * turn + 1, count: 1 }));
    const settings = DEFAULT_STRATEGY_SETTINGS;
    const input = {
      draft,
      trigger: 'command',
      target: 1_000,
      limit: 2_000,
      ledger: createLedger(),
      mark: 'mark',
    } as const;
    const steps = [...noteRuns(draft, runs, { ...input, settings, canSummarize: false, narratives: [] })].length;
    assert.ok(steps >= turns, `${steps}`);
  });
});
