import type { ChatMessage, ChatPart, ChatTool } from '../messages/chat.ts';
import type { Steps } from '../steps.ts';
import { addCounts, type Encoding, type ImageRule, type TextCounter, type TokenCount } from './counter.ts';
import { imageTokens } from './images.ts';

/**
 * What chat formats add to the text (OpenAI cookbook "How to count tokens with tiktoken"): the marks around each
 * message, a name, and the mark that begins the reply.
 */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
export const REPLY_TOKENS = 3;
/** The marks around a tool call. No provider documents them; measured from usage figures, they are 4 to 8. */
const CALL_TOKENS = 8;
/** A part that is neither text nor image (audio, a file): there is no rule and no size, so this is a flat estimate. */
export const UNKNOWN_PART_TOKENS = 1000;
/** Text besides the content that servers may or may not pass to the model again, so it is estimated. */
const SIDE_TEXTS = ['reasoning_content', 'reasoning', 'refusal'] as const;

interface Estimate {
  readonly count: TokenCount;
  /** The counter for slices when a text in it was only estimated; `undefined` when all text was counted. */
  readonly waitingFor: TextCounter | undefined;
}

/**
 * Counts chat messages, each once: a count is stored for the message object, which must not be changed. A count with
 * estimated text is made again when the tables are loaded, and in work that is done in slices.
 *
 * `counted` means that a tokenizer counted the text; the marks around it follow the rules above.
 */
export class MessageCounter {
  readonly #counter: TextCounter;
  /** Plain numbers: with objects, a hundred thousand weak entries would slow down garbage collection. */
  readonly #counted = new WeakMap<object, number>();
  readonly #estimated = new WeakMap<object, Estimate>();
  readonly #images: ImageRule | undefined;
  #corrections = 0;

  /** `images` is the provider's rule for images, where the profile states one. */
  constructor(counter: TextCounter, images?: ImageRule) {
    this.#counter = counter;
    this.#images = images;
  }

  /** Counts the long texts of a message in steps, if the counter can, so that they are counted exactly from then on. */
  countAhead(wire: ChatMessage): Iterable<void> {
    const by = this.#exact();
    const isFinal = this.#known(wire, by) !== undefined;
    const texts = by.countInSteps === undefined || isFinal ? [] : longTexts(wire);
    return texts.length === 0 ? [] : this.#countTextsAhead(wire, texts, by);
  }

  *#countTextsAhead(wire: ChatMessage, texts: readonly string[], by: TextCounter): Steps<void> {
    const ahead = new Map<string, TokenCount>();
    for (const text of texts) if (by.countInSteps !== undefined) ahead.set(text, yield* by.countInSteps(text));
    this.#countWire(wire, by, ahead);
  }

  /** Tokens of one message, including its marks. */
  countMessage(wire: ChatMessage): TokenCount {
    return this.#countWire(wire, this.#counter);
  }

  #countWire(wire: ChatMessage, by: TextCounter, ahead?: ReadonlyMap<string, TokenCount>): TokenCount {
    return this.#known(wire, by) ?? this.#keep(wire, (counter) => countWire(counter, wire, this.#images), by, ahead);
  }

  /** The same for work that is done in slices: exact, if the counter can. */
  countExactly(wire: ChatMessage): TokenCount {
    return this.#countWire(wire, this.#exact());
  }

  /** Changes when a count may differ from an earlier one. */
  get corrections(): number {
    return this.#corrections + Number(this.#exact() !== this.#counter);
  }

  /** True when the count of a message may still change. */
  isWaiting(wire: ChatMessage): boolean {
    return this.#estimated.get(wire)?.waitingFor !== undefined;
  }

  /** Tokens of a request's tool definitions; cached for the array object. */
  countTools(tools: readonly ChatTool[]): TokenCount {
    const by = this.#counter;
    return this.#known(tools, by) ?? this.#keep(tools, (counter) => countTools(counter, tools), by);
  }

  /** Tokens of a request's messages, including the mark that begins the reply. */
  countMessages(wires: Iterable<ChatMessage>): TokenCount {
    return addCounts([overhead(REPLY_TOKENS), ...Array.from(wires, (wire) => this.countMessage(wire))]);
  }

  #exact(): TextCounter {
    return this.#counter.exact?.() ?? this.#counter;
  }

  /** The stored count, unless a better one is available. */
  #known(owner: object, by: TextCounter): TokenCount | undefined {
    const tokens = this.#counted.get(owner);
    if (tokens !== undefined) return { tokens, source: 'counted' };
    const kept = this.#estimated.get(owner);
    const isFinal = kept?.waitingFor === undefined;
    return isFinal || (by === this.#counter && kept.waitingFor === this.#exact()) ? kept?.count : undefined;
  }

  #keep(
    owner: object,
    count: (counter: TextCounter) => TokenCount,
    by: TextCounter,
    ahead?: ReadonlyMap<string, TokenCount>,
  ): TokenCount {
    let waiting = false;
    const watching: TextCounter = {
      encoding: this.#counter.encoding,
      count: (text) => {
        const found = ahead?.get(text) ?? by.count(text);
        if (found.source === 'estimated') waiting = true;
        return found;
      },
    };
    const fresh = count(watching);
    if (this.#estimated.delete(owner)) this.#corrections += 1;
    if (fresh.source === 'counted') this.#counted.set(owner, fresh.tokens);
    else this.#estimated.set(owner, { count: fresh, waitingFor: waiting ? this.#exact() : undefined });
    return fresh;
  }
}

