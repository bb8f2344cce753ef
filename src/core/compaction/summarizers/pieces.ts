import type { Block } from '../../messages/blocks.ts';
import { cutHead, quoteHead } from '../../messages/cut.ts';
import type { Steps } from '../../steps.ts';
import { type Excerpt, FULL_EXCERPT, scaleExcerpt, serializeBlock } from '../serialize.ts';

/** A range is read in at most this many requests; beyond, excerpts get shorter, and a note tells less. */
const MOST_PIECES = 8;
/** What fits in one request is read with excerpts so many times as long: hardly a message is cut then. */
const GENEROUS_SCALE = 6;
/** So much is read generously at most, tokens: beyond, models overlook more than excerpts leave out. */
const MOST_GENEROUS = 200_000;
const SHRINK = 0.6;
const LEAST_SCALE = 0.02;

/** Stands where the middle of a range was left out; the prompt's own allowance has room for it. */
const LEFT_OUT = '[… messages between were left out: the range is too large to be read whole …]';

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/**
 * Writes blocks as texts that each fit in `room` tokens, at any size of the transcript (law 10). Excerpts shrink until
 * one piece will do, or else until the pieces are few; should even the shortest not fit, the middle is left out and
 * said so. Of fewer than `least` pieces about so many of equal length are made.
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

/** What a piece may have. */
interface Limits {
  readonly room: number;
  /** How many pieces there may be. */
  readonly most: number;
  /** No block is cut to fit. */
  readonly whole?: boolean;
  /** A piece ends when it has so many tokens. */
  readonly enough?: number;
}

/**
 * Pieces of whole blocks; undefined when the limits do not hold. A piece ends when the next block does not fit in it, or
 * when it has `enough`.
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

/** A single block larger than the room is cut until it fits. */
function fit(text: string, room: number, count: CountText): string {
  let shown = text;
  while (count(shown) + 1 > room && shown.length > 1) shown = cutHead(shown, Math.floor(shown.length / 2));
  return shown === '' && text !== '' ? quoteHead(text, 0) : shown;
}
