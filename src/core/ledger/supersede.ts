import { contentWords, liftedBy } from './extract/constraints.ts';
import type { Fact } from './fact.ts';
import type { Found } from './found.ts';
import { DecisionKeys } from './same/sameDecision.ts';
import { FigureKeys } from './same/sameFigure.ts';
import { isBare, TodoKeys } from './same/todoKeys.ts';

/**
 * Marks what later facts replace: the same key in the same class, a renamed file's old name, items that a list written
 * anew no longer has, a rule that the human lifted. Of a to-do, the newest sentence about it counts, also one that tells
 * no known state. A passing mention (`soft`) does not replace the fact that it repeats
 * and is not listed beside it. `found` is in transcript order and so is the answer.
 */
export function supersede(found: readonly Found[]): Fact[] {
  const endedAt = new Map<number, number>();
  const latest = new Map<string, number>();
  const lists = new Map<string, { at: number; items: Map<string, number> }>();
  const rules = new Set<number>();
  const repeated = new Set<number>();
  const names = new Map<number, string>();
  const figures = new FigureKeys();
  const todos = new TodoKeys();
  const decisions = new DecisionKeys();
  const keys = found.map((fact) => {
    if (fact.class === 'todo') return todos.keyOf(fact);
    return fact.class === 'decision' ? decisions.keyOf(fact) : figures.keyOf(fact);
  });

  const end = (index: number | undefined, at: number): void => {
    if (index === undefined || endedAt.has(index)) return;
    endedAt.set(index, at);
    rules.delete(index);
  };

  found.forEach((fact, index) => {
    // News of a to-do that nobody named.
    if (keys[index] === undefined) {
      repeated.add(index);
      return;
    }
    const key = `${fact.class}\n${keys[index]}`;
    const before = found[latest.get(key) ?? -1];
    if (fact.strength === 'soft' && before?.value === fact.value && before.strength !== 'soft') {
      repeated.add(index);
      return;
    }
    const earlier = latest.get(key);
    if (fact.class === 'todo' && fact.state === undefined && !speaksOf(fact, found[earlier ?? -1])) {
      repeated.add(index);
      return;
    }
    // An update by number alone ("#4 completed") keeps the words of the to-do that it updates.
    if (fact.class === 'todo' && earlier !== undefined && (fact.speaksOf !== undefined || isBare(fact))) {
      const words = names.get(earlier) ?? found[earlier]?.value ?? fact.value;
      const state = found[earlier]?.state;
      // A sentence that tells the old state is no name: the id is.
      if (fact.value.startsWith('#') || fact.speaksOf !== undefined || state === undefined || !words.includes(state))
        names.set(index, words);
    }
    end(earlier, fact.at);
    latest.set(key, index);
    for (const old of fact.replaces ?? []) {
      end(latest.get(`${fact.class}\n${old}`), fact.at);
      latest.delete(`${fact.class}\n${old}`);
    }
    if (fact.lifts !== undefined) {
      const live = [...rules].map((rule) => ({ index: rule, value: found[rule]?.value ?? '' }));
      end(liftedBy(fact.lifts, live)?.index, fact.at);
    } else if (fact.class === 'constraint') rules.add(index);
    if (fact.class === 'todo' && fact.list === undefined)
      for (const list of lists.values()) if (list.items.has(key)) list.items.set(key, index);
    if (fact.list === undefined) return;
    const list = lists.get(fact.list);
    if (list !== undefined && list.at === fact.at) list.items.set(key, index);
    else {
      // The first item of a newer writing: whatever it does not name again ends with it.
      for (const item of list?.items.values() ?? []) end(item, fact.at);
      lists.set(fact.list, { at: fact.at, items: new Map([[key, index]]) });
    }
  });

  return found.flatMap(({ replaces, list, lifts, figure, choice, speaksOf, ...fact }, index) => {
    if (repeated.has(index)) return [];
    const at = endedAt.get(index);
    const value = names.get(index) ?? fact.value;
    const known = { ...fact, value, key: keys[index] ?? fact.key };
    return [at === undefined ? known : { ...known, supersededAt: at }];
  });
}

/**
 * True when a sentence that names a to-do by its number, in words that tell no known state, also has half of its words:
 * then it is the newest that is said of it, and an older state may no longer hold.
 */
function speaksOf(mention: Found, todo: Found | undefined): boolean {
  if (todo === undefined) return false;
  const words = contentWords(todo.value);
  const said = new Set(contentWords(mention.value));
  return words.length > 0 && words.filter((word) => said.has(word)).length >= words.length / 2;
}
