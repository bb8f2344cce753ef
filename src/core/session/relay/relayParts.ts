import type { Trigger } from '../../compaction/compaction.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Match } from '../../conversation/threads/match.ts';
import type { Threads } from '../../conversation/threads/threads.ts';
import type { KarlEvent } from '../../events/event.ts';
import type { ModelClient } from '../modelClient.ts';
import type { ProfileChange } from '../takeProfile.ts';
import type { AcceptedSizes, Clock } from '../turnContext.ts';

/** What the relay needs. */
export interface RelayParts {
  /** Finds the conversation of a request. */
  readonly threads: Pick<Threads, 'match'>;
  readonly client: ModelClient;
  readonly clock: Clock;
  /** The settings in force for a model; a conversation is given them when they have changed. */
  readonly findModel: (name: string) => Promise<ProfileChange>;
  /** How often a request is sent to the server; absent: as often as in a session. 1 where the client retries itself. */
  readonly mostAttempts?: number | undefined;
  /** As in a session; default: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal, conversation: Conversation) => Promise<boolean>;
  readonly preparesSummaries?: () => boolean;
  /** As in a session. */
  readonly acceptedSizes?: AcceptedSizes;
  /**
   * Told `request-answered`, `model-error`, `retry`, `tools-refused` and `warning`; a conversation emits its other
   * events itself.
   */
  readonly onEvent?: (thread: Match, event: KarlEvent) => void;
}
