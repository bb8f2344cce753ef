import type { Block } from '../messages/blocks.ts';
import { shortCommand } from './checks.ts';
import { findErrors } from './errors.ts';
import { fileActions, normalizePath } from './files.ts';
import { extract, type Fact } from './ledger.ts';
import { readBlock, type ToolUse } from './reading.ts';

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
    case 'assistant': {
      const { text } = block.messages[0];
      const { uses } = readBlock(block, undefined);
      return uses.length > 0 ? joined(uses.map(describeUse), LONGEST_LABEL) : `assistant: ${quote(text)}`;
    }
    case 'tools':
      return joined(readBlock(block, undefined).uses.map(describeUse), LONGEST_LABEL);
    case 'stray':
      return cut(`result without a call · ${countLines(block.messages[0].text)}`, LONGEST_LABEL);
  }
}

/** One tool use: what it did, how it ended, how long its result is, how many errors it reports. */
export function describeUse(use: ToolUse): string {
  const parts = [cut(headOf(use), LONGEST_CALL)];
  const { result } = use;
  if (result === undefined) return use.fromCall ? `${parts[0]} · no result` : (parts[0] ?? '');
  if (result.exitCode !== undefined) parts.push(`exit ${result.exitCode}`);
  else if (result.failed) parts.push('failed');
  if (lines(result.text) > 1) parts.push(countLines(result.text));
  const errors = findErrors({ at: use.at, uses: [use] }).filter(saysSomething).length;
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

/** True for an error that is more than a tool's refusal, and not just the mark that an earlier one is solved. */
function saysSomething({ value, strength }: Fact): boolean {
  return value !== '' && strength !== 'soft';
}

/**
 * The label of a range: the files it changed and read, its commands with exit codes, its errors. The most important
 * come first; what does not fit in `limitCharacters` is counted.
 */
export function describeBlocks(blocks: readonly Block[], limitCharacters = 400): string {
  const facts = blocks.flatMap((block, index) => extract(block, blocks[index + 1]));
  const latest = [...new Map(facts.map((fact) => [`${fact.class} ${fact.key}`, fact])).values()];
  const from = blocks[0]?.range.from ?? 0;
  const to = blocks.at(-1)?.range.to ?? from - 1;
  const groups: [string, string[]][] = [
    ['changed', unique(latest, 'file-changed').map((fact) => fact.value)],
    ['errors', unique(latest, 'error').map((fact) => cut(fact.value, 80))],
    ['read', unique(latest, 'file-read').map((fact) => fact.value)],
    [
      'ran',
      unique(latest, 'command')
        .filter((fact) => fact.strength !== 'soft')
        .map((fact) => `${cut(fact.value, 60)}${fact.state === undefined ? '' : ` (${fact.state})`}`),
    ],
  ];
  return fill(`${to - from + 1} messages`, groups, limitCharacters);
}

function unique(facts: readonly Fact[], kind: Fact['class']): Fact[] {
  const own = facts.filter((fact) => fact.class === kind && fact.value !== '');
  return [...new Map(own.map((fact) => [normalizePath(fact.key), fact])).values()].reverse();
}

/** Gives each group a share of the space, newest items first, and counts what is left out. */
function fill(head: string, groups: readonly [string, string[]][], limit: number): string {
  const filled = groups.filter(([, items]) => items.length > 0);
  let label = head;
  filled.forEach(([name, items], index) => {
    const share = Math.floor((limit - label.length) / (filled.length - index));
    let text = '';
    let taken = 0;
    for (const item of items) {
      const longer = text === '' ? `${name} ${item}` : `${text}, ${item}`;
      if (longer.length + 15 > share) break;
      text = longer;
      taken += 1;
    }
    const rest = items.length - taken;
    const counted = taken === 0 ? `${name} ${items.length}` : rest > 0 ? `${text}, +${rest} more` : text;
    if (label.length + counted.length + 3 <= limit) label += ` · ${counted}`;
  });
  return cut(label, limit);
}

function joined(labels: readonly string[], limit: number): string {
  const shown: string[] = [];
  for (const label of labels) {
    const left = labels.length - shown.length;
    if (shown.length > 0 && [...shown, label].join(' | ').length + 12 > limit) {
      return cut(`${shown.join(' | ')} | +${left} more`, limit);
    }
    shown.push(label);
  }
  return cut(shown.join(' | '), limit);
}

function quote(text: string): string {
  const start = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  return cut(start, QUOTED);
}

/** Cuts at a whole code point and marks the cut. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const whole = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
  return `${text.slice(0, whole)}…`;
}

function lines(text: string): number {
  let count = text === '' ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (at < text.length - 1) count += 1;
  return count;
}

function countLines(text: string): string {
  const count = lines(text);
  return count === 1 ? '1 line' : `${count} lines`;
}
