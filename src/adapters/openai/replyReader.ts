import { weigh } from '../../core/chat/parse.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { type ChatMessage, type ChatPart, readReasoning, type Usage } from '../../core/chat/wire.ts';
import type { ModelError } from '../../core/model/classify.ts';
import type { AnswerChunk, ModelDelta, ModelReply, ModelRequest } from '../../core/model/modelClient.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type TextEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import { EnvelopeTextFilter, parseEnvelope } from '../../core/session/envelope/parse.ts';
import { sentence } from '../../language/language.ts';
import { type Fields, isFields } from '../fields.ts';
import { CallAssembly, newCallId } from './callAssembly.ts';
import { finalFailure } from './failure.ts';
import { mergeEntries, mergeTopField, WHOLE_AT_TOP } from './mergeFields.ts';
import { type AnswerEnd, type AnswerReading, saysSomething } from './readAnswer.ts';
import { readUsage } from './readUsage.ts';

/** A finish reason that may be shown; anything else may not be the server's own word. */
const FINISH_REASON = /^[a-z][a-z_ -]{0,39}$/i;

/** Finish reasons that explain an empty reply; a client that gets the reason should not ask again. */
const EMPTY_FOR_A_REASON: ReadonlyMap<string, 'cut-off' | 'filtered'> = new Map([
  ['length', 'cut-off'],
  ['content_filter', 'filtered'],
]);

/**
 * Reads one reply in chat completions, including that of a model that writes its calls as text. Reasoning and unknown
 * fields stay on the message, so that they can be sent back.
 */
export class ReplyReader implements AnswerReading {
  readonly #content: unknown[] = [];
  readonly #calls = new CallAssembly();
  readonly #other: Fields = {};
  #otherEntries = 0;
  /** Grows with everything that adds to the reply; not with white space, empty deltas or repeated names. */
  progress = 0;
  /** The size of all that came: text, arguments and unknown fields, with their names. */
  characters = 0;
  /** True once the model has sent a delta or message. */
  #sawDelta = false;
  /** True once the model has sent reasoning. */
  #reasoned = false;
  finishReason: string | undefined;
  /** Token usage, from the last chunk that stated it. */
  usage: Usage | undefined;

  readonly #request: ModelRequest | undefined;
  readonly #mostEntries: number;
  readonly #envelope: TextEnvelope | undefined;
  readonly #filter = new EnvelopeTextFilter();

  /** `mostEntries`: see `ReplyLimits`. */
  constructor(request?: ModelRequest, mostEntries = Number.POSITIVE_INFINITY) {
    this.#request = request;
    this.#mostEntries = mostEntries;
    this.#envelope = request && textEnvelope(request.profile);
  }

