import type { Fact, FactClass } from './fact.ts';

/** The sections of a rendered ledger, most important first; `weight` is their part of the space when it is short. */
const SECTIONS: readonly { readonly kind: FactClass; readonly title: string; readonly weight: number }[] = [
  { kind: 'constraint', title: 'Constraints', weight: 6 },
  { kind: 'todo', title: 'To-dos', weight: 5 },
  { kind: 'decision', title: 'Decisions', weight: 5 },
  { kind: 'file-changed', title: 'Files changed', weight: 5 },
  { kind: 'error', title: 'Errors', weight: 2 },
  { kind: 'test-state', title: 'Tests', weight: 1 },
  { kind: 'file-read', title: 'Files read', weight: 4 },
  { kind: 'number', title: 'Numbers', weight: 3 },
  { kind: 'identifier', title: 'Identifiers', weight: 3 },
  { kind: 'preference', title: 'Preferences', weight: 1 },
  { kind: 'command', title: 'Commands', weight: 2 },
];

/** Sections whose items are short and stand side by side. */
const INLINE = new Set<FactClass>(['file-read', 'file-changed', 'identifier']);

/** Room kept in a section for its title and the count of what is left out, characters. */
const SECTION_OVERHEAD = 40;

/**
 * Facts as the compact text of a note. Superseded facts are left out. When space is short the newest items stay, the
 * sections share the space by weight, and what is left out is counted, with the handle that it stands behind.
 * The text is never longer than `limitCharacters`.
 */
export function renderFacts(facts: readonly Fact[], limitCharacters: number, handle?: string): string {
  const latest = facts.filter((fact) => fact.supersededAt === undefined);
  const sections = SECTIONS.map((section) => ({ ...section, items: itemsOf(latest, section.kind) })).filter(
    ({ items }) => items.length > 0,
  );
  const render = (limitOf: (index: number) => number): string[] =>
    sections
      .map(({ kind, title, items }, index) =>
        renderSection({ title, items, inline: INLINE.has(kind), limit: limitOf(index), handle }),
      )
      .filter((text) => text !== '');
  const everything = render(() => Number.POSITIVE_INFINITY).join('\n');
  if (everything.length <= limitCharacters) return everything;
  const allowed = shareSpace(
    sections.map(({ items, weight }) => ({ wanted: sizeOf(items), weight })),
    limitCharacters,
  );
  const parts = render((index) => allowed[index] ?? 0);
  const whole = parts.join('\n');
  return whole.length <= limitCharacters ? whole : parts.slice(0, -1).join('\n').slice(0, Math.max(0, limitCharacters));
}

/** The lines of one class in transcript order, each text once. */
function itemsOf(facts: readonly Fact[], kind: FactClass): string[] {
  const own = facts.filter((fact) => fact.class === kind);
  const ordered = [...own].sort((a, b) => Number(a.strength !== 'soft') - Number(b.strength !== 'soft') || a.at - b.at);
  return [...new Set(ordered.map(itemText))];
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

function box(state: string | undefined): string {
  return /^(?:done|completed?|finished|closed|erledigt|fertig|abgeschlossen|terminée?|faite?|hech[oa]|已完成|完成了?|完了|완료)$/i.test(
    state ?? '',
  )
    ? '[x]'
    : '[ ]';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function sizeOf(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + item.length + 3, SECTION_OVERHEAD);
}

/** Divides the space: each section gets what it wants, and where that is too much, its share by weight. */
function shareSpace(
  sections: readonly { readonly wanted: number; readonly weight: number }[],
  limit: number,
): number[] {
  const given = sections.map(() => 0);
  let open = sections.map((_, index) => index);
  let left = limit;
  while (open.length > 0) {
    const weights = open.reduce((sum, index) => sum + (sections[index]?.weight ?? 0), 0);
    const share = (index: number): number => (left * (sections[index]?.weight ?? 0)) / weights;
    const content = open.filter((index) => (sections[index]?.wanted ?? 0) <= share(index));
    if (content.length === 0) {
      for (const index of open) given[index] = Math.floor(share(index));
      break;
    }
    for (const index of content) {
      given[index] = sections[index]?.wanted ?? 0;
    }
    left -= content.reduce((sum, index) => sum + (given[index] ?? 0), 0);
    open = open.filter((index) => !content.includes(index));
  }
  return given;
}

interface Section {
  readonly title: string;
  readonly items: readonly string[];
  readonly inline: boolean;
  readonly limit: number;
  readonly handle: string | undefined;
}

function renderSection({ title, items, inline, limit, handle }: Section): string {
  const room = limit - SECTION_OVERHEAD;
  let used = 0;
  let first = items.length;
  while (first > 0) {
    const size = (items[first - 1]?.length ?? 0) + 3;
    if (used + size > room) break;
    used += size;
    first -= 1;
  }
  const shown = items.slice(first);
  const more = first === 0 ? '' : `+${first} more${handle === undefined ? '' : ` behind ${handle}`}`;
  if (shown.length === 0) return `${title}: ${more}`.length + 1 <= limit ? `${title}: ${more}` : '';
  if (inline) return `${title}: ${[...shown, ...(more === '' ? [] : [more])].join(', ')}`;
  return [`${title}:`, ...shown.map((item) => `- ${item}`), ...(more === '' ? [] : [`- ${more}`])].join('\n');
}
