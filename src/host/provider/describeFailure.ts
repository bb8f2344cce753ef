import { unreachable } from '../../core/result.ts';
import { describeProblem } from '../../core/session/describeError.ts';
import type { RelayFailure } from '../../core/session/relay/relayRequest.ts';

/** What VS Code's chat shows of a request that was not answered: what happened, and what to do. */
export function describeFailure(failure: Exclude<RelayFailure, { kind: 'cancelled' }>): string {
  switch (failure.kind) {
    case 'invalid':
      return `What VS Code sent is no request: ${failure.message}.`;
    case 'failed': {
      const { what, next } = describeProblem(failure.problem);
      return `${what} ${next}`;
    }
    default:
      return unreachable(failure);
  }
}

/** An error of which VS Code shows the sentence alone: its chat shows a stack where there is one. */
export function sayInChat(sentence: string): Error {
  const error = new Error(sentence);
  error.stack = '';
  return error;
}
