import type { Fact } from './fact.ts';

/**
 * What a fact is worth to who goes on working, when not every one can be said: 0 is said first. What law 7 asks to stand
 * literally comes first, then what is short and cannot be guessed (figures, failures, names that were edited), then files
 * (also those only named: of the files used right after real compactions many had only been seen in a listing), what
 * documents say, and last commands that succeeded or only looked.
 */
export function rankOf(fact: Fact): number {
  const soft = fact.strength === 'soft';
  switch (fact.class) {
    case 'todo':
      return 0;
    case 'decision':
      return soft ? 3 : 0;
    case 'constraint':
    case 'preference':
      // What stands in a document can be read again.
      return soft ? (fact.by === 'tool' ? 6 : 2) : 0;
    case 'file-changed':
      return soft ? 6 : 1;
    case 'number':
      return soft ? 6 : 2;
    case 'error':
    case 'test-state':
      return soft ? (fact.by === 'model' ? 5 : FIRST_SOFT_RANK) : 3;
    case 'identifier':
      return soft ? FIRST_SOFT_RANK : 4;
    case 'file-read':
      return 5;
    case 'command':
      if (fact.value.length > LONG_COMMAND) return LAST_RANK;
      if (/^exit [1-9]|failed/.test(fact.state ?? '')) return 6;
      return soft ? LAST_RANK : FIRST_SOFT_RANK;
  }
}

/** From this rank on a fact is a hint: it can be looked up again. */
export const HINT_RANK = 6;
/** Facts of these ranks were only mentioned: no other fact makes room for them. */
export const FIRST_SOFT_RANK = 7;
export const LAST_RANK = 8;

/** A longer command is a script; what it did is told by the files and names that it changed. Characters. */
const LONG_COMMAND = 160;
