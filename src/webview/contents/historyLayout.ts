import type { HistoryPointState } from '../../protocol/contents.ts';

/**
 * Lays out a chart of 100 by 100 with the origin at the upper left: the paths of the figures, and the place of each point.
 * Points are at equal distances, oldest first, whatever time was between them.
 */
export function layoutHistory(points: readonly HistoryPointState[]) {
  const top = Math.max(1, ...points.map(({ tokens, before = 0, limit }) => Math.max(tokens, before, limit))) * 1.05;
  const step = 100 / Math.max(1, points.length - 1);
  const xOf = (index: number): number => round(index * step);
  const yOf = (tokens: number): number => round(100 - (tokens / top) * 100);
  /** A line through the figures of each point. */
  const draw = (figuresOf: (point: HistoryPointState) => readonly number[]): string => {
    const places = points.flatMap((point, index) => figuresOf(point).map((figure) => `${xOf(index)} ${yOf(figure)}`));
    return places.length === 0 ? '' : `M${places.join('L')}`;
  };
  return {
    tokens: draw(heightsOf),
    limit: draw(({ limit }) => [limit]),
    trigger: draw(({ trigger }) => [trigger]),
    points: points.map(({ kind, tokens }, index) => ({ kind, x: xOf(index), y: yOf(tokens) })),
  };
}

/** A compression is a vertical line from before to after; a point without tokens is not part of the line. */
function heightsOf({ kind, tokens, before }: HistoryPointState): number[] {
  if (kind === 'error' || kind === 'model') return [];
  return before === undefined ? [tokens] : [before, tokens];
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}
