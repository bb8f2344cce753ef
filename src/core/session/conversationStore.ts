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

/** A problem with a stored conversation: what, where and, in `message`, what to do about it. */
export interface StorageProblem {
  readonly kind:
    | 'disk-full'
    | 'read-only'
    | 'missing'
    | 'locked'
    | 'lock-lost'
    | 'torn-line'
    | 'corrupt-line'
    | 'missing-line'
    | 'cut-short'
    | 'corrupt-summary'
    | 'dropped-compaction'
    | 'closed'
    | 'other';
  readonly path: string;
  readonly message: Words;
}

/** What is stored beside the raw messages. Losing it loses no message. */
export interface ConversationDetails {
  readonly compactions: readonly Compaction[];
  readonly pins: readonly number[];
  /** Undone compactions. */
  readonly undone?: readonly UndoneCompaction[];
  /** The profile that shaped the last run. */
  readonly profile?: ModelProfile;
  /** Every profile that turns used, oldest first, with the entries that it was made from. */
  readonly profiles?: readonly ProfileUse[];
  readonly learnedWindow?: LearnedWindow;
  /** Other state of the session; plain JSON. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation as it was read. `problems` occurred while reading; each is reported once, not at every load. */
export interface StoredConversation {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly transcript: ReadTranscript;
  readonly details: ConversationDetails;
  readonly problems: readonly StorageProblem[];
  /** What the last writer kept of a reply that it could not finish; plain JSON. Read when it is opened for writing. */
  readonly reply?: unknown;
}

/** Whether this window may write; if not, who does, or what prevents writing to disk. */
export type ConversationAccess =
  | { readonly kind: 'write' }
  | { readonly kind: 'read-only'; readonly holder: Words }
  | { readonly kind: 'unwritable'; readonly problem: StorageProblem };

/**
 * An open conversation. Operations are carried out in the order of the calls. No promise rejects: failures are values.
 */
export interface OpenConversation {
  readonly id: string;
  readonly access: ConversationAccess;
  /** As read when it was opened. */
  readonly stored: StoredConversation;
  /** Serialises messages and queues them for the transcript: all of them, or none and the reason. */
  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem>;
  /** Writes what is queued; resolves when it is on disk. What could not be written stays queued, in order. */
  flush(): Promise<Result<void, StorageProblem>>;
  /** `queue` and `flush`. */
  append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /** Replaces the details and the view, each whole or not at all. */
  save(details: ConversationDetails, view: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /**
   * Keeps what has come of a reply so far, in place of what was kept before. Undefined: nothing, once all that is queued
   * is on the disk.
   */
  keepReply(reply: object | undefined): Promise<Result<void, StorageProblem>>;
  /**
   * Calls back when another window has taken over (once; writing has ended then), or when files had to be written
   * again.
   */
  onProblem(listener: (problem: StorageProblem) => void): () => void;
  /** Writes what is queued, trying again what could not be written before, and then lets other windows write. */
  close(): Promise<void>;
}

/** An entry in the list of conversations. */
export interface ConversationListing {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly bytes: number;
  /** As they were last stored; absent where there are none. */
  readonly figures?: ConversationFigures;
}

/** How much is kept. Absent fields mean no limit. */
export interface StorageLimits {
  readonly days?: number;
  readonly bytes?: number;
}

/** Keeps conversations. A port: the extension host injects one that writes files. */
export interface ConversationStore {
  create(conversation: {
    readonly id: string;
    readonly title: string;
  }): Promise<Result<OpenConversation, StorageProblem>>;
  /**
   * Opens for writing, or read-only while another window writes or the disk cannot be written; `takeOver` ends the
   * other window's writing.
   */
  open(id: string, options?: { readonly takeOver?: boolean }): Promise<Result<OpenConversation, StorageProblem>>;
  /** Reads a conversation without changing anything, even while another window writes it. */
  read(id: string): Promise<Result<StoredConversation, StorageProblem>>;
  /** Newest first. */
  list(): Promise<Result<readonly ConversationListing[], StorageProblem>>;
  rename(id: string, title: string): Promise<Result<void, StorageProblem>>;
  delete(id: string): Promise<Result<void, StorageProblem>>;
  /**
   * Deletes what exceeds the limits, oldest first, and returns the ids; never a conversation that a window writes, nor
   * one that this window shows, which it may only read.
   */
  prune(limits: StorageLimits, isShown?: (id: string) => boolean): Promise<Result<readonly string[], StorageProblem>>;
}
