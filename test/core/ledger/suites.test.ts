import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/createLedger.ts';
import type { Fact } from '../../../src/core/ledger/fact.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { blocksOf, call, human, model } from './script.ts';

function factsOf(...messages: (ChatMessage | ChatMessage[])[]): readonly Fact[] {
  const ledger = createLedger();
  ledger.update(blocksOf(...messages));
  return ledger.facts();
}

function states(...messages: (ChatMessage | ChatMessage[])[]): string[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'test-state' && fact.supersededAt === undefined)
    .map(({ value, state }) => `${state}: ${value}`);
}

describe('how a suite of tests stands', () => {
  const SAID: readonly (readonly [sentence: string, counts: string])[] = [
    ['Here lib/net shows 41 passed and 2 failed.', '41 passed and 2 failed'],
    ['Bei mir hat lib/net 2 fehlgeschlagen, 41 bestanden.', '2 fehlgeschlagen, 41 bestanden'],
    ['Chez moi lib/net : 41 réussis, 2 échoués.', '41 réussis, 2 échoués'],
    ['En CI, lib/net tiene 41 superadas y 2 fallidas.', '41 superadas y 2 fallidas'],
    ['Ahora pasan 41 de 43 pruebas en lib/net.', 'pasan 41 de 43 pruebas'],
    ['lib/net: 41 passaram, 2 falharam.', '41 passaram, 2 falharam'],
    ['In lib/net sono 41 superati e 2 falliti.', '41 superati e 2 falliti'],
    ['lib/net: 41 geslaagd, 2 mislukt.', '41 geslaagd, 2 mislukt'],
    ['В lib/net прошло 41, упало 2.', 'прошло 41, упало 2'],
    ['lib/net 现在 41 个通过，2 个失败。', '41 个通过，2 个失败'],
    ['lib/net は 43 件中 41 件が成功です。', '43 件中 41 件が成功'],
    ['lib/net: 41 통과, 2 실패.', '41 통과, 2 실패'],
  ];
  for (const [sentence, counts] of SAID)
    it(`is what was said of it since the tool ran it, in any language: ${sentence}`, () => {
      const run = call('bash', { command: 'pytest lib/net -q' }, '==== 7 failed, 36 passed in 4.83s ====\n');
      assert.deepEqual(states(run, human(sentence)), [`failed: ${counts}`]);
      assert.deepEqual(states(model(sentence), run), ['failed: ==== 7 failed, 36 passed in 4.83s ====']);
      assert.equal(factsOf(human(sentence)).filter((fact) => fact.class === 'number').length, 0);
    });

  const RUNS = [
    'npx jest lib/net',
    'npx vitest run lib/net',
    'gotestsum ./lib/net/...',
    'go test ./lib/net/...',
    'cargo test --manifest-path lib/net/Cargo.toml',
    'npx playwright test lib/net',
  ];
  for (const command of RUNS)
    it(`is known by its path in a command: ${command}`, () => {
      const run = call('bash', { command }, 'Tests: 7 failed, 36 passed, 43 total\n');
      assert.deepEqual(states(run, human('On CI all 43 tests pass in lib/net.')), ['passed: 43 tests pass']);
    });

  it('is not that of some of its tests or of another folder', () => {
    const some = call('bash', { command: 'pytest lib/net -k slow' }, '==== 1 passed in 1.0s ====\n');
    const other = call('bash', { command: 'pytest lib/disk' }, '==== 2 passed in 1.0s ====\n');
    assert.equal(states(some, other, human('lib/net: 3 passed, 1 failed')).length, 3);
  });

  it('is not told by counts of other things, nor by a question', () => {
    assert.deepEqual(states(human('I read 12 files and saw 3 failed requests.')), []);
    assert.deepEqual(states(human('Does lib/net still show 3 failed, 4 passed?')), []);
  });

  it('names what passed in a run that failed as passed, or not at all', () => {
    const lines = 'ok first draws the border (16 ms)\nok second cuts the tail (1 ms)\nTests: 1 failed, 2 passed\n';
    const run = call('bash', { command: 'npx jest lib/net' }, `${lines}\nexit code 1`);
    assert.deepEqual(states(run), ['failed: Tests: 1 failed, 2 passed']);
    const packages = call('bash', { command: 'go test ./...' }, 'ok  \tdisk\t0.3s\nFAIL\tnet\t0.2s\nexit code 1');
    assert.deepEqual(states(packages), ['passed: ok  \tdisk\t0.3s', 'failed: FAIL\tnet\t0.2s']);
  });
});
