import * as z from 'zod/mini';
import { err, ok, type Result } from '../core/result.ts';
import type { FromWebview } from './viewState.ts';

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
const messageIds = z.array(messageId).check(z.minLength(1), z.maxLength(MAX_CHANGED));
const path = z.string().check(z.minLength(1), z.maxLength(4096));
/** An attachment as the composer shows it: its path, and the lines that were selected. */
const label = z.string().check(z.maxLength(5000));
/** Room for the largest image that can be attached, in base64. The page itself refuses a larger one. */
const image = z
  .string()
  .check(z.maxLength(7_000_000), z.regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/));

const fromWebview = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('focused'), isFocused: z.boolean() }),
  z.strictObject({ type: z.literal('keep-page'), saved: written }),
  z.strictObject({ type: z.literal('send'), text }),
  z.strictObject({ type: z.literal('complete'), text: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('attach'), path }),
  z.strictObject({ type: z.literal('attach-image'), url: image }),
  z.strictObject({ type: z.literal('refuse-image'), bytes: z.int().check(z.positive()) }),
  z.strictObject({ type: z.literal('detach'), index: messageId, label }),
  z.strictObject({ type: z.literal('stop-editing') }),
  z.strictObject({ type: z.literal('cancel') }),
  z.strictObject({ type: z.literal('unqueue'), index: messageId, text: queued }),
  z.strictObject({ type: z.literal('continue') }),
  z.strictObject({ type: z.literal('retry'), id: messageId }),
  z.strictObject({ type: z.literal('edit'), id: messageId }),
  z.strictObject({ type: z.literal('resend'), id: messageId, text }),
  z.strictObject({ type: z.literal('compress') }),
  z.strictObject({ type: z.literal('compress-with') }),
  z.strictObject({ type: z.literal('compress-keeping') }),
  z.strictObject({ type: z.literal('preview'), upTo: z.exactOptional(messageId) }),
  z.strictObject({ type: z.literal('preview-keep'), from: messageId, to: messageId, keep: z.boolean() }),
  z.strictObject({ type: z.literal('preview-more') }),
  z.strictObject({ type: z.literal('preview-strategy'), strategy: name }),
  z.strictObject({ type: z.literal('preview-instructions'), text: z.string().check(z.maxLength(4000)) }),
  z.strictObject({ type: z.literal('preview-edit'), from: messageId, to: messageId, text: written }),
  z.strictObject({ type: z.literal('preview-unedit') }),
  z.strictObject({ type: z.literal('preview-again') }),
  z.strictObject({ type: z.literal('preview-mend'), cure: z.string() }),
  z.strictObject({ type: z.literal('preview-apply') }),
  z.strictObject({ type: z.literal('preview-close'), answer: z.exactOptional(z.literal('not-now')) }),
  z.strictObject({ type: z.literal('undo'), id: name }),
  z.strictObject({ type: z.literal('redo'), id: name }),
  z.strictObject({ type: z.literal('diff'), id: name }),
  z.strictObject({ type: z.literal('show-replaced'), id: name }),
  z.strictObject({ type: z.literal('pin'), id: messageId }),
  z.strictObject({ type: z.literal('unpin'), id: messageId }),
  z.strictObject({ type: z.literal('pin-all'), ids: messageIds, pinned: z.boolean() }),
  z.strictObject({
    type: z.literal('change'),
    act: z.enum(['dropped', 'shortened', 'restored']),
    ids: messageIds,
  }),
  z.strictObject({ type: z.literal('expand'), key: name }),
  z.strictObject({ type: z.literal('copy'), key: name }),
  z.strictObject({ type: z.literal('copy-text'), text }),
  z.strictObject({ type: z.literal('insert'), text }),
  z.strictObject({ type: z.literal('find'), text: name }),
  z.strictObject({ type: z.literal('read-from'), id: messageId }),
  z.strictObject({ type: z.literal('show'), shows: z.enum(['history', 'request', 'contents']) }),
  z.strictObject({ type: z.literal('reveal'), id: messageId }),
  z.strictObject({ type: z.literal('at-end') }),
  z.strictObject({ type: z.literal('show-original'), from: messageId, to: messageId }),
  z.strictObject({ type: z.literal('open-file'), path, line: z.int().check(z.positive()) }),
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
