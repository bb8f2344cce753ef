import * as z from 'zod/mini';
import { failed, type Tool } from './tools.ts';

const list = z.object({
  todos: z
    .array(
      z.object({
        content: z.string().check(z.minLength(1), z.maxLength(500)),
        status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
      }),
    )
    .check(z.maxLength(100)),
});

/** The tool `update_todos`: the agent's whole to-do list. The call itself keeps the list; nothing else is stored. */
export const TODO_TOOL: Tool = {
  definition: {
    type: 'function',
    function: {
      name: 'update_todos',
      description:
        'Writes your to-do list, whole each time, for work of several steps. The user sees it, and it outlives any shortening of the conversation.',
      parameters: {
        type: 'object',
        properties: {
          todos: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                content: { type: 'string' },
                status: { type: 'string', enum: ['pending', 'in_progress', 'completed', 'cancelled'] },
              },
              required: ['content', 'status'],
              additionalProperties: false,
            },
          },
        },
        required: ['todos'],
        additionalProperties: false,
      },
    },
  },
  run: async (args) => {
    const parsed = list.safeParse(args);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return failed(`The to-do list is wrong: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    }
    const { todos } = parsed.data;
    const done = todos.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
    return { text: `Saved: ${done} of ${todos.length} done.`, failed: false };
  },
};
