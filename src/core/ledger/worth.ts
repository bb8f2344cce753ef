import type { Fact } from './fact.ts';

/**
 * What a fact is worth to who goes on working, when not every one can be said: 0 is said first. What law 7 asks to stand
 * literally comes first, then what is short and cannot be guessed (figures, failures, names that were edited), then what
 * can be looked up again (files read, commands), and last what a tool merely mentioned.
 */
export function rankOf(fact: Fact): number {
  const soft = fact.strength === 'soft';
  switch (fact.class) {
    case 'todo':
    case 'decision':
      return 0;
    case 'constraint':
    case 'preference':
      return soft ? 2 : 0;
    case 'file-changed':
      return soft ? 6 : 1;
    case 'number':
      return soft ? 6 : 2;
    case 'error':
    case 'test-state':
      return soft ? FIRST_SOFT_RANK : 3;
    case 'identifier':
      return soft ? FIRST_SOFT_RANK : 4;
    case 'file-read':
      // What the model itself names it works with.
      return soft ? (fact.by === 'model' ? 6 : LAST_RANK) : 5;
    case 'command':
      if (fact.value.length > LONG_COMMAND) return LAST_RANK;
      return soft && !/^exit [1-9]/.test(fact.state ?? '') ? LAST_RANK : 6;
  }
}

/** Facts of these ranks were only mentioned: no other fact makes room for them. */
export const FIRST_SOFT_RANK = 7;
export const LAST_RANK = 8;

/** A longer command is a script; what it did is told by the files and names that it changed. Characters. */
const LONG_COMMAND = 160;
