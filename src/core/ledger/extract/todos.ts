import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { checkboxes, type Item, todoKey } from './checkboxes.ts';
import { writtenList } from './todoFiles.ts';
import { toolList } from './todoTools.ts';

/**
 * The agent's own to-dos with their states: from a to-do tool, from a to-do file that it writes, or from a checklist
 * that it printed. What other tools list, what the human asks for and what prose tells does not count.
 */
export function findTodos(reading: Reading): Found[] {
  const said = reading.model === undefined ? [] : checkboxes(reading.model);
  return [
    // After a list in prose, later prose says what became of its items, in words that cannot be matched by key.
    ...said.map((item): Found => ({ ...todoFact(item, reading.at), strength: 'soft' })),
    ...reading.uses.flatMap((use) => [...toolTodos(use), ...fileTodos(use)]),
  ];
}

/** `Task not found`: a result that is not marked as failed and contains no words of a to-do. */
const NOT_THERE = /^[^\n"':]{0,40}\bnot found\W*$/i;

function toolTodos(use: ToolUse): Found[] {
  const list = toolList(use);
  if (list === undefined || NOT_THERE.test(use.result?.text ?? '')) return [];
  return list.whole ? listed(list.items, `list ${use.name}`, use.at) : list.items.map((item) => todoFact(item, use.at));
}

function fileTodos(use: ToolUse): Found[] {
  if (use.result?.failed === true) return [];
  const written = writtenList(use);
  if (written === undefined) return [];
  const items = checkboxes(written.text);
  if (written.list !== undefined) return listed(items, written.list, use.at);
  const kept = new Set(items.map((item) => todoKey(item.text)));
  const gone = checkboxes(written.removed ?? '').map((item) => todoKey(item.text));
  const replaces = gone.filter((key) => !kept.has(key));
  const facts = items.map((item) => todoFact(item, use.at));
  return replaces.length === 0 ? facts : [{ ...EMPTY, key: 'edit', at: use.at, replaces }, ...facts];
}

/** States no to-do, only that others end. */
const EMPTY = { class: 'todo', value: '', by: 'model' } as const;

function listed(items: readonly Item[], list: string, at: number): Found[] {
  return items.length === 0
    ? [{ ...EMPTY, key: list, at, list }]
    : items.map((item) => ({ ...todoFact(item, at), list }));
}

function todoFact({ text, detail, state, id }: Item, at: number): Found {
  return {
    class: 'todo',
    value: text,
    key: todoKey(text),
    state,
    at,
    by: 'model',
    ...(detail === undefined ? {} : { detail }),
    ...(id === undefined ? {} : { anchor: id }),
  };
}
