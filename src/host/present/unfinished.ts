import { t } from '../../core/language.ts';
import type { Transcript } from '../../core/messages/transcript.ts';
import { planContinuation } from '../../core/session/continuation.ts';

/**
 * Why the last turn has no answer and can be continued, in a sentence; undefined when it has one, or nothing was asked.
 */
export function describeUnfinished(transcript: Pick<Transcript, 'blocks'>): string | undefined {
  const last = transcript.blocks.at(-1);
  if (last === undefined || planContinuation(transcript) === undefined) return undefined;
  switch (last.kind) {
    case 'assistant':
      return t('The reply was interrupted.');
    case 'tools':
      return t('The turn was interrupted before the model answered.');
    default:
      return t('This message has no answer yet.');
  }
}
