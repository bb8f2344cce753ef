import type { Block, ToolsBlock } from '../messages/blocks.ts';
import { splitUserText } from '../messages/human.ts';
import type { MessageId, ToolMessage } from '../messages/message.ts';
import { replyTo } from '../messages/reply.ts';
import { withoutUndefined } from '../result.ts';
import { isFilePath } from './filePath.ts';
import { fileActions } from './files.ts';
import {
  type CallFields,
  fieldName,
  readFields,
  readOutcome,
  readPrinted,
  type ToolResult,
  type ToolUse,
} from './outcome.ts';

/** A block as extractors read it: who said what, and which tools were used with what result. */
export interface Reading {
  readonly at: MessageId;
  /** Text that a human wrote. */
  readonly human?: string;
  /** Text that the model wrote. */
  readonly model?: string;
  readonly uses: readonly ToolUse[];
}

/**
 * Reads one block. `next` is the block after it, since agents without tool calls get their results as a user message.
 */
export function readBlock(block: Block, next: Block | undefined): Reading {
  const at = block.range.from;
  switch (block.kind) {
    case 'system':
      return { at, uses: [] };
    case 'user': {
      const { text, wire } = block.messages[0];
      const { typed, attached } = splitUserText(wire, text);
      if (typed === undefined) return { at, uses: [outputOf('client', text, at)] };
      return { at, human: typed, uses: attached === '' ? [] : [outputOf('client', attached, at)] };
    }
    case 'assistant': {
      const { text } = block.messages[0];
      return { at, model: text, uses: textUses(text, at, answerIn(next)) };
    }
    case 'tools':
      return { at, model: block.messages[0].text, uses: callUses(block) };
    case 'stray':
      return { at, uses: [outputOf('stray', block.messages[0].text, at)] };
  }
}

function callUses(block: ToolsBlock): ToolUse[] {
  const [message, ...results] = block.messages;
  const left = [...results];
  return message.calls.map((call) => {
    const index = left.findIndex((result) => result.callId === call.id);
    const [result] = index < 0 ? [] : left.splice(index, 1);
    const fields = readFields(call.arguments);
    const command = commandOf(call.name, fields, call.arguments);
    const about = { name: call.name, fields, source: call.arguments, fromCall: true, at: message.id };
    const use = withoutUndefined<ToolUse>({ ...about, command });
    if (result === undefined) return use;
    return { ...use, result: resultOf(call.name, result, command === undefined && fileActions(use).length > 0) };
  });
}

function resultOf(tool: string, { id, text, wire }: ToolMessage, printsFile: boolean): ToolResult {
  const said = { text: readPrinted(text), reply: replyTo(tool, text), at: id };
  return withoutUndefined<ToolResult>({ ...said, ...readOutcome(text, wire, printsFile) });
}

/** The user message after an assistant message, if it is a program's answer and not the human's. */
function answerIn(next: Block | undefined): ToolResult | undefined {
  if (next?.kind !== 'user') return undefined;
  const [message] = next.messages;
  if (message.by === 'human') return undefined;
  const body = message.text.replace(ANSWER_HEAD, '');
  return { text: body, at: message.id, ...readOutcome(body, message.wire) };
}

/** What clients put before the actual answer. */
const ANSWER_HEAD = /^\s*(?:\[[\w.-]{2,60}(?: for [^\]\n]{1,300})?\] Result:|(?:OBSERVATION|Observation):)\s*/;

function outputOf(name: string, text: string, at: MessageId): ToolUse {
  return {
    name,
    fields: { parsed: undefined, text: new Map() },
    source: '',
    fromCall: false,
    at,
    result: { text, at, ...readOutcome(text, {}) },
  };
}

const SHELL_NAME =
  /(?:^|[_\-.])?(?:bash|shell|terminal|exec|cmd|powershell|pwsh|zsh|run_?commands?|execute_?command|command|console|process|spawn|proc|subprocess)/i;

/**
 * Fields that hold a command, as a text or as a list of words; those that other tools have too count only if the tool's
 * name says that it is a shell.
 */
const COMMAND_FIELDS =
  'command cmd commands script commandline shellcommand cmdline commandstring argv line exec run'.split(' ');
const NAMED_BY_TOOL = ['script', 'line', 'exec', 'run'];
/** Fields for a program whose arguments are in a field of their own. */
const PROGRAM_FIELDS = ['program', 'executable', 'binary'];

/**
 * The shell command that a call runs; undefined when it runs none. Recognised by its fields, or else by the tool's
 * name.
 */
export function commandOf(name: string, fields: CallFields, source: string): string | undefined {
  const { text } = fields;
  if (text.has('path') || text.has('filepath') || text.has('filename')) return undefined;
  for (const field of COMMAND_FIELDS) {
    const values = text.get(field);
    if (values === undefined) continue;
    if (NAMED_BY_TOOL.includes(field) && !SHELL_NAME.test(name)) continue;
    return field === 'commands' ? values.join('\n') : unwrapShell(values);
  }
  const program = PROGRAM_FIELDS.flatMap((field) => text.get(field) ?? []);
  if (program.length === 1) return [...program, ...(text.get('args') ?? text.get('arguments') ?? [])].join(' ');
  if (!SHELL_NAME.test(name)) return undefined;
  if (text.size === 0 && fields.parsed === undefined) return source;
  return typeof fields.parsed === 'string' ? fields.parsed : (text.get('input') ?? text.get('code'))?.[0];
}

/** `["bash", "-lc", "npm test"]` runs `npm test`. */
function unwrapShell(words: readonly string[]): string {
  const flag = words.findIndex((word) => /^-[a-z]*c$|^\/c$/i.test(word));
  const script = words[flag + 1];
  if (flag > 0 && flag <= 2 && script !== undefined) return script;
  const only = words.length === 1 ? words[0] : undefined;
  const quoted = only === undefined ? null : /^(?:\/bin\/)?(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/.exec(only);
  return quoted?.[2] ?? words.join(' ');
}

/** How much of an assistant's text is searched for tool uses, and the most uses taken from one message. */
const LONGEST_TEXT = 200_000;
const MOST_USES = 60;

/** Tool uses in the text of agents that make no tool calls: XML tags and SEARCH/REPLACE blocks. */
function textUses(text: string, at: MessageId, result: ToolResult | undefined): ToolUse[] {
  const source = text.slice(0, LONGEST_TEXT);
  const uses = [...tagUses(source), ...editBlockUses(source)];
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
