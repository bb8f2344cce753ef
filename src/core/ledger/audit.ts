import type { Fact } from './fact.ts';
import type { Ledger } from './ledger.ts';

export { isStated, prepareText } from './stated.ts';

/** What law 7 demands of a view: the facts that must be literally in it. */
export interface RequiredFacts {
  readonly literal: readonly Fact[];
}

/**
 * The facts in force that law 7 demands literally: explicit constraints, to-dos, changed files and the newest error
 * (and the newest that is more than a tool's refusal).
 */
export function requiredFacts(ledger: Ledger): RequiredFacts {
  const latest = ledger.facts().filter((fact) => fact.supersededAt === undefined);
  const errors = latest.filter((fact) => fact.class === 'error');
  const newestErrors = new Set([errors.at(-1)?.at, errors.findLast((fact) => fact.strength !== 'soft')?.at]);
  return { literal: latest.filter((fact) => mustBeLiteral(fact, newestErrors)) };
}

function mustBeLiteral(fact: Fact, newestErrors: ReadonlySet<number | undefined>): boolean {
  switch (fact.class) {
    case 'constraint':
      return fact.strength === 'explicit';
    case 'todo':
    case 'file-changed':
      return true;
    case 'error':
      return newestErrors.has(fact.at);
    case 'file-read':
    case 'command':
    case 'test-state':
      return false;
  }
}
