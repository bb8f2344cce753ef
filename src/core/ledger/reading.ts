import type { Block, ToolsBlock } from '../chat/blocks.ts';
import { splitUserText } from '../chat/human.ts';
import type { MessageId, ToolMessage } from '../chat/message.ts';
import { replyTo } from '../chat/reply.ts';
import { withoutUndefined } from '../result.ts';
import { fileActions } from './files.ts';
import { type CallFields, readFields, readOutcome, readPrinted, type ToolResult, type ToolUse } from './outcome.ts';

/** A block as extractors read it: who said what, and which tools were used with what result. */
export interface Reading {
  readonly at: MessageId;
  /** Text that a human wrote. */
  readonly human?: string;
  /** Text that the model wrote. */
  readonly model?: string;
  readonly uses: readonly ToolUse[];
}

/** Reads one block. */
export function readBlock(block: Block): Reading {
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
    case 'assistant':
      return { at, model: block.messages[0].text, uses: [] };
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
    const command = commandOf(fields);
    const about = { name: call.name, fields, source: call.arguments, at: message.id };
    const use = withoutUndefined<ToolUse>({ ...about, command });
    if (result === undefined) return use;
    return { ...use, result: resultOf(call.name, result, command === undefined && fileActions(use).length > 0) };
  });
}

function resultOf(tool: string, { id, text, wire }: ToolMessage, printsFile: boolean): ToolResult {
  const said = { text: readPrinted(text), reply: replyTo(tool, text), at: id };
  return withoutUndefined<ToolResult>({ ...said, ...readOutcome(text, wire, printsFile) });
}

function outputOf(name: string, text: string, at: MessageId): ToolUse {
  return {
    name,
    fields: { parsed: undefined, text: new Map() },
    source: '',
    at,
    result: { text, at, ...readOutcome(text, {}) },
  };
}

/** Fields that hold a command, as a text or as a list of words. */
const COMMAND_FIELDS = ['command', 'cmd', 'commands', 'commandline', 'shellcommand', 'argv'];

/** The shell command that a call runs, known by its fields; undefined when it runs none. */
export function commandOf({ text }: CallFields): string | undefined {
  if (text.has('path') || text.has('filepath') || text.has('filename')) return undefined;
  const field = COMMAND_FIELDS.find((name) => text.has(name));
  if (field === undefined) return undefined;
  const values = text.get(field) ?? [];
  return field === 'commands' ? values.join('\n') : unwrapShell(values);
}

/** `["bash", "-lc", "npm test"]` runs `npm test`. */
function unwrapShell(words: readonly string[]): string {
  const flag = words.findIndex((word) => /^-[a-z]*c$|^\/c$/i.test(word));
  const script = words[flag + 1];
  return flag > 0 && flag <= 2 && script !== undefined ? script : words.join(' ');
}
