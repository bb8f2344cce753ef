import { unreachable } from '../../core/result.ts';
import { describeProblem } from '../../core/session/describeError.ts';
import type { RelayFailure } from '../../core/session/relay/relayRequest.ts';
import type { ModelServer } from './modelServer.ts';

/** Where the server of a model is set that is not that of Karl's settings. */
const GROUP = 'The server URL and the key of this model are in "Chat: Manage Language Models".';

/** What VS Code's chat shows of a request that was not answered: what happened, and what to do. */
export function describeFailure(
  failure: Exclude<RelayFailure, { kind: 'cancelled' }>,
  { isGroup }: Pick<ModelServer, 'isGroup'>,
): string {
  switch (failure.kind) {
    case 'invalid':
      return `What VS Code sent is no request: ${failure.message}.`;
    case 'failed': {
      const { what, next } = describeProblem(failure.problem);
      return isGroup ? `${what} ${next} ${GROUP}` : `${what} ${next}`;
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
