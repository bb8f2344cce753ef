import { fieldName, parseStructure } from '../read/callFields.ts';
import { cutAtWord } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { isTodoState } from '../todoState.ts';
import { checkboxes, type Item, todoText } from './checkboxes.ts';

/** What a call of a to-do tool states: its whole list, or some of its to-dos. */
export interface ToolList {
  readonly items: readonly Item[];
  /** True when to-dos that are not in this call's list end with it. */
  readonly whole: boolean;
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
const CHANGES_ONE = new RegExp(`${CHANGE}\\w*(?:task|to_?do)|(?:task|to_?do)\\w*${CHANGE}`, 'i');
/** A call with one of these fields starts an agent; it is not a to-do. */
const STARTS_AGENT = ['prompt', 'subagent_type', 'subagentType', 'agent'];
/** Trackers hold other people's work, not the agent's own list. */
const TRACKER = /issue|ticket|bug|pull|merge|jira|linear|github|gitlab|asana|trello|clickup|todoist|notion/i;

/** The to-dos that a call writes, recognised by the shape of its arguments; undefined when it writes none. */
export function toolList(use: ToolUse): ToolList | undefined {
  if (use.command !== undefined || use.result?.failed === true || TRACKER.test(use.name)) return undefined;
  const named = LIST_TOOL.test(use.name);
  const { parsed } = use.fields;
  const fields = isRecord(parsed) ? parsed : {};
  const lists: readonly (readonly [string, unknown])[] = Array.isArray(parsed)
    ? [['list', parsed]]
    : Object.entries(fields);
  for (const [name, candidate] of lists) {
    const list = typeof candidate === 'string' ? (parseStructure(candidate) ?? candidate) : candidate;
    const written = typeof list === 'string' && named ? checkboxes(list) : undefined;
    const items = Array.isArray(list) && (named || list === candidate) ? listItems(list, named) : written;
    const emptied = named && Array.isArray(list) && LIST_FIELDS.has(fieldName(name));
    if (items === undefined || (items.length === 0 && !emptied)) continue;
    return { items, whole: fields['merge'] !== true };
  }
  const one = CHANGES_ONE.test(use.name) ? singleItem(fields, use.result?.text ?? '') : undefined;
  return one === undefined ? undefined : { items: [one], whole: false };
}

/**
 * The items of a list whose objects have a text and a to-do's state; if the tool's name says that it is for to-dos
 * (`named`), the text or the id alone is enough.
 */
function listItems(list: readonly unknown[], named: boolean): Item[] | undefined {
  const read = list.filter(isRecord).map(readItem);
  const items = read.flatMap(({ text, state, ...more }): Item[] => {
    if (!named && (text === undefined || state === undefined || !isTodoState(state))) return [];
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
  return { ...more, text: shown, state: state ?? 'pending', ...(id === undefined ? {} : { id }) };
}

function shownText(text: string | undefined, id: string | undefined): string | undefined {
  return text ?? (id === undefined ? undefined : `#${id}`);
}

function readItem(source: Readonly<Record<string, unknown>>): Partial<Item> {
  const found: { -readonly [Name in keyof Item]?: Item[Name] } = {};
  const fields = new Map(Object.entries(source).map(([name, value]) => [fieldName(name), value]));
  const texts = TEXT_FIELDS.map((name) => fields.get(name)).filter((value) => typeof value === 'string');
  const [text, ...more] = texts.filter((value) => value !== '');
  const detail = more.find((value) => value.length > (text?.length ?? 0));
  if (text !== undefined) found.text = todoText(text);
  if (detail !== undefined) found.detail = cutAtWord(detail.replace(/\s+/g, ' ').trim(), LONGEST_DETAIL);
  const state = stateOf(fields);
  if (state !== undefined) found.state = state;
  for (const [name, value] of fields) {
    if (ID_FIELDS.has(name) && (typeof value === 'string' || typeof value === 'number')) found.id ??= String(value);
  }
  return found;
}

/** The state: from a field named like one, else any value that is a to-do's state, in a field that is not for text. */
function stateOf(fields: ReadonlyMap<string, unknown>): string | undefined {
  for (const name of STATE_FIELDS) {
    const value = fields.get(name);
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? 'done' : 'open';
  }
  for (const [name, value] of fields)
    if (typeof value === 'string' && !TEXT_FIELDS.includes(name) && isTodoState(value)) return value;
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
