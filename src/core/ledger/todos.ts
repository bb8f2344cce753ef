import { cutHead } from '../chat/cut.ts';
import { isRecord, withoutUndefined } from '../result.ts';
import type { Found } from './fact.ts';
import type { ToolUse } from './outcome.ts';
import { fieldName, parseStructure } from './outcome.ts';
import type { Reading } from './reading.ts';
import { normalizeWords } from './text.ts';

/** `Task not found`: a result that is not marked as failed and contains no words of a to-do. */
const NOT_THERE = /^[^\n"':]{0,40}\bnot found\W*$/i;

/** The agent's own to-dos with their states, from its to-do tool. What other tools list and prose tells does not count. */
export function findTodos(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const { items, whole = false } = toolList(use) ?? {};
    if (items === undefined || NOT_THERE.test(use.result?.text ?? '')) return [];
    const { at } = use;
    const list = `list ${use.name}`;
    // Of an empty list, no fact says anything, but earlier ones end.
    if (whole && items.length === 0) return [{ class: 'todo' as const, value: '', key: list, at, list }];
    return items.map((item) => ({ ...todoFact(item, at), ...(whole && { list }) }));
  });
}

function todoFact({ text, ...item }: Item, at: number): Found {
  return withoutUndefined<Found>({ class: 'todo', value: text, key: normalizeWords(text), at, ...item });
}

/** A to-do as its list states it. */
interface Item {
  readonly text: string;
  readonly state: string;
  /** What it says beyond its title, on one line. */
  readonly detail?: string;
  /** The name by which the list refers to it: `T-12`, `4`. */
  readonly id?: string;
}

/** How much of a list is read. Characters. */
const LONGEST_LIST = 60_000;
const LONGEST_TODO = 240;

/** A list mark, a box and words, with spaces between them. */
const CHECKBOX = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]{1,8}\[([ xX~/>!-])\][ \t]{1,8}(\S[^\n]{0,400})$/gm;

/** The checklist in a text, in order. */
function checkboxes(text: string): Item[] {
  return [...cutHead(text, LONGEST_LIST).matchAll(CHECKBOX)].map(([, mark = '', words = '']) => {
    const state = /x/i.test(mark) ? 'done' : mark === ' ' ? 'open' : mark === '-' ? 'cancelled' : 'in progress';
    return { text: todoText(words), state };
  });
}

/** The words of a to-do, on one line. */
function todoText(words: string): string {
  const start = words.slice(0, LONGEST_TODO * 4);
  return cutHead(start.replace(/\s+/g, ' ').trim(), LONGEST_TODO).trimEnd();
}

const TEXT_FIELDS = ['content', 'step', 'text', 'title', 'subject', 'task', 'description', 'name', 'item', 'todo'];
/** How much is kept of what a to-do says beyond its title. Characters. */
const LONGEST_DETAIL = 400;
const STATE_FIELDS = new Set(['status', 'state', 'done', 'completed', 'checked', 'column']);
const ID_FIELDS = new Set(['id', 'taskid', 'todoid', 'itemid', 'key']);

/** Fields that hold a list: when empty, nothing is left to do. */
const LIST_FIELDS = new Set(['todos', 'tasks', 'items', 'plan', 'list', 'steps']);

const LIST_TOOL = /to_?do|plan|task|checklist/i;
/** Names of tools that add or change a single to-do. */
const CHANGE = '(?:add|creat|new|updat|edit|set|mark|complet|finish)';
const CHANGES_ONE = new RegExp(`${CHANGE}\\w{0,60}(?:task|to_?do)|(?:task|to_?do)\\w{0,60}${CHANGE}`, 'i');
/** A call with one of these fields starts an agent; it is not a to-do. */
const STARTS_AGENT = ['prompt', 'subagent_type', 'subagentType', 'agent'];
/** Trackers hold other people's work, not the agent's own list. */
const TRACKER = /issue|ticket|bug|pull|merge|jira|linear|github|gitlab|asana|trello|clickup|todoist|notion/i;

/**
 * The to-dos that a call writes; undefined when it writes none. A tool whose name does not say that it is for to-dos is
 * known by a list of objects that all have a text and a to-do's state. `whole`: to-dos that are not in this call's list end
 * with it.
 */
