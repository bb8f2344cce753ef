import { isStated } from '../ledger/audit.ts';
import type { Fact, FactClass } from '../ledger/fact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { renderFacts } from '../ledger/render.ts';
import { neutralise } from '../messages/fence.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';
import type { Unit } from './draft.ts';

/** A list that later messages change; it stands in the state note at the end, not in the note of its range. */
const VOLATILE: ReadonlySet<FactClass> = new Set(['todo']);

/** True when a text says a fact, as it was or as a fence quotes it: with the fence's own mark neutralised. */
export function isShown(fact: Fact, text: string): boolean {
  if (isStated(fact, text)) return true;
  const value = neutralise(fact.value);
  return value !== fact.value && isStated({ ...fact, value }, text);
}

/** Everything that made messages of some units say, as one text. */
export function madeText(units: readonly Unit[]): string {
  return units
    .filter((unit) => unit.state !== 'whole')
    .flatMap((unit) => unit.messages.map((message) => contentText(message) + callText(message.tool_calls)))
    .join('\n');
}

function callText(calls: readonly { function: { arguments: string } }[] | undefined): string {
  return calls === undefined ? '' : `\n${calls.map((call) => call.function.arguments).join('\n')}`;
}

/** The ids of the messages that stand whole in some units. */
export function wholeIds(units: readonly Unit[]): ReadonlySet<MessageId> {
  const ids = new Set<MessageId>();
  for (const unit of units) {
    if (unit.state !== 'whole') continue;
    for (let id = unit.range.from; id <= unit.range.to; id += 1) ids.add(id);
  }
  return ids;
}

/**
 * Writes the facts of ranges, each once: what a kept unit or an earlier range already says is not said again.
 * Facts that a later message supersedes are left to the handle.
 */
export class FactWriter {
  readonly #ledger: Ledger;
  readonly #said = new Set<string>();
  readonly #made: string;

  /** `kept` are the units that stay as they are. */
  constructor(ledger: Ledger, kept: readonly Unit[]) {
    this.#ledger = ledger;
    this.#made = madeText(kept);
    const whole = wholeIds(kept);
    for (const fact of ledger.facts()) if (whole.has(fact.at)) this.#said.add(keyOf(fact));
  }

  /** The facts of a range that nothing else says. Marks them as said. */
  take(range: MessageRange): Fact[] {
    const facts = this.#ledger.facts(range).filter((fact) => fact.supersededAt === undefined);
    // A file that the range changed was read there, too: its path stands once.
    const changed = new Set(facts.filter((fact) => fact.class === 'file-changed').map((fact) => fact.value));
    return facts.filter((fact) => {
      if (VOLATILE.has(fact.class) || this.#said.has(keyOf(fact))) return false;
      this.#said.add(keyOf(fact));
      if (fact.class === 'file-read' && (changed.has(fact.value) || this.#said.has(`file-changed\n${fact.value}`)))
        return false;
      return !isShown(fact, this.#made);
    });
  }

  /**
   * Like `take`, as text of about `limit` characters; '' when there is nothing to say. Files come first: what an agent
   * needs right after a compaction are the paths that it worked on.
   */
  write(range: MessageRange, limit: number): string {
    return renderTaken(this.take(range), limit);
  }
}

/** The share of the room that other facts get however many files there are. */
const OTHER_SHARE = 0.35;

/** Renders facts with the files first. */
export function renderTaken(facts: readonly Fact[], limit: number): string {
  const files = facts.filter((fact) => fact.class === 'file-changed' || fact.class === 'file-read');
  const others = facts.filter((fact) => fact.class !== 'file-changed' && fact.class !== 'file-read');
  const named = files.length === 0 ? '' : renderFacts(files, limit);
  const rest =
    others.length === 0 ? '' : renderFacts(others, Math.max(limit - named.length, Math.floor(limit * OTHER_SHARE)));
  return [named, rest].filter((part) => part !== '').join('\n');
}

function keyOf(fact: Fact): string {
  return `${fact.class}\n${fact.value}`;
}
