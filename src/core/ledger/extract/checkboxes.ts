import { wholeLines } from '../read/scanLines.ts';
import { cutAtWord, normalizeWords } from '../read/sentences.ts';

/** A to-do as its list states it. */
export interface Item {
  readonly text: string;
  readonly state: string;
  /** What it says beyond its title, on one line. */
  readonly detail?: string;
  /** The name by which the list refers to it: `T-12`, `4`. */
  readonly id?: string;
}

/**
 * How much of a list is read, in characters; a list with more boxes than MOST_BOXES is a document, not a working list.
 */
const LONGEST_LIST = 60_000;
const MOST_BOXES = 60;
const LONGEST_TODO = 240;

/** A list mark, a box and words, with spaces between them. */
const CHECKBOX = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]{1,8}\[([ xX~/>!-])\][ \t]{1,8}(\S[^\n]{0,400})$/gm;
/** The names in `T-12: migrate` and `[R-17] migrate`. */
const LEADING_ID = /^\W{0,3}([A-Z]{1,8}-\d{1,5})\b(?!\.\d)/;

/** The checklist in a text, in order, without what is in code fences. */
export function checkboxes(text: string): Item[] {
  const list = wholeLines(text, LONGEST_LIST).replace(FENCED, '');
  const items = [...list.matchAll(CHECKBOX)].map(([, mark = '', words = '']): Item => {
    const state = /x/i.test(mark) ? 'done' : mark === ' ' ? 'open' : mark === '-' ? 'cancelled' : 'in progress';
    const id = LEADING_ID.exec(words)?.[1];
    return { text: todoText(words), state, ...(id === undefined ? {} : { id }) };
  });
  return items.length > MOST_BOXES ? [] : items;
}

const FENCED = /^[ \t]{0,8}(```|~~~)[^\n]*\n[\s\S]*?^[ \t]{0,8}\1/gm;

/** The words of a to-do, on one line. */
export function todoText(words: string): string {
  const start = words.slice(0, LONGEST_TODO * 4);
  return cutAtWord(start.replace(/\s+/g, ' ').trim(), LONGEST_TODO);
}

/** What identifies a to-do: the name in its words or, without one, the words. */
export function todoKey(text: string): string {
  return LEADING_ID.exec(text)?.[1]?.toLowerCase() ?? normalizeWords(text).replace(/[\s.-]+$/, '');
}