export function toolList(use: ToolUse): { readonly items: readonly Item[]; readonly whole: boolean } | undefined {
  if (use.command !== undefined || use.result?.failed === true || TRACKER.test(use.name)) return undefined;
  const isNamed = LIST_TOOL.test(use.name);
  const { parsed } = use.fields;
  const fields = isRecord(parsed) ? parsed : {};
  const lists: readonly (readonly [string, unknown])[] = Array.isArray(parsed)
    ? [['list', parsed]]
    : Object.entries(fields);
  for (const [name, candidate] of lists) {
    if (!isNamed && !(Array.isArray(candidate) && candidate.every(isTodo))) continue;
    const list = typeof candidate === 'string' ? (parseStructure(candidate) ?? candidate) : candidate;
    const written = typeof list === 'string' ? checkboxes(list) : undefined;
    const items = Array.isArray(list) ? listItems(list) : written;
    const emptied = isNamed && Array.isArray(list) && LIST_FIELDS.has(fieldName(name));
    if (items === undefined || (items.length === 0 && !emptied)) continue;
    return { items, whole: fields.merge !== true };
  }
  const one = CHANGES_ONE.test(use.name) ? singleItem(fields, use.result?.text ?? '') : undefined;
  return one === undefined ? undefined : { items: [one], whole: false };
}

/** States of to-dos that records of other kinds hardly ever have. */
const TODO_STATE = /^(?:pending|to[ _-]?do|not[ _-]started|in[ _-]?progress|doing|done|completed?|blocked)$/i;

function isTodo(value: unknown): boolean {
  const { text, state = '' } = isRecord(value) ? readItem(value) : {};
  return text !== undefined && TODO_STATE.test(state.trim());
}

/** The items of a list of objects that have a text or an id; undefined when any has neither. */
function listItems(list: readonly unknown[]): Item[] | undefined {
  const read = list.filter(isRecord).map(readItem);
  const items = read.flatMap(({ text, state, ...more }): Item[] => {
    const shown = shownText(text, more.id);
    return shown === undefined ? [] : [{ ...more, text: shown, state: state ?? 'pending' }];
  });
  return items.length === list.length ? items : undefined;
}

/** A single to-do that a call adds or changes; a new one takes its id from the result. */
function singleItem(fields: Readonly<Record<string, unknown>>, result: string): Item | undefined {
  if (STARTS_AGENT.some((name) => name in fields)) return undefined;
  const { text, state, ...more } = readItem(fields);
  const id = more.id ?? /#(\w{1,40})/.exec(result.slice(0, 200))?.[1];
  const shown = shownText(text, id);
  if (shown === undefined || (text === undefined && state === undefined)) return undefined;
  return withoutUndefined<Item>({ ...more, text: shown, state: state ?? 'pending', id });
}

function shownText(text: string | undefined, id: string | undefined): string | undefined {
  return text ?? (id === undefined ? undefined : `#${id}`);
}

function readItem(source: Readonly<Record<string, unknown>>): Partial<Item> {
  const fields = new Map(Object.entries(source).map(([name, value]) => [fieldName(name), value]));
  const texts = TEXT_FIELDS.map((name) => fields.get(name)).filter((value) => typeof value === 'string');
  const [text, ...more] = texts.filter((value) => value !== '');
  const detail = more.find((value) => value.length > (text?.length ?? 0));
  const [, id] =
    [...fields].find(([name, value]) => ID_FIELDS.has(name) && /^(?:string|number)$/.test(typeof value)) ?? [];
  return withoutUndefined<Partial<Item>>({
    text: text && todoText(text),
    detail: detail && cutHead(detail.replace(/\s+/g, ' ').trim(), LONGEST_DETAIL),
    state: stateOf(fields),
    id: id === undefined ? undefined : String(id),
  });
}

/** The state, from a field named like one. */
function stateOf(fields: ReadonlyMap<string, unknown>): string | undefined {
  for (const name of STATE_FIELDS) {
    const value = fields.get(name);
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'done' : 'open';
  }
  return undefined;
}

const IS_DONE =
  /^(?:x|true|done|completed?|finished|closed|resolved|fixed|shipped|merged|erledigt|fertig|已?完成了?)$/i;
const IS_DROPPED = /^(?:cancell?ed|deleted|removed|dropped|skipped|abandoned|won['’]?t do|abgebrochen|已?取消)$/i;

/** True when a state says that the work is done; "cancelled" is not done. */
export function isDone(state: string): boolean {
  return IS_DONE.test(state.trim());
}

/** True when a state says that the to-do was dropped without being done. */
export function isDropped(state: string): boolean {
  return IS_DROPPED.test(state.trim());
}
