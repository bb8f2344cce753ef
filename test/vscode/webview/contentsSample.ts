import type { ContentRow, ContentsState } from '../../../src/protocol/contents.ts';

const row = (label: string, tokens: number, fields: Partial<ContentRow> = {}): ContentRow => ({
  key: label,
  label,
  tokens,
  note: '',
  at: { from: 12, to: 12 },
  pinned: false,
  acts: [],
  rows: [],
  ...fields,
});
const drop = (tokens: number, ...ids: number[]) => ({ act: 'dropped', ids, tokens }) as const;
const shorten = (tokens: number, ...ids: number[]) => ({ act: 'shortened', ids, tokens }) as const;
const restore = (tokens: number, ...ids: number[]) => ({ act: 'restored', ids, tokens }) as const;
const { at: _none, ...file } = row('src/week.ts', 4100, {
  note: '2 readings',
  acts: [shorten(3700, 12, 13), drop(4040, 12, 13)],
  outdated: drop(2870, 12),
});

const ASIDE = row('Messages 1 to 40', 21_000, {
  note: 'summarized',
  acts: [restore(21_000, 1, 2)],
  rows: [
    row('read_file src/cookie.ts', 16_000, { note: 'summarized', at: { from: 2, to: 3 }, acts: [restore(16_000, 2)] }),
    row('The login test is flaky.', 5000, { note: 'summarized', at: { from: 1, to: 1 }, acts: [restore(5000, 1)] }),
  ],
});

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
            row('src/week.ts', 2900, { note: 'outdated', acts: [shorten(2700, 12), drop(2870, 12)] }),
            row('src/week.ts:1-40', 1200, {
              at: { from: 13, to: 13 },
              acts: [shorten(1000, 13), drop(1170, 13)],
            }),
          ],
        },
        row('src/session/a_file_with_a_very_long_name_indeed.ts', 1200, { note: 'shortened, outdated', pinned: true }),
      ],
      more: 3,
      outdated: drop(3900, 12, 20),
    },
    {
      kind: 'results',
      label: 'Tool results',
      tokens: 3100,
      rows: [row('run_command npm test', 3100, { acts: [shorten(2900, 15), drop(3070, 15)] })],
      more: 0,
    },
    { kind: 'instructions', label: 'Instructions', tokens: 1204, rows: [row('You are an agent', 1204)], more: 0 },
    { kind: 'tools', label: 'Tool definitions', tokens: 846, rows: [], more: 0 },
    { kind: 'aside', label: 'Set aside', tokens: 21_000, more: 0, rows: [ASIDE] },
  ],
  last: { id: 'c9', text: 'Dropped: 13,940 → 12,408 tokens' },
  forecast: { perTurn: 1240, turnsLeft: 6 },
};
