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
    case 'file-changed':
      return 0;
    case 'constraint':
    case 'preference':
      return soft ? 1 : 0;
    case 'number':
      return soft ? 4 : 1;
    case 'error':
    case 'test-state':
      return soft ? 6 : 2;
    case 'identifier':
      return soft ? 6 : 3;
    case 'file-read':
      return soft ? LAST_RANK : 4;
    case 'command':
      return soft || fact.value.length > LONG_COMMAND ? LAST_RANK : 5;
  }
}

/** Facts of this rank and the one before were only mentioned: no other fact makes room for them. */
export const LAST_RANK = 7;
export const FIRST_SOFT_RANK = 6;

/** A longer command is a script; what it did is told by the files and names that it changed. Characters. */
const LONG_COMMAND = 160;
