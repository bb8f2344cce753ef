import type { ChatMessage } from '../../core/chat/wire.ts';
import { type Budget, overflowTokens, type Thresholds, targetTokens, triggerTokens } from '../../core/model/budget.ts';
import type { CalibrationState } from '../../core/model/calibration.ts';
import { formatShare, t } from '../../language/language.ts';
import type { GaugeState } from '../../protocol/viewState.ts';
import type { CompressionQuestion } from '../actions/compressionQuestion.ts';
import type { Agent } from '../conversations/agent.ts';
import type { CompactionMode } from '../settings/settingRules.ts';
import { type Item, type ShownConversation, sentBlocks } from './sent.ts';
import { formatPercent, windowSourceWords } from './words.ts';

/** When a compaction starts; `elsewhere`: another window writes the conversation. */
type Mode = CompactionMode | 'elsewhere';

/** The error of an estimate that no server has confirmed. Most texts are within it: `test/core/tokens/estimate.test.ts`. */
const UNCONFIRMED_PERCENT = 25;

/** The share of the trigger from which a compaction is near. */
const NEAR = 0.85;

/** Makes the gauge of a conversation. `agent`: Karl's own, if it leads the conversation. */
export function presentGauge(
  conversation: ShownConversation,
  mode: Mode,
  agent?: Pick<Agent, 'cached' | 'cost'> & { readonly question: Pick<CompressionQuestion, 'isDeclined'> },
): GaugeState {
  const budget = conversation.budget();
  const { thresholds } = conversation.settings;
  const used = budget.used.tokens;
  const trigger = triggerTokens(thresholds, budget);
  const shown = {
    used,
    usedSource: sourceWords(budget.used.source, conversation.usage().calibration),
    parts: partsOf(conversation, used),
    cached: agent?.cached,
    cost: agent !== undefined && agent.cost.all > 0 ? agent.cost : undefined,
  };
  if (budget.windowSource === 'unknown') return { ...shown, ...ofUnknown(budget, thresholds) };
  const heldBack = conversation.heldBack() ?? (agent?.question.isDeclined ? 'declined' : undefined);
  return {
    ...shown,
    window: budget.window,
    windowSource: windowSourceWords(budget.windowSource),
    reserve: budget.reserve,
    limit: budget.limit,
    trigger,
    target: targetTokens(thresholds, budget),
    level: levelOf(used, trigger, budget.limit),
    overflowTokens: overflowTokens(budget),
    next: describeNext(budget, trigger, mode, heldBack),
  };
}

/** The gauge of an unknown window: the bar is as long as the largest request that is known to fit. */
function ofUnknown({ used, ...budget }: Budget, thresholds: Thresholds) {
  const accepted = Math.max(budget.accepted, 0);
  const shown = Math.max(used.tokens, accepted, 1);
  return {
    accepted,
    window: shown,
    windowSource: accepted === 0 ? t('window unknown') : t('window unknown: at least {0} accepted', accepted),
    reserve: 0,
    limit: shown,
    trigger: shown,
    target: shown,
    level: 'calm',
    overflowTokens: 0,
    next:
      thresholds.tokens === undefined
        ? t('Karl compresses when the server refuses a request, or on command.')
        : t('Next compression at {0} tokens.', thresholds.tokens),
  } as const;
}

/** Where a figure comes from. An estimate has the deviation of the server's reports, which is never shown as 0. */
function sourceWords(source: Budget['used']['source'], { reports, deviation }: CalibrationState): string {
  if (source === 'reported') return t('measured by the server');
  if (source === 'counted') return t('exact count');
  const percent = reports === 0 ? UNCONFIRMED_PERCENT : Math.max(1, Math.round(deviation * 100));
  return t('estimated ± {0}', formatShare(percent));
}

function levelOf(used: number, trigger: number, limit: number): GaugeState['level'] {
  if (used > limit) return 'over';
  if (used >= trigger) return 'due';
  return used >= trigger * NEAR ? 'near' : 'calm';
}

