import type { Block } from '../../../src/core/chat/blocks.ts';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Fact, FactClass } from '../../../src/core/ledger/fact.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

/** One message, or a call with its result. */
export type Said = ChatMessage | ChatMessage[];

/** A message of the human. */
export function human(content: string): ChatMessage {
  return { role: 'user', content };
}

/** A message in which the model only speaks. */
export function model(content: string): ChatMessage {
  return { role: 'assistant', content };
}

let calls = 0;

/** A tool call with its result (none: the call stays unanswered). */
export function call(name: string, input: unknown, result?: string): ChatMessage[] {
  calls += 1;
  const id = `call-${calls}`;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const asked: ChatMessage = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: text } }],
  };
  return result === undefined ? [asked] : [asked, { role: 'tool', tool_call_id: id, content: result }];
}

/** The blocks of a conversation. */
export function blocksOf(...messages: readonly Said[]): readonly Block[] {
  const transcript = new Transcript();
  messages.flat().forEach((message, index) => {
    transcript.append(parseMessage(message, index));
  });
  return transcript.blocks;
}

/** All facts of a conversation. */
export function factsOf(...messages: readonly Said[]): readonly Fact[] {
  const ledger = createLedger();
  runAtOnce(ledger.read(blocksOf(...messages)));
  return ledger.facts();
}

/** The values of the latest facts of one class. */
export function latest(kind: FactClass, ...messages: readonly Said[]): string[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === kind && fact.supersededAt === undefined)
    .map((fact) => fact.value);
}

/** The latest fact of one class whose value holds some text. */
export function findFact(facts: readonly Fact[], kind: FactClass, text: string): Fact | undefined {
  return facts.find((fact) => fact.class === kind && fact.supersededAt === undefined && fact.value.includes(text));
}
