import { type Block, rangeLength } from '../../chat/blocks.ts';
import { fence, neutralise } from '../../chat/fence.ts';
import { handleOf } from '../../chat/handle.ts';
import type { MessageRange } from '../../chat/message.ts';
import type { ChatMessage } from '../../chat/wire.ts';
import { describeBlock, describeBlocks } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/reading.ts';
import { rulesIn } from '../../ledger/rules.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { UNVERIFIED } from '../audit/statements.ts';
import type { Narrative } from '../compaction.ts';
import { type Draft, rangeOf } from '../draft.ts';
import { LEFT_OUT, quote, quoteLine } from './passages.ts';
import type { NotePassage, Variant } from './selection.ts';

/** What a note quotes and tells. `isFirst`: it is the first note of its run. */
interface NoteContent {
  readonly chosen: ReadonlyMap<NotePassage, Variant>;
  readonly narratives: readonly Narrative[];
  readonly isFirst: boolean;
}

/**
 * What takes the place of a range: a note with the narratives and, after it, what the human wrote there. Markdown: the first
 * line has the handle of everything that the note replaces, and counts the texts and steps that it does not quote; below it are
 * quotations in chronological order, each after its handle, or grouped as the passages say.
 */
export function* noteMessages(
  mark: string,
  range: MessageRange,
  passages: readonly NotePassage[],
  { chosen, narratives, isFirst }: NoteContent,
): Steps<ChatMessage[]> {
  const groups = new Map<string, string[]>([['', []]]);
  const left = new Map<string, number>();
  const said: NotePassage[] = [];
  yield* eachInSteps(passages, (passage) => {
    const { path, tool = '', group = '' } = passage;
    const text = chosen.get(passage)?.text;
    if (passage.isSaid === true) said.push(passage);
    else if (text === undefined) left.set(tool, (left.get(tool) ?? 0) + 1);
    else {
      const file = path === undefined ? '' : `${path} `;
      const quoted = group === '' ? `- [${handleOf(passage.range)}] ${indent(`${file}${text}`)}` : text;
      const lines = groups.get(group) ?? [`${group}:`];
      lines.push(quoted);
      groups.set(group, lines);
    }
  });
  yield;
  const lines = [...groups.values()].flat();
  const first = `${rangeLine(range)}${left.size === 0 ? '' : `; not quoted: ${describeCounts(left)}`}`;
  const opens = isFirst ? [HOW_TO_OPEN] : [];
  const note = fence(mark, withNarratives([first, ...opens, ...lines].join('\n'), narratives));
  if (said.length === 0) return [note];
  yield;
  return [note, yield* saidMessage(said, chosen)];
}

/** A note counts the steps of this many tools apart, the most used. */
const MOST_TOOLS = 12;

/** What is not quoted: the texts, and the steps by tool (`13 TaskUpdate`). */
function describeCounts(left: ReadonlyMap<string, number>): string {
  const counts = [...left].sort(([, one], [, other]) => other - one);
  const rest = counts.slice(MOST_TOOLS).reduce((sum, [, count]) => sum + count, 0);
  const shown = counts.slice(0, MOST_TOOLS).map(([tool, count]) => {
    return `${count} ${tool === '' ? (count === 1 ? 'text' : 'texts') : tool}`;
  });
  return [...shown, ...(rest === 0 ? [] : [`${rest} others`])].join('; ');
}

/** Stands in the first note of a run. */
const HOW_TO_OPEN = `${LEFT_OUT} marks what is left out; karl_recall opens any handle.`;

/** The first line of a note whose quotations are gone: it no longer counts what was not quoted. */
export function withoutCounts(first: string): string {
  return first.split(';', 1)[0] ?? first;
}

/** The handle of a note's whole range, with which its first line begins. */
export function rangeLine(range: MessageRange): string {
  const length = rangeLength(range);
  return `[${handleOf(range)}] ${length === 1 ? '1 message' : `${length} messages`}`;
}

/** Between narratives and what is quoted, which would be read as the end of the last narrative's last part. */
const RULE = '\n---';

/** A note with narratives, before everything that is quoted, in place of those that it has. */
export function withNarratives(note: string, narratives: readonly Narrative[], had: readonly Narrative[] = []): string {
  const [first = ''] = note.split('\n', 1);
  const before = first + had.map(narrativeText).join('');
  const rest = note.startsWith(before) ? note.slice(before.length) : note.slice(first.length);
  const quoted = had.length > 0 && rest.startsWith(RULE) ? rest.slice(RULE.length) : rest;
  const rule = narratives.length === 0 || quoted === '' ? '' : RULE;
  return `${first}${narratives.map(narrativeText).join('')}${rule}${quoted}`;
}

