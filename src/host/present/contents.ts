import type { Message, ToolMessage } from '../../core/chat/message.ts';
import type { ChatTool } from '../../core/chat/wire.ts';
import { t } from '../../core/language.ts';
import { overtakes } from '../../core/ledger/outcome.ts';
import type { ContentsState } from '../../protocol/contents.ts';
import { MAX_CHANGED } from '../../protocol/fromWebview.ts';
import type { Act, ListGroup, ListRow, RowAct, RowActs, Source } from '../../protocol/list.ts';
import { makePart, type Part, type PartsInput, readAsidePart, readBlockParts } from './contentParts.ts';
import { type Item, sentBlocks } from './sent.ts';

/** The input of `presentContents`. */
export interface ContentsInput extends PartsInput {
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
export function labelOf(kind: Source): string {
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
export function presentContents(input: ContentsInput): ContentsState['groups'] {
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

/** The acts for several rows at once; of an act that none of them offers, the first reason. */
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
export function scaleGroups<Groups>(groups: Groups, by: number): Groups {
  if (by === 1) return groups;
  const scale = (name: string, value: unknown) =>
    typeof value === 'number' && name === 'tokens' ? Math.round(value * by) : value;
  return JSON.parse(JSON.stringify(groups), scale);
}
