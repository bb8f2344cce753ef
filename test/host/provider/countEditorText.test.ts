import assert from 'node:assert/strict';
import { runAtOnce } from '../../../src/core/steps.ts';
import type { TextCounter } from '../../../src/core/tokens/counter.ts';
import { countEditorText, KeptCounts } from '../../../src/host/provider/countEditorText.ts';

describe('counting for VS Code', () => {
  it('counts a text once, and forgets first what was asked for least recently', () => {
    const { counter, asked } = wordCounter();
    const kept = new KeptCounts(counter, 8);
    for (const text of ['a b', 'a b', 'c d', 'a b', 'e f', 'a b', 'c d']) assert.equal(kept.count(text).tokens, 2);
    assert.deepEqual(asked, ['a b', 'c d', 'e f', 'c d']);
  });

  it('asks again for what was estimated', () => {
    const { counter, asked } = wordCounter('estimated');
    const kept = new KeptCounts(counter);
    kept.count('a');
    kept.count('a');
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('counts a message with its calls and results', () => {
    const counter = new KeptCounts(wordCounter().counter);
    const result = { kind: 'result', callId: 'c1', parts: [{ kind: 'text', text: 'x '.repeat(100).trim() }] } as const;
    const message = { role: 'user', name: '', parts: [result] } as const;
    const tokens = runAtOnce(countEditorText(counter, message));
    assert.ok(tokens >= 100 && tokens < 110, `${tokens}`);
    assert.equal(runAtOnce(countEditorText(counter, 'one two')), 2);
  });

  it('counts long texts exactly, where the counter estimates them at once', () => {
    const exact: TextCounter = {
      ...wordCounter().counter,
      *countInSteps(text) {
        yield;
        return { tokens: text.length, source: 'counted' };
      },
    };
    const kept = new KeptCounts({ ...wordCounter('estimated').counter, exact: () => exact });
    const text = 'x'.repeat(100_000);
    assert.equal(runAtOnce(countEditorText(kept, text)), 100_000);
    const message = { role: 'user', name: '', parts: [{ kind: 'text', text: `${text}y` }] } as const;
    assert.ok(runAtOnce(countEditorText(kept, message)) > 100_000);
  });
});

function wordCounter(source: 'counted' | 'estimated' = 'counted') {
  const asked: string[] = [];
  const counter: TextCounter = {
    encoding: 'o200k_base',
    count: (text) => {
      asked.push(text);
      return { tokens: text.split(' ').length, source };
    },
  };
  return { counter, asked };
}
