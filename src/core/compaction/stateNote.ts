import { isStated, requiredFacts } from '../ledger/audit.ts';
import type { Fact, FactClass } from '../ledger/fact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { renderFacts } from '../ledger/render.ts';
import { cutHead, cutTail } from '../messages/cut.ts';
import { fence } from '../messages/fence.ts';
import { handleOf } from '../messages/handle.ts';
import type { Message } from '../messages/message.ts';
import { type Draft, isFrozen, type Unit } from './draft.ts';
import { isShown, madeText, wholeIds } from './factWriter.ts';
import { isOutdated, keyOf, latestFacts } from './outdated.ts';
import { filterInSteps, type Steps } from './steps.ts';

/** The most of the limit that the state may take; law 7 yields only to this. */
const STATE_SHARE = 0.4;
const CHARACTERS_A_TOKEN = 3;

/** Classes of which an older value that still stands in a note is marked as superseded. */
const MARKED: ReadonlySet<FactClass> = new Set([
  'number',
  'decision',
  'constraint',
  'todo',
  'test-state',
  'file-changed',
  'preference',
]);
/** Of more marks the newest stay: what was replaced last is what the next step may still rely on. */
const MOST_MARKS = 80;
/** Old figures and decisions in messages that stand whole are marked too, the newest few: what replaced them may stand far away. */
const MOST_WHOLE_MARKS = 16;
const MARKED_WHOLE: ReadonlySet<FactClass> = new Set(['number', 'decision']);

/**
 * What law 7 requires to stand literally in the view and that a draft does not say: explicit constraints, latest
 * to-dos, changed files, the newest error, decisions.
 */
export function* missingFacts(ledger: Ledger, draft: Draft): Steps<Fact[]> {
  const whole = wholeIds(draft.units);
  const required = requiredFacts(ledger).literal.filter((fact) => !whole.has(fact.at) || isNameless(fact, draft));
  if (required.length === 0) return [];
  const made = madeText(draft.units);
  return yield* filterInSteps(required, (fact) => !isShown(fact, made));
}

/** True for a to-do whose newest state was told by its number alone: the message that stands whole has no words of it. */
function isNameless(fact: Fact, draft: Draft): boolean {
  if (fact.class !== 'todo') return false;
  const unit = draft.units.find(({ range }) => range.from <= fact.at && fact.at <= range.to);
  if (unit === undefined) return false;
  return !unit.blocks.some((block) => block.messages.some((message) => saysWords(fact, message)));
}

function saysWords(fact: Fact, message: Message): boolean {
  const { state, ...words } = fact;
  if (isStated(words, message.text)) return true;
  return message.role === 'assistant' && message.calls.some((call) => isStated(words, call.arguments));
}

/**
 * Puts behind the last changed unit a message that says what was true when the run ended: the missing required facts,
 * and which older values in notes no longer hold. The state that an earlier run left is taken out first.
 */
export function* renewState(draft: Draft, input: { ledger: Ledger; mark: string; limit: number }): Steps<Draft> {
  if (!draft.units.some((unit) => unit.changed)) return draft;
  const cleaned = withoutState(draft);
  const marks = yield* supersededMarks(input.ledger, cleaned);
  const missing = yield* missingFacts(input.ledger, cleaned);
  const limit = Math.floor(input.limit * STATE_SHARE * CHARACTERS_A_TOKEN);
  // What holds stands last: it is newer than whatever a mark quotes.
  const parts = [...marks, missing.length === 0 ? '' : renderFacts(missing, limit)].filter((part) => part !== '');
  if (parts.length === 0) return cleaned;
  const index = cleaned.units.findLastIndex((unit) => unit.changed && !isFrozen(unit));
  const unit = cleaned.units[index];
  if (unit === undefined || unit.state === 'whole') return cleaned;
  const state = fence(input.mark, `[${handleOf(unit.range)}] State when this was written:\n${parts.join('\n')}`);
  return cleaned.replace([
    { start: index, count: 1, by: { kind: unit.state, messages: [...unit.messages, state], volatile: 1 } },
  ]);
}

/** Takes out the states that earlier runs left. */
export function withoutState(draft: Draft): Draft {
  const changes = draft.units.flatMap((unit: Unit, start) => {
    if (unit.volatile === 0 || unit.state === 'whole') return [];
    return [{ start, count: 1, by: { kind: unit.state, messages: unit.messages.slice(0, -unit.volatile) } }];
  });
  return draft.replace(changes);
}

function* supersededMarks(ledger: Ledger, draft: Draft): Steps<string[]> {
  const made = madeText(draft.units);
  const latest = latestFacts(ledger);
  const changed = ledger.facts().filter((fact) => MARKED.has(fact.class) && isOutdated(fact, latest));
  const whole = wholeIds(draft.units);
  const shown = yield* filterInSteps(changed, (fact) => !whole.has(fact.at) && isShown(fact, made));
  const told = changed.filter((fact) => whole.has(fact.at) && MARKED_WHOLE.has(fact.class)).slice(-MOST_WHOLE_MARKS);
  const standing = [...told, ...shown].sort((a, b) => (a.supersededAt ?? 0) - (b.supersededAt ?? 0));
  const marks = standing.flatMap((fact) => {
    const newer = latest.get(keyOf(fact));
    return newer === undefined
      ? []
      : [`superseded at t${fact.supersededAt}: ${describe(fact)} → now ${describe(newer)}`];
  });
  return [...new Set(marks)].slice(-MOST_MARKS);
}

function describe(fact: Fact): string {
  const words = labelled(fact);
  return fact.state === undefined ? words : `${words} (${fact.state})`;
}

/** Of a long clause around a figure, what stands beside it: the rest of the clause may tell of other things. */
const WORDS_BEFORE = 70;
const WORDS_AFTER = 40;

function labelled({ value, anchor }: Fact): string {
  if (anchor === undefined || value.includes(anchor)) return value;
  const at = anchor.lastIndexOf(value);
  if (at < 0) return `${anchor} ${value}`;
  const end = at + value.length;
  const before = cutTail(anchor.slice(0, at), WORDS_BEFORE);
  const after = cutHead(anchor.slice(end), WORDS_AFTER);
  return `${before.length < at ? '…' : ''}${before}${value}${after}${after.length < anchor.length - end ? '…' : ''}`;
}
