import type { HistoryPoint } from '../../core/conversation/tokenHistory.ts';
import type { HistoryPointState } from '../../protocol/contents.ts';
import { formatPercent, formatTokens } from './words.ts';

/** How things stand at the end: what is drawn where a point does not say it. */
interface Now {
  readonly limit: number;
  readonly trigger: number;
  /** Raw messages. */
  readonly messages: number;
}

const CHANGES = {
  compressed: 'Compressed',
  'by-hand': 'Changed by you',
  undone: 'Undone',
  redone: 'Redone',
} as const;

/** Kinds of errors in words; another kind stands as it is. */
const ERRORS: Readonly<Record<string, string>> = {
  overflow: 'the request was too long for the model',
  'output-limit': 'the reply was to be too long',
  'payload-too-large': 'the request was too large for the server',
  'rate-limit': 'rate limit',
  timeout: 'no answer in time',
  other: 'the server failed',
};

/** The points of a conversation's history as they are drawn and read, oldest first. */
export function presentHistory(points: readonly HistoryPoint[], now: Now): readonly HistoryPointState[] {
  const first = points.find((point) => point.kind === 'request');
  let { limit, trigger } = first?.kind === 'request' ? first : now;
  let tokens = 0;
  return points.map((point): HistoryPointState => {
    if (point.kind === 'request') ({ limit, trigger, tokens } = point);
    if ('after' in point) tokens = point.after;
    return {
      kind: point.kind,
      at: new Date(point.at).toISOString(),
      tokens,
      ...('before' in point && { before: point.before }),
      limit,
      trigger,
      text: describe(point, limit),
      // What came with the request, or stands before the compression.
      message: Math.max(0, Math.min(now.messages, point.messages) - 1),
    };
  });
}

function describe(point: HistoryPoint, limit: number): string {
  switch (point.kind) {
    case 'request':
      return `Request: ${formatTokens(point.tokens)} tokens, ${formatPercent(point.tokens, limit)} of the budget`;
    case 'error':
      return `Error: ${ERRORS[point.error] ?? point.error}`;
    case 'model':
      return `Model changed to ${point.model}`;
    default:
      return `${CHANGES[point.kind]}: ${formatTokens(point.before)} → ${formatTokens(point.after)} tokens`;
  }
}
