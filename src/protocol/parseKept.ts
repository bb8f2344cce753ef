import * as z from 'zod/mini';

// What a window keeps for the next one. Each parser returns undefined if the value is invalid.

const id = z.int().check(z.nonnegative());

const attachments = z.readonly(
  z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('file'),
        path: z.string(),
        lines: z.exactOptional(z.object({ from: id, to: id })),
        text: z.string(),
      }),
      z.object({ kind: z.literal('image'), url: z.string().check(z.regex(/^data:image\//)) }),
    ]),
  ),
);

const keptAttachments = z.object({
  conversation: z.string(),
  list: attachments,
  /** While a message is edited: which one, and what had been attached before. */
  editing: z.exactOptional(z.object({ id, aside: attachments })),
});

/** Reads the attachments of the next message of each conversation. */
export const parseKeptAttachments = (value: unknown) => z.array(keptAttachments).safeParse(value).data;

/** Reads the part of a reply that had arrived when a window ended, and how many messages precede it. */
export const parseKeptReply = (value: unknown) => z.object({ after: id, text: z.string() }).safeParse(value).data;
