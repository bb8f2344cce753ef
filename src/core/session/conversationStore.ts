import type { ReadTranscript } from '../chat/transcript.ts';
import type { ConversationState } from '../conversation/conversationOptions.ts';
import type { ConversationFigures } from '../conversation/figures.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { ProfileUse } from '../model/resolve.ts';
import type { Words } from '../phrase.ts';

/** A problem with a stored conversation: what, where, and in `message` what to do about it. */
export interface StorageProblem {
  readonly kind:
    | 'disk-full'
    | 'read-only'
    | 'missing'
    | 'locked'
    | 'lock-lost'
    | 'torn-line'
    | 'corrupt-line'
    | 'missing-messages'
    | 'corrupt-summary'
    | 'dropped-compaction'
    | 'closed'
    | 'other';
  readonly path: string;
  readonly message: Words;
}

/** The data stored beside the raw messages; losing it loses no message. */
export interface ConversationDetails
  extends Pick<ConversationState, 'compactions' | 'pins' | 'undone' | 'learnedWindow'> {
  /** The profile that shaped the last run. */
  readonly profile?: ModelProfile;
  /** Every profile that turns used, oldest first, with the entries from which it was resolved. */
  readonly profiles?: readonly ProfileUse[];
  /** Other state of the session; plain JSON. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation as it was read. Each of the `problems` is reported once, not at every load. */
export interface StoredConversation {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly transcript: ReadTranscript;
  readonly details: ConversationDetails;
  readonly problems: readonly StorageProblem[];
  /** What the last writer kept of an unfinished reply; plain JSON. Read only when opened for writing. */
  readonly reply?: unknown;
}

/** Whether this window may write; if not, who does, or what prevents it. */
export type ConversationAccess =
  | { readonly kind: 'write' }
  | { readonly kind: 'read-only'; readonly holder: Words }
  | { readonly kind: 'unwritable'; readonly problem: StorageProblem };

/** An entry in the list of conversations. */
export interface ConversationListing {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly bytes: number;
  /** As last stored, if any. */
  readonly figures?: ConversationFigures;
}

/** How much to keep. Absent fields mean no limit. */
export interface StorageLimits {
  readonly days?: number;
  readonly bytes?: number;
}
