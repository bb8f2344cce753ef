import { netGain } from '../../core/compaction/netGain.ts';
import type { Receipt } from '../../core/compaction/receipt.ts';
import { formatPercent, formatTokens } from './words.ts';

/** The receipt in sentences: what was kept, shortened, removed, repaired, saved, and what it cost. */
export function describeReceipt(receipt: Receipt): readonly string[] {
  const { whole, shortened, replaced } = receipt.messages;
  const saved = receipt.tokensBefore - receipt.tokensAfter;
  const sentences = [
    saved < 0
      ? `Takes ${formatTokens(-saved)} more tokens of every request from now on.`
      : `Saved ${formatTokens(saved)} tokens of every request from now on.`,
    `Messages: ${whole} whole, ${shortened} shortened, ${replaced} replaced; everything removed can be recalled.`,
    receipt.strategy === 'manual'
      ? 'You chose what to change: nothing else was touched.'
      : receipt.promise === 'facts-in-view'
        ? 'Constraints, to-dos, changed files and the newest error are in the request word for word.'
        : 'This strategy promises handles only: facts of what was removed are found by recall.',
  ];
  if (receipt.instructions !== undefined) sentences.push(`You asked: “${receipt.instructions}”.`);
  if (receipt.aim === 'half')
    sentences.push('The target asked for little or nothing: half of what was used was aimed at.');
  const kept = receipt.facts.reduce((sum, fact) => sum + fact.kept, 0);
  const behind = receipt.facts.reduce((sum, fact) => sum + fact.behindHandle, 0);
  if (kept + behind > 0) sentences.push(`Facts: ${kept} in the request, ${behind} behind handles.`);
  if (receipt.rejected.length > 0)
    sentences.push(`Not found in the conversation and left out of the summary: ${listSome(receipt.rejected)}.`);
  if (receipt.withoutNote !== undefined) sentences.push(`A summary by the model was left out. ${receipt.withoutNote}`);
  if (receipt.unverified > 0) sentences.push(`Marked as unverified: ${receipt.unverified} statements.`);
  if (receipt.fellBackFrom !== undefined)
    sentences.push(
      `The fallback ${receipt.strategy} ran, not ${receipt.fellBackFrom}. ${receipt.fellBackBecause ?? ''}`.trim(),
    );
  sentences.push(
    `Beginning left unchanged for the provider's cache: ${formatTokens(receipt.prefixKept * receipt.tokensBefore)} tokens.`,
    describeCost(receipt),
    describeNet(receipt),
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

function describeCost({ ms, model, modelCalls, modelTokens, modelCost }: Receipt): string {
  const time = `${formatTokens(ms)} ms`;
  if (modelCalls === 0) return `Cost: ${time}, no model was asked.`;
  const calls = modelCalls === 1 ? '1 request' : `${modelCalls} requests`;
  const asked = `Cost: ${time}, ${calls} to ${model ?? 'a model of which no word stands in the request'}`;
  if (modelTokens === undefined) return `${asked}; its server did not report the tokens.`;
  const { input, output, cached } = modelTokens;
  const fromCache = cached === undefined ? '' : ` (${formatTokens(cached)} of them from its cache)`;
  const price = modelCost === undefined ? '' : `, ${formatDollars(modelCost)}`;
  return `${asked}, ${formatTokens(input)} tokens in${fromCache} and ${formatTokens(output)} out${price}.`;
}

/** What was spent once against what every request saves. */
function describeNet(receipt: Receipt): string {
  const { readAnew, spent, paidOffAfter } = netGain(receipt);
  const anew = `${formatTokens(readAnew)} tokens are read anew, once`;
  if (spent === undefined || paidOffAfter === undefined) return `Net: ${anew}; when the summary pays off is not known.`;
  const took = spent === 0 ? anew : `${formatTokens(spent)} tokens for the summary, and ${anew}`;
  const requests = paidOffAfter === 1 ? '1 request' : `${paidOffAfter} requests`;
  return `Net: ${took}: paid off after ${requests}.`;
}

function formatDollars(cost: number): string {
  return `$${cost >= 1 ? cost.toFixed(2) : Number(cost.toPrecision(2))}`;
}
