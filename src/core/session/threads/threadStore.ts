import * as z from 'zod/mini';
import { splitUserText } from '../../chat/human.ts';
import { contentText } from '../../chat/parse.ts';
import type { ChatMessage } from '../../chat/wire.ts';
import type { ConversationState, StoredState } from '../../conversation/conversationOptions.ts';
import { type ConversationFigures, parseFigures } from '../../conversation/figures.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { repairProfile } from '../../model/profileFile.ts';
import type { Words } from '../../phrase.ts';
import type { Result } from '../../result.ts';

/** A reply that was sent to a client and has not come back yet. */
export interface Awaited {
  /** As the client got it. */
  readonly sent: ChatMessage;
  /** What the transcript records for it; empty when that is the client's copy. */
  readonly recorded: readonly ChatMessage[];
}

const text = z.string();
const count = z.number();
const message = z.looseObject({ role: text });

/** Only these fields are checked; others pass through as they were written. */
const shape = z.looseObject({
  id: text.check(z.minLength(1)),
  /** The first words that the human wrote in it, on one line. */
  title: text,
  /** The name of the agent. */
  client: z.optional(text),
  /** The conversation id that the client last sent. */
  hint: z.optional(text),
  profile: z.looseObject({ id: text, provider: text }),
  /** Fingerprints of what the client last sent, without the system prompt. They may lag behind the stored messages. */
  prints: z.array(count),
  awaited: z.array(z.looseObject({ sent: message, recorded: z.array(message) })),
  /** The fingerprint of the system prompt that the client last sent. */
  prompt: count,
  /** Whether the client's last request offered tools. */
  hasTools: z.boolean(),
  figures: z.optional(z.unknown()),
  /** Milliseconds since 1970. */
  createdAt: count,
  updatedAt: count,
});

type Stored = z.infer<typeof shape>;

/** A thread without its messages: enough to find out whether a request may continue it, and to list it. JSON-safe. */
export type ThreadRecord = Readonly<
  Pick<Stored, 'id' | 'title' | 'client' | 'hint' | 'prompt' | 'hasTools'> & Pick<Stored, 'createdAt' | 'updatedAt'>
> & {
  /** The model that it last used. */
  readonly profile: ModelProfile;
  readonly prints: readonly number[];
  /** Replies that were sent and have not come back yet. */
  readonly awaited: readonly Awaited[];
  /** How full it was when it was last stored, accurate to a twentieth of its budget. */
  readonly figures?: ConversationFigures | undefined;
};

/** The changes in a thread. */
export interface ThreadUpdate {
  readonly record: ThreadRecord;
  /** How many messages the store already has. */
  readonly from: number;
  /** Messages that were not stored before. Their fields that begin with `karl_` must be stored too. */
  readonly appended: readonly ChatMessage[];
  /** What is kept beside the messages, and what the model is sent now; absent: there are only new messages. */
  readonly beside?: { readonly state: Omit<ConversationState, 'messages'>; readonly view: readonly ChatMessage[] };
}

/** Why a thread could not be read or written, as a sentence for the user. */
export interface ThreadStoreProblem {
  readonly message: Words;
}

/** Keeps threads that are not in memory. A port; without one, threads end with the process. Never rejects. */
export interface ThreadStore {
  list(): Promise<Result<readonly ThreadRecord[], ThreadStoreProblem>>;
  /** The conversation of a thread as it was last saved. */
  load(id: string): Promise<Result<ConversationState | StoredState, ThreadStoreProblem>>;
  /** Adds to a thread; the first update creates it. `record` is stored together with what is beside the messages. */
  save(update: ThreadUpdate): Promise<Result<void, ThreadStoreProblem>>;
  /** Lets other processes write a thread, until it is loaded or saved again; absent where that is always possible. */
  close?(id: string): Promise<void>;
  /** Deletes a thread; absent where nothing is deleted. */
  delete?(id: string): Promise<Result<void, ThreadStoreProblem>>;
}

/** The record of a stored thread; undefined for anything else. */
export function parseThreadRecord(value: unknown): ThreadRecord | undefined {
  const parsed = shape.safeParse(value);
  if (!parsed.success) return undefined;
  const profile = repairProfile(parsed.data.profile)?.profile;
  return { ...parsed.data, profile, figures: parseFigures(parsed.data.figures) } as unknown as ThreadRecord;
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
