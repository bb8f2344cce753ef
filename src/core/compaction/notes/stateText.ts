import type { Fact, FactClass } from '../../ledger/fact.ts';
import { isDone, isDropped } from '../../ledger/todoState.ts';
import type { MessageId } from '../../messages/message.ts';
import { eachInSteps, filterInSteps, type Steps } from '../../steps.ts';

/** The sections of a state, the most important first. */
const SECTIONS: readonly { readonly kind: FactClass; readonly title: string }[] = [
  { kind: 'constraint', title: 'Rules' },
  { kind: 'todo', title: "The agent's own to-do list, as it last wrote it" },
  { kind: 'error', title: 'Newest errors in results (they may be solved)' },
  { kind: 'test-state', title: 'Last outcomes of checks' },
  { kind: 'file-changed', title: 'Files edited: the newest, and those whose whole path is not given above' },
];

/** An item longer than this is cut. Characters. */
const LONGEST_ITEM = 600;

/**
 * The share of a state's room that the edited files may take, the newest of them: in a conversation of days there are
 * hundreds, and the notes need room too.
 */
const FILES_SHARE = 1 / 3;

/**
 * The state of things, as Markdown: each item after the handle of the message that states it. Not longer than `limit`
 * characters; where there is no room for all, the newest of a section are told (of to-dos those that are still to
 * do), and the rest is counted. `changes` are the messages that changed files, in order: a check or an
 * error before one may no longer hold.
 */
export function* stateText(facts: readonly Fact[], limit: number, changes: readonly MessageId[]): Steps<string> {
  const lines: string[] = [];
  let left = limit;
  let omitted = 0;
  for (const { kind, title } of SECTIONS) {
    const all = yield* filterInSteps(facts, (fact) => fact.class === kind);
    const shown = new Map<Fact, string>();
    let room = (kind === 'file-changed' ? Math.min(left, limit * FILES_SHARE) : left) - (title.length + 40);
    yield* eachInSteps([...all.filter(isSettled), ...all.filter((fact) => !isSettled(fact))].reverse(), (fact) => {
      const line = `- ${itemOf(fact, changes)}`;
      if (line.length + 1 > room) return;
      room -= line.length + 1;
      left -= line.length + 1;
      shown.set(fact, line);
    });
    omitted += all.length - shown.size;
    if (shown.size === 0) continue;
    left -= title.length + 2;
    lines.push(`${title}:`, ...all.flatMap((fact) => shown.get(fact) ?? []));
  }
  if (omitted > 0) lines.push(`+${omitted} more`);
  return lines.join('\n');
}

/** True for a to-do that is done or was dropped: what is still to do comes before it. */
function isSettled({ class: kind, state }: Fact): boolean {
  return kind === 'todo' && state !== undefined && (isDone(state) || isDropped(state));
}

function itemOf(fact: Fact, changes: readonly MessageId[]): string {
  return `[t${fact.at}] ${oneLine(words(fact, changes))}`;
}

function words(fact: Fact, changes: readonly MessageId[]): string {
  const { value, anchor, state } = fact;
  switch (fact.class) {
    case 'todo': {
      const id = anchor === undefined || value.includes(anchor) ? '' : `#${anchor.replace(/^#/, '')} `;
      if (state === undefined) return `${id}${value}`;
      const detail = isDone(state) || isDropped(state) || fact.detail === undefined ? '' : `: ${fact.detail}`;
      return `${box(state)}${id}${value} (${state})${detail}`;
    }
    case 'test-state': {
      const outcome = [state ?? 'no outcome', ...changedSince(fact, changes)].join('; ');
      return `${anchor === undefined || anchor === value ? '' : `${anchor}: `}${value} (${outcome})`;
    }
    // The file and line of an error may belong to another line of the same output.
    case 'error':
      return [value, ...changedSince(fact, changes).map((since) => `(${since})`)].join(' ');
    case 'constraint':
      return anchor === undefined ? value : `${anchor}: ${value}`;
    default:
      return state === undefined ? value : `${value} (${state})`;
  }
}

/** A remark when files were changed after a check or an error: it may no longer hold. */
function changedSince({ at }: Fact, changes: readonly MessageId[]): string[] {
  const next = changes.find((change) => change > at);
  return next === undefined ? [] : [`files were changed since, from t${next} on`];
}

/** An open or done box; a dropped to-do is neither. */
function box(state: string): string {
  if (isDropped(state)) return '[-] ';
  return isDone(state) ? '[x] ' : '[ ] ';
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_ITEM ? `${line.slice(0, LONGEST_ITEM)}…` : line;
}
