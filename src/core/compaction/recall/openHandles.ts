import { handleOf, type NamedRange } from '../../messages/handle.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { stepsOf, writeStep } from './blockSteps.ts';
import { writeOutline } from './outline.ts';
import { numberedLines } from './passages.ts';
import { readableText } from './readableCall.ts';
import { blockOf, describeMessage, type RecallAnswer, type Recalled } from './recalled.ts';

/** How much room there is for whole messages, and for the outlines of ranges. Characters. */
export interface OpeningRoom {
  readonly messages: number;
  readonly outlines: number;
}

/** Handles that an answer had no room for are named up to this many. */
const MOST_NAMED = 20;

/**
 * Opens handles by position only: a single one gives the whole message or the lines asked for, a range its outline.
 * What does not fit is cut at the end of a line, and the call for the rest is named.
 */
export function* openHandles(
  transcript: Transcript,
  ranges: readonly NamedRange[],
  { messages, outlines }: OpeningRoom,
): Steps<RecallAnswer> {
  const found: Recalled[] = [];
  const missing: string[] = [];
  const rest: string[] = [];
  let used = 0;
  for (const range of ranges) {
    const isSingle = range.from === range.to;
    const room = (isSingle ? messages : outlines) - used;
    if (found.length > 0 && room <= 0) {
      rest.push(handleOf(range));
      continue;
    }
    const opened = yield* isSingle ? openMessage(transcript, range, room) : openRange(transcript, range, room);
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

/** A prompt is that of the newest request: nothing that is kept may be made of an older one. */
const ALWAYS_THERE = 'Instructions are always in the window as they are now.';

function* openMessage(transcript: Transcript, range: NamedRange, room: number): Steps<Recalled | undefined> {
  const message = transcript.messages[range.from];
  const block = blockOf(transcript, range.from);
  if (message === undefined || block === undefined) return undefined;
  yield;
  if (block.kind === 'system')
    return { handle: handleOf(range), what: describeMessage(block, range.from), text: ALWAYS_THERE };
  const hasCalls = message.role === 'assistant' && message.calls.length > 0;
  const text = hasCalls ? stepsOf(block).map(writeStep).join('\n') : readableText(message);
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
