import assert from 'node:assert/strict';
import { startDraft } from '../../../src/core/compaction/draft.ts';
import { findMentions } from '../../../src/core/compaction/notes/state.ts';
import type { Fact } from '../../../src/core/ledger/ledger.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { deriveView } from '../../../src/core/messages/view.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

/** Where the to-dos of the first message are last named. */
function find(todos: readonly string[], later: readonly string[]): (number | undefined)[] {
  const transcript = new Transcript();
  for (const content of ['the list', ...later])
    transcript.append(parseMessage({ role: 'assistant', content }, transcript.nextId));
  const draft = runAtOnce(
    startDraft({
      items: runAtOnce(deriveView(transcript.blocks, [], (one) => one)),
      pins: new Set(),
      requests: new Set(),
      humans: new Set(),
      unread: Number.MAX_SAFE_INTEGER,
      count: () => 1,
    }),
  );
  const facts = todos.map((value): Fact => ({ class: 'todo', key: value, value, at: 0, state: 'open', by: 'model' }));
  const mentions = runAtOnce(findMentions(facts, draft));
  return facts.map((fact) => mentions.get(fact));
}

describe('mentions of to-dos', () => {
  it('are found at the last message that names them whole, in any script', () => {
    const at = find(
      ['Port src/a.ts', 'Prüfe café', '修复登录', 'Port', '!?'],
      ['Now port it: Port src/a.ts.', 'Port src/a.tsx', 'Prüfe  café; 先修复登录再说', 'Ported', 'so !? it is'],
    );
    assert.deepEqual(at, [1, 3, 3, 2, 5]);
  });

  it('are looked for of the newest to-dos only: of all it would take minutes', () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const at = find(
      numbers.map((number) => `check part ${number}`),
      numbers.map((number) => `I will check part ${number} now. ${'It is a part of the work. '.repeat(20)}`),
    );
    assert.deepEqual(at.slice(-64), numbers.slice(-64));
    assert.ok(at.slice(0, -64).every((one) => one === undefined));
  });
});
