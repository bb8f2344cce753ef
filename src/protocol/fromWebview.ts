import * as z from 'zod/mini';
import { err, ok, type Result } from '../core/result.ts';

/** The longest message that the composer may send, characters: more than any window, too little to stall the host. */
export const MAX_SENT_CHARACTERS = 4_000_000;

/** The most messages that one act may change. */
export const MAX_CHANGED = 10_000;

const messageId = z.int().check(z.nonnegative());
const name = z.string().check(z.minLength(1), z.maxLength(200));
const text = z.string().check(z.minLength(1), z.maxLength(MAX_SENT_CHARACTERS));
const written = z.string().check(z.maxLength(MAX_SENT_CHARACTERS));
/** A message as the queue shows it, with the number of its attachments. */
const queued = z.string().check(z.maxLength(MAX_SENT_CHARACTERS + 20));
const messageIds = z.readonly(z.array(messageId).check(z.minLength(1), z.maxLength(MAX_CHANGED)));
const path = z.string().check(z.minLength(1), z.maxLength(4096));
/** An attachment as the composer shows it: its path, and the lines that were selected. */
const label = z.string().check(z.maxLength(5000));
/** An image in base64, with room for the largest that can be attached. The page refuses larger ones. */
const image = z
  .string()
  .check(z.maxLength(7_000_000), z.regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/));

/**
 * What needs no more than its name. `stop-editing`: without a change; `continue`: a turn without an answer; `rescue`: a new
 * session for an agent, which begins with what the window has; `at-end`: the reader is at the newest rows; `show-change`: the
 * proposed one, in the diff editor.
 */
const PLAIN = [
  ...(['ready', 'at-end', 'cancel', 'continue', 'stop-editing', 'send-queued', 'take-over', 'show-change'] as const),
  ...(['compress', 'compress-with', 'compress-keeping', 'rescue', 'new-conversation', 'open-sample'] as const),
  ...(['set-window', 'select-server', 'select-model', 'open-log'] as const),
] as const;

