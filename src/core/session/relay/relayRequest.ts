import type { ChatMessage, Usage } from '../../chat/wire.ts';
import type { Trigger } from '../../compaction/compaction.ts';
import type { Budget } from '../../model/budget.ts';
import type { ModelClient } from '../../model/modelClient.ts';
import type { StatelessRequest } from '../threads/match.ts';
import type { TurnProblem } from '../turnContext.ts';
import type { AnswerListener } from './visibleAnswer.ts';

/** A request of another agent, with the whole history each time. */
export interface RelayRequest extends Pick<StatelessRequest, 'tools' | 'hint' | 'client'> {
  readonly model: string;
  /** Chat-completions messages, not checked yet. */
  readonly messages: readonly unknown[];
  /** All other fields of its body; sent to the model's server unchanged. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Makes this request's model client from the relay's own; absent: the relay's own is used. */
  readonly via?: ((client: ModelClient) => ModelClient) | undefined;
}

/** What was done so that a request fits. */
export interface RelayDone {
  /** The conversation that the request continues; absent for a request beside one, such as for a title. */
  readonly thread: string | undefined;
  /** The runs that were due, oldest first; `overflow`: the server had refused the request. */
  readonly compactions: readonly { readonly trigger: Trigger; readonly before: number; readonly after: number }[];
  /** The number of recalls that Karl answered itself. */
  readonly recalls: number;
  /** The budget of the request that was sent last. */
  readonly budget: Budget;
}

/** Receives what happens while a request is served. */
export interface RelayListener extends Omit<AnswerListener, 'onStart'> {
  /** Called once, before anything of the answer is passed on. */
  readonly onStart?: (done: RelayDone) => void;
  /** Called after a temporary fault: whether to retry it here (default), or leave that to the client. */
  readonly mayRetry?: () => boolean;
}

/** The reply for the client: without Karl's own calls. */
export interface RelayReply {
  readonly message: ChatMessage;
  readonly finishReason: string;
  readonly usage: Usage | undefined;
  readonly done: RelayDone;
}

/** Why there is no reply. No part of one was recorded. */
export type RelayFailure =
  /** A message of the request is invalid; `message` names it, its field, and what is expected there. */
  | { readonly kind: 'invalid'; readonly message: string; readonly index: number; readonly field: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: TurnProblem; readonly done: RelayDone };
