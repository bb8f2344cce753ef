import { anyOf, groupOf } from '../../messages/anyOf.ts';
import { type Line, LONGEST_LINE } from './scanLines.ts';

const A_FILE = /(?:[A-Za-z]:)?[\w@./\\+~-][\w@./\\+~$[\]-]{0,200}\.[A-Za-z]\w{0,11}/;
const A_MAKEFILE = /(?:[\w.-]{1,60}\/){0,9}(?:GNU)?[A-Z][a-z]{2,20}file/;

/**
 * The place of an error: a file and a line, in any notation that programs use: `a.rs:1:2`, `a.cs(1,2)`, `A.java:[1,2]`,
 * `a.tf line 3`, `File "a.py", line 4`, `Order.cs:line 5`, `ci.yml (Line: 6, Col: 7)`, `a.js (8:9)`, `a.tsx 10:11`,
 * `Makefile:12`.
 */
const PLACE = new RegExp(
  String.raw`(?<![\w./\\@+~-])(?:(?<path>${anyOf(A_FILE, A_MAKEFILE).source})${groupOf(
    /['"]?:\[?\d{1,7}(?:[:,]\d{1,5}\]?)?(?![\d.])|\(\d{1,7}(?:[:,] ?\d{1,5})?\)/,
    /['"]?[:,]? ?(?:on |at )?line:? ?\d{1,7}\b| \(Line: \d{1,7}, Col: \d{1,5}\)| \(\d{1,7}:\d{1,5}\)/,
    / \d{1,7}:\d{1,5}\b|: \p{L}{2,8} \d{1,7}(?=:)/u,
  )}|File "(?<file>[^"\n]{1,200})", line (?<line>\d{1,7}))`,
  'u',
);

/** Sources that do not belong to the project: a frame in one of them says less than the next frame in one that does. */
const FOREIGN = anyOf(
  new RegExp(
    String.raw`(?:^|[\s(/\\@])${groupOf(
      /node_modules|node:internal|internal\/(?:process|modules|timers)|site-packages|dist-packages|java\.base/,
      /vendor\/(?:bundle|phpunit)|gems|\.cargo|rustc|runtime\/(?:panic|proc|asm)\w*|dart:\w+/,
    )}[/\\:]`,
  ),
  /\/usr\/(?:local\/)?(?:lib|go\/src|share)\/|<frozen|\bAssertionUtils\.java|dart:core/,
  /\bat (?:java|javax|jdk|sun|scala|kotlin|org\.(?:junit|opentest4j|springframework|apache|gradle|hibernate)|io\.netty|com\.sun)\./,
);

