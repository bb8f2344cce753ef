import type { ConversationFigures } from '../../conversation/figures.ts';
import type { RecallSource } from '../recallTool.ts';

/** A conversation of this workspace, Karl's own or another agent's. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The name of the agent; absent for Karl's own. */
  readonly client?: string;
}

/** A conversation that is open for reading, until `release`. */
export interface Readable {
  readonly id: string;
  readonly title: string;
  readonly source: RecallSource;
  /** Absent for a conversation that was stored without figures. */
  readonly figures?: ConversationFigures;
  /** Whether the figures are current. */
  readonly isLive: boolean;
  readonly release: () => Promise<unknown>;
}

/** Conversations that other agents may read. Nothing here changes one. */
export interface ReadableConversations {
  /** All conversations, the one used last first. */
  list(): Promise<readonly Listed[]>;
  /** Opens a conversation for reading; without an id, the one used last. Undefined when there is none. */
  open(id?: string): Promise<Readable | undefined>;
}
