import { t } from '../../core/language.ts';
import type { ModelDelta } from '../../core/session/modelClient.ts';
import type { CallEntry, EntryState } from '../../protocol/entries.ts';
import { subjectOf } from './callRow.ts';
import { LONGEST_TEXT } from './rows.ts';

/** A reply that streams in. */
export interface StreamingReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Tokens of what has come so far, counted as it comes. */
  readonly tokens: number;
}

/** A reply that streams in is shown up to this many characters; its whole text follows when it is complete. */
const LONGEST_STREAMED_TEXT = 50_000;

/**
 * The rows of a reply that streams in, after the last message; its end is what matters, so the beginning is cut.
 * `isWhole`: the reply is complete, but not a message of the transcript yet.
 */
export function presentStreaming(reply: StreamingReply, id: number, isWhole = false): EntryState[] {
  const calls = reply.calls.map(
    (call, index): CallEntry => ({
      kind: 'call',
      key: `c${id}.${index}`,
      call: id,
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
    kind: 'message',
    key: `m${id}`,
    id,
    role: 'assistant',
    text: reply.text.slice(-LONGEST_STREAMED_TEXT).toWellFormed(),
    truncated: reply.text.length > LONGEST_STREAMED_TEXT,
    ...(reply.reasoning !== '' && { reasoning: reply.reasoning.slice(-LONGEST_TEXT).toWellFormed() }),
    tokens: reply.tokens,
    sent: 'whole',
    pinned: false,
    streaming: !isWhole,
    ...(isWhole && { unrecorded: true }),
    interrupted: false,
  };
  const isSilent = reply.text === '' && reply.reasoning === '' && calls.length > 0;
  return isSilent ? calls : [said, ...calls];
}

const NOTHING: StreamingReply = { text: '', reasoning: '', calls: [], tokens: 0 };

/** The reply with what has just come of it. */
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
