import type { ListRow } from '../../../src/protocol/list.ts';
import type { ChartPoint, ContentsState } from '../../../src/protocol/viewState.ts';

const row = (label: string, tokens: number, fields: Partial<ListRow> = {}): ListRow => ({
  key: label,
  label,
  tokens,
  note: '',
  at: { from: 12, to: 12 },
  pins: [fields.at?.from ?? 12],
  ...fields,
});
const drop = (tokens: number, ...ids: number[]) => ({ act: 'dropped', ids, tokens }) as const;
const shorten = (tokens: number, ...ids: number[]) => ({ act: 'shortened', ids, tokens }) as const;
const restore = (tokens: number, ...ids: number[]) => ({ restored: { act: 'restored', ids, tokens } }) as const;
const { at: _none, ...file } = row('src/week.ts', 4100, {
  path: 'src/week.ts',
  note: '2 readings',
  acts: { shortened: shorten(3700, 12, 13), dropped: drop(4040, 12, 13) },
  pins: [12, 13],
});
const REFUSED = {
  shortened: 'Already short: there is nothing to leave out.',
  dropped: 'Nothing to save: the line in its place would be just as long.',
};

const ASIDE = row('Messages 1 to 40', 21_000, {
  at: { from: 1, to: 40 },
  note: 'summarized',
  pins: [],
  acts: restore(21_000, 1, 2),
  rows: [
    row('read_file src/cookie.ts', 16_000, {
      path: 'src/cookie.ts',
      note: 'summarized',
      pins: [],
      at: { from: 2, to: 3 },
      acts: restore(16_000, 2),
    }),
    row('The login test is flaky.', 5000, {
      note: 'summarized',
      pins: [],
      at: { from: 1, to: 1 },
      acts: restore(5000, 1),
    }),
  ],
});

const point = (...tokens: number[]): ChartPoint => ({ tokens, limit: 14_336, trigger: 11_469 });

/** Requests with a compression, an undo, a redo, an error and a change of the model among them. */
const CHART: readonly ChartPoint[] = [
  ...Array.from({ length: 24 }, (_, index) => point(2000 + index * 400)),
  ...[point(11_600, 6870), point(6870, 11_600), point(11_600, 6870), point(7200), point()],
  ...[[], [9000], [13_940, 12_408]].map((tokens) => ({ tokens, limit: 20_000, trigger: 16_000 })),
];

/** Contents as they look in the middle of work. */
export const CONTENTS: ContentsState = {
  groups: [
    {
      kind: 'files',
      label: 'Files read',
      tokens: 5300,
      rows: [
        {
          ...file,
          rows: [
            row('src/week.ts', 2900, {
              path: 'src/week.ts',
              note: 'outdated',
              acts: { shortened: shorten(2700, 12), dropped: drop(2870, 12) },
            }),
            row('src/week.ts:1-40', 1200, {
              path: 'src/week.ts:1-40',
              at: { from: 13, to: 13 },
              acts: { shortened: shorten(1000, 13), dropped: drop(1170, 13) },
            }),
          ],
        },
        row('src/session/a_file_with_a_very_long_name_indeed.ts', 1200, {
          path: 'src/session/a_file_with_a_very_long_name_indeed.ts',
          note: 'shortened, outdated',
          pinned: true,
        }),
      ],
      more: 3,
      outdated: drop(3900, 12, 20),
    },
    {
      kind: 'results',
      label: 'Tool results',
      tokens: 3100,
      rows: [
        row('run_command npm test', 3100, { acts: { shortened: shorten(2900, 15), dropped: drop(3070, 15) } }),
        row('edit_file src/week.ts', 12, { at: { from: 17, to: 17 }, acts: REFUSED }),
      ],
      more: 0,
    },
    {
      kind: 'instructions',
      label: 'Instructions',
      tokens: 1204,
      rows: [row('You are an agent', 1204, { pins: [] })],
      more: 0,
    },
    { kind: 'tools', label: 'Tool definitions', tokens: 846, rows: [], more: 0 },
    { kind: 'aside', label: 'Set aside', tokens: 21_000, more: 0, rows: [ASIDE] },
    {
      kind: 'history',
      label: 'Tokens of each request',
      tokens: 12_408,
      more: 0,
      rows: [
        row('14:31 · Changed by you: 13,940 → 12,408 tokens', 12_408, { at: { from: 31, to: 31 }, pins: [] }),
        row('14:30 · Request: 9,000 tokens, 45% of the budget', 9000, { at: { from: 30, to: 30 }, pins: [] }),
      ],
    },
  ],
  last: { id: 'c9', text: 'Dropped: 13,940 → 12,408 tokens' },
  chart: CHART,
};
