import { runAtOnce, type Steps } from '../steps.ts';
import { comparable, comparableLines, indexAtBoundary, joinLines } from './boundaries.ts';
import type { Fact } from './fact.ts';
import { isDone } from './todoState.ts';

/** A text prepared for being compared with many facts. */
interface Prepared {
  readonly source: string;
  readonly flat: string;
  readonly lines: string;
  /** Every word, so that most absent facts are ruled out without a search. */
  readonly words: ReadonlySet<string>;
}

const WORDS = /[A-Za-z0-9_]+/g;

let lastPrepared: Prepared = { source: '', flat: '', lines: '', words: new Set() };

/** Prepares a long text in steps: `isStated` then answers at once for it, until it is asked about another text. */
export function* prepareText(text: string): Steps<void> {
  if (lastPrepared.source !== text) lastPrepared = yield* prepare(text);
}

/**
 * True when `text` states the fact: its value verbatim at token boundaries (NFC, path separators and white space
 * aside), a to-do together with its latest state. Asking about many facts in one text is fast.
 */
export function isStated(fact: Fact, text: string): boolean {
  runAtOnce(prepareText(text));
  const prepared = lastPrepared;
  const value = comparable(fact.value).trim();
  if (mustBeAbsent(value, prepared.words)) return false;
  return fact.class === 'todo' && fact.state !== undefined
    ? standsWithState(value, fact.state, prepared.lines)
    : indexAtBoundary(prepared.flat, value) >= 0;
}

function* prepare(source: string): Steps<Prepared> {
  const lines: string[] = [];
  const flat: string[] = [];
  const words = new Set<string>();
  for (const part of partsOf(source)) {
    const made = comparableLines(part);
    const joined = joinLines(made);
    lines.push(made);
    flat.push(joined);
    for (const word of joined.match(WORDS) ?? []) words.add(word);
    yield;
  }
  return { source, flat: flat.join(' '), lines: lines.join('\n'), words };
}

/** About how many characters are prepared in one step. */
const PART = 32_768;
/** A line end without spaces or other line ends next to it, so that the text can be split there. */
const CUT = /\S\n(?=\S)/g;

/** A text in parts, without the line ends at which it was split. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PART) {
    CUT.lastIndex = start + PART;
    const cut = CUT.exec(text);
    if (cut === null) break;
    yield text.slice(start, cut.index + 1);
    start = cut.index + 2;
  }
  yield text.slice(start);
}

/** True when the value has a whole ASCII word that does not occur anywhere in the text. */
function mustBeAbsent(value: string, words: ReadonlySet<string>): boolean {
  const inner = value.match(WORDS) ?? [];
  return !/[^\x20-\x7e]/.test(value) && inner.some((word) => !words.has(word));
}

/** Whether the to-do is on a line that gives its state, in words or as a box. */
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
