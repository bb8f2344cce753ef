import { readEmbedded } from './embedded.ts';
import { clip, TOTAL_CHARACTERS } from './text.ts';
import type { StatedTokens } from './tokens.ts';

/** Everything in a failure that may be evidence, collected once so that each rule can look at all of it. */
export interface Gathered {
  /** Prose, outermost first, without request echoes, stacks and model output. Bounded in number and size. */
  readonly texts: readonly string[];
  readonly codes: readonly string[]; // values of code, type, status and reason fields, names of errors; lower case
  readonly status?: number; // the HTTP status that was seen first
  readonly headers: ReadonlyMap<string, string>; // of the response, by lower-case name
  readonly counts: StatedTokens; // in fields of their own (llama.cpp: `n_prompt_tokens`, `n_ctx`)
}

/** Limits on nesting (gateways wrap gateways, each adding about two levels), objects and strings that are read. */
const DEPTH_LIMIT = 24;
const NODE_LIMIT = 1_500;
/** In a longer string, only the head and tail are searched for JSON. Characters. */
const PARSE_CHARACTERS = 400_000;

const oneOf = (names: string): RegExp => new RegExp(`^(?:${names.replace(/ /g, '|')})$`, 'i');
/** Fields that repeat the request, show model output or point into code: their words are not evidence. */
const ECHO_KEYS = oneOf(
  'echo request req request_?body(?:_?values)? request_?data config stack trace traceback inputs? input_value prompt user ' +
    'messages contents? choices candidates output tools functions arguments tool_output instructions failed_generation ' +
    'prompt_filter_results url help documentation_url param path',
);
const CODE_KEYS = oneOf(
  'code type status reason err(?:or)?_?(?:type|code) (?:stop|finish)_?reason name __type kind error',
);
/** A single word in one of these fields is a label for programs, not prose. */
const ONLY_CODE_KEYS = oneOf('code type status error_?type error_?code errno syscall');
const STATUS_KEYS = oneOf('status status_?code http_?status(?:_?code)? code upstream_status error_code');
/** Names of counts: they mean size and limit only if both are there and the size exceeds the limit. */
const ACTUAL_KEYS = oneOf('n_prompt_tokens (?:prompt|input|actual|requested)_?tokens');
const LIMIT_KEYS = oneOf(
  'n_ctx max_?(?:context|input|prompt)_?(?:length|tokens)? context_?(?:length|window|limit) max_model_len',
);
const HIDDEN_KEYS = 'message name cause errors error status code type response body headers'.split(' '); // of errors

/** Collects strings, codes, status, headers and counts from any value. Never throws, not even on hostile getters. */
export function gather(error: unknown): Gathered {
  const seen = new Set<object>();
  const texts = new Set<string>();
  const codes = new Set<string>();
  const headers = new Map<string, string>();
  let status: number | undefined;
  let counts: StatedTokens = {};
  let nodes = 0;
  let characters = 0;
  let parsable = PARSE_CHARACTERS;

  function visit(value: unknown, key: string, depth: number): void {
    nodes += 1;
    if (nodes > NODE_LIMIT || depth > DEPTH_LIMIT) return;
    if (typeof value === 'string') visitString(value, key, depth);
    if (typeof value === 'number') visitNumber(value, key);
    if (typeof value === 'object' && value !== null) visitObject(value, key, depth);
  }

  function visitString(value: string, key: string, depth: number): void {
    const isWord = value.length <= 80 && !/\s/.test(value);
    if (isWord && CODE_KEYS.test(key)) codes.add(value.toLowerCase());
    if (isWord && ONLY_CODE_KEYS.test(key)) {
      if (/^[1-5]\d\d$/.test(value)) visitNumber(Number(value), key);
      return;
    }
    parsable -= value.length;
    const read = readEmbedded(parsable >= 0 ? value : clip(value), ECHO_KEYS);
    for (const inner of read.values) visit(inner, '', depth + 1);
    for (const code of read.codes) codes.add(code);
    const text = clip(read.text.trim());
    if (text === '' || characters + text.length > TOTAL_CHARACTERS) return;
    if (!texts.has(text)) characters += text.length;
    texts.add(text);
  }

  function visitNumber(value: number, key: string): void {
    if (STATUS_KEYS.test(key) && Number.isInteger(value) && value >= 300 && value <= 599) status ??= value;
    else if (CODE_KEYS.test(key)) codes.add(String(value));
  }

  function visitObject(value: object, key: string, depth: number): void {
    if (seen.has(value)) return;
    seen.add(value);
    if (/^(?:response_?)?headers$/i.test(key)) {
      for (const [name, content] of entriesOf(value)) headers.set(name.toLowerCase(), content);
      return;
    }
    if (value instanceof Error) codes.add(value.constructor.name.toLowerCase());
    counts = { ...readCounts(value), ...counts };
    const located = describeLocated(value);
    if (located !== undefined) visit(located, '', depth + 1);
    for (const name of Array.isArray(value) ? keysOf(value) : new Set([...HIDDEN_KEYS, ...keysOf(value)])) {
      const inner = readProperty(value, name);
      // Some gateways put the upstream server's sentence into `param`, where others name a field.
      const isSentence = name === 'param' && typeof inner === 'string' && /\s/.test(inner);
      if (!ECHO_KEYS.test(name) || isSentence) visit(inner, Array.isArray(value) ? key : name, depth + 1);
    }
  }

  visit(error, '', 0);
  return { texts: [...texts], codes: [...codes], headers, counts, ...(status === undefined ? {} : { status }) };
}

function readCounts(value: object): StatedTokens {
  const [actual, limit] = [ACTUAL_KEYS, LIMIT_KEYS].map((keys) => {
    const count = readProperty(value, keysOf(value).find((key) => keys.test(key)) ?? '');
    return typeof count === 'number' ? count : undefined;
  });
  return actual !== undefined && limit !== undefined && actual > limit ? { actual, limit } : {};
}

/** The headers of a response, given as an object or as anything that lists its entries. */
function entriesOf(value: object): readonly [string, string][] {
  const list = readProperty(value, 'entries');
  const entries =
    typeof list === 'function' ? Array.from(list.call(value) as Iterable<unknown>) : Object.entries(value);
  const isPair = (entry: unknown): entry is [string, string] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string';
  return entries.slice(0, 100).filter(isPair);
}

/** A validation error of FastAPI or pydantic: `loc` names the field, `msg` says what is wrong with it. */
function describeLocated(value: object): string | undefined {
  const [location, message] = [readProperty(value, 'loc'), readProperty(value, 'msg')];
  if (!Array.isArray(location) || typeof message !== 'string') return undefined;
  return `${location.filter((part) => typeof part === 'string').join('.')}: ${message}`;
}

function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value).slice(0, 200);
  } catch {
    return []; // a proxy that refuses to be listed
  }
}

/** A property, or undefined where reading it throws: an error object must not break its own classification. */
export function readProperty(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}
