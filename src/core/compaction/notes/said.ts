import { readBlock } from '../../ledger/reading.ts';
import { findConstraints } from '../../ledger/rules.ts';
import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { neutralise } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Draft } from '../draft.ts';
import { quote, quoteLine } from './quote.ts';
import type { Passage, Variant } from './selection.ts';

/** A message of the user's role. */
type UserBlock = Extract<Block, { readonly kind: 'user' }>;

/** How much of a message of the human is quoted, in characters: one line first, then more. RULE is per rule. */
const LINE = 120;
const RULE = 400;
const LONGER = [
  { tier: 'reply', limit: 600 },
  { tier: 'reply', limit: 4000 },
  { tier: 'whole report', limit: 16_000 },
] as const;

/** True for a block that the human wrote, other than the request: no note may quote it, since a note is fenced. */
export function isSaid({ humans }: Draft, block: Block | undefined): block is UserBlock {
  return block?.kind === 'user' && humans.has(block.range.from);
}

/** The rules that the human states in a message, in their own words. */
export function rulesIn(block: UserBlock): readonly string[] {
  return findConstraints(readBlock(block)).map(({ value }) => value);
}

/** Cached by block: blocks never change. */
const READ = new WeakMap<Block, readonly Passage[]>();

/** Marks the messages as old, so that the model does not take them for new requests. */
const HEADING = 'What the user wrote back then, each message after its handle:';

/** A message of the human in several lengths: the shortest is one line, which begins with the rules that it states. */
export function readSaid(block: UserBlock): readonly Passage[] {
  const known = READ.get(block);
  if (known !== undefined) return known;
  const text = readBlock(block).human ?? block.messages[0].text;
  // The user may have dropped it by hand.
  const isEmpty = text.trim() === '';
  const rules = isEmpty ? [] : rulesIn(block);
  const line = [...rules.map((rule) => quoteLine(rule, RULE)), ...(rules.length === 0 ? [quoteLine(text, LINE)] : [])];
  const variants: Variant[] = [
    { tier: rules.length === 0 ? 'line' : 'rule', text: line.join(' […] ') },
    ...LONGER.map(({ tier, limit }): Variant => ({ tier, text: quote(text, limit) })),
  ];
  const lengths = variants.filter(({ text: one }, index) =>
    index === 0 ? !isEmpty : one.length > (variants[index - 1]?.text.length ?? 0),
  );
  const passages = [{ range: block.range, variants: lengths, isSaid: true }];
  READ.set(block, passages);
  return passages;
}

/** The shortest length of each message. */
export function inOneLine(said: readonly Passage[]): ReadonlyMap<Passage, Variant> {
  return new Map(said.flatMap((passage) => passage.variants.slice(0, 1).map((line) => [passage, line] as const)));
}

/**
 * What the human wrote in the range of a note, as a message outside the note's fence: each message after its handle, in
 * one line or in more. Neighbouring messages for which there is no room at all share one line with their handle.
 */
export function saidMessage(said: readonly Passage[], chosen: ReadonlyMap<Passage, Variant>): ChatMessage {
  const [oldest] = said;
  const newest = said.at(-1);
  const lines: string[] = [];
  let left: MessageRange[] = [];
  const endLeft = (): void => {
    const [first] = left;
    const last = left.at(-1);
    if (first === undefined || last === undefined) return;
    const handle = handleOf({ from: first.from, to: last.to });
    const count = left.length === 1 ? '1 message' : `${left.length} messages`;
    lines.push(`[${handle}] ${count} left out; karl_recall("${handle}")`);
    left = [];
  };
  for (const passage of said) {
    const variant = chosen.get(passage);
    if (variant === undefined) left.push(passage.range);
    else {
      endLeft();
      lines.push(`[${handleOf(passage.range)}] ${variant.text}`);
    }
  }
  endLeft();
  if (oldest !== undefined && newest !== undefined)
    lines.unshift(`[${handleOf({ from: oldest.range.from, to: newest.range.to })}] ${HEADING}`);
  return { role: 'user', content: neutralise(lines.join('\n')) };
}