const fromWebview = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(PLAIN) }),
  z.strictObject({ type: z.literal('focused'), isFocused: z.boolean() }),
  /** Unsent text of the page, for the next window. */
  z.strictObject({ type: z.literal('keep-page'), saved: written }),
  z.strictObject({ type: z.literal('send'), text }),
  /** Asks for matching files of the workspace; the answer is `completions`. */
  z.strictObject({ type: z.literal('complete'), text: z.string().check(z.maxLength(200)) }),
  /** Attaches a file of the workspace to the next message. */
  z.strictObject({ type: z.literal('attach'), path }),
  /** Attaches an image, as a base64 `data:` URL. */
  z.strictObject({ type: z.literal('attach-image'), url: image }),
  /** An image of this many bytes was too large to attach. */
  z.strictObject({ type: z.literal('refuse-image'), bytes: z.int().check(z.positive()) }),
  z.strictObject({ type: z.literal('detach'), index: messageId, label }),
  /** Pauses the turn before its next step, or lets it go on. */
  z.strictObject({ type: z.literal('pause'), isPaused: z.boolean() }),
  /** Removes a message from the queue. Its text identifies it, since the queue may have changed. */
  z.strictObject({ type: z.literal('unqueue'), index: messageId, text: queued }),
  /** Makes the running turn read a queued message at its next step. */
  z.strictObject({ type: z.literal('send-between'), index: messageId, text: queued }),
  /** Asks a user message again, in a fork unless it is the last one. */
  z.strictObject({ type: z.literal('retry'), id: messageId }),
  /** Asks for the whole text of a user message; the answer is `edit`. */
  z.strictObject({ type: z.literal('edit'), id: messageId }),
  /** Sends another text in place of a message, in a fork. */
  z.strictObject({ type: z.literal('resend'), id: messageId, text }),
  /** Previews a compression, optionally only up to a message. */
  z.strictObject({ type: z.literal('preview'), upTo: z.exactOptional(messageId) }),
  /** Keeps messages whole in this compression, or sets them aside. */
  z.strictObject({ type: z.literal('preview-keep'), from: messageId, to: messageId, keep: z.boolean() }),
  z.strictObject({ type: z.literal('preview-more') }),
  z.strictObject({ type: z.literal('preview-strategy'), strategy: name }),
  /** What to keep; '' for nothing special. */
  z.strictObject({ type: z.literal('preview-instructions'), text: z.string().check(z.maxLength(4000)) }),
  /** Replaces a summary by the user's text. */
  z.strictObject({ type: z.literal('preview-edit'), from: messageId, to: messageId, text: written }),
  /** Discards the user's text. */
  z.strictObject({ type: z.literal('preview-unedit') }),
  /** Starts the preview again from the current conversation. */
  z.strictObject({ type: z.literal('preview-again') }),
  /** Follows one of `cures`, then plans again with new summaries by the model. */
  z.strictObject({ type: z.literal('preview-mend'), cure: z.string() }),
  z.strictObject({ type: z.literal('preview-apply') }),
  /** Closes it; `not-now` postpones the automatic compression and lets a waiting turn go on. */
  z.strictObject({ type: z.literal('preview-close'), answer: z.exactOptional(z.literal('not-now')) }),
  z.strictObject({ type: z.literal('undo'), id: name }),
  z.strictObject({ type: z.literal('redo'), id: name }),
  /** What a compression changed, in the diff editor. */
  z.strictObject({ type: z.literal('diff'), id: name }),
  /** The messages that a compression replaced, in an editor. */
  z.strictObject({ type: z.literal('show-replaced'), id: name }),
  z.strictObject({ type: z.literal('pin'), id: messageId }),
  z.strictObject({ type: z.literal('unpin'), id: messageId }),
  /** Pins several messages, or unpins them. */
  z.strictObject({ type: z.literal('pin-all'), ids: messageIds, pinned: z.boolean() }),
  /** Drops, shortens or restores messages in one record. */
  z.strictObject({
    type: z.literal('change'),
    act: z.enum(['dropped', 'shortened', 'restored']),
    ids: messageIds,
  }),
  /** What was restored of an agent's own compression, for the clipboard: as a message for that agent. */
  z.strictObject({ type: z.literal('copy-restored'), id: name }),
  /** Opens a stored session that was dropped; a page may be told no more of a file than its name and size. */
  z.strictObject({
    type: z.literal('open-dropped'),
    uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(100)),
    files: z
      .array(z.strictObject({ name: z.string().check(z.maxLength(1000)), bytes: z.int().check(z.nonnegative()) }))
      .check(z.maxLength(100)),
  }),
  z.strictObject({ type: z.literal('expand'), key: name }),
  z.strictObject({ type: z.literal('copy'), key: name }),
  z.strictObject({ type: z.literal('copy-text'), text }),
  /** Inserts code at the cursor of an editor. */
  z.strictObject({ type: z.literal('insert'), text }),
  /** Asks which rows of the full history contain a text, ignoring case; the answer is `found`. */
  z.strictObject({ type: z.literal('find'), text: name }),
  /** Shows rows from this message on, and keeps showing them when new ones arrive. */
  z.strictObject({ type: z.literal('read-from'), id: messageId }),
  z.strictObject({ type: z.literal('show'), shows: z.enum(['history', 'request', 'contents']) }),
  /** Shows the full history around this message, however far back it is. */
  z.strictObject({ type: z.literal('reveal'), id: messageId }),
  /** Opens raw messages, both ends included, in an editor. */
  z.strictObject({ type: z.literal('show-original'), from: messageId, to: messageId }),
  z.strictObject({ type: z.literal('open-file'), path, line: z.int().check(z.positive()) }),
  /** Answers the agent's question. `offer`: index into `always`; `reason`: for a denial, told to the model. */
  z.strictObject({
    type: z.literal('answer'),
    id: name,
    answer: z.enum(['allow', 'turn', 'always', 'deny']),
    reason: z.string().check(z.maxLength(4000)),
    offer: messageId,
  }),
  z.strictObject({ type: z.literal('leave-out'), tool: name }),
  /** Restores the files to their state before the turn of this message. */
  z.strictObject({ type: z.literal('restore-files'), id: messageId }),
  z.strictObject({ type: z.literal('notice'), id: name, action: name }),
]);

/** What the webview asks for. The answer is the next snapshot. */
export type FromWebview = z.infer<typeof fromWebview>;

/** The intents about a preview. */
export type PreviewIntent = Extract<FromWebview, { type: 'preview' | `preview-${string}` }>;

/**
 * Validates a message from the webview, which is not trusted because it shows text that models wrote. Unknown types and
 * fields are errors; the error is one sentence and repeats nothing of the message.
 */
export function parseFromWebview(value: unknown): Result<FromWebview, string> {
  const parsed = fromWebview.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'message'}: ${issue.code}`);
  return err(`The view sent a message that Karl does not know (${problems.join('; ')}).`);
}
