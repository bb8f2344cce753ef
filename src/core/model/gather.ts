import { parseJson } from '../chat/parseJson.ts';
import { findStatus } from './wordings.ts';

/** The facts in a failure, read once from whatever was thrown or answered. */
export interface Gathered {
  /** Prose, outermost first, without echoes of the request, stacks and model output. Bounded in number and size. */
  readonly texts: readonly string[];
  /** All texts, normalised, one a line. */
  readonly text: string;
  /** Codes, types, reasons and names of errors; lower case. */
  readonly codes: readonly string[];
  /** The HTTP status that was seen first, in a field or else in the words. */
  readonly status?: number | undefined;
  /** Of the response, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Tokens, in fields of their own (llama.cpp: `n_prompt_tokens`, `n_ctx`); only where the size exceeds the limit. */
  readonly counts?: { readonly actualTokens: number; readonly limitTokens: number } | undefined;
}

/** Limits on nesting (each gateway around another adds about two levels), on values, and on characters read as JSON. */
const DEPTH_LIMIT = 24;
const NODE_LIMIT = 1_500;
const PARSE_CHARACTERS = 400_000;
/** Characters read of a string's head and tail, where servers state the cause, and of all strings together. */
const HEAD_CHARACTERS = 3_000;
const TAIL_CHARACTERS = 2_000;
const TOTAL_CHARACTERS = 10_000;

const ECHO =
  'echo|request|req|request_?body(?:_?values)?|request_?data|config|stack|trace|traceback|inputs?|input_value|prompt|user|' +
  'messages|contents?|choices|candidates|output|tools|functions|arguments|tool_output|instructions|failed_generation|' +
  'prompt_filter_results|url|help|documentation_url|path|param';
/** Fields that repeat the request, show model output or point into code: their words are not evidence. */
const ECHO_KEY = new RegExp(`^(?:${ECHO})$`, 'i');
/** Such a field in a text that is not JSON, with a quoted or bracketed value, which may have been cut off. */
const ECHO_IN_TEXT = new RegExp(
  `(?:["'](?:${ECHO})\\\\{0,4}["']\\s{0,3}:|\\binput(?:_value)?=)\\s{0,3}\\\\{0,4}["'[{]`,
  'i',
);
const CODE_KEY =
  /^(?:code|type|status|reason|errno|syscall|name|__type|kind|error|(?:err|error|stop|finish)_?(?:type|code|reason))$/i;
const STATUS_KEY = /^(?:(?:http_?|upstream_?)?status(?:_?code)?|code|error_code)$/i;
const ACTUAL_KEY = /^(?:n_prompt_tokens|(?:prompt|input|actual|requested)_?tokens)$/i;
const LIMIT_KEY =
  /^(?:n_ctx|max_?(?:context|input|prompt)_?(?:length|tokens)?|context_?(?:length|window|limit)|max_model_len)$/i;
/** Fields of errors that are not enumerable. */
const HIDDEN_KEYS = 'message name cause errors error status code type response body headers'.split(' ');

