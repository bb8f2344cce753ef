import { contentText } from '../../chat/parse.ts';
import type { Compaction } from '../../compaction/compaction.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConversationState } from '../../conversation/conversationOptions.ts';
import { clientMessages, printOf, promptLength, type SplitRequest } from './clientMessages.ts';
import { toTranscript } from './own.ts';
import type { Thread } from './thread.ts';
import { type ThreadRecord, titleOf } from './threadStore.ts';

/** A thread that begins like a request, and how many messages, without the prompt, both have in common. */
export interface Found {
  readonly thread: Thread;
  readonly conversation: Conversation;
  readonly shared: number;
  /** Whether all messages of the thread are first ones of the request. */
  readonly isWhole: boolean;
}

/** The state of a thread that begins with a request alone. */
export function beginWith({ prompt, messages }: SplitRequest): ConversationState {
  return { version: 1, messages: toTranscript([...prompt, ...messages]), compactions: [], pins: [] };
}

/** The state of a thread that shares its first messages, and the records made from these alone, with another. */
export function forkOf({ conversation, shared }: Found, split: SplitRequest): ConversationState {
  const { undone: _, ...state } = conversation.snapshot();
  const start = promptLength(state.messages);
  // Another number of messages in the prompt would shift all others.
  if (start !== split.prompt.length) return beginWith(split);
  const end = clientMessages(conversation)[shared]?.id ?? state.messages.length;
  const added = toTranscript(split.messages.slice(shared));
  return {
    ...state,
    messages: [...toTranscript(split.prompt), ...state.messages.slice(start, end), ...added],
    compactions: state.compactions.flatMap((compaction) => cutCompaction(compaction, end)),
    pins: state.pins.filter((pin) => pin < end),
  };
}

/**
 * The part of a record that is valid for the first `end` messages. The record of a run is valid only as a whole, since
 * the run looked at all messages; a change by hand is valid for each message that it concerns.
 */
function cutCompaction(compaction: Compaction, end: number): Compaction[] {
  if (compaction.transcriptLength <= end) return [compaction];
  if (compaction.strategy !== 'manual') return [];
  const replacements = compaction.replacements.filter(({ range }) => range.to < end);
  const edits = compaction.edits?.filter(({ id }) => id < end) ?? [];
  if (replacements.length + edits.length === 0) return [];
  return [{ ...compaction, transcriptLength: end, replacements, edits }];
}

/** With fewer messages before the last, a changed history looks like another conversation. */
const LEAST_REWRITTEN = 4;

/** Whether a request repeats a thread with changes, such as a new date. No request will continue the thread then. */
export function isRewriting({ prints }: SplitRequest, { record, conversation, isHeld }: Thread): boolean {
  const known = record.prints;
  const last = known.length - 1;
  if (isHeld || last < LEAST_REWRITTEN || known[last] !== prints[last]) return false;
  const equal = known.filter((print, index) => print === prints[index]).length;
  return equal < known.length && equal >= known.length / 2 && (conversation?.pins().size ?? 0) === 0;
}

/** An agent at work asks for more output than this. Tokens. */
const SMALL_OUTPUT = 1_024;

/** A request with at most this many new messages may be a question beside the conversation. */
const FEW_MESSAGES = 2;

/**
 * Whether a request looks like one beside a conversation: for a title, a summary or a classification. `found`: what the
 * request would continue; `others`: all threads. An error costs little: such a request may become a thread that nobody
 * continues, and a conversation becomes a thread with its second request.
 */
export function isAside(split: SplitRequest, found: Found | undefined, others: readonly Thread[]): boolean {
  const { tools, maxTokens, client } = split.request;
  const added = split.messages.slice(found?.shared ?? 0);
  if (added.length > FEW_MESSAGES || added.some(({ role }) => role === 'assistant') || tools.length > 0) return false;
  const isSmall = maxTokens !== undefined && maxTokens <= SMALL_OUTPUT;
  const hasOtherPrompt = ({ prompt }: ThreadRecord): boolean => prompt !== printOf(split.prompt);
  if (found !== undefined) return found.thread.record.hasTools || (isSmall && hasOtherPrompt(found.thread.record));
  const isBeside = (other: ThreadRecord): boolean => other.client === client && other.hasTools && hasOtherPrompt(other);
  return isSmall || others.some(({ record }) => isBeside(record));
}

/** A shorter text may occur in another by chance. Characters. */
const LEAST_QUOTED = 8;

/**
 * Whether a thread came from such a request and may be forgotten, now that this request begins its conversation: both
 * name the same session, only the conversation has tools, and the thread quotes the human's first words in it, so
 * nothing that the human said is lost.
 */
export function wasAside({ request, prompt, messages }: SplitRequest, thread: Thread): boolean {
  const { record, conversation, isHeld } = thread;
  const { hint, client, tools } = request;
  const isOfSession = hint !== undefined && record.hint === hint && record.client === client;
  if (isHeld || !isOfSession || tools.length === 0 || record.hasTools || conversation === undefined) return false;
  if (record.prints.length > FEW_MESSAGES || record.prompt === printOf(prompt) || conversation.pins().size > 0)
    return false;
  const asked = titleOf(messages);
  const said = clientMessages(conversation).map(({ message }) => contentText(message).replace(/\s+/gu, ' '));
  return asked.length >= LEAST_QUOTED && said.some((text) => text.includes(asked));
}
