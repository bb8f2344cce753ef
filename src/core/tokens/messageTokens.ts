import type { ChatMessage, ChatPart, ChatTool } from '../chat/wire.ts';
import type { Steps } from '../steps.ts';
import { addCounts, type Encoding, type ImageRule, type TextCounter, type TokenCount } from './counter.ts';
import { imageTokens } from './images.ts';

/** What chat formats add (OpenAI cookbook, "How to count tokens with tiktoken"): to a message, a name, a reply. */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
export const REPLY_TOKENS = 3;
/** The marks around a tool call. No provider documents them; measured from usage figures, they are 4 to 8. */
const CALL_TOKENS = 8;
/** A part that is neither text nor image (audio, a file): there is no rule and no size, so this is a flat estimate. */
export const UNKNOWN_PART_TOKENS = 1000;
/** Text besides the content that servers may or may not pass to the model again, so it is estimated. */
const SIDE_TEXTS = ['reasoning_content', 'reasoning', 'refusal'] as const;

/**
 * Counts chat messages, each once: a count is stored for the message object, which must not be changed. A count that
 * another counter would correct, because a text was only estimated, is not stored.
 *
 * `counted` means that a tokenizer counted the text; the marks around it follow the rules above.
 */
export class MessageCounter {
  readonly #counter: TextCounter;
  /** Plain numbers: with objects, a hundred thousand weak entries would slow down garbage collection. */
  readonly #counted = new WeakMap<object, number>();
  readonly #estimated = new WeakMap<object, TokenCount>();
  readonly #images: ImageRule | undefined;

  /** `images` is the provider's rule for images, where the profile states one. */
  constructor(counter: TextCounter, images?: ImageRule) {
    this.#counter = counter;
    this.#images = images;
  }

  /** Counts a message for good, its long texts in steps. */
  *countAhead(wire: ChatMessage): Steps<void> {
    if (this.isFinal(wire)) return;
    const by = this.#best();
    const ahead = new Map<string, TokenCount>();
    if (by.countInSteps !== undefined)
      for (const text of longTexts(wire)) ahead.set(text, yield* by.countInSteps(text));
    const { encoding } = by;
    this.#count(wire, ahead.size === 0 ? by : { encoding, count: (text) => ahead.get(text) ?? by.count(text) });
  }

  /** Tokens of one message, including its marks. */
  countMessage(wire: ChatMessage): TokenCount {
    return this.#count(wire, this.#counter);
  }

  /** The same for work that is done in slices: exact, if the counter can. */
  countExactly(wire: ChatMessage): TokenCount {
    return this.#count(wire, this.#best());
  }

  /** Whether the count of a message will not change any more. */
  isFinal(wire: object): boolean {
    return this.#counted.has(wire) || this.#estimated.has(wire);
  }

  /** Tokens of a request's tool definitions; stored for the array object. */
  countTools(tools: readonly ChatTool[]): TokenCount {
    // Nobody counts tools in slices, so an estimate is final once the tables are loaded.
    return this.#keep(tools, this.#counter, this.#best() !== this.#counter, (counter) => countTools(counter, tools));
  }

  /** Tokens of a request's messages, including the mark that begins the reply. */
  countMessages(wires: Iterable<ChatMessage>): TokenCount {
    return addCounts([overhead(REPLY_TOKENS), ...Array.from(wires, (wire) => this.countMessage(wire))]);
  }

  #best(): TextCounter {
    return this.#counter.exact?.() ?? this.#counter;
  }

  #count(wire: ChatMessage, by: TextCounter): TokenCount {
    return this.#keep(wire, by, by === this.#counter.exact?.(), (counter) => countWire(counter, wire, this.#images));
  }

  /** `isBest`: no better count will come, even where a text is only estimated. */
  #keep(owner: object, by: TextCounter, isBest: boolean, count: (counter: TextCounter) => TokenCount): TokenCount {
    const tokens = this.#counted.get(owner);
    const known = tokens === undefined ? this.#estimated.get(owner) : ({ tokens, source: 'counted' } as const);
    if (known !== undefined) return known;
    let isGuess = false;
    const made = count({
      encoding: by.encoding,
      count: (text) => {
        const found = by.count(text);
        isGuess ||= found.source === 'estimated';
        return found;
      },
    });
    const isFinal = !isGuess || isBest || this.#counter.exact === undefined;
    if (made.source === 'counted') this.#counted.set(owner, made.tokens);
    else if (isFinal) this.#estimated.set(owner, made);
    return made;
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

/** Tokens of a request's tool definitions. What the rule lacks, such as nested schemas, is counted as JSON. */
export function countTools(counter: TextCounter, tools: readonly ChatTool[]): TokenCount {
  if (tools.length === 0) return { tokens: 0, source: 'counted' };
  return addCounts([...tools.map((tool) => countTool(counter, tool)), overhead(TOOLS_END_TOKENS)]);
}

function countTool(counter: TextCounter, tool: ChatTool): TokenCount {
  // A tool that is not a function (a custom tool, one of the provider's own) has no rule.
  if (!tool.function) return counter.count(JSON.stringify(tool));
  const { name, description, parameters } = asRecord(tool.function);
  const { properties: declared, ...schema } = asRecord(parameters);
  const { type: _type, required: _required, additionalProperties: _more, $schema: _schema, ...definitions } = schema;
  const properties = Object.entries(asRecord(declared));
  const line = `${asText(name)}:${withoutStop(asText(description))}`;
  const counts = [overhead(FUNCTION_TOKENS[counter.encoding]), counter.count(line)];
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
