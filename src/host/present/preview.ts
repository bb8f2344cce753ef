import type { CompactionPreview, PreviewRow, WhyKept } from '../../core/compaction/preview/preview.ts';
import { retell, t } from '../../core/language.ts';
import { type Block, findHolding } from '../../core/messages/blocks.ts';
import { handleOf } from '../../core/messages/handle.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { Transcript } from '../../core/messages/transcript.ts';
import type { PreviewGroup, PreviewPlan, PreviewRowState } from '../../protocol/preview.ts';
import { subjectOf } from './callRow.ts';
import { cut } from './rows.ts';

/** What is shown of a preview, and what the user changed. */
export interface PreviewInput {
  readonly preview: CompactionPreview;
  readonly transcript: Pick<Transcript, 'messages' | 'blocks'>;
  readonly keep: ReadonlySet<MessageId>;
  /** The first messages of the summaries that the user wrote. */
  readonly edited: ReadonlySet<MessageId>;
}

/** The most rows of a group. */
const MOST_ROWS = 200;
/** Characters of a row's label. */
const LONGEST_LABEL = 120;

const FATES: readonly PreviewGroup['fate'][] = ['replaced', 'shortened', 'chosen', 'kept'];

function whyKept(why: WhyKept | undefined): string {
  switch (why) {
    case 'prompt':
      return t('system prompt');
    case 'pinned':
      return t('pinned');
    case 'request':
      return t('current request');
    case 'running':
      return t('still running');
    case 'summary':
      return t('earlier summary');
    case 'chosen':
    case 'later':
    case 'not-needed':
    case undefined:
      return '';
  }
}

/** What a compression would do, as it is shown. */
export function presentPreview({ preview, transcript, keep, edited }: PreviewInput): PreviewPlan {
  const { rows, notes, tokensBefore, tokensAfter, limitTokens } = preview;
  return {
    before: tokensBefore,
    after: tokensAfter,
    limit: limitTokens,
    groups: FATES.flatMap((fate) => {
      const members = rows.filter((row) => (row.why === 'chosen' ? 'chosen' : row.fate) === fate);
      return members.length === 0 ? [] : [presentGroup(fate, members, { transcript, keep })];
    }),
    summaries: notes.map(({ range, head, body, state }) => ({
      ...range,
      head,
      text: body,
      state,
      edited: edited.has(range.from),
    })),
    remarks: remarksOf(preview),
    transcriptLength: transcript.messages.length,
  };
}

type Given = Pick<PreviewInput, 'transcript' | 'keep'>;

function presentGroup(fate: PreviewGroup['fate'], members: readonly PreviewRow[], given: Given): PreviewGroup {
  return {
    fate,
    tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
    rows: members.slice(0, MOST_ROWS).map((row) => presentRow(row, given)),
    more: Math.max(0, members.length - MOST_ROWS),
  };
}

function presentRow({ range, tokens, tokensAfter, why, isSummary, fate }: PreviewRow, given: Given): PreviewRowState {
  const { blocks } = given.transcript;
  const block = blocks[findHolding(blocks, range.from)];
  const isFree = !isSummary && (fate !== 'kept' || why === 'chosen');
  return {
    ...range,
    label: isSummary || block === undefined ? t('Summary of {0}', handleOf(range)) : labelOf(block),
    tokens,
    ...(tokensAfter !== undefined && { after: tokensAfter }),
    why: whyKept(why),
    choice: isFree ? (given.keep.has(range.from) ? 'kept' : 'free') : 'none',
  };
}

/** What a block is, in one line. */
function labelOf(block: Block): string {
  switch (block.kind) {
    case 'system':
      return t('System prompt');
    case 'user':
      return t('You: {0}', firstLine(block.messages[0].text));
    case 'assistant':
      return t('Assistant: {0}', firstLine(block.messages[0].text));
    case 'stray':
      return t('Result without a call');
    case 'tools': {
      const [first, ...others] = block.messages[0].calls;
      if (first === undefined) return t('Call');
      return cut(
        `${first.name} ${subjectOf(first).target}${others.length > 0 ? ` +${others.length}` : ''}`,
        LONGEST_LABEL,
      );
    }
  }
}

function firstLine(text: string): string {
  return cut(text.trimStart().split('\n', 1)[0]?.trim() ?? '', LONGEST_LABEL);
}

function remarksOf({ rejected, withoutNote }: CompactionPreview): string[] {
  const remarks: string[] = [];
  if (withoutNote !== undefined) remarks.push(t('A summary by the model was left out. {0}', retell(withoutNote)));
  if (rejected.length > 0)
    remarks.push(
      t(
        'Removed from the summary, since the conversation does not have it: {0}.',
        rejected.map((text) => t('“{0}”', cut(text, LONGEST_LABEL))).join(', '),
      ),
    );
  return remarks;
}
