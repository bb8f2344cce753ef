import type { Trigger } from '../../compaction/compaction.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { KarlEvent } from '../../events/event.ts';
import type { ChatMessage, ChatTool } from '../../messages/chat.ts';
import type { ToolCall } from '../../messages/message.ts';
import { contentText, findFault, InvalidMessageError } from '../../messages/parse.ts';
import { err, ok, type Result } from '../../result.ts';
import { compactWhenDue, ModelCalls, saveState } from '../modelCall.ts';
import type { ModelClient } from '../modelClient.ts';
import { makeRecallTool, RECALL_DEFINITION } from '../recallTool.ts';
import { type ProfileChange, takeProfile } from '../takeProfile.ts';
import type { Match } from '../threads/match.ts';
import { RECALL_TOOL } from '../threads/own.ts';
import type { Threads } from '../threads/threads.ts';
import { runTools } from '../tools.ts';
import type { CallContext, Clock, Taught } from '../turnContext.ts';
import type { RelayDone, RelayFailure, RelayListener, RelayReply, RelayRequest } from './relayRequest.ts';
import { VisibleAnswer, withoutCalls } from './visibleAnswer.ts';

/** What the relay needs. */
export interface RelayParts {
  /** Finds the conversation of a request. */
  readonly threads: Pick<Threads, 'match'>;
  readonly client: ModelClient;
  readonly clock: Clock;
  /** The settings in force for a model; a conversation is given them when they have changed. */
  readonly findModel: (name: string) => Promise<ProfileChange>;
  /** As in a session; default: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal, conversation: Conversation) => Promise<boolean>;
  readonly preparesSummaries?: () => boolean;
  /**
   * Told `request-answered`, `model-error`, `retry`, `tools-refused` and `warning`; a conversation emits its other
   * events itself.
   */
  readonly onEvent?: (thread: Match, event: KarlEvent) => void;
}

/** How many recalls are answered for one request; then the model is asked without the tool. */
export const MOST_RECALLS = 5;

/** How often the model is asked for one request: a model that still calls the tool after that will not stop. */
const MOST_ROUNDS = MOST_RECALLS + 4;

const ENOUGH = `Error: ${MOST_RECALLS} recalls have been answered for this request: go on with what you have.`;

/**
 * Serves the requests of agents that know nothing of Karl. Each request is matched with its conversation, which is kept
 * inside the budget as in a session, and the view is sent instead. Calls of Karl's own tool are answered here.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #taught: Taught = { outputLimits: new Map(), withoutTools: new Set() };

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
    const matched = await this.#match(request, model, signal);
    if (!matched.ok) return matched;
    const match = matched.value;
    const { conversation, isRewritten } = match;
    const compactions: RelayDone['compactions'][number][] = [];
    const stop = conversation.on((event) => {
      if (event.type !== 'compaction-ended' || event.result.kind !== 'compacted') return;
      compactions.push({ trigger: event.trigger, before: event.tokensBefore, after: event.tokensAfter });
    });
    try {
      const hasRecall = mayRecall(request, match);
      const tools = hasRecall ? offerTools(request, match) : request.tools;
      const { summarizer: _, ...withoutModel } = model.change;
      conversation.configure({ ...(isRewritten ? withoutModel : model.change), tools });
      await takeProfile(conversation, model);
      const served = { request: { ...request, tools }, hasRecall, listener, signal, compactions };
      return await new Serving(this.#parts, match, served).run(this.#taught);
    } finally {
      stop();
      const unsaved = await match.release();
      if (unsaved !== undefined) this.#parts.onEvent?.(match, { type: 'warning', message: unsaved });
    }
  }

  async #match(
    { messages, fields = {}, ...request }: RelayRequest,
    { profile }: ProfileChange,
    signal: AbortSignal,
  ): Promise<Result<Match, RelayFailure>> {
    const limit = fields.max_completion_tokens ?? fields.max_tokens;
    const maxTokens = typeof limit === 'number' ? limit : undefined;
    try {
      // The threads check the messages.
      const asked = { ...request, messages: messages as readonly ChatMessage[], profile, signal, maxTokens };
      return ok(await this.#parts.threads.match(asked));
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error;
      return err({ kind: 'invalid', message: error.message, index: error.index, field: error.field });
    }
  }
}

/**
 * Whether Karl's own tool may be offered and answered here: not when the client has a tool of that name, when the model
 * takes no tools, when the request is beside a conversation, or when it asks for several answers, since none of those
 * could be held back for another.
 */
function mayRecall({ tools, fields = {} }: RelayRequest, { kind, conversation }: Match): boolean {
  const isTaken = tools.some((tool) => tool.function?.name === RECALL_TOOL);
  return kind === 'thread' && conversation.profile().tools && !isTaken && (fields.n ?? 1) === 1;
}

/**
 * The tools to offer. The server of a client without tools may take none, so there Karl's own is only added when there
 * is something to recall.
 */
function offerTools({ tools }: RelayRequest, { conversation }: Match): readonly ChatTool[] {
  const isOffered = tools.length > 0 || conversation.compactions().length > 0;
  if (!isOffered) return tools;
  const offered = OFFERED.get(tools) ?? [...tools, RECALL_DEFINITION];
  OFFERED.set(tools, offered);
  return offered;
}

/** Tool lists extended by Karl's own, cached so that an unchanged list of a client stays recognisably unchanged. */
const OFFERED = new WeakMap<readonly ChatTool[], readonly ChatTool[]>();

