import type { Compaction } from '../../core/compaction/compaction.ts';
import type { Receipt } from '../../core/compaction/receipt.ts';
import { unfence } from '../../core/messages/fence.ts';
import { handleOf } from '../../core/messages/handle.ts';
import { contentText } from '../../core/messages/parse.ts';
import type { SummaryState } from '../../protocol/viewState.ts';
import { formatPercent, formatTokens, TRIGGER_WORDS } from './words.ts';

/** Why no summary can be undone now; absent when they can. */
export type UndoBlock = 'read-only' | 'busy';

const UNDO_HINTS: Readonly<Record<UndoBlock, string>> = {
  'read-only': 'This conversation is read-only here: take it over first.',
  busy: 'Karl is at work: wait or cancel first.',
};

/** The longest text of one summary in a snapshot, characters; what is cut is named. */
const LONGEST_TEXT = 20_000;

/** The compactions as shown, newest first. */
export function presentSummaries(compactions: readonly Compaction[], blocked?: UndoBlock): readonly SummaryState[] {
  return [...compactions].reverse().map((compaction) => presentSummary(compaction, blocked));
}

function presentSummary(compaction: Compaction, blocked: UndoBlock | undefined): SummaryState {
  const { receipt } = compaction;
  return {
    id: compaction.id,
    at: new Date(compaction.at).toISOString(),
    trigger: TRIGGER_WORDS[compaction.trigger],
    strategy: compaction.strategy,
    rungs: receipt.rungs,
    before: receipt.tokensBefore,
    after: receipt.tokensAfter,
    ...(receipt.limitTokens !== undefined && { limit: receipt.limitTokens }),
    ms: receipt.ms,
    ...(receipt.model !== undefined && { model: receipt.model }),
    text: readNotes(compaction),
    transcriptLength: compaction.transcriptLength,
    receipt: describeReceipt(receipt),
    canUndo: blocked === undefined,
    ...(blocked !== undefined && { undoHint: UNDO_HINTS[blocked] }),
  };
}

/** The notes of a compaction as people read them, without their fences; shortened messages are named by handle. */
export function readNotes(compaction: Compaction): string {
  const written: string[] = [];
  const shortened: string[] = [];
  for (const { range, by } of compaction.replacements) {
    if (by.kind === 'shortened') shortened.push(handleOf(range));
    else written.push(...by.messages.map(contentText).map((content) => unfence(content) ?? content));
  }
  if (shortened.length > 0) written.push(`Shortened in place: [${shortened.join(', ')}]`);
  const text = written.join('\n\n');
  if (text.length <= LONGEST_TEXT) return text;
  const left = formatTokens(text.length - LONGEST_TEXT);
  return `${text.slice(0, LONGEST_TEXT).toWellFormed()}\n… ${left} more characters in the conversation`;
}

/** The receipt in sentences: what was kept, shortened, removed, repaired, saved, and what it cost. */
export function describeReceipt(receipt: Receipt): readonly string[] {
  const { whole, shortened, replaced } = receipt.messages;
  const saved = receipt.tokensBefore - receipt.tokensAfter;
  const sentences = [
    `Saved ${formatTokens(saved)} tokens of every request from now on${describeShares(receipt)}.`,
    `Messages: ${whole} whole, ${shortened} shortened, ${replaced} replaced; everything removed can be recalled.`,
    receipt.promise === 'facts-in-view'
      ? 'Constraints, to-dos, changed files and the newest error are in the request word for word.'
      : 'This strategy promises handles only: facts of what was removed are found by recall.',
  ];
  if (receipt.aim === 'half') sentences.push('It was below the target already: half of what was used was aimed at.');
  const kept = receipt.facts.reduce((sum, fact) => sum + fact.kept, 0);
  const behind = receipt.facts.reduce((sum, fact) => sum + fact.behindHandle, 0);
  if (kept + behind > 0) sentences.push(`Facts: ${kept} in the request, ${behind} behind handles.`);
  if (receipt.rejected.length > 0)
    sentences.push(`Not found in the conversation and left out of the summary: ${listSome(receipt.rejected)}.`);
  if (receipt.withoutNote !== undefined) sentences.push(`A summary by the model was left out. ${receipt.withoutNote}`);
  if (receipt.unverified > 0) sentences.push(`Marked as unverified: ${receipt.unverified} statements.`);
  if (receipt.fellBackFrom !== undefined)
    sentences.push(`The strategy ${receipt.fellBackFrom} failed; the fallback ${receipt.strategy} ran.`);
  sentences.push(
    `Beginning left unchanged for the provider's cache: ${formatTokens(receipt.prefixKept * receipt.tokensBefore)} tokens.`,
    describeCost(receipt),
  );
  return sentences;
}

/** How much of the budget was used before and after: the gauge's own figures, and its base. */
export function describeShares({ tokensBefore, tokensAfter, limitTokens }: Receipt): string {
  if (limitTokens === undefined) return '';
  const [before, after] = [tokensBefore, tokensAfter].map((tokens) => formatPercent(tokens, limitTokens));
  return `, ${before} → ${after} of the budget`;
}

/** How many facts a sentence of the receipt names. */
const NAMED_FACTS = 5;

function listSome(facts: readonly string[]): string {
  const named = facts.slice(0, NAMED_FACTS).map((fact) => `“${fact.length > 80 ? `${fact.slice(0, 79)}…` : fact}”`);
  return facts.length > NAMED_FACTS ? `${named.join(', ')} and ${facts.length - NAMED_FACTS} more` : named.join(', ');
}

function describeCost(receipt: Receipt): string {
  const ms = `${formatTokens(receipt.ms)} ms`;
  if (receipt.modelCalls === 0) return `Cost: ${ms}, no model was asked.`;
  const tokens =
    receipt.modelTokens === undefined
      ? ''
      : `, ${formatTokens(receipt.modelTokens.input)} tokens in and ${formatTokens(receipt.modelTokens.output)} out`;
  const calls = receipt.modelCalls === 1 ? '1 request' : `${receipt.modelCalls} requests`;
  return `Cost: ${ms}, ${calls} to ${receipt.model ?? 'the model'}${tokens}.`;
}
