import { type Sentence, sentence } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { contentText, DEEPEST_FIELD, weigh } from '../../core/messages/parse.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type TextEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import { EnvelopeTextFilter, parseEnvelope } from '../../core/session/envelope/parse.ts';
import type {
  AnswerChunk,
  ModelDelta,
  ModelFailure,
  ModelReply,
  ModelRequest,
} from '../../core/session/modelClient.ts';
import { ReplyAccumulator, saysSomething } from './accumulate.ts';
import { newCallId } from './callAssembly.ts';
import type { ReplyLimits } from './exchange.ts';
import { isFields } from './mergeFields.ts';

/** Characters kept of a reply that broke off: an endless one would fill every later window. */
const LONGEST_PARTIAL = 200_000;

/** A finish reason that may be shown; anything else may not be the server's own word. */
const FINISH_REASON = /^[a-z][a-z_ -]{0,39}$/i;

/** Finish reasons that explain an empty reply; a client that gets the reason should not ask again. */
const EMPTY_FOR_A_REASON: ReadonlyMap<string, 'cut-off' | 'filtered'> = new Map([
  ['length', 'cut-off'],
  ['content_filter', 'filtered'],
]);

/** Reads one reply: takes chunks, passes on deltas, and finally returns the message. */
export class ReplyReader {
  readonly #accumulator = new ReplyAccumulator();
  readonly #envelope: TextEnvelope | undefined;
  readonly #filter = new EnvelopeTextFilter();
  readonly #onDelta: (delta: ModelDelta) => void;
  readonly #request: ModelRequest;
  #started = false;

  constructor(request: ModelRequest, onDelta: (delta: ModelDelta) => void) {
    this.#envelope = textEnvelope(request.profile);
    this.#request = request;
    this.#onDelta = onDelta;
  }

  /** Whether chunks are passed on to a client, which also gets an empty reply that explains itself. */
  get #isForClient(): boolean {
    return this.#request.onChunk !== undefined;
  }

  /** True once the model has said anything, even if it was not passed on. */
  get replied(): boolean {
    return this.#accumulator.sawDelta;
  }

  /** The limit that the reply exceeds. */
  findExcess({ characters, entries }: Pick<ReplyLimits, 'characters' | 'entries'>): Sentence | undefined {
    if (this.#accumulator.isTooDeep)
      return sentence('The reply was stopped: its fields are nested more than {0} levels deep.', String(DEEPEST_FIELD));
    if (this.#accumulator.characters > characters)
      return sentence('The reply was stopped: it has more than {0} characters.', String(characters));
    return this.#accumulator.entries > entries
      ? sentence('The reply was stopped: it has more than {0} calls, parts or fields.', String(entries))
      : undefined;
  }

  /** True once a finish reason has come. */
  get finished(): boolean {
    return this.#accumulator.finishReason !== undefined;
  }

  /** Takes one parsed chunk. Returns whether it added to the reply. */
  take(chunk: unknown): boolean {
    const before = this.#accumulator.progress;
    for (const delta of this.#accumulator.add(chunk)) {
      if (this.#envelope === undefined || delta.type !== 'text') this.#pass(delta);
      else this.#passText(this.#filter.push(delta.text));
    }
    return this.#accumulator.progress > before;
  }

  /** Takes and returns the body of a server that answered with one whole completion. */
  takeWhole(body: string): AnswerChunk | undefined {
    const parsed = parseJson(body);
    if (!isFields(parsed) || !Array.isArray(parsed.choices)) return undefined;
    this.take(parsed);
    return parsed;
  }

  /**
   * The finished reply; undefined if it has no end; a failure if it is empty. Without a finish reason, `[DONE]`, usage or
   * complete calls are an end if the stream ended by itself (`isClean`).
   */
  finish({ isDone, isClean }: { isDone: boolean; isClean: boolean }): Result<ModelReply, ModelFailure> | undefined {
    const { finishReason: stated, usage, hasWholeCalls, sawDelta, hasCalls } = this.#accumulator;
    const isOver = isClean && sawDelta && (hasCalls ? hasWholeCalls : isDone || usage !== undefined);
    const finishReason = stated ?? (isOver ? (hasCalls ? 'tool_calls' : 'stop') : undefined);
    if (finishReason === undefined || finishReason === 'error') return undefined;
    this.#passText(this.#filter.flush());
    if (this.#accumulator.isEmpty && !(this.#isForClient && EMPTY_FOR_A_REASON.has(finishReason))) {
      const reason = FINISH_REASON.test(finishReason) ? finishReason : 'unknown';
      const evidence = sentence('The model sent an empty reply (finish reason {0}).', reason);
      const ended = EMPTY_FOR_A_REASON.get(finishReason) ?? 'by-itself';
      const empty = { reasoned: this.#accumulator.reasoned, ended } as const;
      return err(this.fail({ kind: 'other', retryable: ended !== 'cut-off', answered: true, empty, evidence }));
    }
    const message = this.#message();
    return ok({ message, finishReason, ...(usage === undefined ? {} : { usage }) });
  }

  /** A failure with what had arrived (of a long reply its beginning), without calls, which must not run incomplete. */
  fail(error: ModelError): ModelFailure {
    if (!this.#started) return { error };
    const { tool_calls: _, ...said } = this.#message();
    // The conversation cannot continue from a role and white space alone.
    if (!saysSomething(contentText(said)) && Object.keys(said).length === 2) return { error };
    if (weigh(said, LONGEST_PARTIAL).kind === 'fits') return { error, partial: said };
    const content = contentText(said).slice(0, LONGEST_PARTIAL).toWellFormed();
    return { error, partial: { role: 'assistant', content } };
  }

  #message(): ChatMessage {
    const message = this.#accumulator.message(this.#takenIds());
    if (this.#envelope === undefined || typeof message.content !== 'string') return message;
    const { text, calls } = parseEnvelope(message.content, this.#envelope);
    if (calls.length === 0) return message;
    const toolCalls = calls.map((call) => ({
      id: newCallId(),
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
    return { ...message, content: text === '' ? null : text, tool_calls: toolCalls };
  }

  /**
   * The ids of the conversation's calls, which servers that number each reply's calls anew repeat and others refuse. Not
   * for a client, which has already seen the ids of its reply.
   */
  #takenIds(): ReadonlySet<string> | undefined {
    if (this.#isForClient || !this.#accumulator.hasCalls) return undefined;
    return new Set(this.#request.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  }

  #passText(text: string): void {
    if (text !== '') this.#pass({ type: 'text', text });
  }

  #pass(delta: ModelDelta): void {
    this.#started = true;
    this.#onDelta(delta);
  }
}
