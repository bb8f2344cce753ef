import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { stepsOf, writeStep } from './blockSteps.ts';
import { writeOutline } from './outline.ts';
import { blockOf, describeMessage, type RecallAnswer, type Recalled } from './recalled.ts';

/** Lines of what a recall opens, both ends included, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How handles are opened. `room`: how long the outlines of ranges may be together, in characters. */
export interface Opening {
  readonly room: number;
  readonly lines?: LineRange;
}

/**
 * Opens handles by position only: a single one gives the whole message, a range its outline. With `lines` each gives
 * only these lines of its full text.
 */
export function* openHandles(
  transcript: Transcript,
  ranges: readonly MessageRange[],
  opening: Opening,
): Steps<RecallAnswer> {
  const found: Recalled[] = [];
  const missing: MessageRange[] = [];
  let { room } = opening;
  for (const range of ranges) {
    const opened = yield* open(transcript, range, { ...opening, room });
    if (opened === undefined) missing.push(range);
    else {
      found.push(opened);
      if (range.from !== range.to) room -= opened.text.length;
    }
  }
  if (missing.length === 0) return { kind: 'opened', found };
  const { length } = transcript.messages;
  const there = length === 0 ? 'no messages yet' : `the messages t0 to t${length - 1}`;
  return { kind: 'opened', found, notice: `No ${missing.map(handleOf).join(', ')}: the conversation has ${there}.` };
}

function* open(transcript: Transcript, range: MessageRange, { room, lines }: Opening): Steps<Recalled | undefined> {
  const handle = handleOf(range);
  const message = transcript.messages[range.from];
  const block = blockOf(transcript, range.from);
  if (message === undefined || block === undefined) return undefined;
  if (range.from === range.to) {
    const hasCalls = message.role === 'assistant' && message.calls.length > 0;
    const text = hasCalls ? stepsOf(block).map(writeStep).join('\n') : message.text;
    return { handle, what: describeMessage(block, range.from, hasCalls ? 0 : undefined), text: pick(text, lines) };
  }
  const blocks = transcript.blocks.filter(({ range: { from, to } }) => from <= range.to && range.from <= to);
  const text = yield* writeOutline(blocks, range, lines === undefined ? room : Number.POSITIVE_INFINITY);
  return {
    handle,
    what: `${Math.min(range.to, transcript.nextId - 1) - range.from + 1} messages`,
    text: pick(text, lines),
  };
}

function pick(text: string, lines: LineRange | undefined): string {
  if (lines === undefined) return text;
  return text
    .split('\n')
    .slice(Math.max(0, lines.from - 1), lines.to)
    .join('\n');
}
