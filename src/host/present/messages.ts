import type { Compaction, RecordedReplacement } from '../../core/compaction/compaction.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { unfence } from '../../core/messages/fence.ts';
import type { Message, MessageId } from '../../core/messages/message.ts';
import { contentText } from '../../core/messages/parse.ts';
import type { ViewItem } from '../../core/messages/view.ts';
import type { EntryName, MessageState } from '../../protocol/viewState.ts';

/** What is needed to show messages. */
export interface MessagesInput {
  readonly items: readonly ViewItem<RecordedReplacement>[];
  /** The raw conversation. */
  readonly messages: readonly Message[];
  readonly compactions: readonly Compaction[];
  readonly pins: ReadonlySet<MessageId>;
  /** Tokens of one message with its overhead. */
  readonly count: (message: ChatMessage) => number;
  /** How many of the newest messages are shown. */
  readonly shown: number;
}

/** A text longer than this is cut in a snapshot, characters; the whole comes with the intent `expand`. */
export const LONGEST_TEXT = 4000;

/** The wire field that marks a reply that was cancelled or broke off; it is never sent to a server. */
const INTERRUPTED_FIELD = 'karl_interrupted';

/** Reasoning fields of servers, in the order in which they are looked for. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;

/** The newest messages as shown, oldest first, and how many stand before them. */
export function presentMessages(input: MessagesInput): {
  readonly messages: readonly MessageState[];
  readonly earlier: number;
} {
  const newestFirst: MessageState[] = [];
  let earlier = 0;
  for (let index = input.items.length - 1; index >= 0; index -= 1) {
    const item = input.items[index];
    if (item === undefined) break;
    if (newestFirst.length >= input.shown) earlier += countEntries(item);
    else for (const entry of entriesOf(item).reverse()) newestFirst.push(presentEntry(entry, input));
  }
  return { messages: newestFirst.reverse(), earlier };
}

/** The whole text of a shown message, for `expand` and `copy`; `undefined` when it is not in the view. */
export function readWholeText(
  items: readonly ViewItem<RecordedReplacement>[],
  { role, id }: EntryName,
): string | undefined {
  for (const item of items) {
    const entry = entriesOf(item).find((candidate) => candidate.role === role && candidate.id === id);
    if (entry !== undefined) return entry.text;
  }
  return undefined;
}

interface Entry {
  readonly id: MessageId;
  readonly role: MessageState['role'];
  readonly state: MessageState['state'];
  readonly text: string;
  readonly wires: readonly ChatMessage[];
  /** The record that wrote it; a raw message has none. */
  readonly compaction?: string;
}

/** How many entries an item has; of a long conversation most are only counted. */
function countEntries(item: ViewItem<RecordedReplacement>): number {
  return item.kind === 'whole' ? item.block.messages.length : entriesOf(item).length;
}

function entriesOf(item: ViewItem<RecordedReplacement>): Entry[] {
  if (item.kind === 'whole') {
    return item.block.messages.map(({ id, role, text, wire }) => {
      const note = role === 'user' ? unfence(text) : undefined;
      return note === undefined
        ? { id, role, state: 'whole', text, wires: [wire] }
        : { id, role: 'note', state: 'whole', text: note, wires: [wire] };
    });
  }
  const { from, to } = item.range;
  const { by, compaction } = item.replacement;
  if (by.kind !== 'shortened') return noteOf(from, item.messages, compaction);
  const notes = item.messages.filter(isNote);
  const shortened = item.messages.filter((wire) => !isNote(wire));
  return [
    ...shortened.map(
      (wire, index): Entry => ({
        id: from + index,
        role: wire.role === 'developer' ? 'system' : wire.role,
        state: 'shortened',
        text: contentText(wire),
        wires: [wire],
      }),
    ),
    ...noteOf(to, notes, compaction),
  ];
}

/** What one replacement says in Karl's words, as one entry. */
function noteOf(id: MessageId, wires: readonly ChatMessage[], compaction: string): Entry[] {
  if (wires.length === 0) return [];
  const text = wires.map(contentText).map((content) => unfence(content) ?? content);
  return [{ id, role: 'note', state: 'replaced', text: text.join('\n\n'), wires, compaction }];
}

function isNote(wire: ChatMessage): boolean {
  return wire.role === 'user' && unfence(contentText(wire)) !== undefined;
}

function presentEntry(entry: Entry, input: MessagesInput): MessageState {
  const wire = entry.wires[0];
  const reasoning = wire === undefined ? undefined : readReasoning(wire);
  const calls = entry.role === 'assistant' ? (wire?.tool_calls ?? []) : [];
  const toolName = entry.role === 'tool' ? findToolName(entry.id, input.messages) : undefined;
  return {
    id: entry.id,
    role: entry.role,
    text: cut(entry.text),
    truncated: entry.text.length > LONGEST_TEXT,
    ...(reasoning !== undefined && { reasoning: cut(reasoning) }),
    ...(calls.length > 0 && {
      calls: calls.map(({ function: { name, arguments: text } }) => ({ name, arguments: cut(text) })),
    }),
    ...(toolName !== undefined && { toolName }),
    ...(entry.role === 'note' && { transcriptLength: transcriptLengthOf(entry, input.compactions) }),
    tokens: entry.wires.reduce((sum, message) => sum + input.count(message), 0),
    state: entry.state,
    pinned: input.pins.has(entry.id),
    streaming: false,
    interrupted: wire?.[INTERRUPTED_FIELD] === true,
  };
}

/** A note that came as a message knows no more than what stood before it. */
function transcriptLengthOf(note: Entry, compactions: readonly Compaction[]): number {
  return compactions.find((compaction) => compaction.id === note.compaction)?.transcriptLength ?? note.id;
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : text.slice(0, LONGEST_TEXT).toWellFormed();
}

function readReasoning(wire: ChatMessage): string | undefined {
  for (const field of REASONING_FIELDS) {
    const value = wire[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The tool whose result a message is, `undefined` for other messages: the call with its id in the nearest assistant message before it. */
export function findToolName(id: MessageId, messages: readonly Message[]): string | undefined {
  const result = messages[id];
  if (result?.role !== 'tool') return undefined;
  for (let before = id - 1; before >= 0; before -= 1) {
    const message = messages[before];
    if (message?.role === 'assistant') return message.calls.find((call) => call.id === result.callId)?.name;
  }
  return undefined;
}