/**
 * Divides the used tokens, which may be measured, in proportion to what was counted of each part. The messages get what
 * rounding leaves.
 */
function partsOf(conversation: ShownConversation, used: number): GaugeState['parts'] {
  const sumOf = (messages: readonly ChatMessage[]) =>
    messages.reduce((sum, message) => sum + conversation.tokensOf(message).tokens, 0);
  const counts = { prompt: 0, tools: conversation.toolTokens().tokens, notes: 0 };
  for (const item of conversation.items()) {
    if (item.kind === 'replaced') counts.notes += sumOf(insteadOf(item));
    else if (item.block.kind === 'system') counts.prompt += sumOf(item.messages);
  }
  const counted = Math.max(conversation.viewTokens() + counts.tools, counts.prompt + counts.tools + counts.notes);
  const scale = counted === 0 ? 1 : used / counted;
  let left = used;
  const parts = (['prompt', 'tools', 'notes'] as const).map((label) => {
    const tokens = Math.min(Math.round(counts[label] * scale), left);
    left -= tokens;
    return { label, tokens };
  });
  return [...parts, { label: 'messages', tokens: left }];
}

/** The messages that are sent in place of others, including the lines in place of dropped results. */
function insteadOf(item: Extract<Item, { kind: 'replaced' }>): readonly ChatMessage[] {
  if (item.replacement.by.kind !== 'shortened') return item.messages;
  if (item.replacement.dropped === undefined) return [];
  return sentBlocks(item).flatMap(({ messages }) =>
    messages.flatMap(({ sent, wire }) => (sent === 'dropped' && wire !== undefined ? [wire] : [])),
  );
}

/** Says when the next compaction comes. `heldBack`: why none starts although one is due. */
function describeNext(budget: Budget, trigger: number, mode: Mode, heldBack: HeldBack | undefined): string {
  const over = overflowTokens(budget);
  if (over > 0) {
    return t(
      'Prompt, tools, pinned messages and the current request alone are {0} tokens over the budget. No compression can help: shorten the request, or select a model with a larger window.',
      over,
    );
  }
  const at = t('{0} tokens ({1} of the budget)', trigger, formatPercent(trigger, budget.limit));
  if (mode === 'elsewhere') return t('The threshold is {0}.', at);
  if (budget.used.tokens < trigger) {
    if (mode === 'manual') return t('The threshold is {0}. Karl compresses only on command.', at);
    if (heldBack === 'declined') return describeHeldBack(heldBack, at);
    const left = trigger - budget.used.tokens;
    return mode === 'ask'
      ? t('Next compression, after asking you, at {0}, {1} tokens from now.', at, left)
      : t('Next compression at {0}, {1} tokens from now.', at, left);
  }
  if (heldBack !== undefined && mode !== 'manual') return describeHeldBack(heldBack, at);
  if (mode === 'automatic') return t('Over the threshold of {0}. Karl will compress before the next request.', at);
  if (mode === 'ask') return t('Over the threshold of {0}. Karl will ask before the next request.', at);
  return t('Over the threshold of {0}. Run "Compress Conversation" to make room.', at);
}

type HeldBack = NonNullable<ReturnType<ShownConversation['heldBack']>> | 'declined';

function describeHeldBack(why: HeldBack, at: string): string {
  const reasons: Readonly<Record<typeof why, string>> = {
    declined: t('The threshold is {0}. You chose Not Now: Karl waits until another tenth of the budget is used.', at),
    undo: t('Over the threshold of {0}. You undid the last compression, so Karl waits until the budget is full.', at),
    failure: t(
      'Over the threshold of {0}. The last compression failed, so Karl tries again when the conversation has grown.',
      at,
    ),
    growth: t(
      'Over the threshold of {0}. Nothing more could be saved, so Karl tries again when the conversation has grown.',
      at,
    ),
  };
  return reasons[why];
}
