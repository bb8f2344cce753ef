import type { CompactionResult, Receipt } from '../../core/compaction/compaction.ts';
import { netGain } from '../../core/compaction/compaction.ts';
import { language, t, translate } from '../../language/language.ts';
import { formatPercent } from './words.ts';

/** The receipt in sentences: what was kept, shortened, removed, repaired, saved, and what it cost. */
export function describeReceipt(receipt: Receipt): readonly string[] {
  if (receipt.strategy === 'agent') return describeAgents(receipt);
  const { withoutNote, unchecked, strategy, fellBackFrom, fellBackBecause = '' } = receipt;
  const { whole, shortened, replaced } = receipt.messages;
  const saved = receipt.tokensBefore - receipt.tokensAfter;
  const sentences = [
    saved < 0
      ? t('Takes {0} more tokens of every request from now on.', -saved)
      : t('Saved {0} tokens of every request from now on.', saved),
    ...(receipt.freedAlone === undefined
      ? []
      : [t('{0} freed {1} tokens, the rest came from {2}.', strategy, receipt.freedAlone, 'adaptive')]),
    t(
      'The whole conversation now: {0} messages kept, {1} shortened, {2} summarized or dropped; their originals can be recalled.',
      whole,
      shortened,
      replaced,
    ),
    strategy === 'manual'
      ? t('You chose what to change: nothing else was touched.')
      : receipt.promise === 'facts-in-view'
        ? t('Rules, to-dos, changed files and the latest error are in the request word for word.')
        : t('This strategy keeps handles only. The model can look up removed facts through recall.'),
  ];
  if (receipt.instructions !== undefined) sentences.push(t('You asked: “{0}”.', receipt.instructions));
  if (receipt.aim === 'half')
    sentences.push(t('The target called for little or no saving, so Karl aimed at half of what was used.'));
  const kept = receipt.facts.reduce((sum, fact) => sum + fact.kept, 0);
  const behind = receipt.facts.reduce((sum, fact) => sum + fact.behindHandle, 0);
  if (kept + behind > 0) sentences.push(t('Facts: {0} in the request, {1} behind handles.', kept, behind));
  if (receipt.rejected.length > 0) sentences.push(describeRejected(receipt.rejected, listSome(receipt.rejected)));
  if (withoutNote !== undefined) sentences.push(t('A summary by the model was left out. {0}', withoutNote));
  if (unchecked !== undefined) sentences.push(t("The model's check of its summary is incomplete. {0}", unchecked));
  if (receipt.unverified > 0) sentences.push(t('Statements marked as unverified: {0}.', receipt.unverified));
  if (fellBackFrom !== undefined)
    sentences.push(t('The fallback {0} ran, not {1}. {2}', strategy, fellBackFrom, fellBackBecause).trim());
  sentences.push(describeCache(receipt), describeCost(receipt), describeNet(receipt));
  return sentences;
}

/** What another agent did itself: nothing was checked, and nothing is known of what it cost. */
function describeAgents({ messages: { whole, replaced }, summaryCharacters }: Receipt): readonly string[] {
  return [
    t('The agent did this itself, before its session was opened here; the figures cover its messages only.'),
    t(
      'It continued with {0} messages and a summary of {1} characters in place of {2} messages.',
      whole,
      summaryCharacters,
      replaced,
    ),
    t('Karl has every message of the session: restore individual messages, or undo the whole compression.'),
  ];
}

/** What a run achieved, and how much of the budget was used before and after: the figures of the gauge. */
export function describeFigures({ tokensBefore, tokensAfter, limitTokens }: Receipt): string {
  if (limitTokens === undefined) return t('Compressed: {0} → {1} tokens', tokensBefore, tokensAfter);
  return t(
    'Compressed: {0} → {1} tokens, {2} → {3} of the budget',
    tokensBefore,
    tokensAfter,
    formatPercent(tokensBefore, limitTokens),
    formatPercent(tokensAfter, limitTokens),
  );
}

/** Says how many claims of the model's summary were removed; `named`: some of them. */
export function describeRejected({ length }: readonly string[], named: string): string {
  return length === 1
    ? t('Removed 1 claim not found in the conversation: {0}.', named)
    : t('Removed {0} claims not found in the conversation: {1}.', length, named);
}

/** How many facts a sentence of the receipt names. */
const NAMED_FACTS = 5;

function listSome(facts: readonly string[]): string {
  const named = facts
    .slice(0, NAMED_FACTS)
    .map((fact) => t('“{0}”', fact.length > 80 ? `${fact.slice(0, 79)}…` : fact))
    .join(', ');
  return facts.length > NAMED_FACTS ? t('{0} and {1} more', named, facts.length - NAMED_FACTS) : named;
}

/** The reusable part of the prompt cache, as a share of the budget like every other percentage. */
function describeCache({ prefixKept, tokensBefore, limitTokens }: Receipt): string {
  const tokens = prefixKept * tokensBefore;
  return limitTokens === undefined
    ? t('Prompt cache reusable: {0} tokens', tokens)
    : t('Prompt cache reusable: {0}', formatPercent(tokens, limitTokens));
}

function describeCost({ ms, model, modelCalls, modelTokens, modelCost }: Receipt): string {
  if (modelCalls === 0) return t('Cost: {0} ms, no model was asked.', ms);
  const whom = model ?? t('a model whose summary was not used');
  const asked =
    modelCalls === 1
      ? t('Cost: {0} ms, 1 request to {1}', ms, whom)
      : t('Cost: {0} ms, {1} requests to {2}', ms, modelCalls, whom);
  if (modelTokens === undefined) return t('{0}; its server did not report the tokens.', asked);
  const { input, output, cached } = modelTokens;
  const tokens =
    cached === undefined
      ? t('{0}, {1} tokens in and {2} out', asked, input, output)
      : t('{0}, {1} tokens in ({2} of them from its cache) and {3} out', asked, input, cached, output);
  return modelCost === undefined ? `${tokens}.` : `${tokens}, ${formatDollars(modelCost)}.`;
}

/** What was spent once against what every request saves. */
function describeNet(receipt: Receipt): string {
  const { readAnew, spent, paidOffAfter } = netGain(receipt);
  const anew = t('{0} tokens are read again, once', readAnew);
  if (spent === undefined || paidOffAfter === undefined)
    return t('Net: {0}; when the summary pays off is not known.', anew);
  const took = spent === 0 ? anew : t('{0} tokens for the summary, and {1}', spent, anew);
  return paidOffAfter === 1
    ? t('Net: {0}; pays off after 1 request.', took)
    : t('Net: {0}; pays off after {1} requests.', took, paidOffAfter);
}

/** Cents from one dollar on, two significant digits below: $1.20, $0.0031. */
function formatDollars(cost: number): string {
  const digits = cost >= 1 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
  return cost.toLocaleString(language(), { style: 'currency', currency: 'USD', ...digits });
}

/** Why a run changed nothing, for the user. */
export function describeEnd(result: Extract<CompactionResult, { kind: 'skipped' | 'failed' }>): string {
  return translate(result.kind === 'skipped' ? result.message : result.error.message);
}

/** Why a run was skipped, for the user. */
export function describeSkipped(result: Extract<CompactionResult, { kind: 'skipped' }>): string {
  return result.reason === 'nothing-to-compact'
    ? t('Nothing was compressed: only the prompt, pinned messages, the current request and summaries are left.')
    : t('Nothing was compressed. {0}', describeEnd(result));
}
