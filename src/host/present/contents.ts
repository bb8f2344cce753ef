import { blockMessages } from '../../core/messages/blocks.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message, MessageId } from '../../core/messages/message.ts';
import type { ContentGroup, ContentRow, ContentsState } from '../../protocol/contents.ts';
import { type Part, readBlockParts } from './contentParts.ts';
import { forecast } from './forecast.ts';
import { type Item, sentBlocks } from './sent.ts';

/** What is needed to say what fills the window. */
export interface ContentsInput {
  readonly items: readonly Item[];
  readonly messages: readonly Message[];
  readonly pins: ReadonlySet<MessageId>;
  readonly count: (message: ChatMessage) => number;
  /** Tokens of the tool definitions. */
  readonly toolTokens: number;
  /** Tokens until a compression is due. */
  readonly room: number;
}

/** The most rows of a group, and of one row of it. */
const MOST_ROWS = 100;

const LABELS: Readonly<Record<ContentGroup['kind'], string>> = {
  instructions: 'Instructions',
  tools: 'Tool definitions',
  user: 'Your messages',
  files: 'Files read',
  results: 'Tool results',
  replies: 'Replies',
  summaries: 'Summaries',
  aside: 'Set aside',
};

/** Says what the next request is made of, by source, and what is set aside. */
export function presentContents(input: ContentsInput): ContentsState {
  const parts = input.items.flatMap((item) => partsOf(item, input));
  const outdated = findOutdated(parts);
  const groups = new Map<ContentGroup['kind'], Part[]>();
  for (const part of parts) groups.set(part.kind, [...(groups.get(part.kind) ?? []), part]);
  const inWindow = [...groups]
    .filter(([kind]) => kind !== 'aside')
    .map(([kind, members]) => presentGroup(kind, members, outdated));
  const tools: ContentGroup = { kind: 'tools', label: LABELS.tools, tokens: input.toolTokens, rows: [], more: 0 };
  const sorted = [...inWindow, ...(input.toolTokens > 0 ? [tools] : [])].sort(largestFirst);
  const aside = groups.get('aside');
  const coming = forecast(input);
  return {
    groups: aside === undefined ? sorted : [...sorted, presentGroup('aside', aside, outdated)],
    ...(coming !== undefined && { forecast: coming }),
  };
}

function partsOf(item: Item, input: ContentsInput): Part[] {
  const { from, to } = item.range;
  if (item.kind === 'whole' || item.replacement.by.kind === 'shortened')
    return sentBlocks(item).flatMap((block) => readBlockParts(block, input));
  const raw = item.blocks.flatMap((block) => blockMessages(block));
  const aside: Part = {
    kind: 'aside',
    label: from === to ? `Message ${from}` : `Messages ${from} to ${to}`,
    note: item.replacement.by.kind === 'note' ? 'summarized' : 'dropped',
    tokens: sum(raw.map(({ wire }) => input.count(wire))),
    from,
    to,
    pinned: false,
  };
  if (item.messages.length === 0) return [aside];
  return [{ ...aside, kind: 'summaries', note: '', tokens: sum(item.messages.map(input.count)) }, aside];
}

/** Readings of a file that a later change, or a later reading of the same lines or of the whole file, has overtaken. */
function findOutdated(parts: readonly Part[]): ReadonlySet<Part> {
  const outdated = new Set<Part>();
  const later = new Map<string, 'changed' | Set<string>>();
  for (const part of [...parts].reverse()) {
    const { file, changes } = part;
    if (changes !== undefined) later.set(changes, 'changed');
    if (file === undefined) continue;
    const seen = later.get(file);
    if (seen === 'changed' || seen?.has(part.label) || seen?.has(file)) outdated.add(part);
    if (seen !== 'changed') later.set(file, (seen ?? new Set<string>()).add(part.label));
  }
  return outdated;
}

function presentGroup(kind: ContentGroup['kind'], parts: readonly Part[], outdated: ReadonlySet<Part>): ContentGroup {
  const named = new Map<string, Part[]>();
  const single: ContentRow[] = [];
  for (const part of parts) {
    const name = part.file ?? part.tool;
    if (name === undefined) single.push(presentPart(part, outdated));
    else named.set(name, [...(named.get(name) ?? []), part]);
  }
  const together = [...named].map(([name, members]): ContentRow => {
    const rows = members.map((part) => presentPart(part, outdated)).sort(largestFirst);
    const [only] = rows;
    if (rows.length === 1 && only !== undefined)
      return kind === 'files' ? only : { ...only, label: `${name} ${only.label}` };
    const note = `${rows.length} ${kind === 'files' ? 'readings' : 'results'}`;
    const tokens = sum(rows.map((row) => row.tokens));
    return { key: `${kind} ${name}`, label: name, tokens, note, pinned: false, rows: rows.slice(0, MOST_ROWS) };
  });
  const rows = [...single, ...together].sort(largestFirst);
  return {
    kind,
    label: LABELS[kind],
    tokens: sum(parts.map((part) => part.tokens)),
    rows: rows.slice(0, MOST_ROWS),
    more: Math.max(0, rows.length - MOST_ROWS),
  };
}

function presentPart(part: Part, outdated: ReadonlySet<Part>): ContentRow {
  const { kind, label, tokens, from, to, pinned } = part;
  const note = [part.note, ...(outdated.has(part) ? ['outdated'] : [])].filter((word) => word !== '').join(', ');
  return { key: `${kind} ${from}-${to} ${label}`, label, tokens, note, at: { from, to }, pinned, rows: [] };
}

function largestFirst(one: { readonly tokens: number }, other: { readonly tokens: number }): number {
  return other.tokens - one.tokens;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
