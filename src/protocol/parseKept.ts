import * as z from 'zod/mini';

const id = z.int().check(z.nonnegative());

const kept = z.object({
  conversation: z.string(),
  choices: z.object({
    strategy: z.string(),
    upTo: z.exactOptional(id),
    instructions: z.string(),
    keep: z.array(id),
    edits: z.array(z.object({ range: z.object({ from: id, to: id }), text: z.string() })),
  }),
});

/** A conversation, and what the user chose in a preview of it, as it is kept for the next window. */
export type KeptChoices = z.infer<typeof kept>;

/** Reads what an earlier window kept; what is wrong in it is not used. */
export function parseKeptChoices(value: unknown): KeptChoices | undefined {
  const parsed = kept.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
