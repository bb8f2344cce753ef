import * as z from 'zod/mini';
import type { Attachment } from '../core/messages/attachments.ts';

const id = z.int().check(z.nonnegative());

const kept = z.object({
  conversation: z.string(),
  choices: z.object({
    strategy: z.string(),
    upTo: z.exactOptional(id),
    instructions: z.string(),
    keep: z.array(id),
    aside: z._default(z.array(id), []),
    edits: z.array(z.object({ range: z.object({ from: id, to: id }), text: z.string() })),
  }),
});

/** A conversation, and what the user chose in a preview of it, as it is kept for the next window. */
export type KeptChoices = z.infer<typeof kept>;

/** Reads what an earlier window kept; undefined when anything is wrong with it. */
export function parseKeptChoices(value: unknown): KeptChoices | undefined {
  const parsed = kept.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/**
 * What goes with the next message of a conversation. While a message is edited: which one, and what had been attached
 * before.
 */
export interface KeptAttachments {
  readonly conversation: string;
  readonly list: readonly Attachment[];
  readonly editing?: { readonly id: number; readonly aside: readonly Attachment[] };
}

const attachments = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('file'),
      path: z.string(),
      lines: z.exactOptional(z.object({ from: id, to: id })),
      text: z.string(),
    }),
    z.object({ kind: z.literal('image'), url: z.string().check(z.regex(/^data:image\//)) }),
  ]),
);

const keptAttachments = z.array(
  z.object({
    conversation: z.string(),
    list: attachments,
    editing: z.exactOptional(z.object({ id, aside: attachments })),
  }),
);

const keptReply = z.object({ after: id, text: z.string() });

/** What had come of a reply when a window ended, and how many messages are before it. */
export type KeptReply = z.infer<typeof keptReply>;

/** Reads what an earlier window kept; undefined when anything is wrong with it. */
export function parseKeptReply(value: unknown): KeptReply | undefined {
  const parsed = keptReply.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** Reads what an earlier window kept; undefined when anything is wrong with it. */
export function parseKeptAttachments(value: unknown): readonly KeptAttachments[] | undefined {
  const parsed = keptAttachments.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
