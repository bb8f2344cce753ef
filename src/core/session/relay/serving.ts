import type { Match } from '../../conversation/threads/match.ts';
import { RECALL_TOOL } from '../../conversation/threads/own.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import type { ToolCall } from '../../messages/message.ts';
import { contentText, findFault } from '../../messages/parse.ts';
import { err, ok, type Result } from '../../result.ts';
import { compactWhenDue, ModelCalls, saveState } from '../modelCall.ts';
import { makeRecallTool } from '../recallTool.ts';
import { runTools } from '../tools.ts';
import type { CallContext, Taught } from '../turnContext.ts';
import type { RelayParts } from './relayParts.ts';
import type { RelayDone, RelayFailure, RelayListener, RelayReply, RelayRequest } from './relayRequest.ts';
import { VisibleAnswer, withoutCalls } from './visibleAnswer.ts';

/** How many recalls are answered for one request; then the model is asked without the tool. */
export const MOST_RECALLS = 5;

/** How often the model is asked for one request: a model that still calls the tool after that will not stop. */
const MOST_ROUNDS = MOST_RECALLS + 4;

const ENOUGH = `Error: ${MOST_RECALLS} recalls have been answered for this request: go on with what you have.`;

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
export class Serving {
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
    this.#hasRecall = served.hasRecall;
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
        if (match.kind === 'thread') match.hide([message, ...results]);
        else conversation.append([message, ...results]);
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
      if (match.kind === 'thread')
        match.replied(
          own.length === 0 ? { sent } : { sent, recorded: [{ ...message, content: sent.content ?? null }, ...results] },
        );
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
    const { client, clock, mostAttempts, mayCompact, preparesSummaries, onEvent } = this.#parts;
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
          const problem = match.kind === 'thread' ? await match.save() : undefined;
          return problem === undefined ? ok(undefined) : err({ kind: 'write-failed', message: problem });
        },
      },
      mayCompact: async (trigger, asking) => (await mayCompact?.(trigger, asking, match.conversation)) ?? true,
      preparesSummaries: preparesSummaries?.() ?? true,
      mostAttempts,
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
