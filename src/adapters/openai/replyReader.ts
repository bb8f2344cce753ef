import { sentence } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type TextEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import { EnvelopeTextFilter, parseEnvelope } from '../../core/session/envelope/parse.ts';
import type { AnswerChunk, ModelDelta, ModelReply, ModelRequest } from '../../core/session/modelClient.ts';
import { ReplyAccumulator } from './accumulate.ts';
import { newCallId } from './callAssembly.ts';
import type { ReplyLimits } from './exchange.ts';
import { finalFailure } from './failure.ts';
import { isFields } from './mergeFields.ts';
import type { AnswerEnd, AnswerReading } from './readAnswer.ts';

/** A finish reason that may be shown; anything else may not be the server's own word. */
const FINISH_REASON = /^[a-z][a-z_ -]{0,39}$/i;

/** Finish reasons that explain an empty reply; a client that gets the reason should not ask again. */
const EMPTY_FOR_A_REASON: ReadonlyMap<string, 'cut-off' | 'filtered'> = new Map([
  ['length', 'cut-off'],
  ['content_filter', 'filtered'],
]);

/** Reads one reply in chat completions, also that of a model that writes its calls as text. */
export class ReplyReader implements AnswerReading {
  readonly #accumulator = new ReplyAccumulator();
  readonly #envelope: TextEnvelope | undefined;
  readonly #filter = new EnvelopeTextFilter();
  readonly #request: ModelRequest;
  readonly #limits: ReplyLimits;

  constructor(request: ModelRequest, limits: ReplyLimits) {
    this.#envelope = textEnvelope(request.profile);
    this.#request = request;
    this.#limits = limits;
  }

  get isFinished(): boolean {
    return this.#accumulator.finishReason !== undefined;
  }

  get progress(): number {
    return this.#accumulator.progress;
  }

  get characters(): number {
    return this.#accumulator.characters;
  }

  get error(): ModelError | undefined {
    const { entries } = this.#limits;
    return this.#accumulator.entries > entries
      ? finalFailure(sentence('The reply was stopped: it has more than {0} calls, parts or fields.', String(entries)))
      : undefined;
  }

  take(chunk: AnswerChunk): readonly ModelDelta[] {
    const deltas = this.#accumulator.add(chunk);
    if (this.#envelope === undefined) return deltas;
    return deltas.flatMap((delta) => (delta.type === 'text' ? textDeltas(this.#filter.push(delta.text)) : [delta]));
  }

  parseWhole(body: string): AnswerChunk | undefined {
    const parsed = parseJson(body);
    return isFields(parsed) && Array.isArray(parsed.choices) ? parsed : undefined;
  }

  flush(): readonly ModelDelta[] {
    return textDeltas(this.#filter.flush());
  }

  /** Without a finish reason, `[DONE]`, usage or complete calls are an end if the stream ended by itself (`isClean`). */
  result({ isDone, isClean }: AnswerEnd): Result<ModelReply, ModelError> | undefined {
    const { finishReason: stated, usage, calls, sawDelta, isEmpty, reasoned } = this.#accumulator;
    const hasCalls = calls.size > 0;
    const isOver = isClean && sawDelta && (hasCalls ? calls.isWhole : isDone || usage !== undefined);
    const finishReason = stated ?? (isOver ? (hasCalls ? 'tool_calls' : 'stop') : undefined);
    if (finishReason === undefined || finishReason === 'error') return undefined;
    const explained = EMPTY_FOR_A_REASON.get(finishReason);
    // A client also gets an empty reply that explains itself.
    if (isEmpty && (explained === undefined || this.#request.onChunk === undefined)) {
      const reason = FINISH_REASON.test(finishReason) ? finishReason : 'unknown';
      const evidence = sentence('The model sent an empty reply (finish reason {0}).', reason);
      const empty = { reasoned, ended: explained ?? 'by-itself' } as const;
      return err({ kind: 'other', retryable: explained !== 'cut-off', answered: true, empty, evidence });
    }
    return ok({ message: this.#message(), finishReason, ...(usage !== undefined && { usage }) });
  }

  #message(): ChatMessage {
    const message = this.#accumulator.message(this.#takenIds());
    if (this.#envelope === undefined || typeof message.content !== 'string') return message;
    const { text, calls } = parseEnvelope(message.content, this.#envelope);
    if (calls.length === 0) return message;
    const toolCalls = calls.map((called) => ({ id: newCallId(), type: 'function', function: called }));
    return { ...message, content: text === '' ? null : text, tool_calls: toolCalls };
  }

  /**
   * The ids of the conversation's calls, which servers that number each reply's calls anew repeat and others refuse. Not
   * for a client, which has already seen the ids of its reply.
   */
  #takenIds(): ReadonlySet<string> | undefined {
    if (this.#request.onChunk !== undefined || this.#accumulator.calls.size === 0) return undefined;
    return new Set(this.#request.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  }
}

function textDeltas(text: string): readonly ModelDelta[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
