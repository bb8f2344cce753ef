import { type Attachment, attach, readAttachments } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import type { Transcript } from '../../core/chat/transcript.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { ModelDelta } from '../../core/model/modelClient.ts';
import { planContinuation } from '../../core/session/continuation.ts';
import type { UserContent } from '../../core/session/turnContext.ts';
import { t } from '../../language/language.ts';
import type { CallEntry, EntryState, MessageEntry } from '../../protocol/entries.ts';
import { cut, LONGEST_TEXT, presentAttached, subjectOf } from './rows.ts';

/** A reply that is streaming in. */
export interface StreamingReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Tokens so far. */
  readonly tokens: number;
}

/** The fields of a message that is not in the conversation yet. */
const UNRECORDED = {
  kind: 'message',
  truncated: false,
  sent: 'whole',
  pinned: false,
  streaming: false,
  unrecorded: true,
  interrupted: false,
} as const;

/** How many characters of a streaming reply are shown; its whole text follows when it is complete. */
const LONGEST_STREAMED_TEXT = 50_000;

/**
 * The rows of a streaming reply after the last message. A long reply is cut at its beginning, since its end matters.
 * `isWhole`: the reply is complete, but not a message of the transcript yet.
 */
export function presentStreaming(reply: StreamingReply, id: number, isWhole = false): EntryState[] {
  const calls = reply.calls.map(
    (call, index): CallEntry => ({
      kind: 'call',
      key: `c${id}.${index}`,
      from: id,
      to: id,
      name: call.name,
      ...subjectOf({ id: '', ...call }),
      outcome: 'running',
      detail: t('running'),
      tokens: 0,
      sent: 'whole',
      pinned: false,
    }),
  );
  const said: EntryState = {
    ...UNRECORDED,
    key: `m${id}`,
    from: id,
    to: id,
    role: 'assistant',
    text: reply.text.slice(-LONGEST_STREAMED_TEXT).toWellFormed(),
    truncated: reply.text.length > LONGEST_STREAMED_TEXT,
    reasoning: reply.reasoning === '' ? undefined : reply.reasoning.slice(-LONGEST_TEXT).toWellFormed(),
    tokens: reply.tokens,
    streaming: !isWhole,
    unrecorded: isWhole,
  };
  const isSilent = reply.text === '' && reply.reasoning === '' && calls.length > 0;
  return isSilent ? calls : [said, ...calls];
}

const NOTHING: StreamingReply = { text: '', reasoning: '', calls: [], tokens: 0 };

/** The reply with another delta. */
export function addDelta(reply: StreamingReply = NOTHING, delta: ModelDelta): StreamingReply {
  switch (delta.type) {
    case 'text':
      return { ...reply, text: reply.text + delta.text };
    case 'reasoning':
      return { ...reply, reasoning: reply.reasoning + delta.text };
    case 'tool-call': {
      const calls = [...reply.calls];
      const before = calls[delta.index];
      calls[delta.index] = {
        name: delta.name || (before?.name ?? ''),
        arguments: (before?.arguments ?? '') + delta.arguments,
      };
      return { ...reply, calls: Array.from(calls, (call) => call ?? { name: '', arguments: '' }) };
    }
  }
}

/** A sent message that is neither in the conversation nor in its queue yet. */
export interface WaitingMessage {
  readonly key: string;
  /** The conversation in which it was written, if one was open, or to which it was moved. */
  of?: string | undefined;
  readonly text: string;
  attachments: readonly Attachment[];
  /** The whole message, to be counted: the same object each time. */
  wire: ChatMessage;
  /** The agent was busy when it was sent, so it will be queued. */
  readonly isQueued: boolean;
}

/** The rows of waiting messages; `next`: the id that the first will have. */
export function presentWaiting(
  waiting: readonly WaitingMessage[],
  next: MessageId,
  count: (message: ChatMessage) => number,
): MessageEntry[] {
  return waiting.map(({ key, text, attachments, wire }, index) => ({
    ...UNRECORDED,
    key,
    from: next + index,
    to: next + index,
    role: 'user',
    text: cut(text, LONGEST_TEXT),
    attached: attachments.length > 0 ? attachments.map(presentAttached) : undefined,
    tokens: count(wire),
  }));
}

/** The text that the queue shows for the content of a message. */
export function describeContent(content: UserContent): string {
  const { typed, attachments } = readAttachments(content);
  return describeQueued(typed, attachments);
}

/** The text that the queue shows for a message. */
export function describeQueued(text: string, attachments: readonly Attachment[]): string {
  return attachments.length === 0 ? text : `${text} (+ ${attachments.length})`;
}

const messages = new WeakMap<Attachment, ChatMessage>();

/** A message with nothing but the attachment, to be counted: the same object each time. */
export function messageOf(attachment: Attachment): ChatMessage {
  const known = messages.get(attachment) ?? { role: 'user', content: attach('', [attachment]) };
  messages.set(attachment, known);
  return known;
}

/** Why the last turn has no answer, a sentence; undefined if it has one, or nothing was asked. */
export function describeUnfinished(transcript: Pick<Transcript, 'blocks'>): string | undefined {
  const last = transcript.blocks.at(-1);
  if (last === undefined || planContinuation(transcript) === undefined) return undefined;
  if (last.kind === 'assistant') return t('The reply was interrupted.');
  if (last.kind === 'tools') return t('The turn was interrupted before the model answered.');
  return t('This message has no answer yet.');
}
