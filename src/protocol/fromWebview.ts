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

/** Every intent, by its fields. */
const fromWebview = z.discriminatedUnion('type', [
  /**
   * `stop-editing`: without a change; `continue`: a turn without an answer; `rescue`: a new session for an agent, which
   * begins with what the window has; `at-end`: the reader is at the newest rows; `show-change`: the proposed one, in the diff
   * editor.
   */
  z.strictObject({
    type: z.enum([
      ...([
        'ready',
        'at-end',
        'cancel',
        'continue',
        'stop-editing',
        'send-queued',
        'take-over',
        'show-change',
      ] as const),
      ...(['compress', 'rescue', 'new-conversation', 'open-sample'] as const),
      ...(['set-window', 'select-server', 'select-model', 'open-log'] as const),
    ]),
  }),
  z.strictObject({ type: z.literal('focused'), isFocused: z.boolean() }),
  /** Unsent text of the page, for the next window. */
  z.strictObject({ type: z.literal('keep-page'), saved: written }),
  /** `insert`: code, at the cursor of an editor. */
  z.strictObject({ type: z.enum(['send', 'copy-text', 'insert']), text }),
  /**
   * `complete`: asks for matching files of the workspace; the answer is `completions`. `mention`: attaches the file that a
   * text names, if it is one of them.
   */
  z.strictObject({ type: z.enum(['complete', 'mention']), text: z.string().check(z.maxLength(200)) }),
  /** Attaches a file of the workspace to the next message. */
  z.strictObject({ type: z.literal('attach'), path }),
  /** Attaches an image, as a base64 `data:` URL. */
  z.strictObject({ type: z.literal('attach-image'), url: image }),
  /** An image of this many bytes was too large to attach. */
  z.strictObject({ type: z.literal('refuse-image'), bytes: z.int().check(z.positive()) }),
  z.strictObject({ type: z.literal('detach'), index: messageId, label }),
  /** Pauses the turn before its next step, or lets it go on. */
  z.strictObject({ type: z.literal('pause'), isPaused: z.boolean() }),
  /** A message of the queue; its text identifies it, since the queue may have changed. `send-between`: the running turn reads it. */
  z.strictObject({ type: z.enum(['unqueue', 'send-between']), index: messageId, text: queued }),
  /**
   * About a message. `retry`: asks it again, in a fork unless it is the last one; `edit` asks for its whole text, the answer is
   * `edit`; `restore-files`: to their state before its turn; `read-from` shows rows from it on, and keeps showing them when new
   * ones arrive; `reveal`: shows the full history around it, however far back it is.
   */
  z.strictObject({ type: z.enum(['retry', 'edit', 'restore-files', 'read-from', 'reveal']), id: messageId }),
  /** Sends another text in place of a message, in a fork. */
  z.strictObject({ type: z.literal('resend'), id: messageId, text }),
  /** Previews a compression, optionally only up to a message. */
  z.strictObject({ type: z.literal('preview'), upTo: z.exactOptional(messageId) }),
  /** `preview-unedit` discards the user's text; `preview-again` starts again from the current conversation. */
  z.strictObject({ type: z.enum(['preview-more', 'preview-unedit', 'preview-again', 'preview-apply']) }),
  /** Keeps messages whole in this compression, or sets them aside. */
  z.strictObject({ type: z.literal('preview-keep'), from: messageId, to: messageId, keep: z.boolean() }),
  z.strictObject({ type: z.literal('preview-strategy'), strategy: name }),
  /** What to keep; '' for nothing special. */
  z.strictObject({ type: z.literal('preview-instructions'), text: z.string().check(z.maxLength(4000)) }),
  /** Replaces a summary by the user's text. */
  z.strictObject({ type: z.literal('preview-edit'), from: messageId, to: messageId, text: written }),
  /** Follows one of `cures`, then plans again with new summaries by the model. */
  z.strictObject({ type: z.literal('preview-mend'), cure: z.string() }),
  /** Closes it; `not-now` postpones the automatic compression and lets a waiting turn go on. */
  z.strictObject({ type: z.literal('preview-close'), answer: z.exactOptional(z.literal('not-now')) }),
  /**
   * About a compression. `diff`: what it changed, in the diff editor; `show-replaced`: the messages that it replaced, in an
   * editor; `copy-restored`: what was restored of an agent's own, as a message for that agent.
   */
  z.strictObject({ type: z.enum(['undo', 'redo', 'diff', 'show-replaced', 'copy-restored']), id: name }),
  /** Pins messages, or unpins them. */
  z.strictObject({ type: z.literal('pin'), ids: messageIds, pinned: z.boolean() }),
  /** Drops, shortens or restores messages in one record. */
  z.strictObject({ type: z.literal('change'), act: z.enum(['dropped', 'shortened', 'restored']), ids: messageIds }),
  /** Opens a stored session that was dropped; a page learns only the name and size of a file. */
  z.strictObject({
    type: z.literal('open-dropped'),
    uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(100)),
    files: z
      .array(z.strictObject({ name: z.string().check(z.maxLength(1000)), bytes: z.int().check(z.nonnegative()) }))
      .check(z.maxLength(100)),
  }),
  /** The whole text of a row. */
  z.strictObject({ type: z.enum(['expand', 'copy']), key: name }),
  /** Asks which rows of the full history contain a text, ignoring case; the answer is `found`. */
  z.strictObject({ type: z.literal('find'), text: name }),
  z.strictObject({ type: z.literal('show'), shows: z.enum(['history', 'request', 'contents']) }),
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
  z.strictObject({ type: z.literal('notice'), id: name, action: name }),
]);

/** What the webview asks for. The answer is the next snapshot. */
export type FromWebview = z.infer<typeof fromWebview>;

/** The intents about an open preview. */
export type PreviewIntent = Extract<FromWebview, { type: `preview-${string}` }>;

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
