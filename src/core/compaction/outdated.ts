import type { Fact, FactClass } from '../ledger/fact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MessageId } from '../messages/message.ts';

/**
 * Classes that are left out of quotations when they are outdated: what a figure, a to-do or a suite is called tells
 * surely that both speak of one thing. Of a decision or a rule only its words tell; both stay, and a mark names the newer.
 */
const NAMED: ReadonlySet<FactClass> = new Set(['number', 'todo', 'test-state']);

/** The newest fact of each key. */
export function latestFacts(ledger: Ledger): ReadonlyMap<string, Fact> {
  const latest = new Map<string, Fact>();
  for (const fact of ledger.facts()) if (fact.supersededAt === undefined) latest.set(keyOf(fact), fact);
  return latest;
}

/** True when a later fact says something else of the same thing: another value, or another state of a to-do or a test. */
export function isOutdated(fact: Fact, latest: ReadonlyMap<string, Fact>): boolean {
  if (fact.supersededAt === undefined) return false;
  const newer = latest.get(keyOf(fact));
  return newer?.value !== fact.value || newer.state !== fact.state;
}

/** What no longer holds of what was said, by the message that said it. */
export function outdatedByMessage(ledger: Ledger): ReadonlyMap<MessageId, readonly Fact[]> {
  const latest = latestFacts(ledger);
  const found = new Map<MessageId, Fact[]>();
  for (const fact of ledger.facts()) {
    if (!NAMED.has(fact.class) || !isOutdated(fact, latest)) continue;
    const others = found.get(fact.at);
    if (others === undefined) found.set(fact.at, [fact]);
    else others.push(fact);
  }
  return found;
}

/** A fact of one key. */
export function keyOf(fact: Fact): string {
  return `${fact.class}\n${fact.key}`;
}

/** A sentence ends at its mark, or with its line. */
const SENTENCE_ENDS = /(?<=[.!?]["')\]*_]{0,3})\s+|(?<=[\u3002\uff01\uff1f])|\n+/u;
const CUT = '…';

/** A text without the sentences that say what no longer holds; `…` stands where some were. The same text when there are none. */
export function withoutOutdated(text: string, old: readonly Fact[]): string {
  if (old.length === 0) return text;
  const kept: string[] = [];
  let left = 0;
  for (const sentence of text.split(SENTENCE_ENDS)) {
    if (!old.some((fact) => says(sentence, fact))) kept.push(sentence.trim());
    else {
      left += 1;
      if (kept.at(-1) !== CUT) kept.push(CUT);
    }
  }
  if (left === 0) return text;
  return kept.some((part) => part !== '' && part !== CUT) ? kept.filter((part) => part !== '').join(' ') : '';
}

function says(sentence: string, { class: kind, value, anchor, state }: Fact): boolean {
  const names = anchor !== undefined && sentence.includes(anchor);
  switch (kind) {
    case 'todo':
      return sentence.includes(value) || (names && (state === undefined || sentence.includes(state)));
    case 'test-state':
      return sentence.includes(value) && (anchor === undefined || names);
    case 'number':
      return sentence.includes(value) && (anchor === undefined || names || anchor.includes(sentence.trim()));
    default:
      return sentence.includes(value) || (sentence.trim().length > 20 && value.includes(sentence.trim()));
  }
}
