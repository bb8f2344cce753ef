import { readTokens } from './numbers.ts';
import { clauses, parts } from './text.ts';
import { NOT_A_REJECTION } from './vetoes.ts';
import { WORDINGS, type Wording } from './wordings.ts';

/** A part of a sentence stands alone only with what is too long in it. */
export const PART_SUBJECT =
  /\b(?:prompts?|inputs?|context|messages?|conversation|history|sequence|requested|request)\b|n_ctx|(?:input|prompt)_/;

/** A row of the table with the sentence that it matched. */
export type FoundWording = Wording & { readonly clause: string };

/**
 * The first wording that a sentence of normalised texts matches, or a part of a sentence: a frame's words may veto the
 * sentence within, which then must say it with both figures or be complete in itself.
 */
export function findWording(texts: readonly string[]): FoundWording | undefined {
  const sentences = texts.flatMap(clauses);
  const found = matchWording(sentences, WORDINGS);
  if (found !== undefined) return found;
  const pieces = sentences.flatMap(parts).filter((part) => PART_SUBJECT.test(part));
  return (
    matchWording(pieces.filter(statesExcessIn), WORDINGS) ??
    matchWording([...pieces, ...sentences.flatMap(heads)], COMPLETE)
  );
}

/** What stands before the first comma: `prompt is too long, the file has 3000 lines`. */
function heads(sentence: string): readonly string[] {
  const comma = sentence.indexOf(', ');
  return comma > 0 ? [sentence.slice(0, comma)] : [];
}

/** Wordings that name both what is too long and that it is. */
const COMPLETE = WORDINGS.filter(({ isComplete }) => isComplete === true);

function matchWording(sentences: readonly string[], wordings: readonly Wording[]): FoundWording | undefined {
  for (const wording of wordings) {
    const clause = sentences.find(
      (sentence) =>
        wording.all.every((part) => part.test(sentence)) && !(wording.none ?? []).some((part) => part.test(sentence)),
    );
    if (clause !== undefined) return { ...wording, clause };
  }
  return undefined;
}

/** Whether a sentence states more tokens than its limit. */
export function statesExcessIn(sentence: string): boolean {
  const { actual, limit } = readTokens(sentence);
  return actual !== undefined && limit !== undefined && actual > limit;
}

/** What is too long in a refused request; `context` alone may be a setting of a server. */
const REFUSED = /\b(?:prompts?|inputs?|messages|conversation|request)\b/;

/**
 * Whether a sentence beside words of another thing says itself that a request was refused, with both figures:
 * `Failed to start sampling: prompt is too long: 210042 tokens > 200000 maximum`.
 */
export function statesRefusal(texts: readonly string[]): boolean {
  return texts.some((text) => {
    const veto = NOT_A_REJECTION.exec(text);
    const colon = veto === null ? -1 : text.indexOf(': ', veto.index);
    const sentences = [...(colon < 0 ? [] : [text.slice(colon + 2)]), ...clauses(text).flatMap(parts)];
    return sentences.some(
      (sentence) =>
        REFUSED.test(sentence) &&
        /\btokens\b/.test(sentence) &&
        !NOT_A_REJECTION.test(sentence) &&
        statesExcessIn(sentence) &&
        matchWording(clauses(sentence), WORDINGS) !== undefined,
    );
  });
}
