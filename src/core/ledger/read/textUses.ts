import type { MessageId } from '../../messages/message.ts';
import { type CallFields, fieldName, readFields } from './callFields.ts';
import { isFilePath } from './paths.ts';
import { commandOf, type ToolResult, type ToolUse } from './toolUse.ts';

/** How much of an assistant's text is searched for tool uses, and the most uses taken from one message. */
const LONGEST_TEXT = 200_000;
const MOST_USES = 60;

/** Tool uses in the text of agents that make no tool calls: XML tags, SEARCH/REPLACE blocks, shell fences. */
export function textUses(text: string, at: MessageId, result: ToolResult | undefined): ToolUse[] {
  const source = text.slice(0, LONGEST_TEXT);
  const uses = [...tagUses(source), ...jsonUses(source), ...editBlockUses(source)];
  if (uses.length === 0 && result !== undefined) uses.push(...fenceUses(source));
  return uses
    .slice(0, MOST_USES)
    .map((use) => ({ ...use, fromCall: false, at, ...(result === undefined ? {} : { result }) }));
}

type Use = Omit<ToolUse, 'at' | 'result' | 'fromCall'>;

function makeUse(name: string, fields: CallFields, source: string): Use {
  const command = commandOf(name, fields, source);
  return command === undefined ? { name, fields, source } : { name, fields, source, command };
}

/** `<read_file><path>a.ts</path></read_file>` and `<invoke name="x"><parameter name="p">v</parameter></invoke>`. */
function tagUses(text: string): Use[] {
  const uses: Use[] = [];
  const open =
    /<(?:([a-z][a-z0-9]*(?:_[a-z0-9]+)+|bash|execute|edit|write|read|view)|invoke name="([\w.-]{1,60})"|function=([\w.-]{1,60}))>/g;
  let misses = 0;
  for (let match = open.exec(text); match !== null && misses < 50 && uses.length < MOST_USES; match = open.exec(text)) {
    const tag = match[1] ?? (match[2] === undefined ? 'function' : 'invoke');
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const start = match.index + match[0].length;
    const end = text.indexOf(`</${tag}>`, start);
    if (end < 0) {
      misses += 1;
      continue;
    }
    const body = text.slice(start, end);
    const fields = tagFields(body);
    if (fields.text.size === 0 && !/^(?:bash|execute)/.test(name)) continue;
    uses.push(makeUse(name, fields, body));
    open.lastIndex = end;
  }
  return uses;
}

function tagFields(body: string): CallFields {
  const text = new Map<string, string[]>();
  const open = /<(?:([a-z][A-Za-z_]{0,39})|parameter(?: name="|=)([\w.-]{1,60})"?)>/g;
  let misses = 0;
  for (let match = open.exec(body); match !== null && misses < 20; match = open.exec(body)) {
    const start = match.index + match[0].length;
    const end = body.indexOf(match[1] === undefined ? '</parameter>' : `</${match[1]}>`, start);
    if (end < 0) {
      misses += 1;
      continue;
    }
    if (match[1] === 'args' || match[1] === 'arguments' || match[1] === 'file') continue;
    const name = fieldName(match[1] ?? match[2] ?? '');
    text.set(name, [...(text.get(name) ?? []), body.slice(start, end).trim()]);
    open.lastIndex = end;
  }
  return { parsed: text.size === 0 ? undefined : Object.fromEntries(text), text };
}

/** `<tool_call>{"name": "read", "arguments": {...}}</tool_call>`, and the same inside a fence. */
function jsonUses(text: string): Use[] {
  const uses: Use[] = [];
  let misses = 0;
  for (const match of text.matchAll(
    /\{\s*"(?:name|tool|tool_name|action)"\s*:\s*"([\w.-]{1,60})"\s*,\s*"(?:arguments|parameters|args|input|action_input)"\s*:\s*/g,
  )) {
    const source = balanced(text, match.index + match[0].length);
    if (source !== undefined) uses.push(makeUse(match[1] ?? '', readFields(source), source));
    else misses += 1;
    if (uses.length >= MOST_USES || misses > 20) break;
  }
  return uses;
}

/** The JSON object that starts at `start`; undefined when it does not end within 20,000 characters. */
function balanced(text: string, start: number): string | undefined {
  if (text[start] !== '{') return undefined;
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length && i < start + 20_000; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return text.slice(start, i + 1);
    }
  }
  return undefined;
}

/** SEARCH/REPLACE blocks: the path is in one of the three lines above, of which one may be a fence. */
function editBlockUses(text: string): Use[] {
  const uses: Use[] = [];
  let last: string | undefined;
  let at = text.indexOf('<<<<<<< SEARCH');
  for (; at >= 0 && uses.length < MOST_USES; at = text.indexOf('<<<<<<< SEARCH', at + 14)) {
    const above = text
      .slice(Math.max(0, at - 500), at)
      .split('\n')
      .slice(-4)
      .reverse();
    const path = above.map(pathInLine).find((found) => found !== undefined) ?? last;
    if (path === undefined) continue;
    last = path;
    const end = text.indexOf('>>>>>>> REPLACE', at);
    const body = text.slice(at + 14, end < 0 ? undefined : end);
    const middle = body.indexOf('\n=======');
    const fields = new Map([
      ['path', [path]],
      ['oldstring', [middle < 0 ? body : body.slice(0, middle)]],
      ['newstring', [middle < 0 ? '' : body.slice(middle + 8)]],
    ]);
    uses.push({ name: 'edit', fields: { parsed: Object.fromEntries(fields), text: fields }, source: body });
  }
  return uses;
}

function pathInLine(line: string): string | undefined {
  const bare = line.replace(/^[\s`#*>:]+|[\s`*:]+$/g, '').replace(/^\w+:(?=.*\.)/, '');
  return isFilePath(bare) ? bare : undefined;
}

/** Fenced shell blocks, if the next message is the program's answer. */
function fenceUses(text: string): Use[] {
  const uses: Use[] = [];
  for (const match of text.matchAll(/^```(?:bash|sh|shell|zsh|console|powershell|mswea_bash_command)[ \t]*\n/gm)) {
    const start = match.index + match[0].length;
    const end = text.indexOf('\n```', start);
    if (end < 0) break;
    const command = text.slice(start, end);
    uses.push({ name: 'bash', fields: { parsed: undefined, text: new Map() }, source: command, command });
  }
  return uses;
}
