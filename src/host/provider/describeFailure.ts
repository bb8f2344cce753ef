import { t } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { RelayFailure } from '../../core/session/relay/relayRequest.ts';
import { describeProblem } from '../notices/describeProblem.ts';
import type { ModelServer } from './modelServer.ts';

/** What VS Code's chat shows of a request that was not answered: what happened, and what to do. */
export function describeFailure(
  failure: Exclude<RelayFailure, { kind: 'cancelled' }>,
  { isGroup }: Pick<ModelServer, 'isGroup'>,
): string {
  switch (failure.kind) {
    case 'invalid':
      return t('What VS Code sent is no request: {0}.', failure.message);
    case 'failed': {
      const { what, next } = describeProblem(failure.problem);
      if (!isGroup) return `${what} ${next}`;
      // The group has a server of its own, not that of Karl's settings.
      return `${what} ${next} ${t('The server URL and the key of this model are in "Chat: Manage Language Models".')}`;
    }
    default:
      return unreachable(failure);
  }
}

/** An error of which VS Code's chat shows only the sentence: it would show a stack too. */
export function sayInChat(sentence: string): Error {
  const error = new Error(sentence);
  error.stack = '';
  return error;
}
