import type { Message } from '../../core/chat/message.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import { requestsIn } from '../../core/conversation/humans.ts';
import type { HistoryPoint, TokenHistory } from '../../core/conversation/tokenHistory.ts';
import { formatMoment, t } from '../../core/language.ts';
import { triggerTokens, UNBOUNDED } from '../../core/model/budget.ts';
import type { ChartPoint, ContentsState } from '../../protocol/contents.ts';
import type { ListGroup, ListRow, Source } from '../../protocol/list.ts';
import { type ContentsInput, labelOf, presentContents, scaleGroups } from './contents.ts';
import type { ShownConversation } from './sent.ts';
import { formatPercent, knownLimit } from './words.ts';

/** The contents of the last snapshot, and the values that they were made of. */
interface Kept {
  readonly madeOf: readonly unknown[];
  readonly contents: ContentsState;
  /** The values that the items' parts depend on. */
  readonly readWith: readonly unknown[];
  readonly known: ContentsInput['known'];
}

const kept = new WeakMap<ShownConversation, Kept>();

/**
 * What fills the window of a conversation; the same object while nothing of it has changed. `told`: what happened to the
 * tokens of its requests. `mayLeaveOut`: the user may leave tools out.
 */
export function contentsOf(conversation: ShownConversation, told: TokenHistory, mayLeaveOut: boolean): ContentsState {
  const last = kept.get(conversation);
  const { messages } = conversation.transcript;
  const [items, pins, history] = [conversation.items(), conversation.pins(), conversation.history()];
  const count = (message: ChatMessage) => conversation.tokensOf(message).tokens;
  const toolTokens = conversation.toolTokens().tokens;
  const budget = conversation.budget();
  const { limit, used } = budget;
  const { thresholds, tools } = conversation.settings;
  const trigger = triggerTokens(thresholds, budget);
  const requests = requestsIn(messages);
  // Pins and history are other objects after a change; the source changes when estimates have been counted.
  const readWith = [pins, history, [...requests].join(), conversation.profile().id, used.source];
  const tokens = conversation.viewTokens() + toolTokens;
  // Tokens of the gauge for each counted token.
  const scale = tokens === 0 ? 1 : used.tokens / tokens;
  const madeOf = [...readWith, items, told, toolTokens, tools, mayLeaveOut, limit, trigger, scale];
  if (last !== undefined && isSame(last.madeOf, madeOf)) return last.contents;
  const known: Kept['known'] = last !== undefined && isSame(last.readWith, readWith) ? last.known : new WeakMap();
  const { byHand } = conversation;
  const input = { items, messages, pins, requests, byHand, count, tools, toolTokens, mayLeaveOut, known };
  const groups = [...scaleGroups(presentContents(input), scale), ...listHistory(told.points, messages.length)];
  const perTurn = scale * tokensPerTurn(messages, count);
  const forecast = describeForecast(perTurn, trigger - used.tokens);
  const chart = layPoints(told.points, { limit, trigger });
  const contents = { groups, chart, last: describeLast(history), forecast };
  kept.set(conversation, { madeOf, contents, readWith, known });
  return contents;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, index) => value === other[index]);
}

/** How many of the last turns are averaged. */
const TURNS = 5;

/** What the last finished turns added on average, counted tokens; 0 before the first has ended. */
function tokensPerTurn(messages: readonly Message[], count: ContentsInput['count']): number {
  const starts = messages.flatMap((message) => (message.role === 'user' && message.by === 'human' ? [message.id] : []));
  const last = messages.at(-1);
  // A reply without calls ends a turn.
  const isOver = last?.role === 'assistant' && last.calls.length === 0;
  const ends = (isOver ? [...starts, messages.length] : starts).slice(-TURNS - 1);
  if (ends.length < 2) return 0;
  const added = messages.slice(ends[0], ends.at(-1)).reduce((total, { wire }) => total + count(wire), 0);
  return added / (ends.length - 1);
}

/** Says how many more turns fit; undefined if nothing is known about turns or no compression is due by tokens. */
function describeForecast(perTurn: number, room: number): string | undefined {
  if (perTurn < 1 || room < 0 || room > UNBOUNDED / 2) return undefined;
  const turns = Math.floor(room / perTurn);
  return t('Turns until a compression is due: about {0}, of about {1} tokens each.', turns, Math.round(perTurn));
}

/** The newest record in force, when the user made it by hand and no pin has restored everything since. */
function describeLast(history: readonly CompactionEntry[]): ContentsState['last'] {
  const newest = history.findLast(({ undone }) => !undone)?.compaction;
  if (newest?.strategy !== 'manual') return undefined;
  const { id, trigger, receipt, replacements, edits = [] } = newest;
  if (replacements.length + edits.length === 0) return undefined;
  const { tokensBefore, tokensAfter } = receipt;
  if (trigger === 'dropped') return { id, text: t('Dropped: {0} → {1} tokens', tokensBefore, tokensAfter) };
  if (trigger === 'shortened') return { id, text: t('Shortened: {0} → {1} tokens', tokensBefore, tokensAfter) };
  return { id, text: t('Restored: {0} → {1} tokens', tokensBefore, tokensAfter) };
}

/** An error in words, by its kind; an unknown kind is shown as it is. */
function describeError(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    overflow: t('Error: the request was too long for the model'),
    'output-limit': t('Error: the reply would have been too long'),
    'payload-too-large': t('Error: the request was too large for the server'),
    'rate-limit': t('Error: rate limit'),
    timeout: t('Error: no answer in time'),
    other: t('Error: the server failed'),
  };
  return words[kind] ?? t('Error: {0}', kind);
}

/** The figures of a conversation's history, oldest first. `now`: those before the first request. */
function layPoints(points: readonly HistoryPoint[], now: Pick<ChartPoint, 'limit' | 'trigger'>): readonly ChartPoint[] {
  const largest = largestOf(points);
  let { limit, trigger } = points.find((point) => point.kind === 'request') ?? now;
  return points.map((point) => {
    if (point.kind === 'request') ({ limit, trigger } = point);
    const tokens = 'after' in point ? [point.before, point.after] : 'tokens' in point ? [point.tokens] : [];
    return { tokens, limit: knownLimit(limit) ?? largest, trigger: knownLimit(trigger) ?? largest };
  });
}

/** The largest request, which takes the place of an unknown window. */
function largestOf(points: readonly HistoryPoint[]): number {
  return Math.max(1, ...points.map((point) => ('tokens' in point ? point.tokens : 0)));
}

/** The group of a conversation's history, newest first; none without points. */
function listHistory(points: readonly HistoryPoint[], messages: number): readonly ListGroup<Source>[] {
  let tokens = 0;
  const largest = largestOf(points);
  const rows = points.map((point, index): ListRow => {
    tokens = 'after' in point ? point.after : 'tokens' in point ? point.tokens : tokens;
    // The newest message of the request, or the last one before the compression.
    const id = Math.max(0, Math.min(messages, point.messages) - 1);
    const label = `${formatMoment(point.at)} · ${describe(point, largest)}`;
    return { key: String(index), label, note: '', tokens, at: { from: id, to: id } };
  });
  const group = { kind: 'history', label: labelOf('history'), tokens, rows: rows.reverse(), more: 0 } as const;
  return rows.length === 0 ? [] : [group];
}

/** `largest`: the largest request. */
function describe(point: HistoryPoint, largest: number): string {
  switch (point.kind) {
    case 'request': {
      const limit = knownLimit(point.limit) ?? largest;
      return t('Request: {0} tokens, {1} of the budget', point.tokens, formatPercent(point.tokens, limit));
    }
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
