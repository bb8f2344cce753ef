import { readFields } from '../../core/ledger/outcome.ts';
import { toolList } from '../../core/ledger/todos.ts';
import type { Message, ToolCall } from '../../core/messages/message.ts';
import { TODO_TOOL } from '../../core/session/todoTool.ts';
import type { TodoState } from '../../protocol/viewState.ts';

const NAME = TODO_TOOL.definition.function.name;

/** The last result for each conversation, so that older messages are not read again. */
const known = new WeakMap<readonly Message[], { readonly length: number; readonly todos: readonly TodoState[] }>();

/** The newest to-do list of Karl's agent; undefined if there is none, or all of it is done. */
export function readTodos(messages: readonly Message[]): readonly TodoState[] | undefined {
  const { length, todos } = known.get(messages) ?? { length: 0, todos: [] };
  const found = messages.length < length ? (findTodos(messages, 0) ?? []) : (findTodos(messages, length) ?? todos);
  known.set(messages, { length: messages.length, todos: found });
  return found.every(({ state }) => state === 'done' || state === 'dropped') ? undefined : found;
}

/** The newest list among the messages with an index of at least `from`. */
function findTodos(messages: readonly Message[], from: number): readonly TodoState[] | undefined {
  for (let at = messages.length - 1; at >= from; at -= 1) {
    const message = messages[at];
    const lists = message?.role === 'assistant' ? message.calls.map(todosOf) : [];
    const newest = lists.findLast((list) => list !== undefined);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

/** The list that a call of Karl's agent writes; undefined for other calls. */
export function todosOf({ name, arguments: source }: ToolCall): readonly TodoState[] | undefined {
  if (name !== NAME) return undefined;
  const list = toolList({ name, source, fields: readFields(source), at: 0 });
  return list?.items.map(({ text, state }) => ({ text, state: STATES[state] ?? 'open' }));
}

const STATES: Readonly<Record<string, TodoState['state']>> = {
  in_progress: 'active',
  completed: 'done',
  cancelled: 'dropped',
};
