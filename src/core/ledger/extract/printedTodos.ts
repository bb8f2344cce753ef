import { fieldName } from '../read/callFields.ts';
import { baseName } from '../read/paths.ts';
import { wholeLines, withoutColours } from '../read/scanLines.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { isDone, isState, isTicket, TICKET_SIGN, ticketsIn } from '../same/todoStates.ts';
import { LIST_FILE } from './todoFiles.ts';

/** A list of to-dos is at most this long; of more rows than `MOST_ROWS` only those still to do count, if they are few. */
const LONGEST_LIST = 60_000;
/** The same where nothing says that to-dos were asked for. */
const LONGEST_UNASKED = 16_000;
const MOST_ROWS = 40;
const LONGEST_ROW = 300;
const LONGEST_TEXT = 240;

/** Programs and tools that tell of issues and to-dos. */
const TRACKER =
  /\b(?:jira|linear|youtrack|taskwarrior|todoist|asana|trello|clickup|shortcut|redmine|bugzilla|backlog|beads|todo(?:\.sh|\.txt|s)?|acli|plane)\b|(?:^|[;&|(]\s*)(?:bd|task|tk|br)\s+(?:list|ls|next|ready|show|all)\b|\b(?:gh|glab|hub|tea|forgejo|az|git)[\s-]+(?:boards?\s+)?(?:issues?|bug|project item-list|work-?items?)\b|issues?_?|tickets?|(?:list|get|read|search|query|show)_?(?:my_?)?(?:tasks?|to_?dos?|stories|work_?items?)|(?:tasks?|to_?dos?)_?(?:list|get|read|show)/i;
const NOT_ISSUES =
  /\b(?:pr|pull[-_ ]?requests?|mr|merge[-_ ]?requests?|run|workflow|release)\s+(?:list|view|status)\b/i;

/** A to-do as a tool printed it. */
export interface Row {
  readonly id?: string;
  readonly text: string;
  readonly state: string;
}

/** The to-dos that a tool prints: checklists in files of to-dos, tables and lists of issues, lists as JSON. */
export function printedRows(use: ToolUse): readonly Row[] {
  const { result } = use;
  if (result === undefined || result.failed || result.text.length > LONGEST_LIST * 2) return [];
  const asked = (use.command ?? use.name).slice(0, 160);
  const tracker = TRACKER.test(asked) && !NOT_ISSUES.test(asked);
  if (!tracker && showsCode(use)) return [];
  const text = wholeLines(result.text, tracker ? LONGEST_LIST : LONGEST_UNASKED);
  if (!tracker && !SIGN.test(text)) return [];
  const whole = withoutColours(text);
  const boxes = BOX_SIGN.test(whole) ? boxRows(whole, tracker || isListFile(use)) : [];
  if (boxes.length > 0) return fewRows(boxes);
  const rows = /^\s*[[{]/.test(whole) ? jsonRows(whole, tracker) : [];
  return fewRows(rows.length > 0 ? rows : tableRows(whole, tracker));
}

/** What a list has at least: looked for first, since most output is none. */
const SIGN = new RegExp(String.raw`\[[ xX~/>!-]\] |${TICKET_SIGN.source}`);
const BOX_SIGN = /\[[ xX~/>!-]\] /;

function fewRows(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MOST_ROWS) return rows;
  const left = rows.filter((row) => !isDone(row.state));
  return left.length <= MOST_ROWS ? left : [];
}

/** Lists stand in documents and tables, not in program text or in what is found by a search in it. */
function showsCode(use: ToolUse): boolean {
  if (use.command !== undefined) return SEARCHES.test(use.command) && !isListFile(use);
  const path = pathOf(use);
  return path !== undefined && /\.\w{1,8}$/.test(path) && !DOCUMENT.test(path);
}

const SEARCHES = /^\s*(?:cd \S{1,200} && )?(?:rg|grep|egrep|ag|find|fd|ls|git (?:diff|log|show|grep|status))\b/;
const DOCUMENT = /\.(?:mdx?|markdown|txt|org|rst|adoc|csv|tsv|html?)$/i;
const PATHS = ['path', 'filepath', 'targetfile', 'filename', 'file', 'relativepath', 'absolutepath', 'uri'];

function pathOf({ fields }: ToolUse): string | undefined {
  return PATHS.map((name) => fields.text.get(name)?.[0]).find((value) => value !== undefined);
}

function isListFile(use: ToolUse): boolean {
  const path = pathOf(use);
  if (path !== undefined) return LIST_FILE.test(baseName(path));
  if (use.command === undefined || /<<|>\s*\S/.test(use.command)) return false;
  return use.command
    .slice(0, 1000)
    .split(/[\s'"`]+/)
    .some((word) => LIST_FILE.test(baseName(word)));
}

/** A box, also behind the number or the name of its line. */
const BOX =
  /^[ \t]{0,40}(?:[\w./-]{1,120}:)?(?:L?\d{1,6}[\u2192|:\t ][ \t]{0,8}){0,2}[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]{1,8}\[([ xX~/>!-])\][ \t]{1,8}(\S[^\n]{0,400})$/gm;

function boxRows(text: string, all: boolean): Row[] {
  const rows: Row[] = [];
  for (const [, mark = '', item = ''] of text.matchAll(BOX)) {
    const id = leadingTicket(item);
    if (!all && id === undefined) continue;
    rows.push({ ...boxItem(mark, item.trimEnd()), ...(id === undefined ? {} : { id }) });
  }
  return rows;
}

/** A box with its words; a state in brackets at their end tells more than the box. */
export function boxItem(mark: string, item: string): { readonly text: string; readonly state: string } {
  const said = /^(.{4,}?)\s*[([\uff08]([^()[\]\uff08\uff09]{2,32})[)\]\uff09]$/.exec(item);
  if (said !== null && !/x/i.test(mark) && isState(said[2] ?? '')) return { text: said[1] ?? '', state: said[2] ?? '' };
  return { text: item, state: /x/i.test(mark) ? 'done' : mark === ' ' ? 'open' : 'in progress' };
}

function leadingTicket(item: string): string | undefined {
  const [first] = ticketsIn(item.slice(0, 40));
  return first !== undefined && /^[^\p{L}\p{N}]{0,4}$/u.test(item.slice(0, first.start)) ? first.id : undefined;
}

/** Rows of a table or a list, each told by its own shape: an id, a state and words. */
function tableRows(text: string, tracker: boolean): Row[] {
  const rows: Row[] = [];
  let headed = false;
  for (const line of text.split('\n')) {
    if (line.length < 6 || line.length > LONGEST_ROW) continue;
    if (!tracker && !TICKET_SIGN.test(line)) {
      headed ||= HEAD.test(line) && cellsOf(line).length > 1 && !/\d/.test(line);
      continue;
    }
    const cells = cellsOf(line);
    if (HEAD.test(line) && cells.length > 1 && cells.every((cell) => !/\d/.test(cell))) headed = true;
    else {
      const row = rowOfCells(cells, tracker) ?? rowOfLine(line, tracker);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length > MOST_ROWS * 4) break;
  }
  return headed || tracker || rows.length > 1 ? rows : [];
}

/** Words that head a column of states, beside others. */
const HEAD =
  /\b(?:status|state|stage|column|zustand|estado|statut|état|stato|статус|durum)\b|状态|状態|ステータス|상태/i;

function cellsOf(line: string): string[] {
  const cells = line.includes('\t')
    ? line.split('\t')
    : /[|\u2502]/.test(line)
      ? line.split(/[|\u2502]/)
      : line.split(/ {2,}/);
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}

function rowOfCells(cells: readonly string[], tracker: boolean): Row | undefined {
  if (cells.length < 2 || cells.length > 16) return undefined;
  const at = cells.findIndex((cell) => isId(cell, tracker));
  if (at < 0) return undefined;
  const id = cells[at] ?? '';
  const others = cells.filter((_, index) => index !== at);
  const state = others.find((cell) => isState(bare(cell)));
  if (state === undefined) return undefined;
  const [text] = others.filter((cell) => cell !== state && /\p{L}{2}/u.test(cell)).sort((a, b) => b.length - a.length);
  return { id: id.replace(/[[\]]/g, ''), text: text ?? '', state: bare(state) };
}

function bare(cell: string): string {
  return cell.replace(/^[[(*`]+|[\])*`]+$/g, '').trim();
}

function isId(cell: string, tracker: boolean): boolean {
  const name = cell.replace(/^\[|\]$/g, '');
  if (isTicket(name)) return true;
  return tracker && (/^#\d{1,6}$/.test(name) || /^\d{1,6}$/.test(name) || /^[a-z]{2,12}-[a-z0-9]{1,6}$/.test(name));
}

/** `PAY-12 [Blocked] write the guide`, `#3 [completed] write the guide`, `PAY-12: write the guide (In Progress)`. */
const ROW_LINE =
  /^[ \t]{0,12}(?:[-*+•○●◐◦]|\d{1,3}[.)])?[ \t]{0,4}(?:([✓✔✅☑])|[☐⬜⏳🔄🚧])?\uFE0F?[ \t]{0,4}\[?(#\d{1,6}|[A-Z][A-Z0-9]{1,9}-\d{1,6}|[a-z]{2,12}-[a-z0-9]{1,6})\]?(?=[\s:.\u2014-])[ \t:.\u2014-]{1,6}(\S.*)$/u;

function rowOfLine(line: string, tracker: boolean): Row | undefined {
  if (!/[[(\uff08:✓✔✅☑]|- /.test(line)) return undefined;
  const match = ROW_LINE.exec(line);
  const id = match?.[2] ?? '';
  if (match === null || !(isTicket(id) || tracker)) return undefined;
  const rest = (match[3] ?? '').trimEnd();
  for (const group of rest.matchAll(/[[(\uff08]([^()[\]\uff08\uff09]{2,32})[)\]\uff09]/g)) {
    const state = group[1] ?? '';
    if (!isState(state)) continue;
    const behind = rest.slice(group.index + group[0].length).replace(/^[\s:-]+/, '');
    const before = rest.slice(0, group.index).replace(/[\s:-]+$/, '');
    return { id, text: behind.length > before.length ? behind : before, state };
  }
  const parts = rest.split(/ [-–—:] |: /);
  const state = parts.find(isState);
  if (state !== undefined)
    return { id, text: parts.filter((part) => part !== state).sort((a, b) => b.length - a.length)[0] ?? '', state };
  return match[1] === undefined ? undefined : { id, text: rest, state: 'done' };
}

const TEXT_KEYS = ['title', 'summary', 'subject', 'content', 'name', 'description', 'text', 'headline'];
const STATE_KEYS = ['status', 'state', 'statename', 'stage', 'column', 'done', 'completed'];
const ID_KEYS = ['key', 'identifier', 'number', 'id', 'iid', 'ref', 'ticket'];
const DEEPEST = 5;
const MOST_OBJECTS = 2_000;

/** Rows of JSON: objects with an id, words and a state; the fields of an object in them count as theirs. */
function jsonRows(text: string, tracker: boolean): Row[] {
  if (!/"(?:status|state|stateName|stage|column|done|completed)"/i.test(text)) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Cut short or several documents: it is read as lines.
    return [];
  }
  const rows: Row[] = [];
  let seen = 0;
  const walk = (value: unknown, depth: number): void => {
    if (depth > DEEPEST || typeof value !== 'object' || value === null || seen > MOST_OBJECTS) return;
    seen += 1;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return;
    }
    const row = rowOfObject(value as Readonly<Record<string, unknown>>, tracker);
    if (row !== undefined) rows.push(row);
    else for (const [name, item] of Object.entries(value)) if (!/old|prev|before/i.test(name)) walk(item, depth + 1);
  };
  walk(parsed, 0);
  return rows;
}

function rowOfObject(object: Readonly<Record<string, unknown>>, tracker: boolean): Row | undefined {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) fields.set(fieldName(name), value);
  for (const inner of ['fields', 'attributes', 'node', 'content']) {
    const value = fields.get(inner);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [name, item] of Object.entries(value))
      if (!fields.has(fieldName(name))) fields.set(fieldName(name), item);
  }
  const state = firstOf(fields, STATE_KEYS);
  const words = firstOf(fields, TEXT_KEYS);
  const ids = ID_KEYS.map((name) => plainValue(fields.get(name)));
  const id = ids.find((value) => value !== undefined && isTicket(value)) ?? ids.find((value) => value !== undefined);
  if (state === undefined || id === undefined || words === undefined || !isState(state)) return undefined;
  if (!isTicket(id) && (!tracker || id.length > 12)) return undefined;
  return { id: /^\d+$/.test(id) ? `#${id}` : id, text: words.slice(0, LONGEST_TEXT), state };
}

function firstOf(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => plainValue(fields.get(name))).find((value) => value !== undefined);
}

function plainValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'done' : 'open';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const name = 'name' in value ? value.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
