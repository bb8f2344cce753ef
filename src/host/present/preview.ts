import type { CompactionPreview, PreviewRow, WhyKept } from '../../core/compaction/preview/preview.ts';
import { t } from '../../core/language.ts';
import { type Block, findHolding, rangeLength } from '../../core/messages/blocks.ts';
import { handleOf } from '../../core/messages/handle.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { Transcript } from '../../core/messages/transcript.ts';
import type { PreviewGroup, PreviewPlan, PreviewRowState } from '../../protocol/preview.ts';
import { describeRejected } from './receipt.ts';
import { cut, subjectOf } from './rows.ts';
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
/** Characters of a row's label. */
const LONGEST_LABEL = 120;

const FATES: readonly PreviewGroup['fate'][] = ['summarized', 'dropped', 'shortened', 'aside', 'chosen', 'kept'];

/** Why a row stays, in a few words, and why the user cannot choose what becomes of it. */
function reasonsOf({ why, isSummary }: PreviewRow): Pick<PreviewRowState, 'why' | 'fixed'> {
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
    fixed: fixed ?? (isSummary ? t('The compression decides about earlier summaries itself.') : undefined),
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
  fate: PreviewGroup['fate'],
  members: readonly PreviewRow[],
  all: readonly PreviewRow[],
  given: Given,
): PreviewGroup {
  // The messages of a shortened block that are not themselves shortened count as kept.
  const counted = fate === 'kept' ? [...members, ...all.filter((row) => row.shortened !== undefined)] : members;
  return {
    fate,
    tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
    messages: counted
      .filter(({ isSummary, fate: own }) => !(isSummary && own === 'kept'))
      .reduce(
        (sum, { range, shortened = 0 }) => sum + (fate === 'shortened' ? shortened : rangeLength(range) - shortened),
        0,
      ),
    rows: largestOf(members, given.mostRows).map((row) => presentRow(row, given)),
    more: Math.max(0, members.length - given.mostRows),
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
): Pick<PreviewRowState, 'kept' | 'fixed'> {
  const { range, why, fate } = row;
  const { fixed } = reasonsOf(row);
  // If no plan could be made with the user's choices, the row comes from a plan with earlier choices.
  const isKept = fate === 'aside' || (fate === 'kept' && why !== 'chosen');
  return {
    kept: keep.has(range.from) || (isKept && (fixed !== undefined || !aside.has(range.from))),
    fixed,
  };
}

function presentRow(row: PreviewRow, given: Given): PreviewRowState {
  const { range, tokens, tokensAfter, isSummary } = row;
  const { blocks } = given.transcript;
  const block = blocks[findHolding(blocks, range.from)];
  return {
    ...range,
    ...(isSummary || block === undefined ? { label: t('Summary of {0}', handleOf(range)) } : labelOf(block)),
    tokens,
    after: tokensAfter,
    why: reasonsOf(row).why,
    ...presentBox(row, given),
  };
}

/** What a block is, in one line. */
function labelOf(block: Block): Pick<PreviewRowState, 'label' | 'path'> {
  switch (block.kind) {
    case 'system':
      return { label: firstLine(block.message.text) };
    case 'user':
      return { label: t('You: {0}', firstLine(block.messages[0].text)) };
    case 'assistant':
      return { label: t('Assistant: {0}', firstLine(block.messages[0].text)) };
    case 'stray':
      return { label: t('Result without a call') };
    case 'tools': {
      const [first, ...others] = block.messages[0].calls;
      if (first === undefined) return { label: t('Call') };
      const { target, file } = subjectOf(first);
      const name = cut(first.name, LONGEST_LABEL);
      if (file !== undefined && others.length === 0) return { label: `${name} ${target}`, path: target };
      return { label: cut(`${name} ${target}${others.length > 0 ? ` +${others.length}` : ''}`, LONGEST_LABEL) };
    }
  }
}

function firstLine(text: string): string {
  return cut(text.trimStart().split('\n', 1)[0]?.trim() ?? '', LONGEST_LABEL);
}

function remarksOf({ rejected, withoutNote, unchecked }: CompactionPreview): string[] {
  const remarks: string[] = [];
  if (withoutNote !== undefined) remarks.push(t('A summary by the model was left out. {0}', withoutNote));
  if (unchecked !== undefined) remarks.push(t("The model's check of its summary is incomplete. {0}", unchecked));
  if (rejected.length > 0)
    remarks.push(describeRejected(rejected, rejected.map((text) => t('“{0}”', cut(text, LONGEST_LABEL))).join(', ')));
  return remarks;
}
