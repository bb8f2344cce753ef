import type { ContentGroup, ContentRow, ContentsState, RowAct } from '../../protocol/contents.ts';

/**
 * What fills the window, in tokens of the gauge, so that the sources add up to its figure. `by`: tokens of the gauge
 * for each counted token.
 */
export function scaleContents<Contents extends Pick<ContentsState, 'groups' | 'forecast'>>(
  contents: Contents,
  by: number,
): Contents {
  if (by === 1) return contents;
  const tokens = (of: { readonly tokens: number }) => ({ tokens: Math.round(of.tokens * by) });
  const scaleAct = (act: RowAct): RowAct => ({ ...act, ...tokens(act) });
  const outdated = (of: ContentRow | ContentGroup) => of.outdated && { outdated: scaleAct(of.outdated) };
  const scaleRow = (row: ContentRow): ContentRow => ({
    ...row,
    ...tokens(row),
    ...outdated(row),
    acts: row.acts.map(scaleAct),
    rows: row.rows.map(scaleRow),
  });
  const scaleGroup = (group: ContentGroup): ContentGroup => ({
    ...group,
    ...tokens(group),
    ...outdated(group),
    rows: group.rows.map(scaleRow),
  });
  const { forecast } = contents;
  return {
    ...contents,
    groups: contents.groups.map(scaleGroup),
    ...(forecast && { forecast: { ...forecast, perTurn: forecast.perTurn * by } }),
  };
}
