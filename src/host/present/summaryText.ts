import type { Compaction } from '../../core/compaction/compaction.ts';
import { t } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { unfence } from '../../core/messages/fence.ts';
import { handleOf } from '../../core/messages/handle.ts';
import { contentText } from '../../core/messages/parse.ts';

/** What messages of Karl say, without their fences. */
export function noteText(messages: readonly ChatMessage[]): string {
  return messages
    .map(contentText)
    .map((content) => unfence(content) ?? content)
    .join('\n\n');
}

/** Everything that a compression wrote, as people read it; messages shortened in place are named by their handles. */
export function summaryText({ replacements }: Compaction): string {
  const written = replacements.flatMap(({ by }) => (by.kind === 'shortened' ? [] : [noteText(by.messages)]));
  const shortened = replacements.flatMap(({ range, by }) => (by.kind === 'shortened' ? [handleOf(range)] : []));
  if (shortened.length > 0) written.push(t('Shortened in place: [{0}]', shortened.join(', ')));
  return written.filter((text) => text !== '').join('\n\n');
}
