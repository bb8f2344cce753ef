import type { ByHand } from '../../core/compaction/byHand.ts';
import { t, translate } from '../../core/language.ts';
import type { Block } from '../../core/messages/blocks.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message, MessageId, ToolCall, ToolMessage } from '../../core/messages/message.ts';
import { splitInstructions } from '../../core/session/systemPrompt.ts';
import type { ContentGroup, RefusedAct, RowAct } from '../../protocol/contents.ts';
import { oneLine, outcomeOf, subjectOf } from './rows.ts';
import { callsIn, type SentBlock, type SentMessage } from './sent.ts';

/** One thing in the window: a message, or a result of a tool. */
export interface Part {
  readonly kind: ContentGroup['kind'];
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  readonly note: string;
  readonly tokens: number;
  readonly from: number;
  readonly to: number;
  readonly pinned: boolean;
  readonly acts: readonly RowAct[];
  /** Acts that cannot be done with it although others allow them. */
  readonly refused?: readonly RefusedAct[];
  /** The file that it is a reading of. */
  readonly file?: string;
  /** The result of the reading, and how much of it is sent. */
  readonly reading?: { readonly result: ToolMessage; readonly sent: SentMessage['sent'] };
  /** The file that its call changed. */
  readonly changes?: string | undefined;
  /** The tool whose result it is. */
  readonly tool?: string;
  /** The blocks behind a summary. */
  readonly parts?: readonly Part[];
}

/** What parts are made with. */
export interface PartsInput {
  readonly pins: ReadonlySet<MessageId>;
  /** The messages of the current request, which always stay whole. */
  readonly requests: ReadonlySet<MessageId>;
  readonly count: (message: ChatMessage) => number;
  readonly byHand: ByHand;
  /** The user made the record that replaces or shortens the messages. */
  readonly own: boolean;
}

/** The longest label, characters. */
const LONGEST_LABEL = 120;

/** The parts of a block that is sent, whole or shortened. */
export function readBlockParts(all: SentBlock, input: PartsInput): Part[] {
  const { block, messages } = all;
  const callOf = callsOf(all);
  const actsOf = actsIn(block, input);
  return messages.flatMap((one): Part[] => {
    const { message, sent, wire } = one;
    const { id } = message;
    if (sent === 'dropped' && wire === undefined) return [];
    const tokens = input.count(wire ?? message.wire);
    const base = { from: id, to: id, pinned: input.pins.has(id) };
    const about = message.role === 'tool' ? describeResult(message, callOf.get(one), sent) : describeMessage(message);
    if (sent === 'whole' && message.role === 'system')
      return describeInstructions(message.text, tokens, { ...base, ...actsOf(one, tokens) }, input);
    const shortened = input.own ? t('shortened by you') : t('shortened');
    if (sent === 'whole' || sent === 'shortened')
      return [{ ...base, note: sent === 'whole' ? '' : shortened, tokens, ...actsOf(one, tokens), ...about }];
    const raw = input.count(message.wire);
    const restore: RowAct = { act: 'restored', ids: [id], tokens: raw - tokens };
    const named = { ...base, label: about.label, path: about.path };
    const note = input.own ? t('dropped by you') : t('dropped');
    return [
      { ...named, kind: 'summaries', note: t('a line in its place'), tokens, acts: [] },
      { ...named, kind: 'aside', note, tokens: raw, acts: [restore] },
    ];
  });
}

/** The part for a block that is set aside. */
export function readAsidePart(all: SentBlock, input: PartsInput, note: string): Part {
  const { block, messages } = all;
  const { from, to } = block.range;
  const callOf = callsOf(all);
  const [first] = messages;
  const said = first === undefined || first.message.role === 'tool' ? '' : describeMessage(first.message).label;
  const abouts = messages.flatMap((one) =>
    one.message.role === 'tool' ? [describeResult(one.message, callOf.get(one), one.sent)] : [],
  );
  const label = abouts.map(({ label: target, tool }) => (tool === undefined ? target : `${tool} ${target}`)).join(', ');
  const [one, ...others] = abouts;
  const path = others.length === 0 ? one?.path : undefined;
  const tokens = messages.reduce((total, { message }) => total + input.count(message.wire), 0);
  const restore: RowAct = { act: 'restored', ids: [from], tokens };
  const acts = block.kind === 'stray' ? [] : [restore];
  const row = { label: label === '' ? said : label, path, note, tokens, from, to };
  return { kind: 'aside', ...row, pinned: false, acts };
}

