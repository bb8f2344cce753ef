import type { Message, ToolMessage } from '../../core/chat/message.ts';
import type { ChatMessage, ChatTool } from '../../core/chat/wire.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import { requestsIn } from '../../core/conversation/humans.ts';
import type { HistoryPoint, TokenHistory } from '../../core/conversation/tokenHistory.ts';
import { overtakes } from '../../core/ledger/outcome.ts';
import { triggerTokens, UNBOUNDED } from '../../core/model/budget.ts';
import { formatMoment, t } from '../../language/language.ts';
import { MAX_CHANGED } from '../../protocol/fromWebview.ts';
import type { Act, ListGroup, ListRow, RowAct, RowActs, Source } from '../../protocol/list.ts';
import type { ChartPoint, ContentsState } from '../../protocol/viewState.ts';
import { makePart, type Part, type PartsInput, readAsidePart, readBlockParts } from './contentParts.ts';
import { type Item, type ShownConversation, sentBlocks } from './sent.ts';
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
  const groups = [...scaleGroups(listSources(input), scale), ...listHistory(told.points, messages.length)];
  const perTurn = scale * tokensPerTurn(messages, count);
  const forecast = describeForecast(perTurn, trigger - used.tokens);
  const chart = layPoints(told.points, { limit, trigger });
  const contents = { groups, chart, last: describeLast(history), forecast };
  kept.set(conversation, { madeOf, contents, readWith, known });
  return contents;
}

/** What the sources are listed with. */
interface ContentsInput extends PartsInput {
  readonly items: readonly Item[];
  readonly messages: readonly Message[];
  /** Tokens of the tool definitions, and the definitions. */
  readonly toolTokens: number;
  readonly tools: readonly ChatTool[];
  /** The user may leave tools out, since they are those of Karl's own agent. */
  readonly mayLeaveOut: boolean;
  /** A cache of the parts of items, for the same pins, records, requests and counter. */
  readonly known: WeakMap<Item, readonly Part[]>;
}

/** The most rows of a group, and of one row of it. */
const MOST_ROWS = 100;

/** The label of a group. */
function labelOf(kind: Source): string {
  const words: Readonly<Record<Source, string>> = {
    instructions: t('Instructions'),
    tools: t('Tool definitions'),
    user: t('Your messages'),
    files: t('Files read'),
    results: t('Tool results'),
    replies: t('Replies'),
    summaries: t('Summaries'),
    aside: t('Set aside'),
    history: t('Tokens of each request'),
  };
  return words[kind];
}

/** Lists the sources of the next request, and what is set aside. */
function listSources(input: ContentsInput): ContentsState['groups'] {
  const parts = input.items.flatMap((item) => knownParts(item, input));
  const outdated = findOutdated(parts);
  const groups = Map.groupBy(parts, ({ kind }) => kind);
  const inWindow = [...groups]
    .filter(([kind]) => kind !== 'aside')
    .map(([kind, members]) => presentGroup(kind, members, outdated));
  const rows = presentTools(input);
  const tools: ListGroup<Source> = { kind: 'tools', label: labelOf('tools'), tokens: input.toolTokens, rows, more: 0 };
  const sorted = [...inWindow, ...(input.toolTokens > 0 ? [tools] : [])].sort(largestFirst);
  const aside = groups.get('aside');
  return aside === undefined ? sorted : [...sorted, presentGroup('aside', aside, outdated)];
}

/** The tool definitions, each with its share of the tokens by length, and how often the tool was called. */
function presentTools({ tools, toolTokens, messages, mayLeaveOut }: ContentsInput): readonly ListRow[] {
  const calls = new Map<string, number>();
  for (const message of messages)
    for (const { name } of message.role === 'assistant' ? message.calls : [])
      calls.set(name, (calls.get(name) ?? 0) + 1);
  const weighed = tools.map((tool) => ({ name: tool.function?.name ?? tool.type, size: JSON.stringify(tool).length }));
  const all = sum(weighed.map(({ size }) => size));
  const rows = weighed.map(({ name, size }): ListRow => {
    const count = calls.get(name) ?? 0;
    const note = count === 0 ? t('never called') : count === 1 ? t('called once') : t('called {0} times', count);
    const tokens = Math.round((toolTokens * size) / all);
    return { key: `tool ${name}`, label: name, tokens, note, tool: mayLeaveOut ? name : undefined };
  });
  return rows.sort(largestFirst);
}

function knownParts(item: Item, input: ContentsInput): readonly Part[] {
  const parts = input.known.get(item) ?? partsOf(item, input);
  input.known.set(item, parts);
  return parts;
}

function partsOf(item: Item, input: ContentsInput): Part[] {
  const { from, to } = item.range;
  if (item.kind === 'whole' || item.replacement.by.kind === 'shortened')
    return sentBlocks(item).flatMap((block) => readBlockParts(block, input));
  const note = item.replacement.by.kind === 'note' ? t('summarized') : t('dropped');
  const parts = item.blocks.map((block) => readAsidePart(block, input, note));
  const [only, ...more] = parts;
  const rows = parts.map(({ row }) => row).sort(largestFirst);
  const label = from === to ? t('Message {0}', String(from)) : t('Messages {0} to {1}', String(from), String(to));
  // The messages of a summary can be restored block by block, or all.
  const acts = togetherOf(parts.map(({ row }) => row));
  const all = { note, tokens: sumTokens(rows), acts, rows: rows.slice(0, MOST_ROWS) };
  const aside = only !== undefined && more.length === 0 ? only : makePart({ kind: 'aside', label }, { from, to }, all);
  if (item.messages.length === 0) return [aside];
  const tokens = sum(item.messages.map(input.count));
  return [makePart({ kind: 'summaries', label }, { from, to }, { note: '', tokens, acts }), aside];
}

