import { type Block, blockMessages } from '../../messages/blocks.ts';
import { quoteHead } from '../../messages/cut.ts';
import { underLabel } from '../../messages/fence.ts';
import { handleOf, type NamedRange } from '../../messages/handle.ts';
import type { Message, MessageId, MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import { mapInSteps, type Steps } from '../../steps.ts';
import { keptWithin, shortenText } from '../shorten.ts';
import { numberedLines } from './passageIndex.ts';
import { readableCall, readableText } from './readable.ts';
import { blockOf, describeMessage, oneLine, type RecallAnswer, type Recalled } from './recalled.ts';

/** Handles that an answer had no room for are named up to this many. */
const MOST_NAMED = 20;

/**
 * Opens handles by position only: a single one gives the whole message or the lines asked for, a range its outline.
 * What does not fit is cut at the end of a line, and the call for the rest is named.
 *
 * @param answerRoom for the whole answer, characters
 */
export function* openHandles(
  transcript: Transcript,
  ranges: readonly NamedRange[],
  answerRoom: number,
): Steps<RecallAnswer> {
  const found: Recalled[] = [];
  const missing: string[] = [];
  const rest: string[] = [];
  let used = 0;
  for (const range of ranges) {
    const room = answerRoom - used;
    if (found.length > 0 && room <= 0) {
      rest.push(handleOf(range));
      continue;
    }
    const opened = yield* range.from === range.to
      ? openMessage(transcript, range, room)
      : openRange(transcript, range, room);
    if (opened === undefined) missing.push(handleOf(range));
    else {
      found.push(opened);
      used += opened.what.length + opened.text.length;
    }
  }
  const { length } = transcript.messages;
  const there = length === 0 ? 'no messages yet' : `the messages t0 to t${length - 1}`;
  const notices = [
    ...(missing.length === 0 ? [] : [`No ${list(missing)}: the conversation has ${there}.`]),
    ...(rest.length === 0 ? [] : [`No room for ${list(rest)}: ask for them in another call.`]),
  ];
  return { kind: 'opened', found, ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

function list(handles: readonly string[]): string {
  const more = handles.length - MOST_NAMED;
  return `${handles.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The prompt belongs to the newest request, so an older one is never shown. */
const ALWAYS_THERE = 'Instructions are always in the window as they are now.';

function* openMessage(transcript: Transcript, range: NamedRange, room: number): Steps<Recalled | undefined> {
  const message = transcript.messages[range.from];
  const block = blockOf(transcript, range.from);
  if (message === undefined || block === undefined) return undefined;
  yield;
  if (block.kind === 'system')
    return { handle: handleOf(range), what: describeMessage(block, range.from), text: ALWAYS_THERE };
  const hasCalls = message.role === 'assistant' && message.calls.length > 0;
  const text = hasCalls ? stepsOf(block).map(writeStep).join('\n') : underLabel(readableText(message));
  const what = describeMessage(block, range.from, hasCalls ? 0 : undefined);
  const handle = handleOf({ from: range.from, to: range.to });
  if (range.lines === undefined && text.length <= room) return { handle, what, text };
  const lines = [...numberedLines(text)];
  const { from, to } = range.lines ?? { from: 1, to: lines.length };
  const last = Math.min(to, lines.length);
  if (from > last) return { handle, what, text: `[${handle} has ${lines.length} lines]` };
  let end = from;
  for (let size = lines[from - 1]?.length ?? 0; end < last; end += 1) {
    size += lines[end]?.length ?? 0;
    if (size > room) break;
  }
  const shown = lines
    .slice(from - 1, end)
    .join('')
    .replace(/\n$/, '');
  const cut = end < last ? `\n[the rest: karl_recall("${handle}:${end + 1}-${last}")]` : '';
  return { handle, what: `${what} · lines ${from}-${end} of ${lines.length}`, text: `${shown}${cut}` };
}

function* openRange(transcript: Transcript, range: NamedRange, room: number): Steps<Recalled | undefined> {
  if (blockOf(transcript, range.from) === undefined) return undefined;
  const blocks = transcript.blocks.filter(
    ({ kind, range: { from, to } }) => kind !== 'system' && from <= range.to && range.from <= to,
  );
  const text = yield* writeOutline(blocks, range, room);
  const count = Math.min(range.to, transcript.nextId - 1) - range.from + 1;
  return { handle: handleOf(range), what: `${count} messages`, text };
}

/** To how many characters calls and outputs in an outline are clipped: the first of these with which the range fits. */
const CLIPPED_TO: readonly number[] = [Number.POSITIVE_INFINITY, 2400, 400];

/** In the shortest outline, how much is shown of output that belongs to no call. Characters. */
const OUTPUT_START = 200;

/**
 * The blocks of a range: whole if that fits in the room; else with long calls and outputs clipped; else one line per
 * step (what was said stays in full), as many as fit, and where to go on. At least one step is shown.
 */
function* writeOutline(blocks: readonly Block[], range: MessageRange, room: number): Steps<string> {
  const steps = (yield* mapInSteps(blocks, stepsOf, 1)).flat();
  for (const limit of CLIPPED_TO) {
    const texts = yield* mapInSteps(steps, (step) => clip(step, limit), 1);
    if (texts.reduce((sum, text) => sum + text.length + 1, 0) <= room) return texts.join('\n');
  }
  return writeLines(steps, range, room);
}

function clip(step: BlockStep, limit: number): string {
  if (step.kind === 'said' || step.text.length <= limit) return writeStep(step);
  const text = shortenText(step.text, `t${step.id}`, keptWithin(limit));
  return text === undefined ? writeStep(step) : writeStep({ ...step, text });
}

/** One line per call with its outcome; results have no line of their own. */
function writeLines(all: readonly BlockStep[], range: MessageRange, room: number): string {
  const steps = all.filter(({ kind }) => kind !== 'result');
  const last = Math.min(range.to, all.at(-1)?.id ?? range.to);
  const shown: string[] = [];
  let size = 0;
  for (const [index, step] of steps.entries()) {
    const text = writeLine(step);
    size += text.length + 1;
    // Steps of one message are never separated, since going on at its handle shows all of them.
    if (index > 0 && size > room && steps[index - 1]?.id !== step.id) {
      return `${shown.join('\n')}\n[the rest, ${last - step.id + 1} messages: karl_recall("t${step.id}-${last}")]`;
    }
    shown.push(text);
  }
  return shown.join('\n');
}

function writeLine(step: BlockStep): string {
  if (step.kind === 'said') return writeStep(step);
  return step.kind === 'output' ? writeStep({ ...step, text: quoteHead(step.text, OUTPUT_START) }) : step.label;
}

/** One step of a block: what somebody said, a call, or a result. */
interface BlockStep {
  readonly id: MessageId;
  /** `[t41 npm test · exit 1 · 212 lines]` */
  readonly label: string;
  readonly text: string;
  /**
   * `said` by human or agent; a `call`; its `result`; `output` that belongs to no call, such as what a client wrote.
   */
  readonly kind: 'said' | 'call' | 'result' | 'output';
}

/** The steps of a block, in order. A call's label has its outcome; its result is labelled `result`. */
function stepsOf(block: Block): readonly BlockStep[] {
  return blockMessages(block).flatMap((message) => stepsOfMessage(block, message));
}

function stepsOfMessage(block: Block, message: Message): BlockStep[] {
  const { id, text } = message;
  if (message.role === 'assistant') {
    const said =
      text.trim() === '' ? [] : [{ id, label: `[t${id} agent]`, text: underLabel(text), kind: 'said' as const }];
    const calls = message.calls.map((call, index) => ({
      id,
      label: `[t${id} ${oneLine(call.name)}: ${describeMessage(block, id, index)}]`,
      text: underLabel(readableCall(call)),
      kind: 'call' as const,
    }));
    return [...said, ...calls];
  }
  if (message.role === 'tool' && block.kind === 'tools')
    return [{ id, label: `[t${id} result]`, text: underLabel(readableText(message)), kind: 'result' }];
  const kind = message.role === 'user' && message.by === 'human' ? 'said' : 'output';
  return [{ id, label: `[t${id} ${describeMessage(block, id)}]`, text: underLabel(readableText(message)), kind }];
}

/** The label and text of a step. */
function writeStep({ label, text }: BlockStep): string {
  return text === '' ? label : `${label}\n${text}`;
}
