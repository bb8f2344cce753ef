import type { Trigger } from '../compaction/compaction.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { KarlEvent } from '../events/event.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { ModelError } from '../overflow/modelError.ts';
import type { Result } from '../result.ts';
import type { Clock } from './clock.ts';
import type { ModelClient, ModelDelta, ModelRequest } from './modelClient.ts';
import type { OutputLimit } from './outputRoom.ts';
import type { TurnProblem } from './problem.ts';
import type { Tool } from './tool.ts';

/** Where a session keeps its conversation. No operation throws or rejects. */
export interface SessionStore {
  /**
   * Serialises raw messages and puts them in line for the disk: all, or none and the reason. Done before memory has
   * them, so that nothing about a message can keep it out of one of the two.
   */
  queue(messages: readonly ChatMessage[]): Result<void, { readonly message: string }>;
  /** Writes what is in line; resolves when it is on the disk. What could not be written stays in line, in order. */
  flush(): Promise<Result<void, { readonly message: string }>>;
  /** Writes what can be derived again: compactions, pins, learned window. */
  saveState(): Promise<Result<void, { readonly message: string }>>;
}

/** What a session is doing. `idle` only between turns. */
export type SessionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'compacting'; readonly trigger: Trigger }
  /** A request is on its way or its reply streams in; `round` counts the model calls of the turn from 1. */
  | { readonly kind: 'asking'; readonly round: number }
  /** Until the next attempt, number `attempt` of `attempts`, begins; `until` in milliseconds of the clock. */
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly attempts: number;
      readonly until: number;
      readonly error: ModelError;
    }
  | { readonly kind: 'running-tools'; readonly tools: readonly string[] };

/** How a turn ended. The transcript is legal and complete after each of them. */
export type TurnOutcome =
  /** `cutOff`: the reply hit the output limit. */
  | { readonly kind: 'answered'; readonly rounds: number; readonly cutOff: boolean }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: TurnProblem };

/** Told what happens. A listener that throws ends the turn: isolate it where it may fail. */
export interface SessionListener {
  onState?(state: SessionState): void;
  onDelta?(delta: ModelDelta): void;
  /** `model-error`, `retry`, `tools-refused` and `warning`; the conversation tells its own events itself. */
  onEvent?(event: KarlEvent): void;
}

/** What servers taught, by model and server (`profileKey`); outlives the turn. */
export interface Taught {
  /** By refusing more output. */
  readonly outputLimits: Map<string, OutputLimit>;
  /** The largest request that was taken, tokens. */
  readonly acceptedSizes: Map<string, number>;
  /** Models whose servers refused tool definitions and took the request without them. */
  readonly withoutTools: Set<string>;
}

/** Nothing is known yet. */
export function nothingTaught(): Taught {
  return { outputLimits: new Map(), acceptedSizes: new Map(), withoutTools: new Set() };
}

/** Everything that one model call works with, whoever asks for it: a turn of the session, or a request that is relayed. */
export interface CallContext extends Taught {
  readonly conversation: Conversation;
  readonly client: ModelClient;
  readonly tools: readonly Pick<Tool, 'definition'>[];
  readonly store: Pick<SessionStore, 'saveState'>;
  readonly clock: Clock;
  /** Asked before an automatic compaction; `false` lets the turn go on without it. */
  readonly mayCompact: (trigger: Trigger, signal: AbortSignal) => Promise<boolean>;
  /** Whether summaries may be written ahead: not where the user starts every compaction. */
  readonly preparesSummaries: boolean;
  readonly listener: SessionListener;
  readonly signal: AbortSignal;
  /** Changes the messages of each request just before it is sent; absent: as the conversation gives them. */
  readonly dress?: (messages: readonly ChatMessage[]) => readonly ChatMessage[];
  /** What goes with each request beside the profile's extras, and who is told the chunks of the answer. */
  readonly request?: Pick<ModelRequest, 'fields' | 'written' | 'onChunk'>;
  /** How often one call may be made, passing faults included; absent: as often as `retry.ts` says. */
  readonly mostAttempts?: number;
}

/** Everything that one turn works with. */
export interface TurnContext extends CallContext {
  readonly tools: readonly Tool[];
  readonly store: SessionStore;
  readonly maxToolRounds: number;
}