  /** Whether chunks are passed on to a client. */
  get #isForClient(): boolean {
    return this.#request?.onChunk !== undefined;
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined;
  }

  get error(): ModelError | undefined {
    const most = this.#mostEntries;
    if (this.entries <= most) return undefined;
    return finalFailure(sentence('The reply was stopped: it has more than {0} calls, parts or fields.', String(most)));
  }

  /** The number of calls, content parts and other fields, which an endless stream could pile up. */
  get entries(): number {
    return this.#calls.size + this.#content.length + this.#otherEntries;
  }

  /** True if the reply has neither words nor calls. */
  get isEmpty(): boolean {
    return this.#calls.size === 0 && !saysSomething(this.#visibleText()) && !this.#refused;
  }

  /** Takes a parsed chunk, or the whole completion of a server that does not stream; returns the deltas to pass on. */
  take(chunk: unknown): readonly ModelDelta[] {
    if (!isFields(chunk)) return [];
    this.#takeUsage(chunk.usage);
    if (isFields(chunk.x_groq)) this.#takeUsage(chunk.x_groq.usage);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const deltas: ModelDelta[] = [];
    for (const choice of choices) {
      if (!isFields(choice) || (typeof choice.index === 'number' && choice.index !== 0)) continue;
      this.#takeUsage(choice.usage);
      const delta = choice.delta ?? (this.#sawDelta ? undefined : choice.message);
      if (isFields(delta)) this.#takeDelta(delta, deltas);
      const reason = choice.finish_reason;
      if (typeof reason !== 'string' || reason === '') continue;
      if (this.finishReason === undefined) this.progress += 1;
      this.finishReason = reason;
    }
    this.#reasoned ||= deltas.some((delta) => delta.type === 'reasoning' && saysSomething(delta.text));
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
    const { finishReason: stated, usage, isEmpty } = this;
    const hasCalls = this.#calls.size > 0;
    const isOver = isClean && this.#sawDelta && (hasCalls ? this.#calls.isWhole : isDone || usage !== undefined);
    const finishReason = stated ?? (isOver ? (hasCalls ? 'tool_calls' : 'stop') : undefined);
    if (finishReason === undefined || finishReason === 'error') return undefined;
    const explained = EMPTY_FOR_A_REASON.get(finishReason);
    // A client also gets an empty reply that explains itself.
    if (isEmpty && (explained === undefined || !this.#isForClient)) {
      const reason = FINISH_REASON.test(finishReason) ? finishReason : 'unknown';
      const evidence = sentence('The model sent an empty reply (finish reason {0}).', reason);
      const empty = { reasoned: this.#reasoned, ended: explained ?? 'by-itself' } as const;
      return err({ kind: 'other', retryable: explained !== 'cut-off', answered: true, empty, evidence });
    }
    return ok({ message: this.#finish(), finishReason, ...(usage !== undefined && { usage }) });
  }

  /** The finished message; calls that were written as text are taken out of it. */
  #finish(): ChatMessage {
    const message = this.message(this.#takenIds());
    if (this.#envelope === undefined || typeof message.content !== 'string') return message;
    const { text, calls } = parseEnvelope(message.content, this.#envelope);
    if (calls.length === 0) return message;
    const toolCalls = calls.map((called) => ({ id: newCallId(), type: 'function', function: called }));
    return { ...message, content: text === '' ? null : text, tool_calls: toolCalls };
  }

  /**
   * The ids of the conversation's calls: servers that number the calls of each reply anew repeat them, and other
   * servers refuse repeated ids. Not for a client, which has already seen the ids of its reply.
   */
  #takenIds(): ReadonlySet<string> {
    const messages = this.#isForClient || this.#calls.size === 0 ? [] : (this.#request?.messages ?? []);
    return new Set(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  }

  /** The message so far; its calls get none of the ids in `taken`. */
  message(taken: ReadonlySet<string> = new Set()): ChatMessage {
    const calls = this.#calls.finish(taken);
    const content = this.#content.every(isPlainText) ? this.#visibleText() : (this.#content as ChatPart[]);
    const nothingSaid = content === '' && (calls.length > 0 || this.#refused);
    return {
      ...this.#other,
      role: 'assistant',
      content: nothingSaid ? null : content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  }

  get #refused(): boolean {
    return typeof this.#other.refusal === 'string' && this.#other.refusal !== '';
  }

  #takeUsage(usage: unknown): void {
    this.usage = readUsage(usage) ?? this.usage;
  }

  #takeDelta(delta: Fields, out: ModelDelta[]): void {
    this.#sawDelta = true;
    const weight = weigh(delta, Number.POSITIVE_INFINITY);
    if (weight.kind === 'fits') this.characters += weight.size;
    const reasoning = readReasoning(delta);
    if (reasoning !== undefined) out.push({ type: 'reasoning', text: reasoning });
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'role') continue;
      if (name === 'content') this.#takeContent(value, out);
      else if (name === 'tool_calls') this.#takeCalls(Array.isArray(value) ? value : [], out);
      else if (name === 'function_call') this.#takeCalls(isFields(value) ? [{ index: 0, function: value }] : [], out);
      else this.#takeOther(name, value);
    }
    if (typeof delta.refusal === 'string' && delta.refusal !== '') out.push({ type: 'text', text: delta.refusal });
  }

  #takeOther(name: string, value: unknown): void {
    const before = countEntries(this.#other[name]);
    // Names are repeated in each delta, some with another number each time.
    if (!WHOLE_AT_TOP.has(name) && saysSomething(value) && value !== this.#other[name]) this.progress += 1;
    mergeTopField(this.#other, name, value);
    this.#otherEntries += countEntries(this.#other[name]) - before;
  }

  #takeContent(content: unknown, out: ModelDelta[]): void {
    for (const part of readParts(content)) {
      if (part.type === 'text' && part.text === '') continue;
      mergeEntries(this.#content, [part]);
      if (saysSomething(part)) this.progress += 1;
      out.push(...partDeltas(part));
    }
  }

  #takeCalls(calls: readonly unknown[], out: ModelDelta[]): void {
    for (const call of calls) {
      // One event may bring thousands: never rescan the earlier calls.
      if (this.error !== undefined) return;
      const { size } = this.#calls;
      const growth = this.#calls.add(call);
      if (growth === undefined) continue;
      if (this.#calls.size > size || growth.arguments.trim() !== '') this.progress += 1;
      out.push({ type: 'tool-call', ...growth });
    }
  }

  #visibleText(): string {
    return this.#content.map((part) => (isFields(part) && typeof part.text === 'string' ? part.text : '')).join('');
  }
}

function textDeltas(text: string): readonly ModelDelta[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return value === undefined ? 0 : 1;
}

/** A part of a reply's content, of a type that a message may have. */
type Part = Fields & { readonly type: string };

/**
 * The parts of content. Some servers omit the type of a text or the list around a single part. Leaves
 * out anything that is not a part, such as null or a number.
 */
function readParts(content: unknown): readonly Part[] {
  return (Array.isArray(content) ? content : [content]).flatMap((part: unknown): Part[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }];
    if (!isFields(part)) return [];
    const { type, text } = part;
    if (typeof type === 'string' && type !== 'text') return [{ ...part, type }];
    return typeof text === 'string' ? [{ ...part, type: 'text' }] : [];
  });
}

/** Whether a part is nothing but text, which can become string content. */
function isPlainText(part: unknown): boolean {
  return (
    isFields(part) && part.type === 'text' && Object.keys(part).every((name) => name === 'type' || name === 'text')
  );
}

/** The deltas that show a part. Mistral sends `{type: 'thinking', thinking: [{type: 'text', text}]}`. */
function partDeltas(part: Part): ModelDelta[] {
  if (part.type === 'thinking' && Array.isArray(part.thinking)) {
    const text = part.thinking.map((piece) => (isFields(piece) ? String(piece.text ?? '') : '')).join('');
    return text === '' ? [] : [{ type: 'reasoning', text }];
  }
  return typeof part.text === 'string' && part.text !== '' ? [{ type: 'text', text: part.text }] : [];
}
