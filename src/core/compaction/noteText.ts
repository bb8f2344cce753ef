import { describeBlock, describeBlocks } from '../ledger/describe.ts';
import type { Fact } from '../ledger/fact.ts';
import type { Block } from '../messages/blocks.ts';
import { rangeLength } from '../messages/blocks.ts';
import { quoteHead } from '../messages/cut.ts';
import { handleOf } from '../messages/handle.ts';
import { isClientMade } from '../messages/human.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import { withoutOutdated } from './outdated.ts';

/** The last words of the model in a range are quoted up to this many characters: what it reported having done. */
const REPORT_CHARACTERS = 240;
const LABEL_CHARACTERS = 160;

/** `[t11-30 20 messages · changed … · read …]`: the handle of a range with a label that names what is behind it. */
export function labelRange(range: MessageRange, blocks: readonly Block[], characters = LABEL_CHARACTERS): string {
  const [only] = blocks;
  return `[${handleOf(range)} ${blocks.length === 1 && only !== undefined ? describeBlock(only) : describeBlocks(blocks, characters)}]`;
}

/** `[t11-30 20 messages: 6 Read, 3 Bash]`: the handle of a range whose facts stand beside it. */
export function countRange(range: MessageRange, blocks: readonly Block[]): string {
  const [only] = blocks;
  if (blocks.length === 1 && only !== undefined) return `[${handleOf(range)} ${describeBlock(only)}]`;
  const calls = new Map<string, number>();
  for (const block of blocks) {
    if (block.kind !== 'tools') continue;
    for (const call of block.messages[0].calls) calls.set(call.name, (calls.get(call.name) ?? 0) + 1);
  }
  const counted = [...calls].map(([name, count]) => `${count} ${name}`).join(', ');
  return `[${handleOf(range)} ${rangeLength(range)} messages${counted === '' ? '' : `: ${counted}`}]`;
}

/**
 * What the model last said in a range, shortened and quoted; '' when it said nothing. `outdated` is what no longer holds:
 * its sentences are left out, for a reader takes a quotation for the state of things.
 */
export function lastReport(blocks: readonly Block[], outdated: ReadonlyMap<MessageId, readonly Fact[]>): string {
  for (const block of [...blocks].reverse()) {
    const [message] = block.messages;
    if (message.role !== 'assistant') continue;
    const text = withoutOutdated(message.text.trim(), outdated.get(message.id) ?? []);
    if (text === '') continue;
    return `Last said (t${message.id}): ${quoteHead(text, REPORT_CHARACTERS).replaceAll('\n', ' ')}`;
  }
  return '';
}

/** Messages of the human that went into a note are quoted with this many characters each, and in all. */
const QUOTE_CHARACTERS = 160;
const QUOTES_CHARACTERS = 2000;

/** What the human asked in a range, each message by its first words; when there are too many, the newest. */
export function askedLines(blocks: readonly Block[]): string {
  const lines: string[] = [];
  let used = 0;
  for (const block of [...blocks].reverse()) {
    if (block.kind !== 'user' || isClientMade(block.messages[0].text)) continue;
    const text = block.messages[0].text.trim();
    const line = `- ${handleOf(block.range)} ${quoteHead(text, QUOTE_CHARACTERS).replaceAll('\n', ' ')}`;
    used += line.length + 1;
    if (used > QUOTES_CHARACTERS) break;
    lines.push(line);
  }
  return lines.length === 0 ? '' : ['The human asked:', ...lines.reverse()].join('\n');
}

/** Said once in a view: what "done" means in the notes, so that a request that still stands is not started anew. */
export const DONE_EXPLAINED = 'do not start it again';

/** What a deterministic note is made of. */
export interface NoteParts {
  readonly range: MessageRange;
  readonly blocks: readonly Block[];
  /** Facts as text; '' when there are none. */
  readonly facts: string;
  /** What the model last reported; '' when it is not said. */
  readonly report: string;
  /** The human's message that the range answers, when its turn has ended in the range. */
  readonly answered: MessageId | undefined;
  /** Whether another note of the view explains what "done" means. */
  readonly explained: boolean;
}

/** The body of a deterministic note: label, facts, what the model last reported, which request is done. */
export function noteBody({ range, blocks, facts, report, answered, explained }: NoteParts): string {
  const meaning = explained ? '' : ` (answered; ${DONE_EXPLAINED}, nor any other request called done)`;
  const done = answered === undefined ? '' : `Request t${answered}: done${meaning}.`;
  return [countRange(range, blocks), askedLines(blocks), facts, report, done].filter((part) => part !== '').join('\n');
}
