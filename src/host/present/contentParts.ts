import { type Block, blockMessages } from '../../core/chat/blocks.ts';
import type { Message, MessageId, MessageRange, ToolCall, ToolMessage } from '../../core/chat/message.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { ByHand } from '../../core/compaction/byHand.ts';
import { splitInstructions } from '../../core/session/systemPrompt.ts';
import { t, translate } from '../../language/language.ts';
import type { Act, ListRow, RowAct, Source } from '../../protocol/list.ts';
import { oneLine, outcomeOf, subjectOf } from './rows.ts';
import { callsIn, type SentBlock, type SentMessage } from './sent.ts';

/** What a message is about. */
interface About {
  readonly kind: Source;
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  /** The file that it is a reading of. */
  readonly file?: string;
  /** The result of the reading, and how much of it is sent. */
  readonly reading?: { readonly result: ToolMessage; readonly sent: SentMessage['sent'] };
  /** The file that its call changed. */
  readonly changes?: string | undefined;
  /** The tool whose result it is. */
  readonly tool?: string;
}

/** One thing in the window: a message, or a result of a tool. */
export interface Part extends About {
  readonly row: ListRow;
}

/** Sources in which nothing can be pinned. */
const UNPINNED: readonly Source[] = ['instructions', 'summaries', 'aside'];

/** Makes a part for some raw messages. */
export function makePart(
  about: About,
  { from, to }: MessageRange,
  row: Pick<ListRow, 'note' | 'tokens'> & Partial<ListRow>,
): Part {
  const { kind, label, path } = about;
  const key = `${kind} ${from}-${to} ${label}`;
  const pins = UNPINNED.includes(kind) ? undefined : [from];
  return { ...about, row: { key, label, path, at: { from, to }, pins, ...row } };
}

/** What parts are made with. */
export interface PartsInput {
  readonly pins: ReadonlySet<MessageId>;
  /** The messages of the current request, which always stay whole. */
  readonly requests: ReadonlySet<MessageId>;
  readonly count: (message: ChatMessage) => number;
  readonly byHand: ByHand;
}

/** The longest label, characters. */
export const LONGEST_LABEL = 120;

/** The parts of a block that is sent, whole or shortened. */
export function readBlockParts(all: SentBlock, input: PartsInput): Part[] {
  const { block, messages } = all;
  const callOf = new Map<SentMessage | undefined, ToolCall>(callsIn(all).map(({ result, call }) => [result, call]));
  const actsOf = actsIn(block, input);
  return messages.flatMap((one): Part[] => {
    const { message, sent, wire } = one;
    const { id } = message;
    if (sent === 'dropped' && wire === undefined) return [];
    const tokens = input.count(wire ?? message.wire);
    const at = { from: id, to: id };
    const pinned = input.pins.has(id);
    const about = message.role === 'tool' ? describeResult(message, callOf.get(one), sent) : describeMessage(message);
    if (sent === 'whole' && message.role === 'system')
      return describeInstructions(message.text, at, { tokens, pinned, note: '', ...actsOf(one, tokens) }, input);
    const note = sent === 'shortened' ? t('shortened') : '';
    if (sent === 'whole' || sent === 'shortened')
      return [makePart(about, at, { pinned, note, tokens, ...actsOf(one, tokens) })];
    const raw = input.count(message.wire);
    const restored: RowAct = { act: 'restored', ids: [id], tokens: raw - tokens };
    const { label, path } = about;
    return [
      makePart({ kind: 'summaries', label, path }, at, { note: t('a line in its place'), tokens }),
      makePart({ kind: 'aside', label, path }, at, { note: t('dropped'), tokens: raw, acts: { restored } }),
    ];
  });
}

/** The part for a block that is set aside. */
export function readAsidePart(block: Block, { count }: PartsInput, note: string): Part {
  const tokens = blockMessages(block).reduce((total, { wire }) => total + count(wire), 0);
  const restored: RowAct = { act: 'restored', ids: [block.range.from], tokens };
  const acts = block.kind === 'stray' ? {} : { restored };
  return makePart({ kind: 'aside', ...describeBlock(block) }, block.range, { note, tokens, acts });
}

/** What a block is, in one line: who said what, or the calls. */
export function describeBlock(block: Block): Pick<ListRow, 'label' | 'path'> {
  const text = oneLine(block.messages[0].text, LONGEST_LABEL);
  switch (block.kind) {
    case 'system':
      return { label: text };
    case 'user':
      return { label: t('You: {0}', text) };
    case 'assistant':
      return { label: t('Assistant: {0}', text) };
    case 'stray':
      return { label: t('Result without a call') };
    case 'tools':
      return nameOfCalls(block.messages[0].calls);
  }
}

