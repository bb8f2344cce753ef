import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { StrategyId } from '../../../src/core/compaction/compaction.ts';
import { assistant, converse, system, tool, user } from '../conversation/kit.ts';

/**
 * Output without white space near any cut: rows of paths, names and figures of varying length, so that a cut may fall
 * anywhere.
 */
function output(seed: number): string {
  return Array.from({ length: 70 }, (_, row) => {
    const name = `hydrate_galley_${'parcel_'.repeat((row + seed) % 5)}row${seed}x${row}`;
    return `packages/web-${seed}/src/${name}.ts:${1000 + row * 7 + seed}:${name}(${row + 10},${seed + 200})`;
  }).join(seed % 3 === 0 ? ' ' : seed % 3 === 1 ? '\n' : '；修复了');
}

const TURNS: readonly ChatMessage[] = Array.from({ length: 14 }, (_, turn) => [
  user(`请检查第 ${turn} 部分。`),
  ...tool(`a${turn}`, 'grep', { pattern: `row${turn}x` }, output(turn)),
  ...tool(`b${turn}`, 'bash', { command: `cat packages/web-${turn}/src/list_of_rows_${turn}.txt` }, output(turn + 40)),
  assistant(`我已经检查了 loadGalleyRows${turn}，超时从 ${turn + 300} 改成 ${turn + 4500}。${output(turn + 80)}`),
]).flat();
const MESSAGES = [system('You are an agent.'), ...TURNS, user('And now?')];

const NAME = /[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[A-Z][A-Za-z0-9]*|(?<![\w.])\d{3,}(?!\w)/g;

function names(messages: readonly ChatMessage[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const message of messages) {
    const text = [contentText(message), ...(message.tool_calls ?? []).map((call) => call.function.arguments)].join(
      '\n',
    );
    for (const match of text.matchAll(NAME)) {
      // What Karl computes (handles, sizes), and a word that is marked as cut.
      const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 12);
      if (/^(?: characters| lines| messages| more\b|…)/.test(after) || match[0] === 'karl_recall') continue;
      found.set(match[0], match.input.slice(Math.max(0, match.index - 60), match.index + 60));
    }
  }
  return found;
}

describe('every name and number of a view', () => {
  const source = names(MESSAGES);
  for (const strategy of [
    'adaptive',
    'extractive',
    'heuristic',
    'action-trace',
  ] as const satisfies readonly StrategyId[])
    for (const targetTokens of [4000, 9000, 16_000, 30_000])
      it(`stands in the source: ${strategy} to ${targetTokens} tokens`, async () => {
        const conversation = converse(MESSAGES);
        await conversation.compact({ trigger: 'command', strategy, targetTokens });
        for (const [name, around] of names(conversation.request()))
          assert.ok(source.has(name) || /run\d/.test(name), `"${name}" in "${around}"`);
      });
});
