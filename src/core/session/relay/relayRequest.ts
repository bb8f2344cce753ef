import type { Budget } from '../../budget/budget.ts';
import type { Trigger } from '../../compaction/compaction.ts';
import type { ChatMessage, ChatTool, Usage } from '../../messages/chat.ts';
import type { WrittenMessages } from '../modelClient.ts';
import type { TurnProblem } from '../problem.ts';
import type { AnswerListener } from './visibleAnswer.ts';

/** A request of another agent: the whole history each time. */
export interface RelayRequest {
  readonly model: string;
  /** Chat-completions messages, not checked yet. */
  readonly messages: readonly unknown[];
  /** The same as the client wrote them; absent where that is not at hand. */
  readonly written?: WrittenMessages;
  readonly tools: readonly ChatTool[];
  /** Everything else of its body; goes to the model's server as it came. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A conversation id that the client sent; only a hint. */
  readonly hint?: string;
  /** Which agent asks. */
  readonly client?: string;
}

/** What was done for a request so that it fits. */
export interface RelayDone {
  /** Names the conversation that the request goes on with; absent for one that is none, such as for a title. */
  readonly thread?: string;
  /** The runs that were due, oldest first; `overflow`: the server had refused the request. */
  readonly compactions: readonly { readonly trigger: Trigger; readonly before: number; readonly after: number }[];
  /** Recalls that were answered inside. */
  readonly recalls: number;
  /** Of the request that was sent last. */
  readonly budget: Budget;
}

/** Who is told what happens while a request is served. */
export interface RelayListener extends AnswerListener {
  /** The answer begins: called once, before anything of it is passed on. */
  readonly onStart?: (done: RelayDone) => void;
}

/** What goes to the client: the message without Karl's own calls. */
export interface RelayReply {
  readonly message: ChatMessage;
  readonly finishReason: string;
  readonly usage?: Usage;
  readonly done: RelayDone;
}

/** Why there is no reply. Nothing of one was recorded. */
export type RelayFailure =
  /** A message of the request is none; `message` names it, its field, and what is expected there. */
  | { readonly kind: 'invalid'; readonly message: string; readonly index: number; readonly field: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: TurnProblem; readonly done: RelayDone };
