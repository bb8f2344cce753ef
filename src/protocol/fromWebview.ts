import * as z from 'zod/mini';
import { err, ok, type Result } from '../core/result.ts';

/**
 * Longest message that the composer may send, in characters: far more than any window, far less than would stall the
 * host.
 */
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
/** Room for the largest image that can be attached, in base64. The page itself refuses a larger one. */
const image = z
  .string()
  .check(z.maxLength(7_000_000), z.regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/));

const fromWebview = z.discriminatedUnion('type', [
  /** The page is ready to draw. */
  z.strictObject({ type: z.literal('ready') }),
  /** The page has got the focus, or lost it. */
  z.strictObject({ type: z.literal('focused'), isFocused: z.boolean() }),
  /** What is written in the page and not sent: for the next window, nobody else reads it. */
  z.strictObject({ type: z.literal('keep-page'), saved: written }),
  z.strictObject({ type: z.literal('send'), text }),
  /** Asks for files of the workspace that may be meant: the answer is `completions`. */
  z.strictObject({ type: z.literal('complete'), text: z.string().check(z.maxLength(200)) }),
  /** Attaches a file of the workspace to the next message. */
  z.strictObject({ type: z.literal('attach'), path }),
  /** Attaches an image, as a base64 `data:` URL. */
  z.strictObject({ type: z.literal('attach-image'), url: image }),
  /** An image of this many bytes was not attached: it is larger than any that may be. */
  z.strictObject({ type: z.literal('refuse-image'), bytes: z.int().check(z.positive()) }),
  /** Removes the attachment with this index. */
  z.strictObject({ type: z.literal('detach'), index: messageId, label }),
  /** Ends the editing of a message, which stays as it is. */
  z.strictObject({ type: z.literal('stop-editing') }),
  z.strictObject({ type: z.literal('cancel') }),
  /** Has the turn wait before its next step, or lets it go on. */
  z.strictObject({ type: z.literal('pause'), isPaused: z.boolean() }),
  /** Takes a message back: the queue may have become shorter meanwhile, so its text as shown goes along. */
  z.strictObject({ type: z.literal('unqueue'), index: messageId, text: queued }),
  /** Has the turn that runs read a message of the queue at its next step. */
  z.strictObject({ type: z.literal('send-between'), index: messageId, text: queued }),
  /** Continues a turn that did not end with an answer. */
  z.strictObject({ type: z.literal('continue') }),
  /** Asks again what the user asked with this message, in a fork when something came after it. */
  z.strictObject({ type: z.literal('retry'), id: messageId }),
  /** Asks for the whole text of a message of the user; the answer is `edit`. */
  z.strictObject({ type: z.literal('edit'), id: messageId }),
  /** Sends another text in place of a message, in a fork of the conversation. */
  z.strictObject({ type: z.literal('resend'), id: messageId, text }),
  z.strictObject({ type: z.literal('compress') }),
  z.strictObject({ type: z.literal('compress-with') }),
  z.strictObject({ type: z.literal('compress-keeping') }),
  /** Shows what a compression would do; up to a message, when one is named. */
  z.strictObject({ type: z.literal('preview'), upTo: z.exactOptional(messageId) }),
  /** Keeps messages whole in this compression, or sets them aside; undoes the opposite choice if there was one. */
  z.strictObject({ type: z.literal('preview-keep'), from: messageId, to: messageId, keep: z.boolean() }),
  /** Lists more rows of groups that have too many. */
  z.strictObject({ type: z.literal('preview-more') }),
  z.strictObject({ type: z.literal('preview-strategy'), strategy: name }),
  /** Says what is to be kept; '' takes it back. */
  z.strictObject({ type: z.literal('preview-instructions'), text: z.string().check(z.maxLength(4000)) }),
  /** Puts the user's words in the place of a summary. */
  z.strictObject({ type: z.literal('preview-edit'), from: messageId, to: messageId, text: written }),
  /** Takes back what the user wrote. */
  z.strictObject({ type: z.literal('preview-unedit') }),
  /** Makes the preview again from what the conversation is now. */
  z.strictObject({ type: z.literal('preview-again') }),
  /** Follows one of `cures`, and makes the preview again with what the model writes then. */
  z.strictObject({ type: z.literal('preview-mend'), cure: z.string() }),
  z.strictObject({ type: z.literal('preview-apply') }),
  /** Closes it; with `not-now` a compression of Karl's own waits, and a turn that waits for the answer goes on. */
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
  /** Drops, shortens or restores messages, all by one record. */
  z.strictObject({
    type: z.literal('change'),
    act: z.enum(['dropped', 'shortened', 'restored']),
    ids: messageIds,
  }),
  /** What was restored of an agent's own compression, for the clipboard: as a message for that agent. */
  z.strictObject({ type: z.literal('copy-restored'), id: name }),
  /** Writes a new session for an agent, which begins with what the window has. */
  z.strictObject({ type: z.literal('rescue') }),
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
  /** Code of a reply, for the clipboard. */
  z.strictObject({ type: z.literal('copy-text'), text }),
  /** Code of a reply, for where the cursor is in an editor. */
  z.strictObject({ type: z.literal('insert'), text }),
  /** Asks which rows of the full history contain a text, in capitals or not: the answer is `found`. */
  z.strictObject({ type: z.literal('find'), text: name }),
  /** The reader is not at the end: shows rows from this message on, and keeps them when new ones come after them. */
  z.strictObject({ type: z.literal('read-from'), id: messageId }),
  z.strictObject({ type: z.literal('show'), shows: z.enum(['history', 'request', 'contents']) }),
  /** Shows the full history around this message, however far back it is. */
  z.strictObject({ type: z.literal('reveal'), id: messageId }),
  /** The reader is back at the end: shows the newest rows. */
  z.strictObject({ type: z.literal('at-end') }),
  /** Raw messages, both ends included, in an editor. */
  z.strictObject({ type: z.literal('show-original'), from: messageId, to: messageId }),
  /** A file that a call names. */
  z.strictObject({ type: z.literal('open-file'), path, line: z.int().check(z.positive()) }),
  /** The user's word on what the agent wants to do; `offer`: which of `always`; `reason`: why not, for the model. */
  z.strictObject({
    type: z.literal('answer'),
    id: name,
    answer: z.enum(['allow', 'turn', 'always', 'deny']),
    reason: z.string().check(z.maxLength(4000)),
    offer: messageId,
  }),
  /** Sends the definition of this tool no more. */
  z.strictObject({ type: z.literal('leave-out'), tool: name }),
  /** The change that the user is asked about, in the diff editor. */
  z.strictObject({ type: z.literal('show-change') }),
  /** Brings the files back to what they were before the turn of this message. */
  z.strictObject({ type: z.literal('restore-files'), id: messageId }),
  z.strictObject({ type: z.literal('new-conversation') }),
  z.strictObject({ type: z.literal('open-sample') }),
  z.strictObject({ type: z.literal('send-queued') }),
  z.strictObject({ type: z.literal('set-window') }),
  z.strictObject({ type: z.literal('select-server') }),
  z.strictObject({ type: z.literal('select-model') }),
  z.strictObject({ type: z.literal('take-over') }),
  z.strictObject({ type: z.literal('open-log') }),
  z.strictObject({ type: z.literal('notice'), id: name, action: name }),
]);

/** What the webview asks for. Short intents; the answer is the next state. */
export type FromWebview = z.infer<typeof fromWebview>;

/** What the user does with a preview. */
export type PreviewIntent = Extract<FromWebview, { type: 'preview' | `preview-${string}` }>;

/**
 * Checks what the webview posted: the page shows text that a model wrote, so nothing from it is taken on trust.
 * Unknown types and unknown fields are errors; the error is one sentence and repeats no text of the message.
 */
export function parseFromWebview(value: unknown): Result<FromWebview, string> {
  const parsed = fromWebview.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'message'}: ${issue.code}`);
  return err(`The view sent a message that Karl does not know (${problems.join('; ')}).`);
}
