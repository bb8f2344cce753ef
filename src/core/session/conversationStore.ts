import type { Compaction } from '../compaction/compaction.ts';
import type { UndoneCompaction } from '../conversation/compactedView.ts';
import type { ConversationFigures } from '../conversation/figures.ts';
import type { Words } from '../language.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { ReadTranscript } from '../messages/transcript.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { ProfileUse } from '../model/resolve.ts';
import type { Result } from '../result.ts';

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
export interface ConversationDetails {
  readonly compactions: readonly Compaction[];
  readonly pins: readonly number[];
  /** Undone compactions. */
  readonly undone?: readonly UndoneCompaction[];
  /** The profile that shaped the last run. */
  readonly profile?: ModelProfile;
  /** Every profile that turns used, oldest first, with the entries from which it was resolved. */
  readonly profiles?: readonly ProfileUse[];
  readonly learnedWindow?: LearnedWindow;
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

/**
 * An open conversation. Operations run in the order of their calls. No promise rejects: failures are values.
 */
export interface OpenConversation {
  readonly id: string;
  readonly access: ConversationAccess;
  /** As read when it was opened. */
  readonly stored: StoredConversation;
  /** Serialises messages and queues them for the transcript: all of them, or none and the reason. */
  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem>;
  /** Writes the queue; resolves when it is on disk. What cannot be written stays queued, in order. */
  flush(): Promise<Result<void, StorageProblem>>;
  /** `queue` and `flush`. */
  append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /** Replaces the details and the view, each as a whole or not at all. */
  save(details: ConversationDetails, view: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /**
   * Stores the part of a reply that has arrived so far, replacing the last stored part. Undefined: deletes it, after the
   * queue is on the disk.
   */
  keepReply(reply: object | undefined): Promise<Result<void, StorageProblem>>;
  /**
   * Adds a listener for problems: another window has taken over (once, and ends writing), or files had to be rewritten.
   * Returns a function that removes it.
   */
  onProblem(listener: (problem: StorageProblem) => void): () => void;
  /** Writes the queue, including earlier failures, and then lets other windows write. */
  close(): Promise<void>;
}

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

/** Stores conversations. A port: the extension host injects one that writes files. */
export interface ConversationStore {
  create(conversation: {
    readonly id: string;
    readonly title: string;
  }): Promise<Result<OpenConversation, StorageProblem>>;
  /**
   * Opens for writing, or read-only if another window writes or the disk cannot be written. `takeOver` ends the other
   * window's writing.
   */
  open(id: string, options?: { readonly takeOver?: boolean }): Promise<Result<OpenConversation, StorageProblem>>;
  /** Reads a conversation without changing anything, even while another window writes to it. */
  read(id: string): Promise<Result<StoredConversation, StorageProblem>>;
  /** Newest first. */
  list(): Promise<Result<readonly ConversationListing[], StorageProblem>>;
  rename(id: string, title: string): Promise<Result<void, StorageProblem>>;
  delete(id: string): Promise<Result<void, StorageProblem>>;
  /**
   * Deletes what exceeds the limits, oldest first, and returns the ids. Never deletes a conversation that a window writes,
   * or that this window shows.
   */
  prune(limits: StorageLimits, isShown?: (id: string) => boolean): Promise<Result<readonly string[], StorageProblem>>;
}
