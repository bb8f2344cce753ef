import { contentText, findFault, InvalidMessageError } from '../../chat/parse.ts';
import type { ChatMessage, ChatTool, ChatToolCall } from '../../chat/wire.ts';
import type { Trigger } from '../../compaction/compaction.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { KarlEvent } from '../../events/event.ts';
import type { ModelClient } from '../../model/modelClient.ts';
import { err, ok, type Result } from '../../result.ts';
import { compactWhenDue, ModelCalls, saveState } from '../modelCall.ts';
import { makeRecallTool, RECALL_DEFINITION } from '../recallTool.ts';
import { type ProfileChange, takeProfile } from '../takeProfile.ts';
import type { Match } from '../threads/match.ts';
import { RECALL_TOOL } from '../threads/own.ts';
import type { Threads } from '../threads/threads.ts';
import { runTools } from '../tools.ts';
import type { CallContext, Clock, Taught, TurnProblem } from '../turnContext.ts';
import type { RelayDone, RelayFailure, RelayListener, RelayReply, RelayRequest } from './relayRequest.ts';
import { VisibleAnswer, withoutCalls } from './visibleAnswer.ts';

/** What the relay needs. */
export interface RelayParts {
  /** Finds the conversation of a request. */
  readonly threads: Pick<Threads, 'match'>;
  readonly client: ModelClient;
  readonly clock: Clock;
  /** The settings in force for a model; a conversation gets them when they change. */
  readonly findModel: (name: string) => Promise<ProfileChange>;
  /** As in a session; default: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal, conversation: Conversation) => Promise<boolean>;
  readonly preparesSummaries?: () => boolean;
  /** Receives the events of requests, as `SessionListener` does; a conversation emits its other events itself. */
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
      const recall = mayRecall(request, match) ? RECALL_TOOL : undefined;
      const tools = recall === undefined ? request.tools : offerTools(request, match);
      const { summarizer: _, ...withoutModel } = model.change;
      conversation.configure({ ...(isRewritten ? withoutModel : model.change), tools });
      await takeProfile(conversation, model, signal);
      if (signal.aborted) return err({ kind: 'cancelled' });
      return await this.#answer(match, { ...request, tools }, { recall, listener, signal, compactions });
    } finally {
      stop();
      const unsaved = await match.release();
      if (unsaved !== undefined) this.#parts.onEvent?.(match, { type: 'warning', message: unsaved });
    }
  }

  async #answer(match: Match, request: RelayRequest, served: Served): Promise<Result<RelayReply, RelayFailure>> {
    const { recall, listener, signal, compactions } = served;
    const { conversation } = match;
    const { client, clock, mayCompact, preparesSummaries, onEvent } = this.#parts;
    let recalls = 0;
    const done = (): RelayDone => {
      const thread = match.kind === 'thread' ? match.id : undefined;
      return { thread, compactions: [...compactions], recalls, budget: conversation.budget() };
    };
    const fail = (problem: TurnProblem) => err({ kind: 'failed' as const, problem, done: done() });
    const visible = new VisibleAnswer({ ...listener, onStart: () => listener.onStart?.(done()) }, recall);
    const offered = (): readonly ChatTool[] =>
      recalls < MOST_RECALLS ? request.tools : request.tools.filter((tool) => tool.function?.name !== recall);
    const context: CallContext = {
      ...this.#taught,
      conversation,
      prepare: (view) => match.prepare(view),
      client: request.via?.(client) ?? client,
      clock,
      get tools() {
        return offered().map((definition) => ({ definition }));
      },
      store: {
        saveState: async () => {
          const problem = await match.save();
          return problem === undefined ? ok(undefined) : err({ message: problem });
        },
      },
      mayCompact: async (trigger, asking) => (await mayCompact?.(trigger, asking, conversation)) ?? true,
      preparesSummaries: preparesSummaries?.() ?? true,
      mayRetry: () => (listener.mayRetry?.() ?? true) && !visible.hasShown,
      listener: {
        onState: ({ kind }) => {
          if (kind === 'asking') visible.begin();
        },
        onDelta: (delta) => visible.onDelta(delta),
        onEvent: (event) => onEvent?.(match, event),
      },
      request: { fields: request.fields, onChunk: listener.onChunk && ((chunk) => visible.onChunk(chunk)) },
      signal,
    };
    const calls = new ModelCalls(context);
    let said = '';
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const compacted = await compactWhenDue(context);
      if (signal.aborted) return err({ kind: 'cancelled' });
      // The run belonged to another request, which was cancelled.
      if (compacted?.kind === 'cancelled') continue;
      await saveState(context);
      // If the client has gone, nothing is sent: its next request may already have continued the thread.
      if (signal.aborted) return err({ kind: 'cancelled' });
      const asked = await calls.ask(round);
      if (asked.kind === 'cancelled') return err({ kind: 'cancelled' });
      if (asked.kind === 'failed') return fail(asked.problem);
      const { message, usage, finishReason } = asked.reply;
      const unusable = findFault(message);
      if (unusable !== undefined) return fail({ kind: 'unusable-reply', message: unusable });
      const own = (message.tool_calls ?? []).filter((call) => call.function.name === recall);
      const results = await answerRecalls(own, MOST_RECALLS - recalls, conversation, signal);
      recalls = Math.min(MOST_RECALLS, recalls + own.length);
      if (signal.aborted) return err({ kind: 'cancelled' });
      const shown = own.length === 0 ? message : withoutCalls(message, RECALL_TOOL);
      // If the model called only Karl's own tool, the calls have been answered. Otherwise the calls of the client's
      // tools are sent out, and Karl's results wait for the client's.
      if (own.length > 0 && shown.tool_calls === undefined) {
        match.hide([message, ...results]);
        said += contentText(shown);
        if (recalls >= MOST_RECALLS) conversation.configure({ tools: offered() });
        continue;
      }
      const sent = said === '' ? shown : { ...shown, content: said + contentText(shown) };
      const recorded = [{ ...message, content: sent.content ?? null }, ...results];
      match.replied({ sent, recorded: own.length === 0 ? undefined : recorded });
      await visible.end();
      return ok({ message: sent, finishReason, usage, done: done() });
    }
    return fail({ kind: 'turn-limit', limit: 'rounds', most: MOST_ROUNDS });
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
 * takes no tools, when the request is not part of a conversation, or when it asks for several answers, since none of
 * them could be held back.
 */