/** Collects strings, codes, status, headers and counts from any value. Never throws, not even on hostile getters. */
export function gather(error: unknown): Gathered {
  const seen = new Set<object>();
  const texts = new Set<string>();
  const codes = new Set<string>();
  const headers = new Map<string, string>();
  let status: number | undefined;
  let counts: Gathered['counts'];
  let nodes = 0;
  let characters = 0;
  let parsable = PARSE_CHARACTERS;

  function visit(value: unknown, key: string, depth: number): void {
    nodes += 1;
    if (nodes > NODE_LIMIT || depth > DEPTH_LIMIT) return;
    if (typeof value === 'string') visitString(value, key, depth);
    if (typeof value === 'number') visitNumber(value, key);
    if (typeof value === 'object' && value !== null && !seen.has(value)) attempt(() => visitObject(value, key, depth));
  }

  function visitString(value: string, key: string, depth: number): void {
    if (CODE_KEY.test(key) && /^\S{1,80}$/.test(value)) {
      if (/^[1-5]\d\d$/.test(value)) visitNumber(Number(value), key);
      codes.add(value.toLowerCase());
      return;
    }
    parsable -= value.length;
    const { inner, prose } = parsable >= 0 ? splitJson(value) : { inner: undefined, prose: value };
    if (inner !== undefined) visit(inner, '', depth + 1);
    const echo = prose.search(ECHO_IN_TEXT);
    const text = clip(echo < 0 ? prose : prose.slice(0, echo)).trim();
    if (text === '' || texts.has(text) || characters + text.length > TOTAL_CHARACTERS) return;
    characters += text.length;
    texts.add(text);
  }

  function visitNumber(value: number, key: string): void {
    if (STATUS_KEY.test(key) && Number.isInteger(value) && value >= 300 && value <= 599) status ??= value;
    else if (CODE_KEY.test(key)) codes.add(String(value));
  }

  function visitObject(value: object, key: string, depth: number): void {
    seen.add(value);
    if (/^(?:response_?)?headers$/i.test(key)) {
      for (const [name, content] of headersIn(value)) headers.set(name.toLowerCase(), content);
      return;
    }
    const isList = Array.isArray(value);
    const keys = Object.keys(value).slice(0, 200);
    if (!isList) {
      // Errors of a client that tried several times (AI SDK's RetryError): the last attempt counts.
      const last = read(value, 'lastError');
      if (last !== undefined && last !== null) {
        visit(last, '', depth + 1);
        return;
      }
      if (value instanceof Error) codes.add(value.constructor.name.toLowerCase());
      counts ??= countsIn(value, keys);
      // A validation error of FastAPI or pydantic: `loc` names the field, `msg` says what is wrong with it.
      const [field, said] = [read(value, 'loc'), read(value, 'msg')];
      if (Array.isArray(field) && typeof said === 'string') visit(`${field.join('.')}: ${said}`, '', depth + 1);
    }
    for (const name of isList ? keys : new Set([...HIDDEN_KEYS, ...keys])) {
      const inner = read(value, name);
      // Some gateways put their upstream's sentence into `param`, where others name a field.
      const isSentence = name === 'param' && typeof inner === 'string' && /\s/.test(inner);
      if (!ECHO_KEY.test(name) || isSentence) visit(inner, isList ? key : name, depth + 1);
    }
  }

  visit(error, '', 0);
  const text = [...texts].map(normalise).join('\n');
  return { texts: [...texts], text, codes: [...codes], headers, status: status ?? findStatus(text), counts };
}

/** Whether the request was cancelled or timed out, by type, name or code, outermost first; with the deciding name. */
export function findInterruption(error: unknown, depth = 0): readonly ['cancelled' | 'timeout', string] | undefined {
  if (depth >= 8 || typeof error !== 'object' || error === null) return undefined;
  const named = attempt(() => (error instanceof Error ? error.constructor.name : undefined));
  const labels = [named, read(error, 'name'), read(error, 'code')].filter((label) => typeof label === 'string');
  const cancelled = labels.find((label) => CANCELLED.test(label));
  if (cancelled !== undefined) return ['cancelled', cancelled];
  const timedOut = labels.find((label) => TIMED_OUT.test(label));
  if (timedOut !== undefined) return ['timeout', timedOut];
  // The server answered, so anything deeper is transport.
  if (read(error, 'status') !== undefined) return undefined;
  return findInterruption(read(error, 'lastError') ?? read(error, 'cause'), depth + 1);
}

const CANCELLED =
  /^(?:AbortError|APIUserAbortError|Cancell?edError|CancellationError|Canceled|ERR_CANCELED|ABORT_ERR|ResponseAborted)$/i;
