import { readComparisons } from './comparisons.ts';
import { type FigureRole, labelFigures } from './figures.ts';
import { withoutStatus } from './status.ts';

/** Token figures that a text states. Nothing is guessed: what is unclear is left out. */
export interface StatedTokens {
  /** The total that is compared with the limit. */
  readonly actual?: number;
  readonly limit?: number;
  readonly input?: number;
  readonly output?: number;
  /** Tokens of tool definitions alone. */
  readonly tools?: number;
  /** `actual` is the least it can be. */
  readonly lowerBound?: true;
}

/**
 * The smallest and largest figure that can be a window. A server that states `maximum context length is 3` states what
 * the reserved reply left of it, and a window of 3 once learned would refuse every request.
 */
const SMALLEST_WINDOW = 16;
/** The smallest limit that is believed without the size that is over it: `threshold 80` may be of anything. */
const SMALLEST_ALONE = 256;
const LARGEST_WINDOW = 100_000_000;

/** Reads the token figures of one normalised text. */
export function readTokens(text: string): StatedTokens {
  const compared = readComparisons(withoutStatus(text));
  const labelled = labelFigures(compared.rest);
  const over = readOver(labelled);
  const weak = onlyOne(labelled.get('weak'));
  const larger = onlyOne(labelled.get('total')) ?? onlyOne(labelled.get('input'));
  const confirmed = weak !== undefined && larger !== undefined && larger > weak ? weak : undefined;
  const limit =
    compared.limit ?? over.limit ?? onlyOne(labelled.get('window')) ?? onlyOne(labelled.get('limit')) ?? confirmed;
  const tools = sum(labelled.get('tools'));
  const parts = sum([...(labelled.get('input') ?? []), ...(labelled.get('tools') ?? [])]);
  const input = compared.input ?? (labelled.has('input') || limit !== undefined ? parts : undefined);
  const output = compared.output ?? onlyOne(labelled.get('output'));
  const total =
    compared.actual ?? over.actual ?? chooseTotal(labelled.get('total'), { limit, whole: addUp(input, output) });
  const maybe = onlyOne((labelled.get('maybe') ?? []).filter((figure) => limit !== undefined && figure > limit));
  const actual = total ?? addUp(input, output) ?? maybe;
  const lowerBound = compared.lowerBound === true || labelled.has('lower');
  const smallest = actual !== undefined && limit !== undefined && actual >= limit ? SMALLEST_WINDOW : SMALLEST_ALONE;
  const plausible = limit !== undefined && limit >= smallest && limit <= LARGEST_WINDOW ? limit : undefined;
  return {
    ...(actual !== undefined && (plausible === undefined || actual >= plausible || compared.isBelow === true)
      ? { actual }
      : {}),
    ...(plausible === undefined ? {} : { limit: plausible }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(tools === undefined ? {} : { tools }),
    ...(lowerBound ? { lowerBound } : {}),
  };
}

/** `exceeds the window: 210311 tokens (limit 200000)`, but also `exceeded the limit: 262144 (requested: 270412)`. */
function readOver(labelled: ReadonlyMap<FigureRole, readonly number[]>): { actual?: number; limit?: number } {
  const over = onlyOne(labelled.get('over'));
  if (over === undefined) return {};
  const limit = onlyOne(labelled.get('limit')) ?? onlyOne(labelled.get('window'));
  if (limit !== undefined && labelled.get('total')?.includes(over) === true) return { limit };
  const isSize = limit !== undefined && over > limit && !labelled.has('total') && !labelled.has('input');
  return isSize ? { actual: over, limit } : { limit: over };
}

/** The figures of several texts of one failure: the first that states both, completed by the others. */
export function joinTokens(readings: readonly StatedTokens[]): StatedTokens {
  const best = readings.find((one) => one.actual !== undefined && one.limit !== undefined);
  if (best !== undefined) return best;
  const merged: StatedTokens = Object.assign({}, ...[...readings].reverse());
  if (merged.actual === undefined || merged.limit === undefined || merged.actual >= merged.limit) return merged;
  const { actual: _implausible, ...rest } = merged;
  return rest;
}

/** Several totals: the one that the parts add up to, else the only one that is over the limit. */
function chooseTotal(
  totals: readonly number[] | undefined,
  known: { limit: number | undefined; whole: number | undefined },
): number | undefined {
  const distinct = [...new Set(totals)];
  if (distinct.length <= 1) return distinct[0];
  const { limit, whole } = known;
  return (
    distinct.find((total) => total === whole) ??
    onlyOne(distinct.filter((total) => limit === undefined || total > limit))
  );
}

function addUp(input: number | undefined, output: number | undefined): number | undefined {
  return input === undefined ? undefined : input + (output ?? 0);
}

function sum(values: readonly number[] | undefined): number | undefined {
  return values === undefined || values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0);
}

function onlyOne(values: readonly number[] | undefined): number | undefined {
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0] : undefined;
}
