import { dimensionOf } from '../figures.ts';
import { patchText } from '../fileActions.ts';
import type { FigureOf, Found } from '../found.ts';
import { subjectOfLabel } from '../numberSubject.ts';
import { changedLines } from '../patch.ts';
import { baseName } from '../paths.ts';
import { ends, linesWith, withoutColours } from '../scanLines.ts';
import { normalizeWords } from '../sentences.ts';
import type { ToolUse } from '../toolUse.ts';
import { onlyLooks } from './commands.ts';

/** At most this many figures are taken from one tool result. */
const MOST_PER_RESULT = 5;

/** Names of settings and measures in program output and in files. */
const SETTING =
  /([\w.-]{0,40}(?:port|timeout|limit|max|min|size|version|count|ttl|retr(?:y|ies)|threshold|workers?|rate|interval|budget|quota|latency|memory|pool|replicas|total|duration|p9[059]|coverage|throughput|window|delay|capacity|ratio|score|budget)[\w.-]{0,40}["']?\s?[:=]\s?["']?)(\d[\d.,_]{0,14}(?:\s?(?:ms|s|m|h|kb|mb|gb|kib|mib|gib|%|req\/s|rps))?)(?![\w.])/gi;
/** What such a name with a number has at least: looked for first, since most lines are none. */
const ASSIGNED = /(?:[a-z_]|p9[059])["']?\s?[:=]\s?["']?\d/gi;

/** A line of a program's report: words, a mark, a figure with at most a unit, and nothing else. */
const REPORT_LINE =
  /^[ \t>*|-]{0,8}(["']?[\p{L}][^:=\n]{1,80}?["']?[ \t]{0,4}(?::|=|\.{2,20}|\|)[ \t]{0,20}["']?)(\d[\d.,_]{0,14}(?:[ \t]?[\p{L}µ%°/]{1,8})?)["',;|. \t]{0,4}$/u;
/** A measure: a figure with a unit of time, size, share or rate, as benchmarks and size reports print it. */
const MEASURE =
  /(?<![\w.,/:-])\d[\d.,]{0,14}[ \t]?(?:ns|µs|us|ms|s|sec|seconds|[KMGT]i?B?|kB|bytes|B|%|(?:ns|µs|us|ms|B|allocs|bytes|req|requests|ops|rows)\/(?:op|s|sec|iter)|req\/s|rps|fps)(?![\w/%])/;
/** Where a server listens. */
const LISTENING = /(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{2,5})(?!\d)/;
/** What a line with a figure has at least. */
const REPORTED = /(?:[:=|]|\.\.)[ \t]{0,20}["'[]?\d|\d[ \t]?(?:[nµum]?s|[KMGTk]i?B|[KMGT]|B|%)(?:\/|[^\w%]|$)|\d\/s/g;
/** Lines of test runners, package managers and logs have figures that say nothing of the program. */
const NO_REPORT =
  /^\s*(?:[✓✔✗✖×√•]|ok\b|PASS\b|FAIL\b|---|===|\[\d+\/\d+\]|\d{4}-\d\d-\d\d|\d\d:\d\d|\[\d\d:\d\d|npm |yarn |added \d|at )|\(?(?:pass|fail)(?:ed|ing)?\)?(?=\s)|[[(]\d[\d.]*\s?m?s[\])]\.?$|\bin \d[\d.]*\s?m?s\)?\.?(?:\s|$)|\b(?:DEBU|INFO|WARN|TRACE|NOTICE)/i;
/** What agents print around the output of a command. */
const ENVELOPE =
  /^(?:wall time|elapsed|duration(?:_ms)?|original token count|chunk id|total output lines|exit code|process exited|pid)\b/i;
/** Names that say nothing alone: everything has a count and a size. */
const BARE_NAME =
  /^(?:count|size|max|min|total|limit|score|version|rate|interval|ratio|duration|start|end|line|lines|index)$/;
const LONGEST_LINE = 160;
/** Commands that only look, and tell sizes. */
const MEASURES = /(?:^|[;&|]\s*)(?:du|df|wc|cloc|tokei|scc|size|free)\b/;

/** Figures that a tool tells by name: settings in a file or an edit, measures in the output of a program. */
export function reportedNumbers(use: ToolUse): Found[] {
  const edit = editedText(use);
  if (edit !== undefined) return settings(ends(edit, 16_000), use.at);
  if (use.result === undefined || !mayHoldFigures(use)) return [];
  const { text, at } = use.result;
  const output = ends(text, 32_000);
  if (use.command === undefined || (onlyLooks(use.command) && !MEASURES.test(use.command))) return settings(output, at);
  const told = reports(output, at);
  const lines = told.map((fact) => fact.anchor ?? '');
  const named = settings(output, at).filter((fact) => !lines.some((line) => line.includes(fact.anchor ?? '')));
  return [...named, ...told].slice(-MOST_PER_RESULT);
}

/** What an edit puts in; what it takes out is no state of anything. */
function editedText(use: ToolUse): string | undefined {
  if (use.command !== undefined) return undefined;
  const patch = patchText(use);
  if (patch !== undefined) return changedLines(patch).replace(/^-.*$/gm, '');
  return ['newstring', 'newstr', 'newtext', 'content', 'filetext']
    .map((field) => use.fields.text.get(field)?.[0])
    .find((value) => value !== undefined);
}

function mayHoldFigures(use: ToolUse): boolean {
  if (use.command !== undefined) return !/^\s*(?:ls|find|rg|grep|git (?:log|show|diff))\b/.test(use.command);
  const path = use.fields.text.get('path')?.[0] ?? use.fields.text.get('filepath')?.[0];
  return path !== undefined && /\.(?:env\w*|ya?ml|toml|ini|conf|cfg|properties)$|^\.env/.test(baseName(path));
}

/** The figures that a program reports, the last ones of its output: one a line, with the line. */
function reports(output: string, at: number): Found[] {
  const found = new Map<string, Found>();
  for (const { text } of linesWith(withoutColours(output), REPORTED)) {
    const line = text.trim();
    if (line.length > LONGEST_LINE || NO_REPORT.test(line) || ENVELOPE.test(line)) continue;
    const value = reportedFigure(line);
    if (value === undefined) continue;
    const figure = figureOfLabel(line.replace(/\d[\d.,_]*(?:\s?[\p{L}µ%/]{1,10})?/gu, ' '), value);
    const key = figure.words.join(' ');
    if (key.length < 2) continue;
    found.delete(key);
    found.set(key, { class: 'number', value, anchor: line, key, at, by: 'tool', strength: 'soft', figure });
  }
  return [...found.values()].slice(-MOST_PER_RESULT);
}

function reportedFigure(line: string): string | undefined {
  const report = REPORT_LINE.exec(line);
  const label = report?.[1] ?? '';
  // `main.go:12` is a place.
  if (/[\w-]\.\w{1,8}:$/.test(label)) return undefined;
  const value = (report?.[2] ?? MEASURE.exec(line)?.[0] ?? LISTENING.exec(line)?.[1])?.replace(/[.,_]+$/, '');
  return value === undefined || (value.replace(/\D/g, '').length < 2 && !/[a-z%]/i.test(value)) ? undefined : value;
}

/** Settings with a number, in a file or an output. */
function settings(text: string, at: number): Found[] {
  const found: Found[] = [];
  for (const line of linesWith(text, ASSIGNED)) {
    if (/^-\S/.test(line.text)) continue; // a line that a patch took out
    for (const match of line.text.matchAll(SETTING)) {
      const [whole, name = '', value = ''] = match;
      if (value.replace(/\D/g, '').length < 2 && !/[a-z%]/i.test(value)) continue;
      const figure = value.replace(/[.,_]+$/, '');
      const key = normalizeWords(name).replace(/^[-.]+/, '');
      if (BARE_NAME.test(key) || ENVELOPE.test(line.text.trim())) continue;
      found.push({
        class: 'number',
        value: figure,
        anchor: whole.trim(),
        key,
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