/** How a line begins that only names a place: a stack frame, a pointer below a message. */
const POINTER =
  /^\s*(?:at|from|in|on|--+>|❯|└─|├─|╭─|┌─|,-\[|│|╷|╵|::|==>|>|#\s?\d{0,3}:?|\d{1,3}:|\|)\s*(?=\S)|^\s+\S|^file:/;

/** A line of source text printed together with a message. */
const EXCERPT = /^[\s>│|┃]*(?:>?\s*\d{1,6}\s*[|│┃╎]|[|│┃]|\^|~|\d{1,6}→)/;

/** How another report begins: what follows it belongs to that one. */
const NEXT_REPORT =
  /^\s*(?:(?:[\w.]{0,80}(?:Error|Exception)|error|fatal|ERROR)(?:\s?\[\w+\])?:\s|panic:|FAIL\b|Traceback\b|--- FAIL|[✗✖×]\s)/;

/** A row of a report below its file's name: `12:5  error  …`, `44     …`. */
const ROW = /^\s{0,8}\d{1,7}(?::\d{1,5}(?:-\d{1,5})?\s+\S|\s{2,}\p{L})/u;
/** The name of the file that the rows below are about, alone on its line or after the title of a column. */
const FILE_HEADER = /^(?:\s{0,3}Line\s{2,})?\s{0,3}((?:[A-Za-z]:)?[\w@./\\+~[\]()$-]{1,200}\.[A-Za-z]\w{0,11}):?\s*$/;

/**
 * `rg: a.json: No such file or directory`, `fatal: not a git repository`: complaints of programs, which have no place.
 */
const OF_THE_SYSTEM =
  /^[^\w]{0,6}(?:[\w.-]{1,20}: .{1,200}: (?:No such file|Permission denied|Is a directory|Not a directory)|fatal: )/;

/** How far a place may be from its message. Lines. */
const REACH = { rows: 60, frames: 24, loose: 3, traceback: 40, above: 6 };

/** The place of a line's error, as the source has it: on the line, in the frames below it, or above it. */
export function placeOfError(text: string, line: Line): string | undefined {
  const own = placeIn(line.text);
  if (own !== undefined) return own.text;
  if (OF_THE_SYSTEM.test(line.text)) return undefined;
  const above = linesAbove(text, line, REACH.rows);
  const row = ROW.test(line.text) ? headerAbove(above) : undefined;
  return row ?? tracebackAbove(above) ?? placeBelow(text, line) ?? placeAbove(above);
}

/** The place that a line names, and its position in the line. */
export function placeIn(line: string): { readonly text: string; readonly index: number } | undefined {
  const match = PLACE.exec(line);
  if (match === null) return undefined;
  const { path, file, line: at } = match.groups ?? {};
  if (file !== undefined) return { text: `${file}:${at}`, index: match.index };
  if (path === undefined) return undefined;
  if (!path.startsWith('//')) return { text: match[0], index: match.index };
  // A URL is not a place, unless it is that of a source file.
  if (!/(?:file|webpack|package|vite):$/.test(line.slice(0, match.index))) return undefined;
  return { text: match[0].replace(/^\/\/(?:\/(?=[A-Za-z]:)|[\w-]*\/\.\/)?/, ''), index: match.index };
}

/** True for a row of a report whose file is named above it. */
export function isRowOfFile(text: string, line: Line): boolean {
  return ROW.test(line.text) && headerAbove(linesAbove(text, line, REACH.rows)) !== undefined;
}

function headerAbove(above: readonly string[]): string | undefined {
  for (const near of above) {
    const path = FILE_HEADER.exec(near)?.[1];
    if (path !== undefined) return path;
    if (near.trim() === '' || (/^\S/.test(near) && !/^[-=\s]+$/.test(near))) return undefined;
  }
  return undefined;
}

/** The last frame of the traceback that ends above a line; preferably one in the project's own sources. */
function tracebackAbove(above: readonly string[]): string | undefined {
  let nearest: string | undefined;
  for (const near of above.slice(0, REACH.traceback)) {
    if (!/^\s|^File "/.test(near)) break;
    if (!/^\s*File "/.test(near)) continue;
    const place = placeIn(near)?.text;
    if (place === undefined) continue;
    if (!FOREIGN.test(near)) return place;
    nearest ??= place;
  }
  return nearest;
}

function placeBelow(text: string, line: Line): string | undefined {
  let foreign: string | undefined;
  const below = linesBelow(text, line, REACH.frames);
  for (const [index, near] of below.entries()) {
    if (EXCERPT.test(near) && !/^[\s│|]*on /.test(near)) continue;
    const place = placeIn(near);
    if (place !== undefined) {
      const leads = /^[\W_]{0,8}$/.test(near.slice(0, place.index));
      if (leads || POINTER.test(near) || index < REACH.loose) {
        if (!FOREIGN.test(near)) return place.text;
        foreign ??= place.text;
        continue;
      }
    }
    if (index > 0 && NEXT_REPORT.test(near)) break;
  }
  return foreign;
}

/** A line above that begins with a place, or needs only a few words to introduce one. */
function placeAbove(above: readonly string[]): string | undefined {
  for (const near of above.slice(0, REACH.above)) {
    const place = placeIn(near);
    if (place !== undefined && /^[\W_]{0,8}(?:[A-Za-z]+ ){0,3}['"(]?$/.test(near.slice(0, place.index)))
      return place.text;
  }
  return undefined;
}

/** The lines before a line, the nearest first, without one that is cut off. */
function linesAbove(text: string, line: Line, count: number): string[] {
  const start = Math.max(0, line.start - count * 80);
  const near = text.slice(start, Math.max(0, line.start - 1)).split('\n');
  if (start > 0) near.shift();
  return near
    .slice(-count)
    .reverse()
    .map((one) => one.slice(0, LONGEST_LINE));
}

function linesBelow(text: string, line: Line, count: number): string[] {
  const end = line.end + 1 + count * 160;
  const near = text.slice(line.end + 1, end).split('\n');
  if (end < text.length) near.pop();
  return near.slice(0, count).map((one) => one.slice(0, LONGEST_LINE));
}