/** A request being served, and its listener. */
interface Served {
  /** With Karl's own tool among its tools, where it is offered. */
  readonly request: RelayRequest;
  /** Whether calls of Karl's own tool are answered here. */
  readonly hasRecall: boolean;
  readonly listener: RelayListener;
  readonly signal: AbortSignal;
  readonly compactions: RelayDone['compactions'];
}

/** The serving of one request. */
class Serving {
  readonly #parts: RelayParts;
  readonly #match: Match;
  readonly #served: Served;
  readonly #answer: VisibleAnswer;
  #recalls = 0;
  #started = false;

  constructor(parts: RelayParts, match: Match, served: Served) {
    this.#parts = parts;
    this.#match = match;
    this.#served = served;
    const { onDelta, onChunk } = served.listener;
    const started = {
      onDelta: (delta: Parameters<VisibleAnswer['onDelta']>[0]) => {
        this.#start();
        onDelta?.(delta);
      },
      onChunk: (chunk: Parameters<VisibleAnswer['onChunk']>[0]) => {
        this.#start();
        return onChunk?.(chunk);
      },
    };
    this.#answer = new VisibleAnswer(started, served.hasRecall ? RECALL_TOOL : undefined);
  }

  async run(taught: Taught): Promise<Result<RelayReply, RelayFailure>> {
    const match = this.#match;
    const { conversation } = match;
    const { signal } = this.#served;
    let context = this.#context(taught);
    let calls = new ModelCalls(context);
    let said = '';
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const compacted = await compactWhenDue(context);
      if (signal.aborted) return err({ kind: 'cancelled' });
      // This request had joined a run of another request, which was cancelled together with that.
      if (compacted?.kind === 'cancelled') continue;
      await saveState(context);
      const asked = await calls.ask(round);
      if (asked.kind === 'cancelled') return err({ kind: 'cancelled' });
      if (asked.kind === 'failed') return err({ kind: 'failed', problem: asked.problem, done: this.#done() });
      const { message, usage, finishReason } = asked.reply;
      const unusable = findFault(message);
      if (unusable !== undefined)
        return err({ kind: 'failed', problem: { kind: 'unusable-reply', message: unusable }, done: this.#done() });
      const own = this.#ownCalls(message);
      const results = await this.#recall(own);
      if (signal.aborted) return err({ kind: 'cancelled' });
      const visible = own.length === 0 ? message : withoutCalls(message, RECALL_TOOL);
      // When the model called nothing but Karl's own tool, the calls are done. Calls of the client's tools are sent
      // out, and Karl's results wait for theirs.
      if (own.length > 0 && visible.tool_calls === undefined) {
        match.hide([message, ...results]);
        said += contentText(visible);
        if (this.#recalls >= MOST_RECALLS) {
          const tools = context.tools.filter(({ definition }) => definition.function?.name !== RECALL_TOOL);
          context = { ...context, tools };
          conversation.configure({ tools: tools.map(({ definition }) => definition) });
          calls = new ModelCalls(context);
        }
        continue;
      }
      const sent = said === '' ? visible : { ...visible, content: said + contentText(visible) };
      const recorded = [{ ...message, content: sent.content ?? null }, ...results];
      match.replied({ sent, recorded: own.length === 0 ? undefined : recorded });
      this.#start();
      await this.#answer.end();
      return ok({ message: sent, finishReason, usage, done: this.#done() });
    }
    return err({
      kind: 'failed',
      problem: { kind: 'turn-limit', limit: 'rounds', most: MOST_ROUNDS },
      done: this.#done(),
    });
  }

  #ownCalls(message: ChatMessage): readonly ToolCall[] {
    if (!this.#served.hasRecall) return [];
    const calls = message.tool_calls ?? [];
    return calls.map(({ id, function: called }) => ({ id, ...called })).filter(({ name }) => name === RECALL_TOOL);
  }

  /** Answers Karl's own calls; those beyond the limit are refused. */
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

  #context(taught: Taught): CallContext {
    const { client, clock, mayCompact, preparesSummaries, onEvent } = this.#parts;
    const { request, listener, signal } = this.#served;
    const match = this.#match;
    return {
      ...taught,
      conversation: match.conversation,
      dress: (view) => match.dress(view),
      client: request.via?.(client) ?? client,
      clock,
      tools: request.tools.map((definition) => ({ definition })),
      store: {
        saveState: async () => {
          const problem = await match.save();
          return problem === undefined ? ok(undefined) : err({ message: problem });
        },
      },
      mayCompact: async (trigger, asking) => (await mayCompact?.(trigger, asking, match.conversation)) ?? true,
      preparesSummaries: preparesSummaries?.() ?? true,
      mayRetry: () => (listener.mayRetry?.() ?? true) && !this.#answer.hasShown,
      listener: {
        onState: (state) => {
          if (state.kind === 'asking') this.#answer.begin();
        },
        onDelta: (delta) => this.#answer.onDelta(delta),
        onEvent: (event) => onEvent?.(match, event),
      },
      request: {
        fields: request.fields,
        onChunk: listener.onChunk && ((chunk) => this.#answer.onChunk(chunk)),
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
    const { kind, id, conversation } = this.#match;
    return {
      thread: kind === 'thread' ? id : undefined,
      compactions: [...this.#served.compactions],
      recalls: this.#recalls,
      budget: conversation.budget(),
    };
  }
}
