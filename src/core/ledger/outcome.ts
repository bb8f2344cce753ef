import type { MessageId, ToolMessage } from '../chat/message.ts';
import { parseJson } from '../chat/parseJson.ts';
import { isDeclined } from '../chat/reply.ts';
import { anyOf, groupOf } from '../result.ts';

/**
 * An exit code is only looked for at the beginning and at the end of a result, within this many characters: in the
 * middle, `exit(1)` is source text.
 */
const EDGE = 400;

const EXIT_CODE = new RegExp(
  groupOf(
    /\b(?:finished|terminated|completed|ended) with (?:code|status)/,
    /\bexit(?:ed)?(?!\()(?:[ _-]*(?:with[ _-]+)?(?:code|status|value))?|return[ _-]?code/,
  ) + String.raw`["'>\])]?\s*[:=\uff1a]?\s*["'(]?(-?\d{1,10})\b(?!\.\d)`,
  'gi',
);

/** How the result of a failed call begins, whatever the tool. */
const FAILED_START = new RegExp(
  String.raw`^[\s#*[(]*${groupOf(
    /<tool_use_error>|error\b(?!s?\s{0,9}[:=]\s{0,9}(?:0|none|\(none\)|null))|failed\b|failure\b|fatal\b|traceback\b/,
    /exception\b|cannot\b|could not\b|couldn't\b|unable to\b|permission denied|access denied|no such file|file not found/,
    /\w{0,80}Error:|\w{0,80}Exception:|ENOENT|EACCES|EPERM|EISDIR|invalid\b|rejected\b|denied\b|aborted\b|cancell?ed\b/,
    /timed out|unknown tool|no result recorded/,
  )}`,
  'i',
);

/** How the result of an edit says, in its first line, that nothing was changed. */
const NOT_CHANGED = anyOf(
  /\bno (?:match|changes?\b|replacement)|(?:\bnot|n't) (?:be )?(?:been )?(?:found|match|appear|appl|read|unique|writ)/i,
  /\buser (?:has )?(?:denied|rejected|declined|cancell?ed)|\b(?:denied|rejected|declined|cancell?ed) by (?:the )?user/i,
  /\bnothing (?:was )?changed|\bfailed(?: to\b|:)|\bmultiple (?:matches|occurrences)|\bwas (?:rejected|denied)/i,
);

const FAILED_FIELD =
  /"(?:success|ok)"\s*:\s*false|"(?:is_?error)"\s*:\s*true|"status"\s*:\s*"(?:error|failed|failure)"/i;

/** The exit code stated at either end of a result. Of several, the last one that is not 0 wins. */
function readExitCode(result: string): number | undefined {
  const edges = result.length <= 2 * EDGE ? result : `${result.slice(0, EDGE)}\n${result.slice(-EDGE)}`;
  let code: number | undefined;
  for (const match of edges.matchAll(EXIT_CODE)) {
    const value = Number(match[1]);
    if (code === undefined || value !== 0) code = value;
  }
  return code;
}

/** True when the first line of an edit's result says that nothing was changed, though it is not marked as failed. */
export function saysUnchanged(result: string): boolean {
  return NOT_CHANGED.test(result.trimStart().slice(0, EDGE).split('\n', 1)[0] ?? '');
}

/**
 * What a tool's result says about the call: whether it failed and, if stated, the exit code. Judges any result by its very
 * beginning and stated codes only, since output may quote errors. `printsFile`: the tool shows or changes a file, so that an
 * exit code is the file's text.
 */
export function readOutcome(
  result: string,
  wire: Readonly<Record<string, unknown>>,
  printsFile = false,
): { readonly failed: boolean; readonly exitCode?: number } {
  const exitCode = printsFile ? undefined : readExitCode(result);
  const flagged = wire.is_error === true || wire.isError === true || wire.status === 'error';
  const failed =
    flagged ||
    (exitCode !== undefined && exitCode !== 0) ||
    FAILED_START.test(result.slice(0, 200)) ||
    isDeclined(result) ||
    (/^\s*[[{]/.test(result) && FAILED_FIELD.test(result.slice(0, 600)));
  return exitCode === undefined ? { failed } : { failed, exitCode };
}

/** Fields in which tools that answer with JSON put a program's output. */
const PRINTED = new Set(['output', 'stdout', 'stderr']);
/** JSON with more fields is data in itself, not a wrapper around output. */
const MOST_WRAPPER_FIELDS = 8;
/** Longer results are not unwrapped. Characters. */
const LONGEST_WRAPPED = 400_000;

/**
 * What a program printed, without the JSON in which its client put it (`{"output":"…","metadata":{"exit_code":1}}`). Any
 * other result is returned as it is.
 */
export function readPrinted(result: string): string {
  if (result.length > LONGEST_WRAPPED || !/^\s*\{\s*"/.test(result) || !/\}\s*$/.test(result.slice(-40))) return result;
  const parsed = parseJson(result);
  if (typeof parsed !== 'object' || parsed === null) return result;
  const fields = Object.entries(parsed);
  if (fields.length > MOST_WRAPPER_FIELDS) return result;
  const printed = fields.flatMap(([name, value]) => (PRINTED.has(name) && typeof value === 'string' ? [value] : []));
  return printed.length === 0 ? result : printed.join('\n');
}

/** The arguments of a tool call as flat text fields, names lower-cased without `_` and `-` (`file_path` = `filePath`). */
export interface CallFields {
  readonly parsed: unknown;
  readonly text: ReadonlyMap<string, readonly string[]>;
}

/** The depth and number of fields up to which arguments are read. */
const DEEPEST = 4;
const MOST_FIELDS = 500;

/** Reads a call's arguments; text that is not JSON has no fields. */
export function readFields(source: string): CallFields {
  const parsed = parseStructure(source);
  const text = new Map<string, string[]>();
  collect(parsed, '', { text, left: MOST_FIELDS }, 0);
  return { parsed, text };
}

/** A field's name in the form in which it is compared. */
export function fieldName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** The object, list or string that a JSON text contains; undefined for anything else. */
export function parseStructure(source: string): unknown {
  return /^\s*[[{"]/.test(source) ? parseJson(source) : undefined;
}

function collect(
  value: unknown,
  name: string,
  into: { text: Map<string, string[]>; left: number },
  depth: number,
): void {
  if (into.left <= 0 || depth > DEEPEST) return;
  if (typeof value === 'string') {
    into.left -= 1;
    into.text.set(name, [...(into.text.get(name) ?? []), value]);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, name, into, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, fieldName(key), into, depth + 1);
  }
}

/** One tool use with its result, whatever the agent calls its tools. */
export interface ToolUse {
  readonly name: string;
  readonly fields: CallFields;
  /** The arguments as the model wrote them. */
  readonly source: string;
  /** The shell command, when the tool runs one. */
  readonly command?: string;
  /** The message with the call. */
  readonly at: MessageId;
  /** Absent until a result is recorded. */
  readonly result?: ToolResult;
}

/** What came back. */
export interface ToolResult {
  readonly text: string;
  /** What the human said in it: an answer, or words with which the call was declined. */
  readonly reply?: string;
  readonly at: MessageId;
  readonly failed: boolean;
  readonly exitCode?: number;
}

/** A later result shorter than this share of the earlier one may be a stub (`File unchanged`), not what was asked for. */
const LEAST_SHARE = 0.5;

/**
 * True when a later result of the same look-up, sent whole, makes the earlier one superfluous: it has the same text, or it
 * did not fail and is not much shorter.
 */
export function overtakes(later: ToolMessage, earlier: ToolMessage): boolean {
  if (later.text === earlier.text) return true;
  return later.text.length >= LEAST_SHARE * earlier.text.length && !readOutcome(later.text, later.wire).failed;
}
