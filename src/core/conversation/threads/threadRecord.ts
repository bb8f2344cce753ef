import * as z from 'zod/mini';
import type { ChatMessage } from '../../messages/chat.ts';
import { splitUserText } from '../../messages/human.ts';
import { contentText } from '../../messages/parse.ts';
import { repairProfile } from '../../model/profileFile.ts';
import { parseFigures } from '../figures.ts';
import { keptPrint } from './fingerprint.ts';
import type { StatelessRequest } from './match.ts';
import type { SplitRequest } from './splitRequest.ts';
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
  profile: z.looseObject({ id: text, provider: text }),
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
  const profile = repairProfile(record.profile)?.profile;
  const figures = parseFigures(stored);
  return { ...record, profile, ...(figures !== undefined && { figures }) } as unknown as ThreadRecord;
}

/** The human's first words, as a title for a thread. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const asked = messages
    .filter(({ role }) => role === 'user')
    .map((message) => ({ message, text: contentText(message) }));
  const typed = asked
    .map(({ message, text }) => splitUserText(message, text).typed ?? '')
    .find((text) => text.trim() !== '');
  return (typed ?? asked[0]?.text ?? '').slice(0, 2_000).replace(/\s+/gu, ' ').trim().slice(0, 80);
}

/** What a request says about its thread, for the record. */
export function aboutOf({ client, hint, profile, tools }: StatelessRequest, { prompt, prints }: SplitRequest) {
  return {
    ...(client !== undefined && { client }),
    ...(hint !== undefined && { hint }),
    profile,
    prints,
    prompt: keptPrint(prompt),
    hasTools: tools.length > 0,
  };
}
