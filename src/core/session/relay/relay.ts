import type { Budget } from '../../budget/budget.ts';
import type { Trigger } from '../../compaction/compaction.ts';
import type { Match } from '../../conversation/threads/match.ts';
import type { Threads } from '../../conversation/threads/threads.ts';
import type { KarlEvent } from '../../events/event.ts';
import type { ChatMessage, ChatTool, Usage } from '../../messages/chat.ts';
import type { ToolCall } from '../../messages/message.ts';
import { contentText, InvalidMessageError, parseMessage } from '../../messages/parse.ts';
import { err, ok, type Result } from '../../result.ts';
import type { Clock } from '../clock.ts';
import { compactWhenDue } from '../compactWhenDue.ts';
import { ModelCalls } from '../modelCall.ts';
import type { ModelClient } from '../modelClient.ts';
import type { TurnProblem } from '../problem.ts';
import { makeRecallTool, RECALL_TOOL } from '../recallTool.ts';
import { runTools } from '../runTools.ts';
import { type ProfileChange, takeProfile } from '../takeProfile.ts';
import type { CallContext } from '../turnContext.ts';
import { type AnswerListener, VisibleAnswer, withoutCalls } from './visibleAnswer.ts';

/** Recalls that are answered inside one request; further ones are refused in words. */
export const MOST_RECALLS = 5;

/** A model that asks and asks after that has come to no end. */
const MOST_ROUNDS = MOST_RECALLS + 4;

/** A request of another agent: the whole history each time. */
export interface RelayRequest {
  readonly model: string;
  /** Chat-completions messages, not checked yet. */
  readonly messages: readonly unknown[];
  readonly tools: readonly ChatTool[];
  /** Everything else of its body; goes to the model's server as it came. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A conversation id that the client sent; only a hint. */
  readonly hint?: string;
  /** Which agent asks. */
  readonly client?: string;
}

const ENOUGH = `Error: ${MOST_RECALLS} recalls have been answered for this request: go on with what you have.`;

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

/** What the relay works with. */
export interface RelayParts {
  /** Finds the conversation of a request. */
  readonly threads: Pick<Threads, 'match'>;
  readonly client: ModelClient;
  readonly clock: Clock;
  /** What is in force for a model now. */
  readonly findModel: (name: string) => Promise<ProfileChange>;
  /** How often a request is sent to the server; absent: as often as in the session. 1 where the client asks again itself. */
  readonly mostAttempts?: number;
  /** As in the session; default: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal) => Promise<boolean>;
  readonly preparesSummaries?: () => boolean;
  /** `model-error`, `retry` and `warning`; a conversation tells its own events itself. */
  readonly onEvent?: (thread: Match, event: KarlEvent) => void;
}

/**
 * Serves the requests of agents that know nothing of Karl: each is put into its conversation, which is kept inside the
 * budget as in the session, and its view is sent. What Karl's own tool is asked is answered inside.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #outputLimits = new Map<string, number>();
  readonly #acceptedSizes = new Map<string, number>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Serves one request. Never rejects for an expected reason; settles soon after `signal` aborts. */
  async serve(
    request: RelayRequest,
    listener: RelayListener,
    signal: AbortSignal,
  ): Promise<Result<RelayReply, RelayFailure>> {
    const model = await this.#parts.findModel(request.model);
    const matched = await this.#match(request, model);
    if (!matched.ok) return matched;
    const match = matched.value;
    const { conversation } = match;
    const compactions: { trigger: Trigger; before: number; after: number }[] = [];
    const stop = conversation.on((event) => {
      if (event.type !== 'compaction-ended' || event.result.kind !== 'compacted') return;
      compactions.push({ trigger: event.trigger, before: event.tokensBefore, after: event.tokensAfter });
    });
    try {
      await takeProfile(conversation, model);
      const serving = new Serving(this.#parts, match, { request, listener, signal, compactions });
      return await serving.run({ outputLimits: this.#outputLimits, acceptedSizes: this.#acceptedSizes });
    } finally {
      stop();
      const unsaved = await match.release();
      if (unsaved !== undefined) this.#parts.onEvent?.(match, { type: 'warning', message: unsaved });
    }
  }

  async #match(request: RelayRequest, { profile }: ProfileChange): Promise<Result<Match, RelayFailure>> {
    const { messages, tools, hint, client, fields = {} } = request;
    const maxTokens = fields.max_completion_tokens ?? fields.max_tokens;
    try {
      const match = await this.#parts.threads.match({
        // Checked by the threads.
        messages: messages as readonly ChatMessage[],
        tools,
        profile,
        ...(typeof maxTokens === 'number' && { maxTokens }),
        ...(hint !== undefined && { hint }),
        ...(client !== undefined && { client }),
      });
      return ok(match);
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error;
      return err({ kind: 'invalid', message: error.message, index: error.index, field: error.field });
    }
  }
}

interface Served {
  readonly request: RelayRequest;
  readonly listener: RelayListener;
  readonly signal: AbortSignal;
  readonly compactions: RelayDone['compactions'];
}

/** One request while it is served. */
class Serving {
  readonly #parts: RelayParts;
  readonly #match: Match;
  readonly #served: Served;
  readonly #hasRecall: boolean;
  readonly #answer: VisibleAnswer;
  #recalls = 0;
  #started = false;

