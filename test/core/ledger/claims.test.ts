import assert from 'node:assert/strict';
import type { FactClass } from '../../../src/core/ledger/fact.ts';
import { call, factsOf, latest, model } from './script.ts';

/** Facts of a class that an assistant's message yields, with where they stand. */
function claimed(kind: FactClass, text: string): string[] {
  return factsOf(model(text))
    .filter((fact) => fact.class === kind)
    .map((fact) => [fact.anchor, fact.value, fact.state].filter((part) => part !== undefined).join(' | '));
}

describe('what the model says between its calls', () => {
  for (const [text, names] of [
    ['I changed `mergeRows` in src/store/rows.ts: it compared the wrong field.', ['mergeRows']],
    ['Ich habe `merge_rows` in app/store/rows.py umbenannt.', ['merge_rows']],
    ['`src/store/rows.ts` に `RowMerger` を追加しました。', ['RowMerger']],
    ['`fetchRows()` in lib/rows.rb now returns early.', ['fetchRows']],
    ['The word `fine` is no name and neither is this.', []],
  ] as const) {
    it(`names of code beside a path: ${text}`, () => assert.deepEqual(claimed('identifier', text), names));
  }

  it('paths that were read or changed', () => {
    assert.deepEqual(claimed('file-read', 'After reading internal/cache/policy.go I understand the flow.'), [
      'internal/cache/policy.go',
    ]);
    assert.deepEqual(claimed('file-read', 'Either/or is no path; version 1.2/1.3 is none.'), []);
  });

  for (const [text, error] of [
    [
      "The build stops with `TypeError: 'Row' object is not callable` at app/rows.py:91.",
      "app/rows.py:91 | TypeError: 'Row' object is not callable",
    ],
    ['There is a new error in internal/rows.go:44: undefined: mergeRows', 'internal/rows.go:44 | undefined: mergeRows'],
    ['Der Test schlägt bei rows.go:44 fehl: `no such row in table`.', 'rows.go:44 | no such row in table'],
    ['src/rows.rs:12 报错：`mismatched types: expected u8`', 'src/rows.rs:12 | mismatched types: expected u8'],
  ] as const) {
    it(`a failure with its place: ${text}`, () => assert.deepEqual(claimed('error', text), [error]));
  }

  for (const [text, command] of [
    ['`npm test -- rows` exited with code 3.', 'npm test -- rows | exit 3'],
    ['`./scripts/sync.sh --all` ist mit Status 2 fehlgeschlagen.', './scripts/sync.sh --all | exit 2'],
    ['我执行了 `make rows all`，返回值是 127。', 'make rows all | exit 127'],
  ] as const) {
    it(`a command with its end: ${text}`, () => assert.deepEqual(claimed('command', text), [command]));
  }

  it('rules that it takes over, wishes that it remembers', () => {
    assert.equal(claimed('constraint', "Understood, I won't touch `vendor/rows`.").length, 1);
    assert.equal(claimed('constraint', '明白，我不会修改 `vendor/rows`。').length, 1);
    assert.equal(claimed('constraint', 'Right, the second one explains it.').length, 0);
    assert.equal(claimed('preference', 'As you prefer, comments stay in British English.').length, 1);
  });

  it('weighs less than what the tools show', () => {
    const read = call('Read', { file_path: 'src/rows.ts' }, 'x');
    const [first] = read;
    assert.ok(first !== undefined);
    const said = { ...first, content: 'I look at src/rows.ts and `mergeRows`.' };
    const facts = factsOf([said, ...read.slice(1)]).filter((fact) => fact.class === 'file-read');
    assert.deepEqual(
      facts.map((fact) => [fact.value, fact.strength]),
      [['src/rows.ts', undefined]],
    );
    assert.deepEqual(latest('identifier', [said, ...read.slice(1)]), ['mergeRows']);
  });
});
