import type { Trigger } from '../../compaction/compaction.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Match } from '../../conversation/threads/match.ts';
import type { Threads } from '../../conversation/threads/threads.ts';
import type { KarlEvent } from '../../events/event.ts';
import type { Clock } from '../clock.ts';
import type { ModelClient } from '../modelClient.ts';
import type { ProfileChange } from '../takeProfile.ts';

/** What the relay works with. */
export interface RelayParts {
  /** Finds the conversation of a request. */
  readonly threads: Pick<Threads, 'match'>;
  readonly client: ModelClient;
  readonly clock: Clock;
  /** What is in force for a model now; a conversation is given it when it has changed. */
  readonly findModel: (name: string) => Promise<ProfileChange>;
  /** How often a request is sent to the server; absent: as often as in the session. 1 where the client asks again itself. */
  readonly mostAttempts?: number;
  /** As in the session; default: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal, conversation: Conversation) => Promise<boolean>;
  readonly preparesSummaries?: () => boolean;
  /** `model-error`, `retry` and `warning`; a conversation tells its own events itself. */
  readonly onEvent?: (thread: Match, event: KarlEvent) => void;
}
