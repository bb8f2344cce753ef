import { runAtOnce, type Steps } from '../steps.ts';
import { comparable, comparableLines, indexAtBoundary, joinLines } from './boundaries.ts';
import type { Fact } from './fact.ts';
import { isDone } from './todoState.ts';

/** A text made ready to be asked for many facts. */
interface Prepared {
  readonly source: string;
  readonly flat: string;
  readonly lines: string;
  /** Every word, so that most absent facts are refused without a search. */
  readonly words: ReadonlySet<string>;
}

const WORDS = /[A-Za-z0-9_]+/g;

let lastPrepared: Prepared = { source: '', flat: '', lines: '', words: new Set() };

/** Makes a long text ready in steps: `isStated` then answers at once for it, until it is asked for another. */
export function* prepareText(text: string): Steps<void> {
  if (lastPrepared.source !== text) lastPrepared = yield* prepare(text);
}

/**
 * True when `text` states the fact: its value verbatim at token boundaries (NFC, path separators and white space
 * aside), a to-do with its latest state. Asking many facts of one text is fast.
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

/** Characters of a text that are made ready at once, about. */
const PART = 32_768;
/** A line end with neither blanks nor other line ends around it: what stands on its two sides does not touch. */
const CUT = /\S\n(?=\S)/g;

/** A text in parts, without the line ends between them. */
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

/** A whole ASCII word of the value that the text does not have anywhere proves its absence. */
function mustBeAbsent(value: string, words: ReadonlySet<string>): boolean {
  const inner = value.match(WORDS) ?? [];
  return !/[^\x20-\x7e]/.test(value) && inner.some((word) => !words.has(word));
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
