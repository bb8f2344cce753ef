import type { ChatMessage, ChatPart } from '../chat/wire.ts';
import type { CompactionResult, Trigger } from '../compaction/compaction.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { KarlEvent } from '../events/event.ts';
import type { Budget } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelClient, ModelDelta, ModelRequest } from '../model/modelClient.ts';
import type { OutputLimit } from '../model/recovery.ts';
import type { Words } from '../phrase.ts';
import type { Result } from '../result.ts';
import type { Match } from './threads/match.ts';
import type { Tool } from './tools.ts';

/** Time and chance, injected so that tests need no waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}

/** Why a turn could not be finished. It can be resumed after each of these. */
export type TurnProblem =
  /**
   * The model could not be asked, or its reply broke off. `attempts` includes the first one. `hasImages`: whether the
   * request had images; if not, an error about images does not concern it.
   */
  | {
      readonly kind: 'model';
      readonly error: ModelError;
      readonly attempts: number;
      readonly interrupted: boolean;
      readonly hasImages?: boolean;
    }
  /**
   * The request does not fit, even after compaction. `error`: absent when the server was not asked, because the fixed
   * part of the request is larger than its window. `compaction`: the result of the run; absent when none could help.
   * `hasPins`: messages are pinned, which no run shortens.
   */
  | {
      readonly kind: 'overflow';
      readonly error?: ModelError | undefined;
      readonly budget: Budget;
      readonly compaction?: CompactionResult | undefined;
      readonly hasPins?: boolean;
    }
  | { readonly kind: 'output-limit'; readonly error: ModelError; readonly budget: Budget }
  /** `tokens`: those of all tool definitions; `largest`: the names of the largest. */
  | {
      readonly kind: 'tools-too-large';
      readonly tokens: number;
      readonly largest: readonly string[];
      readonly limitTokens: number;
    }
  /** The transcript could not be written, so the model was not asked. */
  | { readonly kind: 'not-saved'; readonly message: Words }
  /** Changed settings could not be applied, so the model was not asked. */
  | { readonly kind: 'not-prepared'; readonly message: Words }
  /** The model's reply is not a valid message; no part of it was kept. */
  | { readonly kind: 'unusable-reply'; readonly message: Words }
  /** The agent has reached a limit without finishing; the user decides whether it may go on. */
  | { readonly kind: 'turn-limit'; readonly limit: keyof TurnLimits; readonly most: number };

/** What the user sends: text, or parts with images. */
export type UserContent = string | readonly ChatPart[];

/** Where a session stores its conversation. No operation throws or rejects. */
export interface SessionStore {
  /**
   * Serialises raw messages and queues them for the disk: all of them, or none and the reason. Called before they enter
   * the transcript, so that no message can end up in only one of the two.
   */
  queue(messages: readonly ChatMessage[]): Result<void, { readonly message: Words }>;
  /** Writes the queue; resolves when it is on disk. What cannot be written stays queued, in order. */
  flush(): Promise<Result<void, { readonly message: Words }>>;
  /** Writes derived state, whose loss loses no message: compactions, pins, learned window. */
  saveState(): Promise<Result<void, { readonly message: Words }>>;
}

/** What a session is doing. `idle` only between turns. */
export type SessionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'compacting'; readonly trigger: Trigger }
  /**
   * A request is on its way, or its reply streams in. `round` counts the model calls of the turn from 1; `model` is the
   * id of the model that was asked, even if another is chosen meanwhile.
   */
  | { readonly kind: 'asking'; readonly round: number; readonly model: string }
  /** Waiting for attempt `attempt` of `attempts` until `until`, milliseconds of the clock. */
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly attempts: number;
      readonly until: number;
      readonly error: ModelError;
    }
  | { readonly kind: 'running-tools'; readonly tools: readonly string[] }
  /** Between two steps, until the user lets the turn go on. */
  | { readonly kind: 'paused' };

/** How a turn ended. The transcript is legal and complete after each of these. */
export type TurnOutcome =
  /** `cutOff`: the reply hit the output limit. */
  | { readonly kind: 'answered'; readonly rounds: number; readonly cutOff: boolean }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: TurnProblem };

/** The cost of a request. US dollars. */
export interface RequestCost {
  readonly dollars: number;
  /** The part caused by a compression before it, which invalidated the provider's cache. */
  readonly broken: number;
}

/** Observes a session. A listener that throws ends the turn, so isolate it where it may fail. */
export interface SessionListener {
  onState?(state: SessionState): void;
  onDelta?(delta: ModelDelta): void;
  /** A request was answered whose tokens and prices are known. */
  onCost?(cost: RequestCost): void;
  /** The queue may have changed; store it for the next session. */
  onQueue?(queued: readonly UserContent[]): void;
  /** Receives the events of requests and warnings; the conversation emits its other events itself. */
  onEvent?(event: KarlEvent): void;
}

/** What was learned from servers, by model and server (`profileKey`); kept across turns. */
export interface Taught {
  /** From refusals of too much output. */
  readonly outputLimits: Map<string, OutputLimit>;
  /** Models whose servers refused tool definitions and accepted the request without them. */
  readonly withoutTools: Set<string>;
}

/** Everything a model call needs, whether a turn of the session or a relayed request makes it. */
export interface CallContext extends Taught {
  readonly conversation: Conversation;
  readonly client: ModelClient;
  readonly tools: readonly Pick<Tool, 'definition'>[];
  readonly store: Pick<SessionStore, 'saveState'>;
  readonly clock: Clock;
  /** Called before an automatic compaction; on `false` the turn goes on without it. */
  readonly mayCompact: (trigger: Trigger, signal: AbortSignal) => Promise<boolean>;
  /** Whether summaries may be written ahead; not when the user starts every compaction. */
  readonly preparesSummaries: boolean;
  readonly listener: SessionListener;
  readonly signal: AbortSignal;
  /** Changes each request just before it is sent; default: no change. */
  readonly prepare?: Match['prepare'];
  /** Whether deltas already passed on can be taken back, so that a request may be repeated after its answer. */
  readonly takesBack?: boolean;
  /** Fields added to each request besides the profile's extras, and the receiver of the answer's chunks. */
  readonly request?: Pick<ModelRequest, 'fields' | 'onChunk'>;
  /** Called after a temporary fault: whether the call may be repeated (`retry.ts`); default: yes. */
  readonly mayRetry?: (() => boolean) | undefined;
}

/** The limits at which a turn asks the user whether it may go on. */
export interface TurnLimits {
  /** Rounds of tool calls. */
  readonly rounds: number;
  /** null: no limit. */
  readonly minutes: number | null;
  /** US dollars, where tokens and prices are known; null: no limit. */
  readonly dollars: number | null;
}

/** Everything a turn needs. */
export interface TurnContext extends CallContext {
  readonly tools: readonly Tool[];
  readonly store: SessionStore;
  readonly limits: TurnLimits;
  /** Called before each step: waits while the turn is paused, and appends messages that the model is to read now. */
  readonly beforeStep: () => Promise<TurnOutcome | undefined>;
}
