import { viewsAround } from '../../core/conversation/history.ts';
import { parseHandle } from '../../core/messages/handle.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { writeOriginal, writeView } from '../present/original.ts';

/** The text of a document: `part` is what it shows, `of` a handle or a compression. Undefined when there is none. */
export function readPart({ conversation }: ActiveConversation, part: string, of: string): string | undefined {
  const { messages } = conversation.transcript;
  switch (part) {
    case 'messages': {
      const range = parseHandle(of);
      return range === undefined ? undefined : writeOriginal(messages, range);
    }
    case 'replaced': {
      const made = conversation.history().find(({ compaction }) => compaction.id === of)?.compaction;
      const edited = made?.edits?.map(({ id }) => ({ from: id, to: id })) ?? [];
      const ranges = [...(made?.replacements.map(({ range }) => range) ?? []), ...edited];
      return made === undefined ? undefined : ranges.map((range) => writeOriginal(messages, range)).join('\n\n');
    }
    case 'before':
    case 'after': {
      const views = viewsAround(messages, conversation.history(), of);
      return views === undefined ? undefined : writeView(views[part], messages);
    }
    default:
      return undefined;
  }
}
