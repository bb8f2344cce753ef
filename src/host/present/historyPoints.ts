import type { HistoryPoint } from '../../core/conversation/tokenHistory.ts';
import { t } from '../../core/language.ts';
import { UNBOUNDED } from '../../core/model/budget.ts';
import type { HistoryPointState } from '../../protocol/contents.ts';
import { formatPercent } from './words.ts';

/** The figures at the end: they are drawn where no point has any. */
interface Now {
  readonly limit: number;
  readonly trigger: number;
  /** Raw messages. */
  readonly messages: number;
  /** The records in effect, and the row of each that is shown. */
  readonly inEffect: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, number>;
}

/** An error in words, by its kind; an unknown kind is shown as it is. */
function describeError(kind: string): string {
  switch (kind) {
    case 'overflow':
      return t('Error: the request was too long for the model');
    case 'output-limit':
      return t('Error: the reply would have been too long');
    case 'payload-too-large':
      return t('Error: the request was too large for the server');
    case 'rate-limit':
      return t('Error: rate limit');
    case 'timeout':
      return t('Error: no answer in time');
    case 'other':
      return t('Error: the server failed');
    default:
      return t('Error: {0}', kind);
  }
}

/** The points of a conversation's history as they are drawn and read, oldest first. */
export function presentHistory(points: readonly HistoryPoint[], now: Now): readonly HistoryPointState[] {
  const first = points.find((point) => point.kind === 'request');
  // Where no window was stated, the largest request stands for it.
  const largest = Math.max(1, ...points.map((point) => ('tokens' in point ? point.tokens : 0)));
  const shown = (figure: number): number => (figure >= UNBOUNDED / 2 ? largest : figure);
  let { limit, trigger } = first?.kind === 'request' ? first : now;
  let tokens = 0;
  return points.map((point): HistoryPointState => {
    if (point.kind === 'request') ({ limit, trigger, tokens } = point);
    [limit, trigger] = [shown(limit), shown(trigger)];
    if ('after' in point) tokens = point.after;
    const about = 'of' in point && point.of !== undefined ? aboutRecord(point.kind, point.of, now) : {};
    const text = describe(point, limit);
    return {
      kind: point.kind,
      at: new Date(point.at).toISOString(),
      tokens,
      ...('before' in point && { before: point.before }),
      limit,
      trigger,
      text: about.isUndone ? t('{0}, undone', text) : text,
      // The newest message of the request, or the last one before the compression.
      message: Math.max(0, Math.min(now.messages, point.messages) - 1),
      ...about,
    };
  });
}

function aboutRecord(
  kind: HistoryPoint['kind'],
  id: string,
  { inEffect, rows }: Now,
): Pick<HistoryPointState, 'row' | 'isUndone'> {
  const row = rows.get(id);
  const isUndone = kind === 'compressed' && !inEffect.has(id);
  return { ...(row !== undefined && { row }), ...(isUndone && { isUndone }) };
}

function describe(point: HistoryPoint, limit: number): string {
  switch (point.kind) {
    case 'request':
      return t('Request: {0} tokens, {1} of the budget', point.tokens, formatPercent(point.tokens, limit));
    case 'error':
      return describeError(point.error);
    case 'model':
      return t('Model changed to {0}', point.model);
    case 'compressed':
      return t('Compressed: {0} → {1} tokens', point.before, point.after);
    case 'by-hand':
      return t('Changed by you: {0} → {1} tokens', point.before, point.after);
    case 'undone':
      return t('Undone: {0} → {1} tokens', point.before, point.after);
    case 'redone':
      return t('Redone: {0} → {1} tokens', point.before, point.after);
  }
}
