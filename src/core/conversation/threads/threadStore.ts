import type { ChatMessage } from '../../messages/chat.ts';
import type { Result } from '../../result.ts';
import type { ConversationState } from '../conversationState.ts';
import type { Fingerprint } from './fingerprint.ts';

/** What the client last sent, message by message: its fingerprint, and the message of the transcript that stands for it. */
export interface Known {
  readonly print: Fingerprint;
  readonly id: number;
}

/** A thread without its messages: enough to tell which request continues it, and to list it. JSON-safe. */
export interface ThreadRecord {
  readonly id: string;
  /** The first words that the human wrote in it, one line. */
  readonly title: string;
  /** Which agent speaks. */
  readonly client?: string;
  /** The conversation id that the client last sent. */
  readonly hint?: string;
  /** The thread that it was split off from. */
  readonly forkedFrom?: string;
  readonly known: readonly Known[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a request changed in a thread: the new messages of its transcript, and all that is kept beside them. */
export interface ThreadUpdate {
  readonly record: ThreadRecord;
  readonly appended: readonly ChatMessage[];
  /** Everything but the messages. */
  readonly state: Omit<ConversationState, 'messages'>;
}

/** Why a thread could not be read or written, as a sentence for the user. */
export interface ThreadStoreProblem {
  readonly message: string;
}

/** Keeps threads that are not in memory. A port; without one, threads live as long as the process. Nothing rejects. */
export interface ThreadStore {
  /** Every stored thread. */
  list(): Promise<Result<readonly ThreadRecord[], ThreadStoreProblem>>;
  /** The conversation of a thread as it was last saved. */
  load(id: string): Promise<Result<ConversationState, ThreadStoreProblem>>;
  /** Adds to a thread; the first update makes it. */
  save(update: ThreadUpdate): Promise<Result<void, ThreadStoreProblem>>;
}
