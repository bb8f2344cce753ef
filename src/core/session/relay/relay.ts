import type { Trigger } from '../../compaction/compaction.ts';
import type { Match } from '../../conversation/threads/match.ts';
import { RECALL_TOOL } from '../../conversation/threads/own.ts';
import type { ChatMessage, ChatTool } from '../../messages/chat.ts';
import { InvalidMessageError } from '../../messages/parse.ts';
import { err, ok, type Result } from '../../result.ts';
import { RECALL_DEFINITION } from '../recallTool.ts';
import { type ProfileChange, takeProfile } from '../takeProfile.ts';
import { nothingTaught, type Taught } from '../turnContext.ts';
import type { RelayParts } from './relayParts.ts';
import type { RelayFailure, RelayListener, RelayReply, RelayRequest } from './relayRequest.ts';
import { Serving } from './serving.ts';

/**
 * Serves the requests of agents that know nothing of Karl. Each request is matched with its conversation, which is kept
 * inside the budget as in a session, and the view is sent instead. Calls of Karl's own tool are answered here.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #taught: Taught;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    const { acceptedSizes = new Map() } = parts;
    this.#taught = { ...nothingTaught(), acceptedSizes };
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
    const { conversation } = match;
    const compactions: { trigger: Trigger; before: number; after: number }[] = [];
    const stop = conversation.on((event) => {
      if (event.type !== 'compaction-ended' || event.result.kind !== 'compacted') return;
      compactions.push({ trigger: event.trigger, before: event.tokensBefore, after: event.tokensAfter });
    });
    try {
      const hasRecall = mayRecall(request, match);
      const tools = hasRecall ? offerTools(request, match) : request.tools;
      const { summarizer: _, ...withoutModel } = model.change;
      const isRewritten = match.kind === 'thread' && match.isRewritten === true;
      conversation.configure({ ...(isRewritten ? withoutModel : model.change), tools });
      await takeProfile(conversation, model);
      // New messages are counted in slices.
      await conversation.ready();
      const serving = new Serving(this.#parts, match, {
        request: { ...request, tools },
        hasRecall,
        listener,
        signal,
        compactions,
      });
      return await serving.run(this.#taught);
    } finally {
      stop();
      const unsaved = await match.release();
      if (unsaved !== undefined) this.#parts.onEvent?.(match, { type: 'warning', message: unsaved });
    }
  }

  async #match(
    request: RelayRequest,
    { profile }: ProfileChange,
    signal: AbortSignal,
  ): Promise<Result<Match, RelayFailure>> {
    const { messages, tools, hint, client, fields = {} } = request;
    const maxTokens = fields.max_completion_tokens ?? fields.max_tokens;
    try {
      const match = await this.#parts.threads.match({
        // The threads check them.
        messages: messages as readonly ChatMessage[],
        tools,
        profile,
        signal,
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
