import { createExactCounter } from '../../../src/adapters/tiktoken/ranks.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { MessageCounter } from '../../../src/core/tokens/messageTokens.ts';
import { median } from './table.ts';

const MESSAGES = 1000;
const TURNS = 200;

/** What a turn costs on a conversation of 1,000 messages and about 1M tokens whose counts are known. */
export function measureConversation(text: string, ranksFile: string): void {
  const size = 3600;
  const wires = Array.from({ length: MESSAGES }, (_, index): ChatMessage => {
    const start = (index * size) % (text.length - size);
    return { role: index % 2 === 0 ? 'user' : 'assistant', content: text.slice(start, start + size) };
  });
  const counter = new MessageCounter(createExactCounter('o200k_base', ranksFile));
  const started = performance.now();
  const { tokens } = counter.countMessages(wires);
  const first = performance.now() - started;
  const turns: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now();
    counter.countMessages(wires);
    turns.push(performance.now() - start);
  }
  console.log(`\nA conversation of ${MESSAGES} messages and ${tokens} tokens\n`);
  console.log(
    `first count ${first.toFixed(0)} ms; a turn ${(median(turns) * 1000).toFixed(0)} µs (median of ${TURNS})`,
  );
}
