import type { ChatTool } from '../messages/chat.ts';
import type { Encoding } from '../profile/profile.ts';
import type { TextCounter, TokenCount } from './counter.ts';
import { addCounts } from './sum.ts';

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
  const {
    type: _type,
    required: _required,
    additionalProperties: _additional,
    $schema: _schema,
    ...schema
  } = asRecord(parameters);
  const { properties: declared, ...definitions } = schema;
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
