import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';
import type { Fact } from './fact.ts';
import type { Ledger } from './ledger.ts';

/** The facts in force that law 7 demands literally: rules, to-dos, changed files, and the newest error. */
export function requiredFacts(ledger: Ledger): Fact[] {
  const latest = ledger.facts().filter((fact) => fact.supersededAt === undefined);
  const newestError = latest.findLast((fact) => fact.class === 'error')?.at;
  return latest.filter((fact) => fact.class !== 'error' || fact.at === newestError);
}

/** Text in the form in which it is compared: NFC, forward slashes, one space for any white space, plain quotation marks. */
export function comparable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\\+/g, '/')
    .replace(/\s+/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .trim();
}

/** A character of a word, in a script with spaces between words. */
const CHARACTER = String.raw`(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])[\p{L}\p{N}_]`;
/** Match where a longer name begins before the searched text, or goes on after it. */
const STARTS_WITHIN = new RegExp(`${CHARACTER}[.,-]?${CHARACTER}$`, 'u');
/** A search prints the lines around a match in a.ts as `a.ts-12-`. */
const ENDS_WITHIN = new RegExp(String.raw`^(?:${CHARACTER}(?!-\d+[-:])[.-]?${CHARACTER}|\d,\d)`, 'u');

/**
 * The first position in `text`, from `start` on, where `needle` occurs at token boundaries; -1 when there is none.
 * `a.ts` is not in `ba.ts` nor in `a.tsx`, `12` not in `120` nor in `1.12`; `src/a.ts` is in `/repo/src/a.ts`. Both
 * must be comparable.
 */
function indexAtBoundary(text: string, needle: string, start = 0): number {
  if (needle === '') return -1;
  for (let at = text.indexOf(needle, start); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (STARTS_WITHIN.test(text.slice(Math.max(0, at - 2), at + 1))) continue;
    if (!ENDS_WITHIN.test(text.slice(end - 1, end + 9))) return at;
  }
  return -1;
}

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
  const value = comparable(fact.value);
  if (mustBeAbsent(value, prepared.words)) return false;
  return fact.class === 'todo' && fact.state !== undefined
    ? standsWithState(value, fact.state, prepared.lines)
    : indexAtBoundary(prepared.flat, value) >= 0;
}

function* prepare(source: string): Steps<Prepared> {
  const lines: string[] = [];
  const words = new Set<string>();
  yield* eachInSteps(source.split('\n'), (line) => {
    const made = comparable(line);
    if (made === '') return;
    lines.push(made);
    for (const word of made.match(WORDS) ?? []) words.add(word);
  });
  return { source, flat: lines.join(' '), lines: lines.join('\n'), words };
}

/** True when the value has a whole ASCII word that does not occur anywhere in the text. */
function mustBeAbsent(value: string, words: ReadonlySet<string>): boolean {
  const inner = value.match(WORDS) ?? [];
  return !/[^\x20-\x7e]/.test(value) && inner.some((word) => !words.has(word));
}

/** Whether the to-do is on a line with its state. */
function standsWithState(value: string, state: string, text: string): boolean {
  const wanted = state.replace(/[_-]/g, ' ').toLowerCase();
  for (let at = indexAtBoundary(text, value); at >= 0; at = indexAtBoundary(text, value, at + 1)) {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const nextLine = text.indexOf('\n', at + value.length);
    const line = text.slice(lineStart, nextLine < 0 ? text.length : nextLine);
    if (line.replace(/[_-]/g, ' ').toLowerCase().includes(wanted)) return true;
  }
  return false;
}
