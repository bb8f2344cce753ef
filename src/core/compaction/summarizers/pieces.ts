import { type Block, blockMessages } from '../../messages/blocks.ts';
import { cutHead, quoteHead } from '../../messages/cut.ts';
import { neutralise } from '../../messages/fence.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { keptWithin, shortenText } from '../shorten.ts';

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

/**
 * Writes blocks as texts that each fit in `room` tokens, whatever the size of the transcript (law 10). Excerpts shrink
 * until one piece is enough, or else until there are few pieces; if even the shortest excerpts do not fit, the middle
 * is left out and a mark says so. If there would be fewer than `least` pieces, about that many of equal length are
 * made.
 */
export function* toPieces(
  blocks: readonly Block[],
  room: number,
  count: (text: string) => number,
  least = 1,
): Steps<readonly string[]> {
  const wanted = Math.min(least, MOST_PIECES);
  for (let scale = GENEROUS_SCALE; ; scale *= SHRINK) {
    const isLast = scale <= LEAST_SCALE;
    const texts: Sized[] = [];
    let isCut = false;
    for (const block of blocks) {
      yield;
      const whole = writeBlock(block, scale);
      const text = fit(whole, room, count);
      isCut ||= text !== whole;
      texts.push({ text, tokens: count(text) + 1 });
    }
    const pieces = pack(texts, room);
    const tokens = texts.reduce((sum, one) => sum + one.tokens, 0);
    const fits = scale > 1 ? !isCut && pieces.length <= 1 && tokens <= MOST_GENEROUS : pieces.length <= MOST_PIECES;
    if (fits) return pieces.length >= wanted ? pieces : pack(texts, room, tokens / wanted);
    if (!isLast) continue;
    const half = MOST_PIECES / 2;
    const [next = '', ...rest] = pieces.slice(-half);
    return [...pieces.slice(0, half), `${LEFT_OUT}\n${next}`, ...rest];
  }
}

interface Sized {
  readonly text: string;
  readonly tokens: number;
}

/** Pieces of whole texts: each ends when the next does not fit in its room, or when it has enough. */
function pack(texts: readonly Sized[], room: number, enough = room): string[] {
  const pieces: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { text, tokens } of texts) {
    if (used + tokens > room || used >= enough) {
      pieces.push([]);
      used = 0;
    }
    pieces.at(-1)?.push(text);
    used += tokens;
  }
  return pieces.map((piece) => piece.join('\n'));
}

/** Cuts a single block that is larger than the room until it fits. */
function fit(text: string, room: number, count: (text: string) => number): string {
  let shown = text;
  while (count(shown) + 1 > room && shown.length > 1) shown = cutHead(shown, Math.floor(shown.length / 2));
  return shown === '' && text !== '' ? quoteHead(text, 0) : shown;
}

/**
 * How many characters of each kind of text a summarizer is shown; longer text is cut to head, error lines and tail.
 * Generous enough that errors and identifiers in tool output stay visible (by retention measurements, the head alone
 * hides 42-70 %).
 */
const EXCERPT = { system: 3000, user: 6000, assistant: 3000, call: 1200, result: 2400 };
/** The fewest characters that an excerpt shows. */
const LEAST_EXCERPT = 60;

/** Writes a block as plain text for a summarizer: each text of its messages with their handle. */
function writeBlock(block: Block, scale: number): string {
  const entry = (id: MessageId, kind: keyof typeof EXCERPT, text: string, tool = ''): string =>
    `[t${id} ${kind}${tool}] ${excerpt(text, `t${id}`, Math.max(LEAST_EXCERPT, Math.floor(EXCERPT[kind] * scale)))}`;
  const entries = blockMessages(block).flatMap((message) => {
    const { id, role, text } = message;
    if (role === 'tool') return [entry(id, 'result', text)];
    if (role !== 'assistant') return [entry(id, role, text)];
    const calls = message.calls.map((call) => entry(id, 'call', call.arguments, ` ${call.name}`));
    return text === '' ? calls : [entry(id, role, text), ...calls];
  });
  return neutralise(entries.join('\n'));
}

function excerpt(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  return shortenText(text, handle, keptWithin(characters)) ?? quoteHead(text, characters);
}
