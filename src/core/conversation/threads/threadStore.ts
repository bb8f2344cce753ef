import type { ChatMessage } from '../../messages/chat.ts';
import type { ModelProfile } from '../../profile/profile.ts';
import type { Result } from '../../result.ts';
import type { ConversationState } from '../conversationState.ts';
import type { ConversationFigures } from '../figures.ts';
import type { Awaited } from './awaited.ts';
import type { Fingerprint } from './fingerprint.ts';

/** A thread without its messages: enough to find the one that a request may continue, and to list it. JSON-safe. */
export interface ThreadRecord {
  readonly id: string;
  /** The first words that the human wrote in it, one line. */
  readonly title: string;
  /** Which agent speaks. */
  readonly client?: string;
  /** The model that it last ran on. */
  readonly profile: ModelProfile;
  /** The conversation id that the client last sent. */
  readonly hint?: string;
  /** The thread that it was split off from. */
  readonly forkedFrom?: string;
  /** Of what the client last sent, without the system prompt. It may lag behind the messages that are stored. */
  readonly prints: readonly Fingerprint[];
  /** How full it was when it was last stored, to a twentieth of its budget. */
  readonly figures?: ConversationFigures;
  /** Replies that went out and have not come back yet. */
  readonly awaited: readonly Awaited[];
  /** Of the system prompt that the client last sent. */
  readonly prompt: number;
  /** Whether the client has offered tools in it. */
  readonly hasTools: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What has changed in a thread: the new messages of its transcript, and all that is kept beside them. */
export interface ThreadUpdate {
  readonly record: ThreadRecord;
  /** How many messages the store has. */
  readonly from: number;
  /** Messages that were not stored before. Fields of them that begin with `karl_` belong to the thread: they come back. */
  readonly appended: readonly ChatMessage[];
  /** What the model is sent now. */
  readonly view: readonly ChatMessage[];
  /** Everything but the messages. */
  readonly state: Omit<ConversationState, 'messages'>;
  /** `grown`: only messages came; `changed`: compactions or pins did; `closed`: it leaves the memory. */
  readonly why: 'grown' | 'changed' | 'closed';
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
