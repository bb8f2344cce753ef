import type { Block } from '../../../src/core/chat/blocks.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Fact, FactClass } from '../../../src/core/ledger/fact.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { assistant, tool, transcriptOf, user } from '../conversation/kit.ts';

export { assistant as model, user as human };

/** One message, or a call with its result. */
export type Said = ChatMessage | ChatMessage[];

let calls = 0;

/** A tool call with its result (none: the call stays unanswered). */
export function call(name: string, input: unknown, result?: string): ChatMessage[] {
  calls += 1;
  const [asked, answer] = tool(`call-${calls}`, name, input, result ?? '') as [ChatMessage, ChatMessage];
  return result === undefined ? [asked] : [asked, answer];
}

/** The blocks of a conversation. */
export const blocksOf = (...messages: readonly Said[]): readonly Block[] => transcriptOf(...messages).blocks;

/** All facts of a conversation. */
export function factsOf(...messages: readonly Said[]): readonly Fact[] {
  const ledger = createLedger();
  runAtOnce(ledger.read(blocksOf(...messages)));
  return ledger.facts();
}

/** A fact as the ledger finds it; `more`: what it has beside its class and value. */
export function fact(kind: FactClass, value: string, more: Partial<Fact> = {}): Fact {
  return { class: kind, value, key: value, at: 1, ...more };
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
