import type { HistoryPointState } from '../../protocol/contents.ts';

/**
 * Lays out a chart of 100 by 100 with the origin at the upper left: the paths of the figures, and the place of each point.
 * Points are at equal distances, oldest first, whatever time was between them.
 */
export function layoutHistory(points: readonly HistoryPointState[]) {
  const top = Math.max(1, ...points.map(({ tokens, before = 0, limit }) => Math.max(tokens, before, limit))) * 1.05;
  const step = 100 / Math.max(1, points.length - 1);
  const xOf = (index: number): number => (points.length === 1 ? 50 : index * step);
  const yOf = (tokens: number): number => 100 - (tokens / top) * 100;
  return {
    tokens: line(
      points.flatMap((point, index) => heightsOf(point).map((tokens) => [xOf(index), yOf(tokens)] as const)),
    ),
    limit: stairs(points, ({ limit }) => limit, { xOf, yOf }),
    trigger: stairs(points, ({ trigger }) => trigger, { xOf, yOf }),
    points: points.map(({ kind, tokens }, index) => ({ kind, x: xOf(index), y: yOf(tokens) })),
  };
}

/** A compression is a vertical line from before to after; a point without tokens is not part of the line. */
function heightsOf({ kind, tokens, before }: HistoryPointState): number[] {
  if (kind === 'error' || kind === 'model') return [];
  return before === undefined ? [tokens] : [before, tokens];
}

function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

/** A stepped line from edge to edge. */
function stairs(
  points: readonly HistoryPointState[],
  figureOf: (point: HistoryPointState) => number,
  { xOf, yOf }: Readonly<Record<'xOf' | 'yOf', (figure: number) => number>>,
): string {
  const corners: (readonly [number, number])[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    const y = yOf(figureOf(point));
    if (before === undefined) corners.push([0, y]);
    else if (figureOf(before) !== figureOf(point)) corners.push([xOf(index), yOf(figureOf(before))], [xOf(index), y]);
  }
  const [, last = 0] = corners.at(-1) ?? [];
  return line([...corners, [100, last]]);
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}
