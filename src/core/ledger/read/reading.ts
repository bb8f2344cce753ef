import type { Block, ToolsBlock } from '../../messages/blocks.ts';
import { splitUserText } from '../../messages/human.ts';
import type { MessageId, ToolMessage } from '../../messages/message.ts';
import { replyTo } from '../../messages/reply.ts';
import { readFields } from './callFields.ts';
import { clientUses } from './clientUses.ts';
import { fileActions } from './fileActions.ts';
import { readOutcome } from './outcome.ts';
import { readPrinted } from './printed.ts';
import { textUses } from './textUses.ts';
import { commandOf, type ToolResult, type ToolUse } from './toolUse.ts';

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
      if (typed === undefined) return { at, uses: clientUses(text, at) };
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
    const use: ToolUse = {
      name: call.name,
      fields,
      source: call.arguments,
      fromCall: true,
      at: message.id,
      ...(command === undefined ? {} : { command }),
    };
    if (result === undefined) return use;
    return { ...use, result: resultOf(call.name, result, command === undefined && fileActions(use).length > 0) };
  });
}

function resultOf(tool: string, { id, text, wire }: ToolMessage, printsFile: boolean): ToolResult {
  const reply = replyTo(tool, text);
  const said = reply === undefined ? {} : { reply };
  return { text: readPrinted(text), ...said, at: id, ...readOutcome(text, wire, printsFile) };
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