function mayRecall({ tools, fields = {} }: RelayRequest, { kind, conversation }: Match): boolean {
  const isTaken = tools.some((tool) => tool.function?.name === RECALL_TOOL);
  return kind === 'thread' && conversation.profile().tools && !isTaken && (fields.n ?? 1) === 1;
}

/** The tools to offer. A client without tools gets Karl's own only if there is something to recall. */
function offerTools({ tools }: RelayRequest, { conversation }: Match): readonly ChatTool[] {
  const isOffered = tools.length > 0 || conversation.compactions().length > 0;
  return isOffered ? [...tools, RECALL_DEFINITION] : tools;
}

/** How a request is served. */
interface Served {
  /** The name of Karl's own tool, whose calls are answered here; undefined where it is not offered. */
  readonly recall: string | undefined;
  readonly listener: RelayListener;
  readonly signal: AbortSignal;
  readonly compactions: RelayDone['compactions'];
}

/** Answers at most so many of Karl's own calls; the others are refused. */
async function answerRecalls(
  own: readonly ChatToolCall[],
  most: number,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<readonly ChatMessage[]> {
  const calls = own.slice(0, most).map(({ id, function: called }) => ({ id, ...called }));
  const results = await runTools({ calls, tools: [makeRecallTool(conversation)], cutOff: false, signal });
  const refused = own.slice(most).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: ENOUGH }) as const);
  return [...results, ...refused];
}
