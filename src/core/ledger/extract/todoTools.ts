import { fieldName, parseStructure } from '../read/callFields.ts';
import { cutAtWord } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { isTodoState } from '../todoState.ts';
import { checkboxes, type Item, todoText } from './checkboxes.ts';

/** What a call of a tool for to-dos says: its list as a whole, or some to-dos of it. */
export interface ToolList {
  readonly items: readonly Item[];
  /** True when what the list no longer has ends with this call. */
  readonly whole: boolean;
}

const TEXT_FIELDS = ['content', 'step', 'text', 'title', 'subject', 'task', 'description', 'name', 'item', 'todo'];
/** Of what a to-do says beyond its title so much is told with it. Characters. */
const LONGEST_DETAIL = 400;
const STATE_FIELDS = new Set(['status', 'state', 'done', 'completed', 'checked', 'column']);
const ID_FIELDS = new Set(['id', 'taskid', 'todoid', 'itemid', 'key']);

/** Fields that hold a list: an empty one says that nothing is left. */
const LIST_FIELDS = new Set(['todos', 'tasks', 'items', 'plan', 'list', 'steps']);

const LIST_TOOL = /to_?do|plan|task|checklist/i;
/** Tools that put one to-do on the list or change one. */
const CHANGE = '(?:add|creat|new|updat|edit|set|mark|complet|finish)';
const CHANGES_ONE = new RegExp(`${CHANGE}\\w*(?:task|to_?do)|(?:task|to_?do)\\w*${CHANGE}`, 'i');
/** Whoever gets words of its own is an agent that is started, and no to-do. */
const STARTS_AGENT = ['prompt', 'subagent_type', 'subagentType', 'agent'];
/** What these keep belongs to others: it is no list of the agent's own. */
const TRACKER = /issue|ticket|bug|pull|merge|jira|linear|github|gitlab|asana|trello|clickup|todoist|notion/i;

/** The to-dos that a call writes, by the shape of its arguments; undefined when it writes none. */
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

/** A list whose objects have a text and a to-do's state; under a name that says so the text or the id alone will do. */
function listItems(list: readonly unknown[], named: boolean): Item[] | undefined {
  const read = list.filter(isRecord).map(readItem);
  const items = read.flatMap(({ text, state, ...more }): Item[] => {
    if (!named && (text === undefined || state === undefined || !isTodoState(state))) return [];
    const shown = shownText(text, more.id);
    return shown === undefined ? [] : [{ ...more, text: shown, state: state ?? 'pending' }];
  });
  return items.length === list.length ? items : undefined;
}

/** One to-do that a call makes or changes; a new one has the id that the result gives it. */
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

/** The state by its field's name; else a value that is a to-do's state, in a field that holds no text of it. */
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