/** Texts longer than this are counted in steps. Characters. */
const LONG_TEXT = 8192;

function longTexts(wire: ChatMessage): string[] {
  const long: string[] = [];
  const look = (text: unknown): void => {
    if (typeof text === 'string' && text.length > LONG_TEXT) long.push(text);
  };
  if (Array.isArray(wire.content)) for (const { text } of wire.content) look(text);
  else look(wire.content);
  for (const call of wire.tool_calls ?? []) look(call.function.arguments);
  for (const field of SIDE_TEXTS) look(wire[field]);
  return long;
}

function countWire(counter: TextCounter, wire: ChatMessage, images: ImageRule | undefined): TokenCount {
  const counts = [overhead(MESSAGE_TOKENS), counter.count(wire.role)];
  if (typeof wire.content === 'string') counts.push(counter.count(wire.content));
  else for (const part of wire.content ?? []) counts.push(countPart(counter, part, images));
  if (wire.name !== undefined) counts.push(overhead(NAME_TOKENS), counter.count(wire.name));
  for (const { function: called } of wire.tool_calls ?? [])
    counts.push(overhead(CALL_TOKENS), counter.count(called.name), counter.count(called.arguments));
  for (const field of SIDE_TEXTS) {
    const text = wire[field];
    if (typeof text === 'string' && text !== '') counts.push({ ...counter.count(text), source: 'estimated' });
  }
  return addCounts(counts);
}

function countPart(counter: TextCounter, part: ChatPart, images: ImageRule | undefined): TokenCount {
  if (typeof part.text === 'string') return counter.count(part.text);
  if (typeof part.refusal === 'string') return counter.count(part.refusal);
  if (part.type === 'image_url') return imageTokens(part, images);
  return { tokens: UNKNOWN_PART_TOKENS, source: 'estimated' };
}

/**
 * What OpenAI adds around tool definitions (cookbook "How to count tokens with tiktoken", `num_tokens_for_tools`): per
 * function (by the encoding of gpt-4o and of gpt-4), for the first property, per property, per enum and per value in it, and at the end.
 */
const FUNCTION_TOKENS: Readonly<Record<Encoding, number>> = { o200k_base: 7, cl100k_base: 10 };
const PROPERTIES_TOKENS = 3;
const PROPERTY_TOKENS = 3;
const ENUM_TOKENS = -3;
const ENUM_VALUE_TOKENS = 3;
const TOOLS_END_TOKENS = 12;

/**
 * Tokens of all tool definitions of a request. What the rule does not cover, such as a nested schema, is counted as
 * JSON.
 */
export function countTools(counter: TextCounter, tools: readonly ChatTool[]): TokenCount {
  if (tools.length === 0) return { tokens: 0, source: 'counted' };
  return addCounts([...tools.map((tool) => countTool(counter, tool)), overhead(TOOLS_END_TOKENS)]);
}

function countTool(counter: TextCounter, tool: ChatTool): TokenCount {
  // A tool that is not a function (a custom tool, one of the provider's own) has no rule.
  if (tool.function === undefined) return counter.count(JSON.stringify(tool));
  const { name, description, parameters } = tool.function as Readonly<Record<string, unknown>>;
  const { properties: declared, ...schema } = asRecord(parameters);
  const { type: _type, required: _required, additionalProperties: _more, $schema: _schema, ...definitions } = schema;
  const properties = Object.entries(asRecord(declared));
  const counts = [
    overhead(FUNCTION_TOKENS[counter.encoding]),
    counter.count(`${asText(name)}:${withoutStop(asText(description))}`),
  ];
  if (properties.length > 0) counts.push(overhead(PROPERTIES_TOKENS));
  for (const [key, value] of properties) counts.push(countProperty(counter, key, asRecord(value)));
  if (Object.keys(definitions).length > 0) counts.push(counter.count(JSON.stringify(definitions)));
  return addCounts(counts);
}

function countProperty(counter: TextCounter, key: string, schema: Record<string, unknown>): TokenCount {
  const { type, description, enum: values, ...rest } = schema;
  const line = `${key}:${asText(type)}:${withoutStop(asText(description))}`;
  const counts = [overhead(PROPERTY_TOKENS), counter.count(line)];
  if (Array.isArray(values)) {
    counts.push(overhead(ENUM_TOKENS + ENUM_VALUE_TOKENS * values.length));
    for (const value of values) counts.push(counter.count(asText(value)));
  }
  if (Object.keys(rest).length > 0) counts.push(counter.count(JSON.stringify(rest)));
  return addCounts(counts);
}

function overhead(tokens: number): TokenCount {
  return { tokens, source: 'counted' };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
