import { isStated, requiredFacts } from '../../ledger/audit.ts';
import type { Fact } from '../../ledger/fact.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isDone, isDropped } from '../../ledger/todoState.ts';
import { findHolding } from '../../messages/blocks.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message } from '../../messages/message.ts';
import { filterInSteps, type Steps } from '../../steps.ts';
import type { Substitute } from '../compaction.ts';
import type { Change, Draft } from '../draft.ts';
import { CHARACTERS_A_TOKEN } from '../shorten.ts';
import { isFrozen, type Unit } from '../unit.ts';
import { findMentions } from './mentions.ts';
import { isShown, madeText, standsWhole } from './shown.ts';
import { stateText } from './stateText.ts';

/** The most of the limit that the state may take; law 7 yields only to this. */
export const STATE_SHARE = 0.4;
/** The last outcome of each check is told for so many checks, the newest; so many files that were changed last are named. */
const MOST_CHECKS = 3;
const MOST_FILES = 5;
/** Open to-dos that the view says elsewhere are told again when they take at most this share of the state's room. */
const OPEN_SHARE = 0.25;

/**
 * What law 7 requires to stand literally in the view and that a draft does not say: explicit constraints, the agent's
 * own to-dos, changed files, the newest error.
 */
export function* missingFacts(ledger: Ledger, draft: Draft): Steps<Fact[]> {
  const { literal } = requiredFacts(ledger);
  const required = yield* filterInSteps(
    literal,
    (fact) => !standsWhole(draft.units, fact.at) || isNameless(fact, draft),
  );
  if (required.length === 0) return [];
  const made = yield* madeText(draft.units);
  return yield* filterInSteps(required, (fact) => !isShown(fact, made));
}

/** True for a to-do whose newest state was told by its number alone: the message that stands whole has no words of it. */
function isNameless(fact: Fact, draft: Draft): boolean {
  if (fact.class !== 'todo') return false;
  const unit = draft.units[findHolding(draft.units, fact.at)];
  if (unit === undefined) return false;
  return !unit.blocks.some((block) => block.messages.some((message) => saysWords(fact, message)));
}

function saysWords(fact: Fact, message: Message): boolean {
  const { state, ...words } = fact;
  if (isStated(words, message.text)) return true;
  return message.role === 'assistant' && message.calls.some((call) => isStated(words, call.arguments));
}

/** The last outcome of each check, one line each: what failed says more than what passed beside it. */
function lastChecks(ledger: Ledger): Fact[] {
  const checks = new Map<string, Fact>();
  for (const fact of ledger.facts()) {
    if (fact.class !== 'test-state' || fact.supersededAt !== undefined) continue;
    // That a command ended well without a word of tests is no outcome of a check.
    if (fact.value === fact.anchor && fact.state !== 'failed') continue;
    const name = fact.anchor ?? fact.value;
    const known = checks.get(name);
    if (known?.at === fact.at && known.state === 'failed') continue;
    checks.delete(name);
    checks.set(name, fact);
  }
  return [...checks.values()].slice(-MOST_CHECKS);
}

/** Branch, commit, push and request, each as git printed it last. */
function lastOfGit(ledger: Ledger): Fact[] {
  return ledger.facts().filter((fact) => fact.class === 'git' && fact.supersededAt === undefined);
}

/** What the view must say and does not, the to-dos that are open, and the files that were changed last: in their order. */
function requiredAndOpen(missing: readonly Fact[], ledger: Ledger, limit: number): Fact[] {
  const { literal } = requiredFacts(ledger);
  // What only prose listed is not told again: later prose may have said that it is done.
  const open = literal.filter((fact) => isOpen(fact) && fact.strength !== 'soft');
  const length = open.reduce((sum, { value, detail = '' }) => sum + value.length + detail.length, 0);
  const files = literal.filter((fact) => fact.class === 'file-changed').slice(-MOST_FILES);
  const told = new Set([...missing, ...(length <= limit * OPEN_SHARE ? open : []), ...files]);
  return literal.filter((fact) => told.has(fact));
}

/** What a state is made from. `target` and `limit` are tokens of the whole view: aimed at, and at most. */
interface StateInput {
  readonly ledger: Ledger;
  readonly mark: string;
  readonly target: number;
  readonly limit: number;
}

/**
 * Puts behind the last changed unit a message that says how things stood when the run ended, also where the view says it
 * elsewhere: open to-dos, the last outcome of each check, what git printed last, the files changed last; and the required
 * facts that nothing else says. The state of an earlier run is taken out first.
 */
export function* renewState(draft: Draft, input: StateInput): Steps<Draft> {
  if (!draft.units.some((unit) => unit.changed)) return draft;
  const cleaned = withoutState(draft);
  const missing = yield* missingFacts(input.ledger, cleaned);
  const limit = Math.floor(input.limit * STATE_SHARE * CHARACTERS_A_TOKEN);
  // A view that is too long as it is has no room to say anything twice.
  const isFull = cleaned.tokens > input.target;
  const facts = [
    ...(yield* withMentions(isFull ? missing : requiredAndOpen(missing, input.ledger, limit), cleaned)),
    ...(isFull ? [] : [...lastChecks(input.ledger), ...lastOfGit(input.ledger)]),
  ];
  if (facts.length === 0) return cleaned;
  const index = cleaned.units.findLastIndex((unit) => unit.changed && !isFrozen(unit));
  const unit = cleaned.units[index];
  if (unit === undefined || unit.state === 'whole') return cleaned;
  const text = yield* stateText(facts, limit, input.ledger.changes());
  const last = cleaned.units.at(-1)?.range.to;
  // Some of them may stand below it; what comes after this run stands there too.
  const below =
    index < cleaned.units.length - 1 ? ` (also of the messages below up to t${last}, not of later ones)` : '';
  const title = `## State when this was written, after t${last}${below}`;
  const state = fence(input.mark, `${title}\n${text}`);
  return yield* cleaned.replaceInSteps([
    { start: index, count: 1, by: { ...keep(unit), messages: [...unit.messages, state], volatile: 1 } },
  ]);
}

/**
 * Facts with what they do not know themselves: that prose named an open to-do again after its list did. It may be done by
 * then, or dropped; the words that say so are in any language, so that the state tells where they are.
 */
function* withMentions(facts: readonly Fact[], draft: Draft): Steps<Fact[]> {
  const mentions = yield* findMentions(facts.filter(isOpen), draft);
  return facts.map((fact) => {
    const at = mentions.get(fact);
    return at === undefined
      ? fact
      : { ...fact, state: `${fact.state}; named again at ${handleOf({ from: at, to: at })}` };
  });
}

function isOpen({ class: kind, state }: Fact): boolean {
  return kind === 'todo' && state !== undefined && !isDone(state) && !isDropped(state);
}

/** What of a unit's substitute stays when only its messages change. */
function keep({ state, narratives }: Unit): Pick<Substitute, 'kind' | 'narratives'> {
  return { kind: state === 'whole' ? 'shortened' : state, ...(narratives.length > 0 && { narratives }) };
}

/** Takes out the states that earlier runs left. */
export function withoutState(draft: Draft): Draft {
  const changes: Change[] = [];
  draft.units.forEach((unit, start) => {
    if (unit.volatile > 0 && unit.state !== 'whole' && !isFrozen(unit))
      changes.push({ start, count: 1, by: { ...keep(unit), messages: unit.messages.slice(0, -unit.volatile) } });
  });
  return draft.replace(changes);
}
