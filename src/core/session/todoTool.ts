import * as z from 'zod/mini';
import { makeTool } from './makeTool.ts';

const todo = z.object({
  content: z.string().check(z.minLength(1), z.maxLength(500)),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
});

/** The tool `update_todos`: the agent's whole to-do list. The call itself keeps the list; nothing else is stored. */
export const TODO_TOOL = makeTool({
  name: 'update_todos',
  description:
    'Writes your to-do list, whole each time, for work of several steps. The user sees it, and it outlives any shortening of the conversation.',
  parameters: { todos: z.array(todo).check(z.maxLength(100)) },
  run: async ({ todos }) => {
    const done = todos.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
    return { text: `Saved: ${done} of ${todos.length} done.`, failed: false };
  },
});