/** The parts of a prompt of `all` tokens: each file of instructions in it, and the rest. */
function describeInstructions(
  text: string,
  all: number,
  base: Pick<Part, 'from' | 'to' | 'pinned' | 'acts' | 'refused'>,
  { count }: PartsInput,
): Part[] {
  const { rest, files } = splitInstructions(text);
  const part = { ...base, kind: 'instructions', note: '' } as const;
  const sections = files.map(
    ({ path, section }): Part => ({
      ...part,
      label: path,
      path,
      tokens: count({ role: 'system', content: section }),
    }),
  );
  const left = sections.reduce((tokens, section) => tokens - section.tokens, all);
  return [{ ...part, label: oneLine(rest, LONGEST_LABEL), tokens: Math.max(0, left) }, ...sections];
}

function describeMessage(message: Exclude<Message, { role: 'tool' }>): Pick<Part, 'kind' | 'label' | 'path'> {
  const label = oneLine(message.text, LONGEST_LABEL);
  if (message.role === 'assistant')
    return { kind: 'replies', ...(label === '' ? nameOfCalls(message.calls) : { label }) };
  return { kind: message.role === 'system' ? 'instructions' : 'user', label };
}

function nameOfCalls(calls: readonly ToolCall[]): Pick<Part, 'label' | 'path'> {
  const subjects = calls.map(subjectOf);
  const label = oneLine(
    calls.map(({ name }, index) => `${name} ${subjects[index]?.target}`.trimEnd()).join(', '),
    LONGEST_LABEL,
  );
  const [{ file, target } = {}, ...others] = subjects;
  const isPath = file !== undefined && target !== undefined && others.length === 0 && label.endsWith(target);
  return { label, path: isPath ? target : undefined };
}

/** The call of each result of a block. */
function callsOf(block: SentBlock): ReadonlyMap<SentMessage | undefined, ToolCall> {
  return new Map(callsIn(block).map(({ result, call }) => [result, call]));
}

function describeResult(
  message: ToolMessage,
  call: ToolCall | undefined,
  sent: SentMessage['sent'],
): Pick<Part, 'kind' | 'label' | 'path' | 'tool' | 'file' | 'reading' | 'changes'> {
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

/** The acts that a row offers, and the reasons against others. */
interface Acts {
  readonly acts: readonly RowAct[];
  readonly refused: readonly RefusedAct[];
}

/**
 * Tokens of the line that replaces a dropped result, and of the fenced line that replaces any other message,
 * approximately. Messages of more than `most` tokens are larger than any such line, so their own line is not counted.
 */
/** As long as the mark of a record. */
const MARK = 'a10b20c30d40';
const LINE_OF_RESULT = { tokens: 30, most: 60 };
const LINE_OF_MESSAGE = { tokens: 65, most: 90 };

/** Returns what the user can do with a message that is sent whole or shortened. `tokens`: of its sent form. */
function actsIn(block: Block, given: PartsInput): (one: SentMessage, tokens: number) => Acts {
  const lineOf = given.byHand.droppedForms(block, MARK);
  return ({ message, sent }, tokens) => {
    const { id } = message;
    const why = given.byHand.whyFrozen(id, block, given);
    const frozen = why && translate(why);
    const shortened = frozen ?? shorten(message, block, sent, tokens, given);
    const dropped = frozen ?? drop(message, tokens, () => given.count(lineOf(message)));
    const raw = sent === 'shortened' ? given.count(message.wire) - tokens : undefined;
    return {
      acts: [
        ...(raw === undefined ? [] : [{ act: 'restored', ids: [id], tokens: raw } as const]),
        ...(typeof shortened === 'string' ? [] : [{ act: 'shortened', ids: [id], tokens: shortened } as const]),
        ...(typeof dropped === 'string' ? [] : [{ act: 'dropped', ids: [id], tokens: dropped } as const]),
      ],
      refused: [
        ...(typeof shortened === 'string' ? [{ act: 'shortened', why: shortened } as const] : []),
        ...(typeof dropped === 'string' ? [{ act: 'dropped', why: dropped } as const] : []),
      ],
    };
  };
}

/** How many tokens shortening saves, or why it is impossible. */
function shorten(
  message: Message,
  block: Block,
  sent: SentMessage['sent'],
  tokens: number,
  { count, byHand }: PartsInput,
): number | string {
  const form = sent === 'shortened' ? undefined : byHand.shortenedForm(message, block);
  const gain = form === undefined ? 0 : tokens - count(form);
  if (gain > 0) return gain;
  return message.role === 'assistant' && sent !== 'shortened'
    ? t('Only very long replies can be shortened.')
    : t('Already short: there is nothing to leave out.');
}

/** How many tokens dropping a message saves, or why it is impossible. */
function drop(message: Message, tokens: number, countLine: () => number): number | string {
  if (message.role === 'assistant' && message.calls.length > 0)
    return t('A result needs its call: drop the results instead.');
  const line = message.role === 'tool' ? LINE_OF_RESULT : LINE_OF_MESSAGE;
  const gain = tokens - (tokens > line.most ? line.tokens : countLine());
  return gain > 0 ? gain : t('Nothing to save: the line in its place would be as long.');
}
