import { viewsAround } from '../../core/conversation/history.ts';
import { t } from '../../core/language.ts';
import { handleOf, parseHandle } from '../../core/messages/handle.ts';
import type { Message, MessageId, MessageRange } from '../../core/messages/message.ts';
import { contentText } from '../../core/messages/parse.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { type Item, type SentMessage, sentBlocks } from './entries.ts';
import { noteText } from './wholeTexts.ts';

function speakerOf(role: Message['role'], toolName: string | undefined): string {
  switch (role) {
    case 'system':
      return t('System prompt');
    case 'user':
      return t('User');
    case 'assistant':
      return t('Assistant');
    case 'tool':
      return toolName === undefined ? t('Tool result') : t('Tool result of {0}', toolName);
  }
}

/** The messages of a range as they came, each under its handle and speaker. What is beyond the transcript is left out. */
export function writeOriginal(messages: readonly Message[], { from, to }: MessageRange): string {
  return messages
    .slice(from, to + 1)
    .map((message) => writeMessage({ message, sent: 'whole' }, messages))
    .join('\n\n');
}

/** A view as the model reads it: messages whole or shortened under their handles, and what stands for the others. */
function writeView(items: readonly Item[], messages: readonly Message[]): string {
  return items
    .flatMap((item) => {
      if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened')
        return item.messages.length === 0
          ? []
          : [`[${handleOf(item.range)}] ${t('Summary')}\n\n${noteText(item.messages)}`];
      return sentBlocks(item).flatMap((block) => block.messages.map((one) => writeMessage(one, messages)));
    })
    .join('\n\n');
}

function writeMessage({ message, wire }: SentMessage, messages: readonly Message[]): string {
  const speaker = speakerOf(message.role, findToolName(message.id, messages));
  const calls = message.role === 'assistant' ? message.calls : [];
  const parts = [
    wire === undefined ? message.text : contentText(wire),
    ...calls.map((call, index) => {
      const given = wire?.tool_calls?.[index]?.function.arguments ?? call.arguments;
      return `${t('Call of {0}', call.name)}\n${given}`;
    }),
  ];
  return `[t${message.id}] ${speaker}\n\n${parts.filter((part) => part !== '').join('\n\n')}`;
}

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

/**
 * The tool whose result a message is: that of the call with its id in the nearest assistant message before it.
 * `undefined` for other messages.
 */
function findToolName(id: MessageId, messages: readonly Message[]): string | undefined {
  const result = messages[id];
  if (result?.role !== 'tool') return undefined;
  for (let before = id - 1; before >= 0; before -= 1) {
    const message = messages[before];
    if (message?.role === 'assistant') return message.calls.find((call) => call.id === result.callId)?.name;
  }
  return undefined;
}
