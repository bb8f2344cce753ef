import { findHolding, rangeLength } from '../../core/chat/blocks.ts';
import { handleOf } from '../../core/chat/handle.ts';
import type { MessageId } from '../../core/chat/message.ts';
import type { Transcript } from '../../core/chat/transcript.ts';
import type { CompactionPreview, PreviewRow, WhyKept } from '../../core/compaction/preview/preview.ts';
import { t } from '../../language/language.ts';
import type { Fate, ListGroup, ListRow } from '../../protocol/list.ts';
import type { PreviewPlan } from '../../protocol/preview.ts';
import { describeBlock, LONGEST_LABEL } from './contentParts.ts';
import { describeRejected } from './receipt.ts';
import { cut } from './rows.ts';
import { knownLimit } from './words.ts';

/** What is shown of a preview, and what the user changed. */
interface PreviewInput {
  readonly preview: CompactionPreview;
  readonly transcript: Pick<Transcript, 'messages' | 'blocks'>;
  /** What the user keeps and sets aside; shown even when no plan could be made with it. */
  readonly keep: ReadonlySet<MessageId>;
  readonly aside: ReadonlySet<MessageId>;
  /** The first messages of the summaries that the user wrote. */
  readonly edited: ReadonlySet<MessageId>;
  readonly mostRows: number;
}

/** The most rows of a group at first, and how many more each "Show more" adds. */
export const PREVIEW_ROWS = 200;

const FATES: readonly Fate[] = ['summarized', 'dropped', 'shortened', 'aside', 'chosen', 'kept'];

function labelOf(fate: Fate): string {
  const words: Readonly<Record<Fate, string>> = {
    summarized: t('Summarized'),
    dropped: t('Dropped'),
    shortened: t('Shortened'),
    aside: t('Set aside by you'),
    chosen: t('Kept by you'),
    kept: t('Kept'),
  };
  return words[fate];
}

/** Why a row stays, in a few words, and why the user cannot choose what becomes of it. */
function reasonsOf({ why, isSummary }: PreviewRow): { readonly why: string; readonly fixed: string | undefined } {
  const reasons: Readonly<Partial<Record<WhyKept, readonly [kept: string, fixed?: string]>>> = {
    prompt: [t('system prompt'), t('Instructions always stay whole.')],
    request: [t('current request'), t('Your current request always stays whole.')],
    running: [t('still running'), t('The call is still running.')],
    unread: [t('not read by the model yet'), t('The model has not read this yet: it stays whole if it fits.')],
    pinned: [t('pinned'), t('Pinned: no compression changes this message')],
    summary: [t('earlier summary')],
    later: ['', t('Only messages before the chosen one are compressed.')],
    short: ['', t('Setting this aside would save nothing.')],
  };
  const [kept = '', fixed] = (why && reasons[why]) ?? [];
  return {
    why: kept,
    fixed: fixed ?? (isSummary ? t('The compression decides what becomes of earlier summaries.') : undefined),
  };
}

/** What a compression would do, as it is shown. */
export function presentPreview({ preview, edited, ...given }: PreviewInput): PreviewPlan {
  const { rows, notes, tokensBefore, tokensAfter, limitTokens } = preview;
  return {
    before: tokensBefore,
    after: tokensAfter,
    limit: knownLimit(limitTokens),
    groups: FATES.flatMap((fate) => {
      const members = rows.filter((row) => (row.why === 'chosen' ? 'chosen' : row.fate) === fate);
      return members.length === 0 ? [] : [presentGroup(fate, members, rows, given)];
    }),
    summaries: notes.map(({ range, head, body, state }) => ({
      ...range,
      head,
      text: body,
      state,
      edited: edited.has(range.from),
    })),
    remarks: remarksOf(preview),
    transcriptLength: given.transcript.messages.length,
  };
}

type Given = Omit<PreviewInput, 'preview' | 'edited'>;

function presentGroup(
  fate: Fate,
  members: readonly PreviewRow[],
  all: readonly PreviewRow[],
  given: Given,
): ListGroup<Fate> {
  // The messages of a shortened block that are not themselves shortened count as kept.
  const counted = fate === 'kept' ? [...members, ...all.filter((row) => row.shortened !== undefined)] : members;
  const messages = counted
    .filter(({ isSummary, fate: own }) => !(isSummary && own === 'kept'))
    .reduce(
      (sum, { range, shortened = 0 }) => sum + (fate === 'shortened' ? shortened : rangeLength(range) - shortened),
      0,
    );
  return {
    kind: fate,
    label: labelOf(fate),
    note: messages === 1 ? t('1 message') : t('{0} messages', messages),
    tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
    rows: largestOf(members, given.mostRows).map((row) => presentRow(row, given)),
    more: Math.max(0, members.length - given.mostRows),
    open: fate === 'aside' || fate === 'chosen',
  };
}

/** The largest rows of a group that has too many, in the order of the conversation. */
function largestOf(rows: readonly PreviewRow[], most: number): readonly PreviewRow[] {
  if (rows.length <= most) return rows;
  const largest = rows.toSorted((one, other) => other.tokens - one.tokens).slice(0, most);
  return largest.sort((one, other) => one.range.from - other.range.from);
}

/** Whether a row's box is checked, and why the user cannot change it. */
export function presentBox(
  row: PreviewRow,
  { keep, aside }: Pick<PreviewInput, 'keep' | 'aside'>,
): NonNullable<ListRow['box']> {
  const { range, why, fate } = row;
  const { fixed } = reasonsOf(row);
  // If no plan could be made with the user's choices, the row comes from a plan with earlier choices.
  const isKept = fate === 'aside' || (fate === 'kept' && why !== 'chosen');
  return {
    kept: keep.has(range.from) || (isKept && (fixed !== undefined || !aside.has(range.from))),
    fixed,
  };
}

function presentRow(row: PreviewRow, given: Given): ListRow {
  const { range, tokens, tokensAfter, isSummary } = row;
  const { blocks } = given.transcript;
  const block = blocks[findHolding(blocks, range.from)];
  return {
    key: String(range.from),
    at: range,
    ...(isSummary || block === undefined ? { label: t('Summary of {0}', handleOf(range)) } : describeBlock(block)),
    tokens,
    after: tokensAfter,
    note: reasonsOf(row).why,
    box: presentBox(row, given),
  };
}

function remarksOf({ rejected, withoutNote, unchecked }: CompactionPreview): string[] {
  const remarks: string[] = [];
  if (withoutNote !== undefined) remarks.push(t('A summary by the model was left out. {0}', withoutNote));
  if (unchecked !== undefined) remarks.push(t("The model's check of its summary is incomplete. {0}", unchecked));
  if (rejected.length > 0)
    remarks.push(describeRejected(rejected, rejected.map((text) => t('“{0}”', cut(text, LONGEST_LABEL))).join(', ')));
  return remarks;
}
