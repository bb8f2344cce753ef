import assert from 'node:assert/strict';
import type { Fact } from '../../../src/core/ledger/fact.ts';
import { chooseItems, factItems, renderFacts, renderItems } from '../../../src/core/ledger/render.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { assistant, converse, reads, system, tool, user } from '../conversation/kit.ts';

function fact(kind: Fact['class'], value: string, at: number, more: Partial<Fact> = {}): Fact {
  return { class: kind, value, key: value, at, by: 'tool', ...more };
}

const MANY: readonly Fact[] = [
  ...Array.from({ length: 40 }, (_, index) => fact('command', `make part-${index}`, index, { state: 'exit 0' })),
  ...Array.from({ length: 40 }, (_, index) => fact('file-read', `docs/page${index}.md`, index, { strength: 'soft' })),
  fact('decision', 'We take sqlite, not leveldb', 3),
  fact('number', '48 ms', 4, { anchor: 'cold start is 48 ms' }),
  fact('error', 'TS2345: wrong type', 5, { anchor: 'src/a.ts:12' }),
  fact('identifier', 'loadRows', 6),
];

describe('facts that are too many for their room', () => {
  it('are said by what they are worth: the old decision before the newest command', () => {
    const text = renderFacts(MANY, 400);
    assert.ok(text.length <= 400);
    for (const value of ['We take sqlite, not leveldb', 'cold start is 48 ms', 'src/a.ts:12: TS2345', 'loadRows'])
      assert.ok(text.includes(value), value);
    assert.ok(!text.includes('make part'), 'a command that succeeded waits for the files that were named');
    assert.match(text, /\n\+\d+ more: files named$/);
  });

  it('of one worth: the newest stay, each whole', () => {
    const text = renderFacts(MANY, 500);
    assert.ok(text.includes('docs/page39.md') && !text.includes('docs/page0.md'));
    for (const [path] of text.matchAll(/docs\S*/g)) assert.match(path, /^docs\/page\d{1,2}\.md,?$/);
  });

  it('are counted alone when there is no room for one, and nothing is cut in two', () => {
    for (let limit = 0; limit < 700; limit += 1) {
      const text = renderFacts(MANY, limit);
      assert.ok(text.length <= limit);
      for (const [path] of text.matchAll(/docs\S*/g)) assert.match(path, /^docs\/page\d+\.md,?$/);
    }
  });

  it('cost more in scripts without an alphabet, where a character is a token', () => {
    const [chinese] = factItems([fact('decision', '超时改成四秒', 1)]);
    const [english] = factItems([fact('decision', 'abcdef', 1)]);
    assert.ok((chinese?.cost ?? 0) > (english?.cost ?? 0) + 10);
    assert.equal(chooseItems(factItems(MANY), 0).size, 0);
    assert.equal(renderItems([], []), '');
  });
});

/** Turns with more facts than a small target can say. */
function busyTurns(turns: number): ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`Please look at part ${turn}.`),
    ...reads(3, 12, turn * 10),
    ...Array.from({ length: 6 }, (_, run) =>
      tool(`c${turn}-${run}`, 'bash', { command: `make check-${turn}-${run}` }, `ok ${'.'.repeat(300)}`),
    ).flat(),
    ...tool(
      `w${turn}`,
      'write_file',
      { path: `src/area${turn}.ts`, content: `export function handleArea${turn}() {}` },
      'Saved.',
    ),
    assistant(`Part ${turn} is in place and the checks are green.`),
  ]).flat();
}

describe('the room of the target', () => {
  it('is used: while facts are left out, next to nothing of it stays free, and it is never exceeded', async () => {
    const messages = [system('You are an agent.'), ...busyTurns(24), user('And now?')];
    let checked = 0;
    for (const targetTokens of [2600, 3000, 3400, 3800]) {
      const conversation = converse(messages);
      const result = await conversation.compact({ trigger: 'command', targetTokens });
      assert.ok(result.kind === 'compacted' && result.reachedTarget, `${targetTokens}`);
      const view = conversation.request().map(contentText).join('\n');
      if (!/\+\d+ more/.test(view)) continue;
      checked += 1;
      assert.ok(result.receipt.tokensAfter >= targetTokens * 0.97, `${result.receipt.tokensAfter} of ${targetTokens}`);
    }
    assert.ok(checked >= 2, 'facts were left out');
  });

  it('is met by every larger target where a smaller one is met, whatever the state in the end adds', async () => {
    const plan =
      'Still open: T-1 port the mailer, T-2 trim the fixtures. Never edit `vendor/`. We take sqlite, not leveldb.';
    const messages = [system('You are an agent.'), user(plan), ...busyTurns(10), user('And now?')];
    let met = false;
    for (let targetTokens = 700; targetTokens < 2600; targetTokens += 20) {
      const conversation = converse(messages);
      const result = await conversation.compact({ trigger: 'command', targetTokens });
      assert.equal(result.kind, 'compacted');
      const reached = result.kind === 'compacted' && result.reachedTarget;
      assert.ok(reached || !met, `${targetTokens} is not met`);
      met ||= reached;
    }
    assert.ok(met);
  });

  it('keeps the newest work as it was when every fact is said', async () => {
    const messages = [system('You are an agent.'), ...busyTurns(6), user('And now?'), ...reads(2, 5, 900)];
    const conversation = converse(messages);
    const result = await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    assert.ok(result.kind === 'compacted' && result.reachedTarget);
    assert.ok(conversation.request().includes(conversation.transcript.messages.at(-1)?.wire as ChatMessage));
  });
});

describe('what notes say again and again', () => {
  it('is explained once: which requests are done', async () => {
    const conversation = converse([system('You are an agent.'), ...busyTurns(12), user('And now?')]);
    await conversation.compact({ trigger: 'command', targetTokens: 3000 });
    const view = conversation.request().map(contentText).join('\n');
    assert.ok((view.match(/Request t\d+: done/g)?.length ?? 0) > 8, view);
    assert.equal(view.split('do not start it again').length, 2);
    conversation.append([...busyTurns(6), user('Go on.')]);
    await conversation.compact({ trigger: 'command', targetTokens: 4000 });
    const later = conversation.request().map(contentText).join('\n');
    assert.equal(later.split('do not start it again').length, 2, 'in the next run, too');
  });

  it('is a path once in a note, when its file was read and changed', async () => {
    const conversation = converse([
      user('Fix it.'),
      ...tool('r', 'read_file', { path: 'src/queue.ts' }, 'export class Queue {}\n'.repeat(40)),
      ...tool('w', 'write_file', { path: 'src/queue.ts', content: 'export class Queue { }' }, 'Saved.'),
      ...reads(20, 12, 50),
      assistant('Fixed.'),
      user('And now?'),
    ]);
    await conversation.compact({ trigger: 'command', strategy: 'extractive', targetTokens: 1200 });
    const note = conversation
      .request()
      .map(contentText)
      .find((text) => text.includes('Files changed: '));
    assert.equal(note?.match(/src\/queue\.ts/g)?.length, 1, note);
  });
});