/** The parts of a prompt: each file of instructions in it, and the rest. `whole`: the row of all of it. */
function describeInstructions(
  text: string,
  at: MessageRange,
  whole: Pick<ListRow, 'note' | 'tokens' | 'acts' | 'pinned'>,
  { count }: PartsInput,
): Part[] {
  const { rest, files } = splitInstructions(text);
  const kind = 'instructions';
  const sections = files.map(({ path, section }) =>
    makePart({ kind, label: path, path }, at, { ...whole, tokens: count({ role: 'system', content: section }) }),
  );
  const tokens = sections.reduce((left, { row }) => left - row.tokens, whole.tokens);
  return [
    makePart({ kind, label: oneLine(rest, LONGEST_LABEL) }, at, { ...whole, tokens: Math.max(0, tokens) }),
    ...sections,
  ];
}

function describeMessage(message: Exclude<Message, { role: 'tool' }>): About {
  const label = oneLine(message.text, LONGEST_LABEL);
  if (message.role === 'assistant')
    return { kind: 'replies', ...(label === '' ? nameOfCalls(message.calls) : { label }) };
  return { kind: message.role === 'system' ? 'instructions' : 'user', label };
}

function nameOfCalls(calls: readonly ToolCall[]): Pick<About, 'label' | 'path'> {
  const subjects = calls.map(subjectOf);
  const label = oneLine(
    calls.map(({ name }, index) => `${name} ${subjects[index]?.target}`.trimEnd()).join(', '),
    LONGEST_LABEL,
  );
  const [{ file, target } = {}, ...others] = subjects;
  const isPath = file !== undefined && target !== undefined && others.length === 0 && label.endsWith(target);
  return { label, path: isPath ? target : undefined };
}

function describeResult(message: ToolMessage, call: ToolCall | undefined, sent: SentMessage['sent']): About {
  if (call === undefined)
    return { kind: 'results', label: t('Result without a call'), tool: t('Result without a call') };
  const { action, file, target } = subjectOf(call);
  const { outcome } = outcomeOf(message);
  if (action === 'read' && file !== undefined && outcome !== 'failed')
    return { kind: 'files', label: target, path: target, file: file.path, reading: { result: message, sent } };
  return {
    kind: 'results',
    label: target,
    path: file && target,
    tool: call.name,
    changes: action === 'change' && outcome === 'done' ? file?.path : undefined,
  };
}

/** Returns what the user can do with a message that is sent whole or shortened. `tokens`: of its sent form. */
function actsIn(block: Block, given: PartsInput): (one: SentMessage, tokens: number) => Pick<ListRow, 'acts'> {
  return ({ message, sent }, tokens) => {
    const { id } = message;
    const why = given.byHand.whyFrozen(id, block, given);
    const frozen = why && translate(why);
    const actOf = (act: Act, gain: number | string): RowAct | string =>
      typeof gain === 'string' ? gain : { act, ids: [id], tokens: gain };
    const shortened = actOf('shortened', frozen ?? shorten(message, block, sent, tokens, given));
    const acts = { shortened, dropped: actOf('dropped', frozen ?? drop(message, tokens)) };
    if (sent !== 'shortened') return { acts };
    return { acts: { restored: actOf('restored', given.count(message.wire) - tokens), ...acts } };
  };
}

/** About how many characters the user's *Shorten* leaves of a result that is longer than `from`. */
const SHORTENED_RESULT = { from: 1000, length: 600 };

/** About how many tokens shortening saves, or why it is impossible. */
function shorten(
  message: Message,
  block: Block,
  sent: SentMessage['sent'],
  tokens: number,
  { count, byHand }: PartsInput,
): number | string {
  const { length } = message.text;
  // Making the shortened form searches every line for errors, which would take too long for many long results.
  if (message.role === 'tool' && sent !== 'shortened' && length > SHORTENED_RESULT.from)
    return Math.round(tokens * (1 - SHORTENED_RESULT.length / length));
  const form = sent === 'shortened' ? undefined : byHand.shortenedForm(message, block);
  const gain = form === undefined ? 0 : tokens - count(form);
  if (gain > 0) return gain;
  return message.role === 'assistant' && sent !== 'shortened'
    ? t('Only very long replies can be shortened.')
    : t('Already short: there is nothing to leave out.');
}

/**
 * The line that replaces a dropped result, and the fenced line that replaces any other message: about how many tokens they
 * have, and how many at most.
 */
const LINE_OF_RESULT = { tokens: 30, most: 60 };
const LINE_OF_MESSAGE = { tokens: 65, most: 90 };

/** About how many tokens dropping a message saves, or why it is impossible. */
function drop(message: Message, tokens: number): number | string {
  if (message.role === 'assistant' && message.calls.length > 0)
    return t('A result needs its call: drop the results instead.');
  const line = message.role === 'tool' ? LINE_OF_RESULT : LINE_OF_MESSAGE;
  return tokens > line.most ? tokens - line.tokens : t('Nothing to save: the line in its place would be just as long.');
}
