import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { PlantedFact } from './fact.ts';
import { hasValue, isRetained, readView, stands } from './probes.ts';
import { findInvented, SourceTokens } from './score.ts';

const fact = (more: Partial<PlantedFact>): PlantedFact => ({
  id: 'f',
  class: 'file-read',
  value: 'src/a.ts',
  messageIndex: 0,
  heldOut: false,
  ...more,
});
const view = (...texts: string[]) =>
  readView(
    texts.map((content): ChatMessage => ({ role: 'user', content })),
    [],
  );

describe('probe P1: a value stands at token boundaries', () => {
  for (const [value, text, expected] of [
    ['a.ts', 'look at a.ts.', true],
    ['a.ts', 'look at ba.ts', false],
    ['a.ts', 'a.tsx', false],
    ['src/a.ts', 'src/a.ts:12', true],
    ['src/a.ts', '/repo/src/a.ts', true],
    ['src/a.ts', 'src/a.ts-old', false],
    ['src/a.ts', 'src/a.tsx', false],
    ['12 ms', '112 ms', false],
    ['loadRows', 'reloadRows()', false],
    ['loadRows', 'await loadRows()', true],
    ['缓存大小', '把缓存大小设为 3', true],
  ] as const) {
    it(`${value} ${expected ? 'stands' : 'does not stand'} in "${text}"`, () =>
      assert.equal(stands(value, text), expected));
  }

  it('reads call arguments without their JSON escapes', () => {
    const call: ChatMessage = {
      role: 'assistant',
      tool_calls: [{ id: '1', function: { name: 'edit', arguments: '{"new":"x\\nloadRows()"}' } }],
    };
    assert.ok(hasValue(fact({ value: 'loadRows', class: 'identifier' }), readView([call], [])));
  });
});

describe('probe P2: a number or a decision stands by its anchor', () => {
  const number = fact({ class: 'number', value: '250 ms', anchor: 'the timeout' });

  it('on one line, or near', () => {
    assert.ok(isRetained(number, view('Set the timeout to 250 ms.')));
    assert.ok(isRetained(number, view('The timeout\n250 ms')));
  });

  it('not by another anchor, and not far away', () => {
    assert.ok(!isRetained(number, view('The delay is 250 ms.')));
    assert.ok(!isRetained(number, view(`The timeout matters.\n${'word '.repeat(40)}\nThe delay is 250 ms.`)));
  });
});

describe('probe P3: the latest state holds', () => {
  const number = fact({ class: 'number', value: '251 ms', anchor: 'the timeout', supersedes: '250 ms' });

  it('the old value may come before the new one, or be marked', () => {
    assert.ok(isRetained(number, view('The timeout is 250 ms.', 'The timeout is 251 ms.')));
    assert.ok(isRetained(number, view('The timeout is 251 ms.', 'superseded: the timeout 250 ms')));
  });

  it('the old value may not have the last word', () => {
    assert.ok(!isRetained(number, view('The timeout is 251 ms.', 'The timeout is 250 ms.')));
  });

  it('a to-do has the state that its last line says', () => {
    const done = fact({ class: 'todo', value: 'write the guide', done: true });
    assert.ok(isRetained(done, view('- [ ] write the guide', '- [x] write the guide')));
    assert.ok(!isRetained(done, view('- [x] write the guide', '- [ ] write the guide')));
    assert.ok(!isRetained({ ...done, done: false }, view('write the guide: done')));
  });
});

describe('probe P4: inventions', () => {
  const source: ChatMessage[] = [{ role: 'user', content: 'src/a.ts has 41 rows in loadRows, E0308' }];
  const invented = (text: string): string[] =>
    findInvented(readView([...source, { role: 'user', content: text }], source), new SourceTokens(source));

  it('finds a path, a number, a name and an error code that the source does not have', () => {
    assert.deepEqual(invented('src/b/engine.ts has 42 rows in loadCols, E0309'), ['engine', '42', 'loadCols', 'E0309']);
  });

  it('finds none in what the source has, in handles, and in what Karl counts', () => {
    assert.deepEqual(invented('[t11-30 20 messages: 16 Read] src/a.ts, 41 rows, 212 lines left out, +14 more'), []);
  });
});