const UNVERIFIED_MEANS = `; ${UNVERIFIED}: not confirmed by the messages that it cites`;

function narrativeText({ covers, text, by }: Narrative): string {
  const whose = by === 'user' ? 'Summary, edited by the user,' : 'Summary by the model';
  return `\n${whose} of [${handleOf(covers)}], as of t${covers.to}; later messages take precedence${text.includes(UNVERIFIED) ? UNVERIFIED_MEANS : ''}:\n${text}\n`;
}

/** Indents all lines after the first, so that they belong to the list item. */
function indent(text: string): string {
  return text.includes('\n') ? text.replaceAll('\n', '\n  ') : text;
}

/** The longest label of a range. Characters. */
const LABEL_CHARACTERS = 200;

/** `[t11-30 20 messages · changed … · read …]`: the handle of a range and a label that says what is behind it. */
export function labelRange(range: MessageRange, blocks: readonly Block[]): string {
  const [only] = blocks;
  return `[${handleOf(range)} ${blocks.length === 1 && only !== undefined ? describeBlock(only) : describeBlocks(blocks, LABEL_CHARACTERS)}]`;
}

/** A message of the user's role. */
type UserBlock = Extract<Block, { readonly kind: 'user' }>;

/** How much of a message of the human is quoted, in characters: one line first, then more. */
const LINE = 120;
const LONGER = [
  { tier: 'reply', limit: 4000 },
  { tier: 'whole report', limit: 16_000 },
] as const;

/** True for a block that the human wrote, other than the request: no note may quote it, since a note is fenced. */
export function isSaid({ humans }: Draft, block: Block | undefined): block is UserBlock {
  return block?.kind === 'user' && humans.has(block.range.from);
}

/** Marks the messages as old, so that the model does not take them for new requests. */
const HEADING = 'What the user wrote at that time, each message after its handle:';

/** A message of the human in several lengths: the shortest is one line, which begins with the rules that it states. */
export function readSaid(block: UserBlock): readonly NotePassage[] {
  const text = readBlock(block).human ?? block.messages[0].text;
  // The user may have dropped it by hand.
  if (text.trim() === '') return [{ range: block.range, variants: [], isSaid: true }];
  const rules = rulesIn(text);
  const line: Variant = {
    tier: rules.length === 0 ? 'line' : 'rule',
    text: rules.join(` ${LEFT_OUT} `) || quoteLine(text, LINE),
  };
  const longer = LONGER.map(({ tier, limit }): Variant => ({ tier, text: quote(text, limit) }));
  const variants = [line, ...longer].filter(
    (variant, index, all) => index === 0 || variant.text.length > (all[index - 1]?.text.length ?? 0),
  );
  return [{ range: block.range, variants, isSaid: true }];
}

/** The shortest length of each message. */
export function inOneLine(said: readonly NotePassage[]): ReadonlyMap<NotePassage, Variant> {
  return new Map(said.flatMap((passage) => passage.variants.slice(0, 1).map((line) => [passage, line] as const)));
}

/**
 * What the human wrote in the range of a note, as a message outside the note's fence: each message after its handle, in
 * one line or in more. Neighbouring messages for which there is no room at all share one line with their handle.
 */
export function* saidMessage(
  said: readonly NotePassage[],
  chosen: ReadonlyMap<NotePassage, Variant>,
): Steps<ChatMessage> {
  const lines = [`[${handleOf(rangeOf(said))}] ${HEADING}`];
  let left: NotePassage[] = [];
  const endLeft = (): void => {
    if (left.length === 0) return;
    const handle = handleOf(rangeOf(left));
    const count = left.length === 1 ? '1 message' : `${left.length} messages`;
    lines.push(`[${handle}] ${count} left out; karl_recall("${handle}")`);
    left = [];
  };
  yield* eachInSteps(said, (passage) => {
    const text = chosen.get(passage)?.text;
    if (text === undefined) left.push(passage);
    else {
      endLeft();
      lines.push(`[${handleOf(passage.range)}] ${text}`);
    }
  });
  endLeft();
  yield;
  return { role: 'user', content: neutralise(lines.join('\n')) };
}
