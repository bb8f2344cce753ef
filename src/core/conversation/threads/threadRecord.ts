import * as z from 'zod/mini';
import { parseFigures } from '../figures.ts';
import type { ThreadRecord } from './threadStore.ts';

const text = z.string();
const count = z.number();

const message = z.looseObject({ role: text });

const shape = z.looseObject({
  id: text.check(z.minLength(1)),
  format: z.optional(count),
  title: text,
  client: z.optional(text),
  hint: z.optional(text),
  forkedFrom: z.optional(text),
  profile: z.looseObject({ id: text, provider: text, contextWindow: z.optional(count), completionReserve: count }),
  prints: z.array(count),
  awaited: z.array(z.looseObject({ sent: message, recorded: z.array(message) })),
  prompt: count,
  hasTools: z.boolean(),
  figures: z.optional(z.unknown()),
  createdAt: count,
  updatedAt: count,
});

/** The record of a stored thread; undefined for anything else. */
export function parseThreadRecord(value: unknown): ThreadRecord | undefined {
  const parsed = shape.safeParse(value);
  // Only some fields are checked above; the others pass through as they were written.
  if (!parsed.success) return undefined;
  const { figures: stored, ...record } = parsed.data;
  const figures = parseFigures(stored);
  return { ...record, ...(figures !== undefined && { figures }) } as unknown as ThreadRecord;
}
