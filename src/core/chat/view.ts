import { eachInSteps, type Steps, sortInSteps } from '../steps.ts';
import { type Block, contains, type ToolsBlock } from './blocks.ts';
import { fence } from './fence.ts';
import type { Message, MessageRange } from './message.ts';
import type { ChatMessage } from './wire.ts';

/** What replaces one range: the part of a compaction that the view needs. */
export interface ReplacedRange {
  readonly range: MessageRange;
  readonly messages: readonly ChatMessage[];
  /** Its blocks are whole again, whatever replaced them before. */
  readonly isWhole?: boolean;
}

/** Makes the replacement for a later part of a split range; only the first part keeps the messages. */
type Remainder<Replaced extends ReplacedRange> = (replaced: Replaced, range: MessageRange) => Replaced;

/** One stretch of the view: a whole block, or what replaces a run of blocks. */
export type ViewItem<Replaced extends ReplacedRange = ReplacedRange> =
  | WholeItem
  | {
      readonly kind: 'replaced';
      readonly range: MessageRange;
      readonly replacement: Replaced;
      readonly blocks: readonly Block[];
      readonly messages: readonly ChatMessage[];
    };

/**
 * Derives the view from the transcript and the compactions. For each raw message the newest record that covers it
 * applies; dropping a record therefore restores exactly what it alone replaced.
 */
export function* deriveView<Replaced extends ReplacedRange>(
  blocks: readonly Block[],
  replacements: readonly Replaced[],
  remainder: Remainder<Replaced>,
): Steps<ViewItem<Replaced>[]> {
  const visible = yield* visibleReplacements(replacements, remainder);
  const items: ViewItem<Replaced>[] = [];
  let next = 0;
  let covered: Block[] = [];
  yield* eachInSteps(blocks, (block) => {
    while ((visible[next]?.range.to ?? block.range.from) < block.range.from) {
      next += 1;
      covered = [];
    }
    const replacement = visible[next];
    if (replacement === undefined || !contains(replacement.range, block.range)) {
      items.push(new WholeItem(block));
      return;
    }
    if (covered.length === 0) {
      const { range, messages } = replacement;
      items.push({ kind: 'replaced', range, replacement, blocks: covered, messages });
    }
    covered.push(block);
  });
  return items;
}

/** A block in the view that nothing replaces. */
export class WholeItem {
  readonly kind = 'whole';
  readonly block: Block;
  /** Messages to send instead of its own, if they were amended. */
  readonly sent: readonly ChatMessage[] | undefined;

  constructor(block: Block, sent?: readonly ChatMessage[]) {
    this.block = block;
    this.sent = sent;
  }

  get range(): MessageRange {
    return this.block.range;
  }

  get messages(): readonly ChatMessage[] {
    return this.sent ?? wholeMessages(this.block);
  }
}

/**
 * The parts of ranges that no newer range covers, in transcript order. Ranges nest, except after the user restored a part:
 * then a newer range may cover an end or the middle of an older one, which still applies to the rest.
 */
function* visibleReplacements<Replaced extends ReplacedRange>(
  replacements: readonly Replaced[],
  remainder: Remainder<Replaced>,
): Steps<readonly Replaced[]> {
  /** For each covered message, where to look for the next uncovered one. */
  const covered = new Map<number, number>();
  const visible: Replaced[] = [];
  for (const candidate of replacements.toReversed()) {
    const { from, to } = candidate.range;
    const parts: { from: number; to: number }[] = [];
    for (let id = from, next = id; id <= to; id = next) {
      if (id % 64 === 0) yield;
      next = covered.get(id) ?? id + 1;
      if (covered.has(id)) continue;
      covered.set(id, to + 1);
      const last = parts.at(-1);
      if (last?.to === id - 1) last.to = id;
      else parts.push({ from: id, to: id });
    }
    if (candidate.isWhole === true) continue;
    visible.push(...parts.map((range, index) => (index === 0 ? { ...candidate, range } : remainder(candidate, range))));
  }
  return yield* sortInSteps(visible, (left, right) => left.range.from - right.range.from);
}

/** The messages of a whole block as they are sent, with marks for unanswered calls and results without a call. */
export function wholeMessages(block: Block): readonly ChatMessage[] {
  const [message] = block.messages;
  const isEmpty = block.kind === 'assistant' && isEmptyAssistant(message.wire);
  if (block.kind !== 'stray' && block.kind !== 'tools' && !isEmpty) return [message.wire];
  const made =
    WHOLE.get(block) ??
    (block.kind === 'tools'
      ? toolsMessages(block)
      : [isEmpty ? fence(`t${message.id}`, `[t${message.id} empty message of the model]`) : strayNote(message)]);
  WHOLE.set(block, made);
  return made;
}

/** Cached, so that each made message is one object and counted once. */
const WHOLE = new WeakMap<Block, readonly ChatMessage[]>();

/** True for an assistant message without text, calls or refusal, which servers reject: the view sends a note. */
function isEmptyAssistant(wire: ChatMessage): boolean {
  const { content } = wire;
  const said = typeof content === 'string' ? content.trim() : (content ?? '');
  return (
    said.length === 0 && wire.refusal === undefined && wire.function_call === undefined && wire.audio === undefined
  );
}

function toolsMessages(block: ToolsBlock): readonly ChatMessage[] {
  const missing = (block.open ? [] : block.unanswered).map(({ id }): ChatMessage => {
    return { role: 'tool', tool_call_id: id, content: '[no result recorded: the call was cancelled or superseded]' };
  });
  return [...block.messages.map(({ wire }) => wire), ...missing, ...block.strays.map(strayNote)];
}

function strayNote({ id, text }: Message): ChatMessage {
  return fence(`t${id}`, `[t${id} tool result without a call · ${text.split('\n').length} lines]`);
}
