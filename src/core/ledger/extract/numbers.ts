import type { Found } from '../found.ts';
import { dimensionOf, type Figure, findFigures } from '../read/figures.ts';
import type { Reading } from '../read/reading.ts';
import { looksLikeCode, sentences } from '../read/sentences.ts';
import { testCounts } from '../read/testCounts.ts';
import { countedWord, subjectOf } from '../same/numberSubject.ts';
import { reportedNumbers } from './reported.ts';

/** At most this many figures are taken from one text. */
const MOST_PER_TEXT = 12;

/** A clause up to this length is kept whole with its figure; of a longer one what stands near, characters. */
const SHORT_CLAUSE = 160;
const WORDS_BEFORE = 90;
const WORDS_AFTER = 60;

/** Numbers that only point somewhere: a line, an issue, a date, a step. */
const POINTER =
  /(?:lines?|zeilen?|lignes?|行号?|step|schritt|étape|phase|issue|pr|pull request|chapter|section|page|commit|tasks?|question|to-?dos?|items?|options?|examples?|cases?|round|iteration|attempt|figure|table|part|bug|ticket|story|milestone|sprint|note|rule|finding|frage|aufgabe|punkt|beispiel|fall|runde|tarea|pregunta|ejemplo|punto|tâche|exemple|tarefa|pergunta|задача|вопрос|пункт|任务|问题|#|version of|第)\s*[#:]?\s*$/i;
/** Words that make a single digit a figure worth keeping. */
const LIMIT =
  /limit|capped|\b(?:max|min)|at most|at least|up to|exactly|retr(?:y|ies)|attempts|replicas|workers|threads|höchstens|mindestens|maximal|genau|Versuche|au (?:plus|moins)|tentatives|最多|至少|上限|重试|最大/i;
/** A year that somebody now may speak of; 2048 is a size. */
const YEAR = /^(?:199\d|20[0-3]\d)$/;

/** Figures worth keeping (ports, sizes, versions, timings, counts) with the words that they stand by. */
export function findNumbers(reading: Reading): Found[] {
  return [
    ...(reading.human === undefined ? [] : saidNumbers(reading.human, reading.at, 'human')),
    ...(reading.model === undefined ? [] : saidNumbers(reading.model, reading.at, 'model')),
    ...reading.uses.flatMap(reportedNumbers),
  ];
}

function saidNumbers(text: string, at: number, by: 'human' | 'model'): Found[] {
  const found: Found[] = [];
  for (const sentence of sentences(text)) {
    if (!/\d/.test(sentence) || (by === 'human' && looksLikeCode(sentence))) continue;
    const figures = findFigures(sentence);
    const tests = figures.length === 0 ? undefined : testCounts(sentence);
    for (const figure of figures) {
      // How a run of tests ended is a fact of its own.
      if (tests !== undefined && figure.start >= tests.start && figure.end <= tests.end) continue;
      if (found.length >= MOST_PER_TEXT) return found;
      if (figure.past) continue;
      const fact = saidNumber(sentence, figure, figures, { at, by });
      if (fact !== undefined) found.push(fact);
    }
  }
  return found;
}

function saidNumber(
  sentence: string,
  figure: Figure,
  figures: readonly Figure[],
  from: { at: number; by: 'human' | 'model' },
): Found | undefined {
  const { value, start, end } = figure;
  const digits = value.replace(/\D/g, '');
  const hasUnit = /[^\d.,\s'’]/.test(value.replace(/^v/i, ''));
  if (digits.length < 2 && !hasUnit && !LIMIT.test(sentence)) return undefined;
  if (POINTER.test(sentence.slice(0, start)) || YEAR.test(value)) return undefined;
  // What was is no part of what it is about.
  const past = figures.filter((other) => other.past);
  const now = past.reduce((text, old) => blank(text, old.start, old.end), sentence);
  const after = clauseStart(now.slice(end));
  const subject = subjectOf(clauseEnd(now.slice(0, start)), after);
  if (subject === undefined) return undefined;
  const unit = dimensionOf(value) ?? countedWord(after);
  return {
    class: 'number',
    value,
    anchor: anchorOf(sentence, figure),
    key: subject.words.join(' '),
    at: from.at,
    by: from.by,
    figure: { ...subject, ...(unit === undefined ? {} : { unit }), was: past.map((other) => other.value) },
  };
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** The clause, or of a long one the words near the figure, cut between words. */
function anchorOf(sentence: string, { start, end }: Figure): string {
  const before = clauseEnd(sentence.slice(0, start));
  const after = clauseStart(sentence.slice(end));
  const value = sentence.slice(start, end);
  if (before.length + value.length + after.length <= SHORT_CLAUSE) return `${before}${value}${after}`.trim();
  const head =
    before.length <= WORDS_BEFORE ? before : before.slice(-WORDS_BEFORE).replace(/^[^\s\u3000-\u9fff]*\s/, '');
  const tail = after.length <= WORDS_AFTER ? after : after.slice(0, WORDS_AFTER).replace(/\s[^\s\u3000-\u9fff]*$/, '');
  return `${head}${value}${tail}`.trim();
}

/** The last part of the text before a number, from a blank or a clause mark on. */
function clauseEnd(text: string): string {
  const clause = /(?:[.;!?]\s+|[\u3002\uff01\uff1f\uff1b])(?=[^.;!?\u3002\uff01\uff1f\uff1b]*$)/.exec(text);
  return clause === null || text.length - clause.index - clause[0].length < 5
    ? text
    : text.slice(clause.index + clause[0].length);
}

function clauseStart(text: string): string {
  const clause = text.search(/[\u3002\uff01\uff1f\uff1b]|[.;!?](?:\s|$)/);
  return clause >= 0 ? text.slice(0, clause) : text;
}
