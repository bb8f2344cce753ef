import { readEmbedded } from './embedded.ts';
import { clip, TOTAL_CHARACTERS } from './text.ts';

/** Everything of a failure that may carry evidence, collected once so that each rule can look at all of it. */
export interface Gathered {
  /** Prose, outermost first; request echoes, stacks and model output left out. Bounded in number and size. */
  readonly texts: readonly string[];
  /** Lower-case values of code, type, status and reason fields, and the names of errors. */
  readonly codes: readonly string[];
  /** The HTTP status that was seen first. */
  readonly status?: number;
  /** Response headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Token figures in fields of their own (llama.cpp: `n_prompt_tokens`, `n_ctx`). */
  readonly counts: { readonly actual?: number; readonly limit?: number };
}

/** Levels of nesting that are read: gateways wrap gateways, each adding about two. */
const DEPTH_LIMIT = 24;
/** Objects and strings that are read before the rest is ignored. */
const NODE_LIMIT = 1_500;

/** Characters of strings that are searched for JSON before only their head and tail are looked at. */
const PARSE_CHARACTERS = 400_000;

/** Fields that repeat the request, show model output or point into code: their words are no evidence. */
const ECHO_KEYS =
  /^(?:echo|request|req|request_?body(?:_?values)?|request_?data|config|stack|trace|traceback|input|inputs|input_value|prompt|messages|contents?|choices|candidates|output|tools|functions|arguments|tool_output|instructions|failed_generation|prompt_filter_results|url|help|documentation_url|param|path|user)$/i;
const CODE_KEYS =
  /^(?:code|type|status|reason|error_?type|error_?code|err_?code|stop_?reason|finish_?reason|name|__type|ret_?code|status_code|statuscode|kind|error)$/i;
/** A single word under these is a label for programs, not prose. */
const ONLY_CODE_KEYS = /^(?:code|type|status|error_?type|error_?code|errno|syscall)$/i;
const STATUS_KEYS = /^(?:status|status_?code|http_?status(?:_?code)?|code|upstream_status|error_code)$/i;
const ACTUAL_KEYS = /^n_prompt_tokens$/i;
const LIMIT_KEYS = /^n_ctx$/i;
/** Names that mean a count only beside each other, where the first is over the second. */
const PAIRED_ACTUAL = /^(?:prompt_?tokens|input_?tokens|actual_?tokens|requested_?tokens)$/i;
const PAIRED_LIMIT =
  /^(?:max_?context(?:_?length|_?tokens)?|context_?(?:length|window|limit)|max_?(?:input|prompt)_?tokens|max_model_len)$/i;
/** Set on errors without being enumerable. */
const HIDDEN_KEYS = [
  'message',
  'name',
  'cause',
  'errors',
  'error',
  'status',
  'code',
  'type',
  'response',
  'body',
  'headers',
];

/** Collects strings, codes, status, headers and counts from any value. Never throws, not even on hostile getters. */
export function gather(error: unknown): Gathered {
  return new Gatherer().run(error);
}

class Gatherer {
  readonly #seen = new Set<object>();
  readonly #texts = new Set<string>();
  readonly #codes = new Set<string>();
  readonly #headers = new Map<string, string>();
  #status: number | undefined;
  #actual: number | undefined;
  #limit: number | undefined;
  #nodes = 0;
  #characters = 0;
  #parsable = PARSE_CHARACTERS;

  run(error: unknown): Gathered {
    this.#visit(error, '', 0);
    return {
      texts: [...this.#texts],
      codes: [...this.#codes],
      ...(this.#status === undefined ? {} : { status: this.#status }),
      headers: this.#headers,
      counts: {
        ...(this.#actual === undefined ? {} : { actual: this.#actual }),
        ...(this.#limit === undefined ? {} : { limit: this.#limit }),
      },
    };
  }

  #visit(value: unknown, key: string, depth: number): void {
    this.#nodes += 1;
    if (this.#nodes > NODE_LIMIT || depth > DEPTH_LIMIT) return;
    if (typeof value === 'string') this.#visitString(value, key, depth);
    else if (typeof value === 'number') this.#visitNumber(value, key);
    else if (typeof value === 'object' && value !== null) this.#visitObject(value, key, depth);
  }

  #visitString(value: string, key: string, depth: number): void {
    const isWord = value.length <= 80 && !/\s/.test(value);
    if (isWord && CODE_KEYS.test(key)) this.#codes.add(value.toLowerCase());
    if (isWord && ONLY_CODE_KEYS.test(key)) {
      if (/^[1-5]\d\d$/.test(value)) this.#visitNumber(Number(value), key);
      return;
    }
    const isParsed = value.length <= this.#parsable;
    if (isParsed) this.#parsable -= value.length;
    const read = readEmbedded(isParsed ? value : clip(value), ECHO_KEYS);
    for (const inner of read.values) this.#visit(inner, '', depth + 1);
    for (const code of read.codes) this.#codes.add(code);
    const text = clip(read.text.trim());
    if (text === '' || this.#characters + text.length > TOTAL_CHARACTERS) return;
    if (!this.#texts.has(text)) this.#characters += text.length;
    this.#texts.add(text);
  }

  #visitNumber(value: number, key: string): void {
    if (STATUS_KEYS.test(key) && Number.isInteger(value) && value >= 300 && value <= 599) this.#status ??= value;
    else if (CODE_KEYS.test(key)) this.#codes.add(String(value));
    if (ACTUAL_KEYS.test(key)) this.#actual ??= value;
    if (LIMIT_KEYS.test(key)) this.#limit ??= value;
  }

  #visitObject(value: object, key: string, depth: number): void {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    if (/^(?:response_?)?headers$/i.test(key)) {
      this.#readHeaders(value);
      return;
    }
    if (value instanceof Error) this.#codes.add(value.constructor.name.toLowerCase());
    this.#readPair(value);
    const located = describeLocated(value);
    if (located !== undefined) this.#visit(located, '', depth + 1);
    const names =
      value instanceof Error || !Array.isArray(value) ? new Set([...HIDDEN_KEYS, ...keysOf(value)]) : keysOf(value);
    for (const name of names) {
      const inner = readProperty(value, name);
      if (ECHO_KEYS.test(name) && !isSentence(name, inner)) continue;
      this.#visit(inner, Array.isArray(value) ? key : name, depth + 1);
    }
  }

  #readPair(value: object): void {
    const numberUnder = (keys: RegExp): number | undefined => {
      const found = keysOf(value).find((key) => keys.test(key));
      const count = found === undefined ? undefined : readProperty(value, found);
      return typeof count === 'number' ? count : undefined;
    };
    const [actual, limit] = [numberUnder(PAIRED_ACTUAL), numberUnder(PAIRED_LIMIT)];
    if (actual === undefined || limit === undefined || actual <= limit) return;
    this.#actual ??= actual;
    this.#limit ??= limit;
  }

  #readHeaders(value: object): void {
    const entries =
      'entries' in value && typeof value.entries === 'function'
        ? Array.from(value.entries() as Iterable<unknown>)
        : Object.entries(value);
    for (const entry of entries.slice(0, 100)) {
      if (!Array.isArray(entry)) continue;
      const [name, content] = entry;
      if (typeof name === 'string' && typeof content === 'string') this.#headers.set(name.toLowerCase(), content);
    }
  }
}

/** Some gateways put the sentence of the server behind them into `param`, where others name a field. */
function isSentence(name: string, value: unknown): boolean {
  return name === 'param' && typeof value === 'string' && /\s/.test(value);
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
function readProperty(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}
