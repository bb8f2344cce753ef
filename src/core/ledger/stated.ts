import { comparable, comparableLines, indexAtBoundary, joinLines } from './boundaries.ts';
import type { Fact } from './fact.ts';
import { normalizeWords } from './read/sentences.ts';
import { isDone } from './same/todoStates.ts';

/** A number must stand this near to its anchor unless it is on the same line, characters. */
const NEAR = 80;

/** A text made ready to be asked for many facts. */
interface Prepared {
  readonly source: string;
  readonly flat: string;
  readonly lines: string;
  /** Every word, so that most absent facts are refused without a search. */
  readonly words: ReadonlySet<string>;
}

const WORDS = /[A-Za-z0-9_]+/g;

let lastPrepared: Prepared = prepare('');

/**
 * True when `text` states the fact: its value verbatim at token boundaries (NFC, path separators and white space
 * aside), a number by the words of its anchor, a to-do by its latest state. Asking many facts of one text is fast.
 */
export function isStated(fact: Fact, text: string): boolean {
  if (lastPrepared.source !== text) lastPrepared = prepare(text);
  const prepared = lastPrepared;
  const value = comparable(fact.value).trim();
  if (mustBeAbsent(value, prepared.words)) return false;
  switch (fact.class) {
    case 'number':
      return standsByAnchor(value, numberWords(fact), prepared.lines);
    case 'todo':
      return fact.state === undefined ? stands(value, prepared) : standsWithState(value, fact.state, prepared.lines);
    case 'decision':
    case 'constraint':
    case 'preference':
    case 'file-read':
    case 'file-changed':
    case 'identifier':
    case 'error':
    case 'command':
    case 'test-state':
      return stands(value, prepared);
  }
}

function prepare(source: string): Prepared {
  const lines = comparableLines(source);
  const flat = joinLines(lines);
  return { source, flat, lines, words: new Set(flat.match(WORDS) ?? []) };
}

/** A whole ASCII word of the value that the text does not have anywhere proves its absence. */
function mustBeAbsent(value: string, words: ReadonlySet<string>): boolean {
  const inner = value.match(WORDS) ?? [];
  return !/[^\x20-\x7e]/.test(value) && inner.some((word) => !words.has(word));
}

function stands(value: string, text: Prepared): boolean {
  return indexAtBoundary(text.flat, value) >= 0;
}

/** The words of a number's anchor, the number itself left out. */
function numberWords(fact: Fact): string[] {
  return normalizeWords((fact.anchor ?? '').replace(fact.value, ' '))
    .split(/\s+/)
    .filter((word) => word.length >= 3 || /[\u3040-\u9fff]/.test(word));
}

/** The value stands where at least half of the words are on the same line or within `NEAR` characters. */
function standsByAnchor(value: string, words: readonly string[], text: string): boolean {
  for (let at = indexAtBoundary(text, value); at >= 0; at = indexAtBoundary(text, value, at + 1)) {
    if (words.length === 0) return true;
    const around = normalizeWords(neighbourhood(text, at, value.length));
    const present = words.filter((word) => around.includes(word)).length;
    if (present >= words.length / 2) return true;
  }
  return false;
}

/** The line around a place, and at least `NEAR` characters on either side; of a very long line a part. */
function neighbourhood(text: string, at: number, length: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', at) + 1, at - 500);
  const nextLine = text.indexOf('\n', at + length);
  const lineEnd = Math.min(nextLine < 0 ? text.length : nextLine, at + length + 500);
  return text.slice(Math.min(lineStart, Math.max(0, at - NEAR)), Math.max(lineEnd, at + length + NEAR));
}

/** The to-do stands on a line that gives its state, in words or as a box. */
function standsWithState(value: string, state: string, text: string): boolean {
  const wanted = state.replace(/[_-]/g, ' ').toLowerCase();
  for (let at = indexAtBoundary(text, value); at >= 0; at = indexAtBoundary(text, value, at + 1)) {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const nextLine = text.indexOf('\n', at + value.length);
    const line = text.slice(lineStart, nextLine < 0 ? text.length : nextLine);
    if (line.replace(/[_-]/g, ' ').toLowerCase().includes(wanted)) return true;
    if (/\[[xX]\]/.test(line) ? isDone(state) : /\[ \]/.test(line) && /^(?:open|pending|todo)$/i.test(state))
      return true;
  }
  return false;
}