  constructor(parts: RelayParts, match: Match, served: Served) {
    this.#parts = parts;
    this.#match = match;
    this.#served = served;
    const { tools, fields = {} } = served.request;
    const isTaken = tools.some((tool) => tool.function?.name === RECALL_TOOL);
    // Of several answers to one request none can be held back for another.
    this.#hasRecall = match.conversation.profile().tools && !isTaken && (fields.n ?? 1) === 1;
    const { onDelta, onChunk } = served.listener;
    this.#answer = new VisibleAnswer(
      {
        onDelta: (delta) => {
          this.#start();
          onDelta?.(delta);
        },
        onChunk: (chunk) => {
          this.#start();
          return onChunk?.(chunk);
        },
      },
      this.#hasRecall ? RECALL_TOOL : undefined,
    );
  }

  async run(limits: Pick<CallContext, 'outputLimits' | 'acceptedSizes'>): Promise<Result<RelayReply, RelayFailure>> {
    const match = this.#match;
    const { conversation } = match;
    const { signal } = this.#served;
    let said = '';
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const context = this.#context(limits);
      conversation.configure({ tools: context.tools.map((tool) => tool.definition) });
      const compacted = await compactWhenDue(context);
      if (signal.aborted || compacted?.kind === 'cancelled') return err({ kind: 'cancelled' });
      const asked = await new ModelCalls(context).ask(round);
      if (asked.kind === 'cancelled') return err({ kind: 'cancelled' });
      if (asked.kind === 'failed') return err({ kind: 'failed', problem: asked.problem, done: this.#done() });
      const { message, usage, finishReason } = asked.reply;
      if (usage !== undefined) conversation.reportUsage(usage);
      const unusable = findFault(message);
      if (unusable !== undefined)
        return err({ kind: 'failed', problem: { kind: 'unusable-reply', message: unusable }, done: this.#done() });
      const own = this.#ownCalls(message);
      const results = await this.#recall(own);
      if (signal.aborted) return err({ kind: 'cancelled' });
      const visible = own.length === 0 ? message : withoutCalls(message, RECALL_TOOL);
      // What only Karl's own tool was asked is done with; calls of the client's go out, and Karl's result waits for theirs.
      if (own.length > 0 && visible.tool_calls === undefined) {
        if (match.kind === 'thread') match.hide([message, ...results]);
        else conversation.append([message, ...results]);
        said += contentText(visible);
        continue;
      }
      const sent = said === '' ? visible : { ...visible, content: said + contentText(visible) };
      if (match.kind === 'thread')
        match.replied(sent === message ? { sent } : { sent, recorded: [message, ...results] });
      this.#start();
      await this.#answer.end();
      return ok({ message: sent, finishReason, ...(usage !== undefined && { usage }), done: this.#done() });
    }
    return err({ kind: 'failed', problem: { kind: 'round-limit', rounds: MOST_ROUNDS }, done: this.#done() });
  }

  #ownCalls(message: ChatMessage): readonly ToolCall[] {
    if (!this.#hasRecall) return [];
    const calls = message.tool_calls ?? [];
    return calls.map(({ id, function: called }) => ({ id, ...called })).filter(({ name }) => name === RECALL_TOOL);
  }

  /** Answers Karl's own calls; those beyond the limit are told so. */
  async #recall(calls: readonly ToolCall[]): Promise<readonly ChatMessage[]> {
    const answered = calls.slice(0, MOST_RECALLS - this.#recalls);
    this.#recalls += answered.length;
    const tools = [makeRecallTool(this.#match.conversation)];
    const results = await runTools({ calls: answered, tools, cutOff: false, signal: this.#served.signal });
    const refused = calls
      .slice(answered.length)
      .map(({ id }) => ({ role: 'tool', tool_call_id: id, content: ENOUGH }) as const);
    return [...results, ...refused];
  }

  #context(limits: Pick<CallContext, 'outputLimits' | 'acceptedSizes'>): CallContext {
    const { client, clock, mostAttempts, mayCompact, preparesSummaries, onEvent } = this.#parts;
    const { request, listener, signal } = this.#served;
    const match = this.#match;
    const own = this.#hasRecall ? [makeRecallTool(match.conversation)] : [];
    return {
      ...limits,
      conversation: match.conversation,
      dress: (view) => match.dress(view),
      client,
      clock,
      tools: [...request.tools.map((definition) => ({ definition })), ...own],
      store: { saveState: async () => ok(undefined) },
      mayCompact: mayCompact ?? (async () => true),
      preparesSummaries: preparesSummaries?.() ?? true,
      ...(mostAttempts !== undefined && { mostAttempts }),
      listener: {
        onState: (state) => {
          if (state.kind === 'asking') this.#answer.begin();
        },
        onDelta: (delta) => this.#answer.onDelta(delta),
        onEvent: (event) => onEvent?.(match, event),
      },
      request: {
        ...(request.fields !== undefined && { fields: request.fields }),
        ...(listener.onChunk !== undefined && { onChunk: (chunk) => this.#answer.onChunk(chunk) }),
      },
      signal,
    };
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#served.listener.onStart?.(this.#done());
  }

  #done(): RelayDone {
    const { conversation } = this.#match;
    const thread = this.#match.kind === 'thread' ? this.#match.id : undefined;
    const { compactions } = this.#served;
    return {
      ...(thread !== undefined && { thread }),
      compactions: [...compactions],
      recalls: this.#recalls,
      budget: conversation.budget(),
    };
  }
}

/** Why a reply is no message that can be kept. */
function findFault(reply: ChatMessage): string | undefined {
  try {
    parseMessage(reply, 0);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidMessageError) return error.message;
    throw error;
  }
}
