import type { ChatMessage, ChatPart, Usage } from '../../core/messages/chat.ts';
import { INVISIBLE } from '../../core/messages/fence.ts';
import { weigh } from '../../core/messages/parse.ts';
import type { ModelDelta } from '../../core/session/modelClient.ts';
import { CallAssembly } from './callAssembly.ts';
import { type Fields, isFields, mergeEntries, mergeTopField, WHOLE_AT_TOP } from './mergeFields.ts';
import { readUsage } from './readUsage.ts';

/** The fields in which servers put reasoning. The first one in a delta is shown; all are kept on the message. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const;

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * Builds the assistant message from the chunks of a stream. Reasoning and unknown fields stay on the message, so that they
 * can be sent back.
 */
export class ReplyAccumulator {
  readonly #content: unknown[] = [];
  readonly calls = new CallAssembly();
  readonly #other: Fields = {};
  #otherEntries = 0;
  /** Grows with everything that adds to the reply; not with white space, empty deltas or repeated names. */
  progress = 0;
  /** The size of all that came: text, arguments and unknown fields, with their names. */
  characters = 0;
  /** True once the model has sent a delta or message. */
  sawDelta = false;
  /** True once the model has sent reasoning. */
  reasoned = false;
  finishReason: string | undefined;
  /** Token usage, from the last chunk that stated it. */
  usage: Usage | undefined;

  /** The number of calls, content parts and other fields, which an endless stream could pile up. */
  get entries(): number {
    return this.calls.size + this.#content.length + this.#otherEntries;
  }

  /** True if the reply has neither words nor calls. */
  get isEmpty(): boolean {
    return this.calls.size === 0 && !saysSomething(this.#visibleText()) && !this.#refused;
  }

  /** Takes a parsed chunk, or the whole completion of a server that does not stream; returns the deltas to pass on. */
  add(chunk: unknown): readonly ModelDelta[] {
    if (!isFields(chunk)) return [];
    this.#takeUsage(chunk.usage);
    if (isFields(chunk.x_groq)) this.#takeUsage(chunk.x_groq.usage);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const deltas: ModelDelta[] = [];
    for (const choice of choices) {
      if (!isFields(choice) || (typeof choice.index === 'number' && choice.index !== 0)) continue;
      this.#takeUsage(choice.usage);
      const delta = choice.delta ?? (this.sawDelta ? undefined : choice.message);
      if (isFields(delta)) this.#takeDelta(delta, deltas);
      const reason = choice.finish_reason;
      if (typeof reason !== 'string' || reason === '') continue;
      if (this.finishReason === undefined) this.progress += 1;
      this.finishReason = reason;
    }
    this.reasoned ||= deltas.some((delta) => delta.type === 'reasoning' && saysSomething(delta.text));
    return deltas;
  }

  /** The message so far; its calls get none of the ids in `taken`. */
  message(taken: ReadonlySet<string> = NO_IDS): ChatMessage {
    const calls = this.calls.finish(taken);
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
    this.sawDelta = true;
    const weight = weigh(delta, Number.POSITIVE_INFINITY);
    if (weight.kind === 'fits') this.characters += weight.size;
    const reasoning = REASONING_FIELDS.map((field) => delta[field]).find(
      (value) => typeof value === 'string' && value !== '',
    );
    if (typeof reasoning === 'string') out.push({ type: 'reasoning', text: reasoning });
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
      const { size } = this.calls;
      const growth = this.calls.add(call);
      if (growth === undefined) continue;
      if (this.calls.size > size || growth.arguments.trim() !== '') this.progress += 1;
      out.push({ type: 'tool-call', ...growth });
    }
  }

  #visibleText(): string {
    return this.#content.map((part) => (isFields(part) && typeof part.text === 'string' ? part.text : '')).join('');
  }
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

/** A visible character. */
const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, 'u');

/** Whether a value contains a string with a visible character. */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return SEEN.test(value);
  if (Array.isArray(value)) return value.some(saysSomething);
  return isFields(value) && Object.entries(value).some(([name, inner]) => name !== 'type' && saysSomething(inner));
}
