import type { Block } from '../chat/blocks.ts';
import { cutHead } from '../chat/cut.ts';
import { errorsOfUse } from './errors.ts';
import { fileActions, shortCommand } from './files.ts';
import type { ToolUse } from './outcome.ts';
import { readBlock } from './reading.ts';

/** The longest label of one block; a range has the caller's limit. Characters. */
const LONGEST_LABEL = 200;
const LONGEST_CALL = 110;
const QUOTED = 60;

/** What a block was in a few words, to follow its handle: `npm test · exit 1 · 212 lines · 3 errors`. */
export function describeBlock(block: Block): string {
  switch (block.kind) {
    case 'system':
      return cut(`system: ${quote(block.messages[0].text)}`, LONGEST_LABEL);
    case 'user': {
      const { text, by } = block.messages[0];
      if (by === 'client') return cut(`client: ${quote(text)} · ${countLines(text)}`, LONGEST_LABEL);
      return lines(text) > 20 || text.length > 2000 ? `pasted text · ${countLines(text)}` : `user: ${quote(text)}`;
    }
    case 'assistant':
      return `assistant: ${quote(block.messages[0].text)}`;
    case 'tools':
      return cut(readBlock(block).uses.map(describeUse).join(' | '), LONGEST_LABEL);
    case 'stray':
      return cut(`result without a call · ${countLines(block.messages[0].text)}`, LONGEST_LABEL);
  }
}

/** One tool use: what it did, how it ended, how long its result is, how many errors it reports. */
export function describeUse(use: ToolUse): string {
  const parts = [cut(headOf(use), LONGEST_CALL)];
  const { result } = use;
  if (result === undefined) return `${parts[0]} · no result`;
  if (result.exitCode !== undefined) parts.push(`exit ${result.exitCode}`);
  else if (result.failed) parts.push('failed');
  if (lines(result.text) > 1) parts.push(countLines(result.text));
  const errors = errorsOfUse(use).length;
  if (errors > 0) parts.push(errors === 1 ? '1 error' : `${errors} errors`);
  return parts.join(' · ');
}

function headOf(use: ToolUse): string {
  if (use.command !== undefined) return shortCommand(use.command);
  const actions = fileActions(use);
  if (actions.length > 0) {
    const verb = { read: 'read', change: 'edit', delete: 'delete', rename: 'rename' }[actions[0]?.kind ?? 'read'];
    return `${verb} ${actions.map((action) => (action.from === undefined ? action.path : `${action.from} to ${action.path}`)).join(', ')}`;
  }
  const argument = [...use.fields.text.values()].flat().find((value) => value.length > 0 && value.length <= 200);
  return argument === undefined ? use.name : `${use.name} ${argument.replace(/\s+/g, ' ')}`;
}

/** The label of a range: how many messages it has, and the labels of its first blocks, as far as they fit. */
export function describeBlocks(blocks: readonly Block[], limitCharacters: number): string {
  const messages = blocks.reduce((sum, block) => sum + block.messages.length, 0);
  const labels = blocks.slice(0, limitCharacters).map(describeBlock);
  return cut(`${messages} messages · ${labels.join(' | ')}`, limitCharacters);
}

function quote(text: string): string {
  return cut(text.slice(0, 400).replace(/\s+/g, ' ').trim(), QUOTED);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutHead(text, limit - 1)}…`;
}

function lines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function countLines(text: string): string {
  const count = lines(text);
  return count === 1 ? '1 line' : `${count} lines`;
}
