import { type Block, blockMessages } from '../../messages/blocks.ts';
import { cutHead, quoteHead } from '../../messages/cut.ts';
import { neutralise } from '../../messages/fence.ts';
import type { Message } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { type Kept, shortenText } from '../shorten.ts';

/** A range is read in at most this many requests; beyond that, excerpts get shorter. */
const MOST_PIECES = 8;
/** When everything fits in one request, excerpts are up to this many times longer: hardly any message is cut then. */
const GENEROUS_SCALE = 6;
/**
 * At most this much is read with longer excerpts: beyond that, models overlook more than excerpts leave out. Tokens.
 */
const MOST_GENEROUS = 200_000;
const SHRINK = 0.6;
const LEAST_SCALE = 0.02;

/** Marks where the middle of a range was left out; the prompt's allowance includes it. */
const LEFT_OUT = '[… messages between were left out: the range is too large to be read whole …]';

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/**
 * Writes blocks as texts that each fit in `room` tokens, whatever the size of the transcript (law 10). Excerpts shrink
 * until one piece is enough, or else until there are few pieces; if even the shortest excerpts do not fit, the middle
 * is left out and a mark says so. If there would be fewer than `least` pieces, about that many of equal length are
 * made.
 */
export function* toPieces(blocks: readonly Block[], room: number, count: CountText, least = 1): Steps<string[]> {
  const wanted = Math.min(least, MOST_PIECES);
  for (let scale = GENEROUS_SCALE; scale > LEAST_SCALE; scale *= SHRINK) {
    const excerpt = scaleExcerpt(FULL_EXCERPT, scale);
    const generous = scale > 1;
    const limits = generous
      ? { room: Math.min(room, MOST_GENEROUS), most: 1, whole: true }
      : { room, most: MOST_PIECES };
    const pieces = yield* pack(blocks, limits, count, excerpt);
    if (pieces === undefined) continue;
    if (pieces.length >= wanted) return pieces;
    const tokens = pieces.reduce((sum, piece) => sum + count(piece), 0);
    const equal = { room, most: Number.POSITIVE_INFINITY, enough: tokens / wanted };
    return (yield* pack(blocks, equal, count, excerpt)) ?? pieces;
  }
  const most = Number.POSITIVE_INFINITY;
  const pieces = (yield* pack(blocks, { room, most }, count, scaleExcerpt(FULL_EXCERPT, LEAST_SCALE))) ?? [];
  if (pieces.length <= MOST_PIECES) return pieces;
  const half = MOST_PIECES / 2;
  const [next = '', ...rest] = pieces.slice(-half);
  return [...pieces.slice(0, half), `${LEFT_OUT}\n${next}`, ...rest];
}

/** The limits of the pieces. */
interface Limits {
  readonly room: number;
  /** The most pieces. */
  readonly most: number;
  /** No block may be cut to fit. */
  readonly whole?: boolean;
  /** A piece ends once it has this many tokens. */
  readonly enough?: number;
}

/**
 * Pieces of whole blocks; undefined when the limits cannot be met. A piece ends when the next block does not fit in it,
 * or when it has `enough`.
 */
function* pack(
  blocks: readonly Block[],
  { room, most, enough = room, whole = false }: Limits,
  count: CountText,
  excerpt: Excerpt,
): Steps<string[] | undefined> {
  const pieces: string[] = [];
  let current: string[] = [];
  let used = 0;
  for (const block of blocks) {
    yield;
    const full = serializeBlock(block, excerpt);
    const text = fit(full, room, count);
    if (whole && text !== full) return undefined;
    const tokens = count(text) + 1;
    if ((used + tokens > room || used >= enough) && current.length > 0) {
      pieces.push(current.join('\n'));
      if (pieces.length > most) return undefined;
      current = [];
      used = 0;
    }
    current.push(text);
    used += tokens;
  }
  if (current.length > 0) pieces.push(current.join('\n'));
  return pieces.length > most ? undefined : pieces;
}

/** Cuts a single block that is larger than the room until it fits. */
function fit(text: string, room: number, count: CountText): string {
  let shown = text;
  while (count(shown) + 1 > room && shown.length > 1) shown = cutHead(shown, Math.floor(shown.length / 2));
  return shown === '' && text !== '' ? quoteHead(text, 0) : shown;
}

/** How many characters of each kind of text a summarizer is shown; longer text is cut to head, error lines and tail. */
export interface Excerpt {
  readonly user: number;
  readonly assistant: number;
  readonly result: number;
  readonly argument: number;
}

/**
 * Generous enough that errors and identifiers in tool output stay visible (by retention measurements, the head alone
 * hides 42-70 %).
 */
export const FULL_EXCERPT: Excerpt = { user: 6000, assistant: 3000, result: 2400, argument: 1200 };

/** The fewest characters that an excerpt shows. */
const MIN_EXCERPT = 60;

/** The excerpt with every limit scaled, but never below MIN_EXCERPT. */
export function scaleExcerpt(excerpt: Excerpt, factor: number): Excerpt {
  const scale = (characters: number) => Math.max(MIN_EXCERPT, Math.floor(characters * factor));
  return {
    user: scale(excerpt.user),
    assistant: scale(excerpt.assistant),
    result: scale(excerpt.result),
    argument: scale(excerpt.argument),
  };
}

/** Writes a block as plain text for a summarizer: one entry per message, each with its handle. */
export function serializeBlock(block: Block, excerpt: Excerpt): string {
  return neutralise(
    blockMessages(block)
      .map((message) => serializeMessage(message, excerpt))
      .join('\n'),
  );
}

function serializeMessage(message: Message, excerpt: Excerpt): string {
  const handle = `t${message.id}`;
  switch (message.role) {
    case 'system':
      return `[${handle} system] ${limit(message.text, handle, excerpt.assistant)}`;
    case 'user':
      return `[${handle} user] ${limit(message.text, handle, excerpt.user)}`;
    case 'assistant': {
      const calls = message.calls.map(
        (call) => `[${handle} call ${call.name}] ${limit(call.arguments, handle, excerpt.argument)}`,
      );
      const said =
        message.text === '' ? [] : [`[${handle} assistant] ${limit(message.text, handle, excerpt.assistant)}`];
      return [...said, ...calls].join('\n');
    }
    case 'tool':
      return `[${handle} result] ${limit(message.text, handle, excerpt.result)}`;
  }
}

function limit(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept: Kept = {
    head: Math.floor(characters * 0.45),
    tail: Math.floor(characters * 0.25),
    errorLines: Math.floor(characters / 400),
  };
  return shortenText(text, handle, kept) ?? quoteHead(text, characters);
}
