import { t } from '../language/language.ts';
import type { CompressionState, EntryState, MessageEntry } from '../protocol/entries.ts';
import type { QuestionState, ViewState } from '../protocol/viewState.ts';
import { titleOfRun } from './conversation/compression.ts';

/** How much of a reply is announced, characters; the rest can be read in its row. */
const LONGEST = 2000;

/**
 * The polite announcement for screen readers when `next` follows `shown`: finished replies, and compressions that ended,
 * were undone or redone. Empty if there is nothing to announce, for example because another conversation or the other
 * side is shown, or the reader went to earlier messages.
 */
export function announce(shown: ViewState | undefined, next: ViewState): string {
  if (shown?.conversation === undefined || shown.conversation.id !== next.conversation?.id) return '';
  if (next.question !== undefined && next.question.id !== shown.question?.id) return describeQuestion(next.question);
  if (shown.shows !== next.shows) return '';
  const { last } = next.contents ?? {};
  if (last !== undefined && shown.contents !== undefined && last.id !== shown.contents.last?.id) return `${last.text}.`;
  if (shown.later > 0 || next.later > 0) return announceElsewhere(shown, next);
  if (next.earlier < shown.earlier) return '';
  const newest = shown.entries.findLast(isReply)?.to ?? -1;
  const replies = next.entries
    .filter(isReply)
    .filter(({ to, text }) => to > newest && text.trim() !== '')
    .map(({ text }) => text.trim().slice(0, LONGEST).toWellFormed());
  return [...announceRuns(shown, next), ...replies].join('\n');
}

function describeQuestion(question: QuestionState): string {
  if (question.kind === 'edit') return t('The agent asks whether it may change {0}.', question.path);
  if (question.kind === 'command') return t('The agent asks whether it may run {0}.', question.command);
  return t('The agent asks whether it may call {0}.', question.tool);
}

/** The compressions that were made, redone or undone since. */
function announceRuns(shown: ViewState, next: ViewState): readonly string[] {
  const before = shown.entries.flatMap(runsOf).filter(({ undone }) => !undone);
  return next.entries
    .flatMap(runsOf)
    .filter(({ id, undone }) => undone === before.some((run) => run.id === id))
    .map((run) =>
      run.undone || run.isManual
        ? `${titleOfRun(run)}.`
        : t('Compressed from {0} to {1} tokens.', run.before, run.after),
    );
}

/** For a reader whose rows do not reach the end and so do not include what is new. */
function announceElsewhere(shown: ViewState, next: ViewState): string {
  const hasCompressed = next.compressions.length > shown.compressions.length;
  const wasAtWork = shown.activity.kind !== 'idle' && shown.activity.kind !== 'compacting';
  const hasFinished = wasAtWork && next.activity.kind === 'idle';
  const told = [hasCompressed && t('The conversation was compressed.'), hasFinished && t('The agent has finished.')];
  return told.filter((words) => words !== false).join('\n');
}

/** A reply that is finished. */
function isReply(entry: EntryState): entry is MessageEntry {
  return entry.kind === 'message' && entry.role === 'assistant' && !entry.streaming;
}

function runsOf(entry: EntryState): readonly CompressionState[] {
  return entry.kind === 'compression' ? [entry.run] : [];
}
