import { findHolding } from '../../chat/blocks.ts';
import { fence, neutralise } from '../../chat/fence.ts';
import type { MessageId } from '../../chat/message.ts';
import { contentText } from '../../chat/parse.ts';
import type { ChatMessage } from '../../chat/wire.ts';
import type { Fact, FactClass } from '../../ledger/fact.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isStated, prepareText, requiredFacts } from '../../ledger/stated.ts';
import { isDone, isDropped } from '../../ledger/todos.ts';
import { eachInSteps, filterInSteps, type Steps } from '../../steps.ts';
import type { Substitute } from '../compaction.ts';
import { type Change, type Draft, isFrozen, type Unit } from '../draft.ts';
import { CHARACTERS_A_TOKEN } from '../shorten.ts';

/**
 * The state takes at most these shares of the limit and of the target, but may always take LEAST_STATE tokens. Facts for
 * which it has no room are counted (`+12 more`): the only exception to law 7.
 */
const STATE_SHARE = { limit: 0.2, target: 0.4 };
const LEAST_STATE = 300;

/**
 * The facts that law 7 requires literally in the view and that a draft does not state: explicit constraints, the
 * agent's own to-dos, changed files, the newest error.
 */
export function* missingFacts(ledger: Ledger, draft: Draft): Steps<Fact[]> {
  const literal = requiredFacts(ledger);
  // A to-do with an id must be stated: its message may name it by the id alone.
  const required = yield* filterInSteps(literal, ({ at, id }) => id !== undefined || !standsWhole(draft.units, at));
  if (required.length === 0) return [];
  const made = yield* madeText(draft.units);
  return yield* filterInSteps(required, (fact) => !isShown(fact, made));
}

/** What a state is made from. `target` and `limit` are tokens of the whole view: the aim, and the maximum. */
interface StateInput {
  readonly ledger: Ledger;
  readonly mark: string;
  readonly target: number;
  readonly limit: number;
}

/**
 * Adds, after the last changed unit, a message with the state of things when the run ended: required facts that
 * nothing else states. The state of an earlier run is removed first.
 */
export function* renewState(draft: Draft, input: StateInput): Steps<Draft> {
  if (!draft.units.some((unit) => unit.changed)) return draft;
  const cleaned = yield* withoutState(draft);
  const missing = yield* missingFacts(input.ledger, cleaned);
  if (missing.length === 0) return cleaned;
  // Where the current request takes nearly all, the state takes half of what is left: the view must fit.
  const most = Math.max(LEAST_STATE, input.target * STATE_SHARE.target);
  const room = Math.min(input.limit * STATE_SHARE.limit, most, Math.max(0, input.limit - cleaned.tokens) / 2);
  const limit = Math.floor(room * CHARACTERS_A_TOKEN);
  const index = cleaned.units.findLastIndex((unit) => unit.changed && !isFrozen(unit));
  const unit = cleaned.units[index];
  if (unit === undefined || unit.state === 'whole') return cleaned;
  const text = stateText(missing, limit);
  const last = cleaned.units.at(-1)?.range.to;
  // Some messages that it mentions may be below it, and so is everything that comes after this run.
  const below =
    index < cleaned.units.length - 1 ? ` (including the messages below up to t${last}, none after that)` : '';
  const title = `## State when this was written, after t${last}${below}`;
  const state = fence(input.mark, `${title}\n${text}`);
  return yield* cleaned.replace([
    { start: index, count: 1, by: { ...keep(unit), messages: [...unit.messages, state], volatile: 1 } },
  ]);
}

/** What a unit's substitute keeps when only its messages change. */
function keep({ state, narratives }: Unit): Pick<Substitute, 'kind' | 'narratives'> {
  return { kind: state === 'whole' ? 'shortened' : state, narratives };
}

/** Removes the states that earlier runs left. */
export function* withoutState(draft: Draft): Steps<Draft> {
  const changes: Change[] = [];
  draft.units.forEach((unit, start) => {
    if (unit.volatile > 0 && unit.state !== 'whole' && !isFrozen(unit))
      changes.push({ start, count: 1, by: { ...keep(unit), messages: unit.messages.slice(0, -unit.volatile) } });
  });
  return yield* draft.replace(changes);
}

/** The sections of a state, the most important first. */
const SECTIONS: readonly { readonly kind: FactClass; readonly title: string }[] = [
  { kind: 'constraint', title: 'Rules' },
  { kind: 'todo', title: "The agent's own to-do list, as it last wrote it" },
  { kind: 'error', title: 'Newest errors in results (may be fixed by now)' },
  { kind: 'file-changed', title: 'Files edited whose full path is not given above' },
];

/**
 * The share of a state's room that the edited files may take, the newest of them: in a conversation of days there are
 * hundreds, and the notes need room too.
 */
const FILES_SHARE = 1 / 3;

/**
 * The state of things, as Markdown: each item after the handle of the message that states it. Not longer than `limit`
 * characters; where there is no room for all, the newest of a section are told (of to-dos those that are still to
 * do), and the rest is counted.
 */
export function stateText(facts: readonly Fact[], limit: number): string {
  const lines: string[] = [];
  let left = limit;
  let omitted = 0;
  for (const { kind, title } of SECTIONS) {
    const all = facts.filter((fact) => fact.class === kind);
    const shown = new Map<Fact, string>();
    let room = (kind === 'file-changed' ? Math.min(left, limit * FILES_SHARE) : left) - (title.length + 40);
    for (const fact of [...all.filter(isSettled), ...all.filter((one) => !isSettled(one))].reverse()) {
      const line = `- [t${fact.at}] ${words(fact).replace(/\s+/g, ' ')}`;
      if (line.length + 1 > room) continue;
      room -= line.length + 1;
      left -= line.length + 1;
      shown.set(fact, line);
    }
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

function words({ class: kind, value, id, state, detail }: Fact): string {
  const ended = state === undefined ? '' : ` (${state})`;
  if (kind !== 'todo') return value + ended;
  const number = id === undefined || value.includes(id) ? '' : `#${id.replace(/^#/, '')} `;
  if (state === undefined) return number + value;
  const box = isDropped(state) ? '[-]' : isDone(state) ? '[x]' : '[ ]';
  return `${box} ${number}${value}${ended}${box !== '[ ]' || detail === undefined ? '' : `: ${detail}`}`;
}

/** True when a text states a fact, literally or as a fence quotes it, with the fence's own mark neutralised. */
export function isShown(fact: Fact, text: string): boolean {
  if (isStated(fact, text)) return true;
  const value = neutralise(fact.value);
  return value !== fact.value && isStated({ ...fact, value }, text);
}

/** The text of all messages that are not whole in some units, as one text in which facts can be looked for. */
export function* madeText(units: readonly Unit[]): Steps<string> {
  const texts: string[] = [];
  yield* eachInSteps(units, ({ state, messages }) => {
    if (state !== 'whole') for (const message of messages) texts.push(wholeText(message));
  });
  const text = texts.join('\n');
  yield* prepareText(text);
  return text;
}

/** The text of a message, the arguments of its calls included. */
export function wholeText(message: ChatMessage): string {
  return [contentText(message), ...(message.tool_calls ?? []).map((call) => call.function.arguments)].join('\n');
}

/** True for a message that is whole in some units. */
export function standsWhole(units: readonly Unit[], id: MessageId): boolean {
  return units[findHolding(units, id)]?.state === 'whole';
}
