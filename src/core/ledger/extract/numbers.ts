import { dimensionOf, type Figure, findFigures } from '../figures.ts';
import { patchText } from '../fileActions.ts';
import type { FigureOf, Found } from '../found.ts';
import { countedWord, subjectOf, subjectOfLabel } from '../numberSubject.ts';
import { changedLines } from '../patch.ts';
import { baseName } from '../paths.ts';
import type { Reading } from '../reading.ts';
import { ends, linesWith, withoutColours } from '../scanLines.ts';
import { normalizeWords, sentences } from '../sentences.ts';
import type { ToolUse } from '../toolUse.ts';
import { onlyLooks } from './commands.ts';

/** At most this many figures are taken from one text, and from one tool result. */
const MOST_PER_TEXT = 12;
const MOST_PER_RESULT = 5;

/** How much of the sentence before and after a number is kept with it, characters. */
const WORDS_BEFORE = 60;
const WORDS_AFTER = 40;

/** Numbers that only point somewhere: a line, an issue, a date, a step. */
const POINTER =
  /(?:lines?|zeilen?|lignes?|行号?|step|schritt|étape|phase|issue|pr|pull request|chapter|section|page|commit|task|#|version of|第)\s*[#:]?\s*$/i;
/** Words that make a single digit a figure worth keeping. */
const LIMIT =
  /limit|capped|\b(?:max|min)|at most|at least|up to|exactly|retr(?:y|ies)|attempts|replicas|workers|threads|höchstens|mindestens|maximal|genau|Versuche|au (?:plus|moins)|tentatives|最多|至少|上限|重试|最大/i;
/** A year that somebody now may speak of; 2048 is a size. */
const YEAR = /^(?:199\d|20[0-3]\d)$/;

/** Names of settings and measures in program output and in files. */
const KEYED_NUMBER =
  /([\w.-]{0,40}(?:port|timeout|limit|max|min|size|version|count|ttl|retr(?:y|ies)|threshold|workers?|rate|interval|budget|quota|latency|memory|pool|replicas|total|duration|p9[059]|coverage|throughput|window|delay|capacity|ratio|score|budget)[\w.-]{0,40}["']?\s?[:=]\s?["']?)(\d[\d.,_]{0,14}(?:\s?(?:ms|s|m|h|kb|mb|gb|kib|mib|gib|%|req\/s|rps))?)(?![\w.])/gi;
/** What such a name with a number has at least: looked for first, since most lines are none. */
const KEYED = /(?:[a-z_]|p9[059])["']?\s?[:=]\s?["']?\d/gi;

/** Figures worth keeping (ports, sizes, versions, timings, counts) with the words that they stand by. */
export function findNumbers(reading: Reading): Found[] {
  return [
    ...(reading.human === undefined ? [] : proseNumbers(reading.human, reading.at, 'human')),
    ...(reading.model === undefined ? [] : proseNumbers(reading.model, reading.at, 'model')),
    ...reading.uses.flatMap(toolNumbers),
  ];
}

function proseNumbers(text: string, at: number, by: 'human' | 'model'): Found[] {
  const found: Found[] = [];
  for (const sentence of sentences(text)) {
    if (!/\d/.test(sentence)) continue;
    const figures = findFigures(sentence);
    for (const figure of figures) {
      if (found.length >= MOST_PER_TEXT) return found;
      if (figure.past) continue;
      const fact = proseNumber(sentence, figure, figures, { at, by });
      if (fact !== undefined) found.push(fact);
    }
  }
  return found;
}

function proseNumber(
  sentence: string,
  figure: Figure,
  figures: readonly Figure[],
  from: { at: number; by: 'human' | 'model' },
): Found | undefined {
  const { value } = figure;
  const [before, after] = around(sentence, figure);
  const digits = value.replace(/\D/g, '');
  const hasUnit = /[^\d.,\s'’]/.test(value.replace(/^v/i, ''));
  if (digits.length < 2 && !hasUnit && !LIMIT.test(`${before}${after}`)) return undefined;
  if (POINTER.test(before) || YEAR.test(value)) return undefined;
  // What was is no part of what it is about.
  const past = figures.filter((other) => other.past);
  const now = past.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    sentence,
  );
  const words = around(now, figure);
  const subject = subjectOf(...words);
  if (subject === undefined) return undefined;
  const unit = dimensionOf(value) ?? countedWord(words[1]);
  return {
    class: 'number',
    value,
    anchor: `${before}${value}${after}`.trim(),
    key: subject.words.join(' '),
    at: from.at,
    by: from.by,
    figure: { ...subject, ...(unit === undefined ? {} : { unit }), was: past.map((other) => other.value) },
  };
}

/** The words of the clause before and after a figure. */
function around(sentence: string, { start, end }: Figure): [before: string, after: string] {
  const before = clauseEnd(sentence.slice(Math.max(0, start - WORDS_BEFORE), start), start > WORDS_BEFORE);
  const after = clauseStart(sentence.slice(end, end + WORDS_AFTER), sentence.length > end + WORDS_AFTER);
  return [before, after];
}

/** The last part of the text before a number, from a blank or a clause mark on. */
function clauseEnd(text: string, cut: boolean): string {
  const clause = /(?:[.;!?]\s+|[\u3002\uff01\uff1f\uff1b])(?=[^.;!?\u3002\uff01\uff1f\uff1b]*$)/.exec(text);
  const part =
    clause === null || text.length - clause.index - clause[0].length < 8
      ? text
      : text.slice(clause.index + clause[0].length);
  return cut && part === text ? part.replace(/^[^\s\u3000-\u9fff]*\s/, '') : part;
}

function clauseStart(text: string, cut: boolean): string {
  const clause = text.search(/[\u3002\uff01\uff1f\uff1b]|[.;!?](?:\s|$)/);
  if (clause >= 0) return text.slice(0, clause);
  return cut ? text.replace(/\s[^\s\u3000-\u9fff]*$/, '') : text;
}

function toolNumbers(use: ToolUse): Found[] {
  const edit =
    use.command === undefined
      ? (patchText(use) ??
        ['newstring', 'newstr', 'newtext', 'content', 'filetext']
          .map((field) => use.fields.text.get(field)?.[0])
          .find((value) => value !== undefined))
      : undefined;
  if (edit !== undefined) {
    const lines = patchText(use) === undefined ? edit : changedLines(edit);
    return keyedNumbers(ends(lines, 16_000), use.at);
  }
  if (use.result === undefined || !mayHoldFigures(use)) return [];
  const { text, at } = use.result;
  const output = ends(text, 32_000);
  if (use.command === undefined || onlyLooks(use.command)) return keyedNumbers(output, at);
  const reported = reportedNumbers(output, at);
  const keys = new Set(reported.map((fact) => fact.anchor));
  const keyed = keyedNumbers(output, at).filter((fact) => ![...keys].some((line) => line?.includes(fact.anchor ?? '')));
  return [...keyed, ...reported].slice(-MOST_PER_RESULT);
}

/** A line of a program's report: words, a mark, a figure with at most a unit, and nothing else. */
const REPORT_LINE =
  /^[ \t>*|-]{0,8}(["']?[\p{L}][^:=\n]{1,80}?["']?[ \t]{0,4}(?::|=|\.{2,20}|\|)[ \t]{0,20}["']?)(\d[\d.,_]{0,14}(?:[ \t]?[\p{L}µ%°/]{1,8})?)["',;|. \t]{0,4}$/u;
/** What such a line has at least. */
const REPORTED = /(?:[:=|]|\.\.)[ \t]{0,20}["']?\d/g;

/** The figures that a program reports by name, the last ones of its output. */
function reportedNumbers(output: string, at: number): Found[] {
  const found = new Map<string, Found>();
  for (const { text } of linesWith(withoutColours(output), REPORTED)) {
    const [line, label = '', figure = ''] = REPORT_LINE.exec(text) ?? [];
    if (line === undefined) continue;
    const value = figure.replace(/[.,_]+$/, '');
    const key = normalizeWords(label);
    if (value.replace(/\D/g, '').length < 2 || key.length < 3 || POINTER.test(label.replace(/[:=\s]+$/, ''))) continue;
    found.delete(key);
    const about = figureOfLabel(label, value);
    found.set(key, {
      class: 'number',
      value,
      anchor: line.trim(),
      key,
      at,
      by: 'tool',
      strength: 'soft',
      figure: about,
    });
  }
  return [...found.values()].slice(-MOST_PER_RESULT);
}

function mayHoldFigures(use: ToolUse): boolean {
  if (use.command !== undefined) return !/^\s*(?:ls|find|rg|grep|git (?:log|show|diff))\b/.test(use.command);
  const path = use.fields.text.get('path')?.[0] ?? use.fields.text.get('filepath')?.[0];
  return path !== undefined && /\.(?:env\w*|ya?ml|toml|ini|conf|cfg|properties)$|^\.env/.test(baseName(path));
}

function keyedNumbers(text: string, at: number): Found[] {
  const found: Found[] = [];
  for (const line of linesWith(text, KEYED)) {
    for (const match of line.text.matchAll(KEYED_NUMBER)) {
      const [whole, name = '', value = ''] = match;
      if (value.replace(/\D/g, '').length < 2 && !/[a-z%]/i.test(value)) continue;
      const figure = value.replace(/[.,_]+$/, '');
      found.push({
        class: 'number',
        value: figure,
        anchor: whole.trim(),
        key: normalizeWords(name),
        at,
        by: 'tool',
        strength: 'soft',
        figure: figureOfLabel(name, figure),
      });
    }
  }
  return found.slice(-MOST_PER_RESULT);
}

function figureOfLabel(label: string, value: string): FigureOf {
  const unit = dimensionOf(value);
  return { ...subjectOfLabel(label), ...(unit === undefined ? {} : { unit }), was: [] };
}
