import type { MessageId } from '../messages/message.ts';
import type { Fact, FactClass } from './fact.ts';
import { isDone } from './same/todoStates.ts';
import { HINT_RANK, LAST_RANK, rankOf } from './worth.ts';

/** What a section holds: the facts of one class; files that no tool opened, only named, are no "files read". */
export type SectionKind = FactClass | 'file-named';

/** The sections of a rendered ledger, in their order. */
const SECTIONS: readonly { readonly kind: SectionKind; readonly title: string; readonly many: string }[] = [
  { kind: 'constraint', title: 'Constraints', many: 'constraints' },
  { kind: 'todo', title: 'To-dos', many: 'to-dos' },
  { kind: 'decision', title: 'Decisions', many: 'decisions' },
  { kind: 'file-changed', title: 'Files changed', many: 'files changed' },
  { kind: 'error', title: 'Errors', many: 'errors' },
  { kind: 'test-state', title: 'Tests', many: 'tests' },
  { kind: 'file-read', title: 'Files read', many: 'files read' },
  { kind: 'file-named', title: 'Files named', many: 'files named' },
  { kind: 'number', title: 'Numbers', many: 'numbers' },
  { kind: 'identifier', title: 'Identifiers', many: 'identifiers' },
  { kind: 'preference', title: 'Preferences', many: 'preferences' },
  { kind: 'command', title: 'Commands', many: 'commands' },
];

/** Sections whose items are short and stand side by side. */
const INLINE = new Set<SectionKind>(['file-read', 'file-named', 'file-changed', 'identifier']);

/** A fact as a note says it. */
export interface FactItem {
  readonly kind: SectionKind;
  readonly text: string;
  /** See `rankOf`. */
  readonly rank: number;
  readonly at: MessageId;
  /** Room that it takes, in characters of plain text. */
  readonly cost: number;
}

/** The latest of some facts as items in transcript order, each text once. */
export function factItems(facts: readonly Fact[]): FactItem[] {
  const items = new Map<string, FactItem>();
  for (const fact of facts) {
    if (fact.supersededAt !== undefined) continue;
    const text = itemText(fact);
    const kind = fact.class === 'file-read' && fact.strength === 'soft' ? 'file-named' : fact.class;
    const key = `${kind}\n${text}`;
    const rank = Math.min(rankOf(fact), items.get(key)?.rank ?? LAST_RANK);
    items.set(key, { kind, text, rank, at: fact.at, cost: costOf(text) + MARK_COST });
  }
  return [...items.values()].sort((a, b) => a.at - b.at);
}

/** The list mark or comma of an item. Characters. */
const MARK_COST = 3;
/** A character of a script without an alphabet takes about as many tokens as so many Latin ones. */
const WIDE_COST = 3;
const WIDE = /[\u2e80-\uffff]/g;

/** The room that a text takes, in characters of plain text. */
export function costOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0) * (WIDE_COST - 1);
}

/** The items worth most that fit in `room`: by rank, the newest first. */
export function chooseItems<Item extends Pick<FactItem, 'rank' | 'at' | 'cost'>>(
  items: readonly Item[],
  room: number,
): Set<Item> {
  const chosen = new Set<Item>();
  let left = room;
  for (const item of [...items].sort((a, b) => a.rank - b.rank || b.at - a.at)) {
    if (item.cost > left) continue;
    left -= item.cost;
    chosen.add(item);
  }
  return chosen;
}

/** Items as the compact text of a note, section by section, with one line that counts what is left out. */
export function renderItems(shown: readonly FactItem[], left: readonly FactItem[]): string {
  const lines = SECTIONS.flatMap(({ kind, title }) => {
    const texts = shown.filter((item) => item.kind === kind).map((item) => item.text);
    if (texts.length === 0) return [];
    return INLINE.has(kind) ? [`${title}: ${texts.join(', ')}`] : [`${title}:`, ...texts.map((text) => `- ${text}`)];
  });
  if (left.length > 0) {
    // Kinds are named where more than hints is left out: the line stands in every note.
    const told = left.filter((item) => item.rank < HINT_RANK);
    const kinds = SECTIONS.filter(({ kind }) => told.some((item) => item.kind === kind)).map(({ many }) => many);
    lines.push(kinds.length === 0 ? `+${left.length} more` : `+${left.length} more: ${kinds.join(', ')}`);
  }
  return lines.join('\n');
}

/** Titles of sections and the count of what is left out. Characters. */
const FRAME_COST = 150;

/**
 * Facts as the compact text of a note. Superseded facts are left out. When space is short the facts worth most are said,
 * and the others are counted. The text is never longer than `limitCharacters`.
 */
export function renderFacts(facts: readonly Fact[], limitCharacters: number): string {
  const items = factItems(facts);
  const everything = renderItems(items, []);
  if (everything.length <= limitCharacters) return everything;
  for (let room = limitCharacters - FRAME_COST; room > 0; room = Math.floor(room * 0.9) - 10) {
    const chosen = chooseItems(items, room);
    const text = renderItems(
      items.filter((item) => chosen.has(item)),
      items.filter((item) => !chosen.has(item)),
    );
    if (text.length <= limitCharacters) return text;
  }
  const counted = renderItems([], items);
  return counted.length <= limitCharacters ? counted : '';
}

function itemText(fact: Fact): string {
  switch (fact.class) {
    case 'todo':
      // Without a known state the words speak for themselves.
      return fact.state === undefined
        ? `${idOf(fact)}${oneLine(fact.value)}`
        : `${box(fact.state)} ${idOf(fact)}${oneLine(fact.value)} (${fact.state})`;
    case 'number':
      return oneLine(fact.anchor ?? fact.value);
    case 'error':
      return fact.anchor === undefined ? oneLine(fact.value) : `${fact.anchor}: ${oneLine(fact.value)}`;
    case 'test-state':
      return `${fact.anchor ?? 'tests'}: ${oneLine(fact.value)}${fact.state === undefined ? '' : ` (${fact.state})`}`;
    case 'command':
    case 'file-changed':
      return fact.state === undefined ? oneLine(fact.value) : `${oneLine(fact.value)} (${fact.state})`;
    case 'decision':
      return fact.anchor === undefined || fact.value.includes(fact.anchor)
        ? oneLine(fact.value)
        : `${oneLine(fact.value)} (not: ${fact.anchor})`;
    case 'constraint':
      return fact.anchor === undefined ? oneLine(fact.value) : `${fact.anchor}: ${oneLine(fact.value)}`;
    case 'preference':
    case 'file-read':
    case 'identifier':
      return oneLine(fact.value);
  }
}

function idOf(fact: Fact): string {
  return fact.anchor === undefined || fact.value.includes(fact.anchor) ? '' : `#${fact.anchor.replace(/^#/, '')} `;
}

function box(state: string): string {
  return isDone(state) ? '[x]' : '[ ]';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
