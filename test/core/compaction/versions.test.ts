import assert from 'node:assert/strict';
import type { Passage } from '../../../src/core/compaction/notes/passage.ts';
import { Selection } from '../../../src/core/compaction/notes/selection.ts';
import { stepPassage } from '../../../src/core/compaction/notes/useSteps.ts';
import { readFields } from '../../../src/core/ledger/read/callFields.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

/** A command with what it printed. */
function ran(at: number, command: string, printed: string): Passage {
  const result = { text: printed, at: at + 1, failed: false };
  const fields = readFields('');
  return stepPassage({ name: 'bash', fields, source: '', command, fromCall: true, at, result });
}

function quotesOf(passages: readonly Passage[], room: number): (string | undefined)[] {
  const selection = runAtOnce(Selection.of(passages, -1, new Map()));
  const chosen = runAtOnce(selection.choose(room));
  return passages.map((passage) => chosen.get(passage)?.text);
}

/** Forty lines that every commit prints, each time in another time, and what this one did. */
function checked(part: number): string {
  const lines = Array.from({ length: 40 }, (_, index) => `the package number ${index} is checked`);
  return [...lines, `all packages are checked in ${part * 7} ms`, `[main ${part}] Part ${part}`].join('\n');
}

describe('output that is printed again and again', () => {
  it('is quoted once, where it is newest; what each run did stays told', () => {
    const runs = [1, 2, 3].map((part) => ran(part * 2, `git commit -m "Part ${part}"`, checked(part)));
    const [first = '', second = '', third = ''] = quotesOf(runs, 20_000);
    assert.match(first, /^\$ git commit -m "Part 1" → 42 lines \[…\] \[main 1\] Part 1$/);
    assert.match(second, /\[main 2\] Part 2$/);
    assert.match(third, /the package number 20 is checked/);
  });

  it('is quoted each time where it says something else', () => {
    const outputs = ['alpha', 'beta'].map((word) => checked(1).replaceAll('package', word));
    const [first = '', second = ''] = quotesOf(
      outputs.map((printed, index) => ran(index * 2, `make part${index}`, printed)),
      20_000,
    );
    assert.match(first, /the alpha number 20 is checked/);
    assert.match(second, /the beta number 20 is checked/);
  });
});
