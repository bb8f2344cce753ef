import type { FigureOf, Found } from '../found.ts';
import { dimensionOf } from '../read/figures.ts';
import { patchText } from '../read/fileActions.ts';
import { changedLines } from '../read/patch.ts';
import { baseName } from '../read/paths.ts';
import { ends, linesWith, withoutColours } from '../read/scanLines.ts';
import { normalizeWords } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { subjectOfLabel } from '../same/numberSubject.ts';
import { onlyLooks, shortCommand } from './commands.ts';

/** At most this many figures are taken from one tool result. */
const MOST_PER_RESULT = 5;

/** Names of settings and measures in program output and in files. */
const SETTING =
  /([\w.-]{0,40}(?:port|timeout|limit|max|min|size|version|count|ttl|retr(?:y|ies)|threshold|workers?|rate|interval|budget|quota|latency|memory|pool|replicas|total|duration|p9[059]|coverage|throughput|window|delay|capacity|ratio|score|budget)[\w.-]{0,40}["']?\s?[:=]\s?["']?)(\d[\d.,_]{0,14}(?:\s?(?:ms|s|m|h|kb|mb|gb|kib|mib|gib|%|req\/s|rps))?)(?![\w.])/gi;
/** A line that is one entry of a configuration: a name of several parts and a number. */
const ENTRY =
  /^(?:[\w./-]{1,120}:(?:\d{1,6}:)?)?(?:export )?[ \t]{0,12}["']?([A-Za-z][A-Za-z\d]*(?:[_.-][A-Za-z\d]+)+["']?\s?[:=]\s?["']?)(\d[\d.,_]{0,14}(?:\s?(?:ms|s|m|h|kb|mb|gb|kib|mib|gib|%))?)["',;]?\s{0,4}$/i;
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
const REPORTED =
  /(?:[:=|]|\.\.)[ \t]{0,20}["'[]?\d|\b(?:ed|te|ing) \d|\d[ \t]?(?:[nµum]?s|[KMGTk]i?B|[KMGT]|B|%)(?:\/|[^\w%]|$)|\d\/s/;
/** Lines of test runners, package managers and logs have figures that say nothing of the program. */
const NO_REPORT =
  /^\s*(?:[✓✔✗✖×√•]|\[\d[\d.]*m?s\]|ok\b|PASS\b|FAIL\b|---|===|\[\d+\/\d+\]|\d{4}-\d\d-\d\d|\d\d:\d\d|\[\d\d:\d\d|npm |yarn |added \d|at )|\(?(?:pass|fail)(?:ed|ing)?\)?(?=\s)|[[(]\d[\d.]*\s?m?s[\])]\.?$|\bin \d[\d.]*\s?m?s\)?\.?(?:\s|$)|\b(?:DEBU|INFO|WARN|TRACE|NOTICE)/i;
/** What agents print around the output of a command. */
const ENVELOPE =
  /^(?:wall time|elapsed|duration(?:_ms)?|original token count|chunk id|total output lines|exit code|process exited|pid)\b/i;
/** Names that say nothing alone: everything has a count and a size. */
const BARE_NAME =
  /^(?:count|size|max|min|total|limit|score|version|rate|interval|ratio|duration|start|end|line|lines|index)$/;
/** `strategy.go:52` is a place. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|rb|php|cs|c|cc|cpp|h|hpp|swift|scala|vue|svelte|md|html?|css|sql|sh|ex|exs|dart|zig|lua)$/;
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
  const { command } = use;
  if (command === undefined) return settings(output, at);
  const answer = soleAnswer(command, output, at);
  if (answer !== undefined) return [answer];
  const looks = onlyLooks(command) && !MEASURES.test(command);
  const told = reports(output, at, looks);
  const lines = told.map((fact) => fact.anchor ?? '');
  const named = settings(output, at).filter((fact) => !lines.some((line) => line.includes(fact.anchor ?? '')));
  return [...named, ...told].slice(-MOST_PER_RESULT);
}

/** The output of a command that prints one short line with a figure: what was asked for is the command. */
function soleAnswer(command: string, output: string, at: number): Found | undefined {
  const body = output.slice(output.lastIndexOf('\nOutput:\n') + 1).replace(/^Output:\n/, '');
  const lines = body
    .slice(0, 2_000)
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) =>
        line !== '' && !/^(?:[[(].*[\])]|[-=+| ]+|\w{1,20}|exit code:? \d+)$/i.test(line.replace(/^\d+$/, '0 0')),
    );
  const [line = ''] = lines;
  const value = /^v?\d[\d.,_]{0,14}\s?[\p{L}%]{0,8}$/u.exec(line)?.[0];
  if (lines.length !== 1 || value === undefined || body.length > 2_000) return undefined;
  const asked = shortCommand(command).split('\n')[0]?.slice(0, LONGEST_LINE) ?? '';
  if (value.replace(/\D/g, '').length < 2 || asked === '') return undefined;
  const about = subjectOfLabel(asked);
  if (about.words.length === 0) return undefined;
  return {
    class: 'number',
    value,
    anchor: `${asked} → ${line}`,
    key: about.words.join(' '),
    at,
    by: 'tool',
    strength: 'soft',
    figure: { ...about, was: [] },
  };
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
  if (use.command !== undefined) return !/^\s*(?:ls|find|git (?:log|show|diff))\b/.test(use.command);
  const path = use.fields.text.get('path')?.[0] ?? use.fields.text.get('filepath')?.[0];
  return path !== undefined && /\.(?:env\w*|ya?ml|toml|ini|conf|cfg|properties)$|^\.env/.test(baseName(path));
}

/**
 * The figures that a program reports, one a line with the line: the lines that are unlike most, and the last. Of a file
 * that a command only shows, counts of what was done.
 */
function reports(output: string, at: number, onlyCounts: boolean): Found[] {
  const found = new Map<string, { fact: Found; shape: string }>();
  const shapes = new Map<string, number>();
  for (const text of withoutColours(output).split('\n')) {
    const line = text.trim();
    if (line.length > LONGEST_LINE || !REPORTED.test(line)) continue;
    const counted = COUNTED.exec(line)?.[1];
    if (ENVELOPE.test(line) || (counted === undefined && (onlyCounts || NO_REPORT.test(line)))) continue;
    const value = counted ?? reportedFigure(line);
    if (value === undefined) continue;
    const told = line.replace(LOG_HEAD, '');
    const figure = figureOfLabel(told.replace(/\d[\d.,_]*(?:\s?[\p{L}µ%/]{1,10})?/gu, ' '), value);
    const key = figure.words.join(' ');
    if (key.length < 2) continue;
    const shape = line.replace(/[\p{L}\p{N}_]+/gu, 'w');
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    found.delete(key);
    found.set(key, {
      shape,
      fact: { class: 'number', value, anchor: told, key, at, by: 'tool', strength: 'soft', figure },
    });
  }
  const all = [...found.values()];
  if (all.length <= MOST_PER_RESULT) return all.map(({ fact }) => fact);
  const rarest = [...all].reverse().sort((a, b) => (shapes.get(a.shape) ?? 0) - (shapes.get(b.shape) ?? 0));
  const kept = new Set(rarest.slice(0, MOST_PER_RESULT));
  return all.filter((entry) => kept.has(entry)).map(({ fact }) => fact);
}

/** "migrated 8954 rows into …", "rows inserted: …": a program says how many it did. */
const COUNTED =
  /\b(?:migrat|import|process|index|insert|updat|delet|wr[io]t|load|sync|export|cop[iy]|convert|scann|found|total|read|fetch|backfill|replay|generat|creat|merg|remov|purg|archiv|upload|download)\w{0,6}:?\s(?:\S{1,20}\s){0,2}?(\d[\d.,_]{1,14})\s\p{L}{3,}/iu;
/** Date, time and level before a log line. */
const LOG_HEAD =
  /^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]{5,15}(?:Z|[+-]\d\d:?\d\d)?\]?\s+)?(?:\[?(?:INFO|WARN|DEBUG|NOTICE|ERROR)\]?:?\s+)?/i;

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
    const entry = ENTRY.exec(line.text);
    for (const match of entry === null ? line.text.matchAll(SETTING) : [entry]) {
      const [whole, name = '', value = ''] = match;
      if (value.replace(/\D/g, '').length < 2 && !/[a-z%]/i.test(value)) continue;
      const figure = value.replace(/[.,_]+$/, '');
      const key = normalizeWords(name).replace(/^[-.]+/, '');
      if (BARE_NAME.test(key) || FILE.test(key) || ENVELOPE.test(line.text.trim())) continue;
      found.push({
        class: 'number',
        value: figure,
        anchor: entry === null ? whole.trim() : line.text.trim().replace(/[,;]$/, ''),
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
