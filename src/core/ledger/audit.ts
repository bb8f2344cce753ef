import type { Block } from '../messages/blocks.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Fact } from './fact.ts';
import type { Ledger } from './ledger.ts';

export { findInventions } from './inventions.ts';
export { createSourceIndex, type SourceIndex } from './sourceIndex.ts';
export { isStated } from './stated.ts';

/** What law 7 asks of a range: facts that must stand literally in the view, and facts that a handle's label may name. */
export interface RequiredFacts {
  readonly literal: readonly Fact[];
  readonly named: readonly Fact[];
}

/**
 * The latest facts of a range, of the messages of some blocks, or of the whole transcript, by what law 7 asks: explicit
 * constraints, to-dos, changed files, decisions and the newest error (and the newest that is more than a tool's refusal)
 * literally, the others at least named.
 */
export function requiredFacts(ledger: Ledger, where?: MessageRange | readonly Block[]): RequiredFacts {
  const latest = factsIn(ledger, where).filter((fact) => fact.supersededAt === undefined);
  const errors = latest.filter((fact) => fact.class === 'error');
  const newestErrors = new Set([errors.at(-1)?.at, errors.findLast((fact) => fact.strength !== 'soft')?.at]);
  const literal: Fact[] = [];
  const named: Fact[] = [];
  for (const fact of latest) (mustBeLiteral(fact, newestErrors) ? literal : named).push(fact);
  return { literal, named };
}

function factsIn(ledger: Ledger, where: MessageRange | readonly Block[] | undefined): readonly Fact[] {
  if (where === undefined) return ledger.facts();
  if ('from' in where) return ledger.facts(where);
  return where.flatMap((block) => ledger.facts(block.range));
}

function mustBeLiteral(fact: Fact, newestErrors: ReadonlySet<number | undefined>): boolean {
  switch (fact.class) {
    case 'constraint':
      return fact.strength === 'explicit';
    case 'file-changed':
    case 'decision':
      // What a document decides, or git lists, was not decided or changed here.
      return fact.strength !== 'soft';
    case 'todo':
      return true;
    case 'error':
      return newestErrors.has(fact.at);
    case 'file-read':
    case 'identifier':
    case 'command':
    case 'number':
    case 'test-state':
    case 'preference':
      return false;
  }
}