const TIMED_OUT =
  /^(?:(?:API(?:Connection)?|Connect|Headers|Body|Read)?Timeout(?:Error)?|DeadlineExceeded|E(?:SOCKET)?TIMEDOUT|TIMEOUT_ERR|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/i;

/** The JSON in a string, parsed, and the prose around it. */
function splitJson(text: string): { readonly inner?: unknown; readonly prose: string } {
  if (/^\s{0,20}"/.test(text)) {
    const inner = parseJson(text);
    if (typeof inner === 'string') return { inner, prose: '' };
  }
  const open = text.search(/\{|\[\s{0,20}\{/);
  const close = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (open < 0 || close < open) return { prose: text };
  const json = text.slice(open, close + 1);
  // A terminal may have wrapped the JSON: a line break within its strings is then a space.
  const inner = parseJson(json) ?? parseJson(json.replace(/\n/g, ' '));
  if (typeof inner !== 'object') return { prose: text };
  const around = `${text.slice(0, open)} ${text.slice(close + 1)}`;
  return { inner, prose: /\w/.test(around) ? around : '' };
}

function clip(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  return `${text.slice(0, HEAD_CHARACTERS)}\n${text.slice(-TAIL_CHARACTERS)}`;
}

function countsIn(value: object, keys: readonly string[]): Gathered['counts'] {
  const [actual, limit] = [ACTUAL_KEY, LIMIT_KEY].map((names) =>
    read(value, keys.find((key) => names.test(key)) ?? ''),
  );
  const isOver = typeof actual === 'number' && typeof limit === 'number' && actual > limit;
  return isOver ? { actualTokens: actual, limitTokens: limit } : undefined;
}

/** The headers of a response, given as an object or as a list of entries. */
function headersIn(value: object): readonly (readonly [string, string])[] {
  const entries = Symbol.iterator in value ? Array.from(value as Iterable<unknown>) : Object.entries(value);
  const isPair = (entry: unknown): entry is [string, string] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string';
  return entries.slice(0, 100).filter(isPair);
}

function read(value: object, name: string): unknown {
  return attempt(() => (value as Readonly<Record<string, unknown>>)[name]);
}

/** A function's result, or undefined if it throws: no error object may break its own classification. */
function attempt<Value>(of: () => Value): Value | undefined {
  try {
    return of();
  } catch {
    return undefined;
  }
}

/** Applied in order, each in linear time. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/(?![\n\r\t])\p{Cc}\[[\d;]{0,20}m/gu, ''], // a terminal's colours
  [/&gt;|\\{1,8}u003e/g, '>'], // signs as HTML and the JSON of Go write them
  [/&(?:lt|amp|quot|nbsp|#39);|\\{1,8}u00(?:3c|26|27|22)|\\{1,8}[nrt]/g, ' '],
  [/https?:\/\/\S{1,300}/g, ' '],
  [/[\\"'`*‘’“”„«»]/g, ''],
  [/[()[\]{}│┃|]/g, ' '],
  [/\s+/g, ' '],
  [/ (?=[.,;:!?](?: |$))/g, ''],
];

/**
 * Normalises text for the wordings: lower case, escapes undone, no quotes, brackets or addresses, single spaces, figures
 * as plain digits (`128,000`, `128_000`, `128 000 tokens` and `128k` become `128000`).
 */
export function normalise(text: string): string {
  const plain = text
    .replace(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '')
    .normalize('NFKC')
    .toLowerCase();
  return STEPS.reduce((so, [pattern, by]) => so.replace(pattern, by), plain)
    .replace(
      /(?<![\d.,])\d{1,3}(?:[,_]\d{3}){1,3}(?![\d_])|(?<![\w.,-])\d{1,3}(?:[ .]\d{3}){1,3}(?= tokens?)/g,
      (figure) => figure.replace(/\D/g, ''),
    )
    .replace(/(\d{2})\.0(?![\d.])/g, '$1')
    .replace(/(?<![\w.,-])(\d{1,4}(?:\.\d{1,3})?)([km])(?!\w)/g, (_figure, count: string, unit: string) =>
      String(Math.round(Number(count) * (unit === 'k' ? 1_000 : 1_000_000))),
    )
    .trim();
}
