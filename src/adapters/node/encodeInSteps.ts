import type { Steps } from '../../core/steps.ts';

/** The number of characters that are encoded at once. */
const PART = 32_768;

/** Joins the pieces of a long text and encodes it as UTF-8, with a step after each piece. */
export function* encodeInSteps(pieces: Iterable<string>): Steps<Buffer> {
  const parts: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length > PART) {
      parts.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(text)]);
}