/** Readings that are outdated by a later change of the file, or by a later reading of the same lines or the whole file. */
function findOutdated(parts: readonly Part[]): ReadonlySet<Part> {
  const outdated = new Set<Part>();
  const later = new Map<string, 'changed' | Map<string, ToolMessage>>();
  for (const part of parts.toReversed()) {
    const { file, reading, changes } = part;
    if (changes !== undefined) later.set(changes, 'changed');
    if (file === undefined || reading === undefined) continue;
    const seen = later.get(file) ?? new Map<string, ToolMessage>();
    if (seen === 'changed') {
      outdated.add(part);
      continue;
    }
    const newer = [seen.get(part.label), seen.get(file)];
    if (newer.some((one) => one !== undefined && overtakes(one, reading.result))) outdated.add(part);
    else if (reading.sent === 'whole') later.set(file, seen.set(part.label, reading.result));
  }
  return outdated;
}

function presentGroup(kind: Source, parts: readonly Part[], outdated: ReadonlySet<Part>): ListGroup<Source> {
  const named = Map.groupBy(parts, ({ file, tool }) => file ?? tool);
  const members = [...named].flatMap(([name, group]) =>
    name === undefined || (group.length === 1 && kind === 'files')
      ? group.map((part) => presentPart(part, outdated))
      : [presentTogether(kind, name, group, outdated)],
  );
  return {
    kind,
    label: labelOf(kind),
    tokens: sumTokens(parts.map(({ row }) => row)),
    rows: tellApart(members.toSorted(largestFirst).slice(0, MOST_ROWS)),
    more: Math.max(0, members.length - MOST_ROWS),
    outdated: kind === 'files' ? dropAll(parts.filter((part) => outdated.has(part))) : undefined,
  };
}

/** The readings of one file, or the results of one tool, largest first. */
function presentTogether(kind: Source, name: string, group: readonly Part[], outdated: ReadonlySet<Part>): ListRow {
  const parts = group.toSorted((one, other) => largestFirst(one.row, other.row));
  const all = parts.map(({ row }) => row);
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0)
    return { ...presentPart(only, outdated), label: `${name} ${only.label}`.trimEnd() };
  const pinned = all.every((row) => row.pinned);
  return {
    key: `${kind} ${name}`,
    label: name,
    path: kind === 'files' ? name : undefined,
    tokens: sumTokens(all),
    note: kind === 'files' ? t('{0} readings', parts.length) : t('{0} results', parts.length),
    pinned,
    pins: all.flatMap((row) => (row.pinned === pinned ? (row.pins ?? []) : [])).slice(0, MAX_CHANGED),
    acts: togetherOf(all),
    rows: tellApart(parts.slice(0, MOST_ROWS).map((part) => presentPart(part, outdated))),
  };
}

/** The row of a part; of a call without arguments, by its number. */
function presentPart(part: Part, outdated: ReadonlySet<Part>): ListRow {
  const { at, label, note } = part.row;
  const title = label === '' ? t('Message {0}', String(at?.from)) : label;
  return { ...part.row, label: title, note: joinNotes(note, outdated.has(part) ? t('outdated') : '') };
}

/** Adds the message number to the notes of rows with the same label. */
function tellApart(rows: readonly ListRow[]): ListRow[] {
  const alike = Map.groupBy(rows, ({ label }) => label);
  return rows.map((row) =>
    row.at === undefined || alike.get(row.label)?.length === 1
      ? row
      : { ...row, note: joinNotes(t('message {0}', String(row.at.from)), row.note) },
  );
}

function joinNotes(...notes: readonly string[]): string {
  return notes.filter((note) => note !== '').join(', ');
}

const ACTS = ['restored', 'shortened', 'dropped'] as const;

/** The acts for several rows at once; for an act that none of them offers, the first reason why not. */
function togetherOf(rows: readonly Pick<ListRow, 'acts'>[]): RowActs {
  const all = ACTS.flatMap((act) => {
    const each = rows.flatMap(({ acts }) => acts?.[act] ?? []);
    return each.length === 0 ? [] : [[act, actOnAll(act, each, rows.length)] as const];
  });
  return Object.fromEntries(all);
}

/** One act changes at most `MAX_CHANGED` messages, from the first rows. `of`: the number of rows. */
function actOnAll(act: Act, each: readonly (RowAct | string)[], of: number): RowAct | string {
  const possible = each.filter((one) => typeof one !== 'string').slice(0, MAX_CHANGED);
  const ids = possible.flatMap((one) => one.ids);
  if (ids.length > 0) return { act, ids, tokens: sumTokens(possible), ...(ids.length < of && { of }) };
  return each.find((reason) => typeof reason === 'string') ?? '';
}

function dropAll(parts: readonly Part[]): RowAct | undefined {
  const { dropped } = togetherOf(parts.map(({ row }) => row));
  return typeof dropped === 'string' ? undefined : dropped;
}

function largestFirst(one: { readonly tokens: number }, other: { readonly tokens: number }): number {
  return other.tokens - one.tokens;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

function sumTokens(parts: readonly { readonly tokens: number }[]): number {
  return sum(parts.map(({ tokens }) => tokens));
}

/** Scales counted tokens to those of the gauge, so that the sources add up to its figure. `by`: gauge tokens per counted token. */
function scaleGroups<Groups>(groups: Groups, by: number): Groups {
  if (by === 1) return groups;
  const scale = (name: string, value: unknown) =>
    typeof value === 'number' && name === 'tokens' ? Math.round(value * by) : value;
  return JSON.parse(JSON.stringify(groups), scale);
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
