import type { ChatMessage } from '../../../src/core/chat/wire.ts';

export type MakeMessage = (index: number) => ChatMessage;

/** Speech that is full of figures: a large ledger and large notes. */
export const FIGURES: MakeMessage = (index) =>
  index % 2 === 0
    ? { role: 'user', content: `Set limit ${index} of part${index % 97} to ${index * 7} ms; never use port ${index}.` }
    : {
        role: 'assistant',
        content: `- [ ] check src/part${index % 97}.ts:${index}\nIt took ${index * 3} ms, ${index} of ${index * 2} passed.`,
      };

/** As little as a message can say. */
export const TINY: MakeMessage = (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `m${index}` });

/** An agent at work: what the human wants, calls with what they print, and what the agent says. About 400 tokens each. */
export const WORK: MakeMessage = (index) => {
  const step = Math.floor(index / 2);
  const file = `src/part${step % 97}/module${step % 13}.ts`;
  if (index % 60 === 0) return { role: 'user', content: `Now make part ${step} of ${file} faster, and keep its face.` };
  if (index % 60 === 1) return { role: 'assistant', content: `Part ${step} is done: ${file} reads each line once.` };
  const name = (['read_file', 'bash', 'edit_file'] as const)[step % 3];
  const input = JSON.stringify({
    path: file,
    command: `npm test -- part${step}`,
    new_text: `const limit${step} = 1;\n`,
  });
  const call = { id: `call${step}`, type: 'function', function: { name: name ?? 'bash', arguments: input } } as const;
  if (index % 2 === 0) return { role: 'assistant', content: `I look at ${file} next.`, tool_calls: [call] };
  const line = `${file}(${step},7): error TS2304: Cannot find name limit${step}; 3 passed, ${step} failed in 1.27 s\n`;
  return { role: 'tool', tool_call_id: call.id, content: line.repeat(10 + (step % 30)) };
};

/** All kinds by name, as another thread is told of them. */
export const KINDS = { figures: FIGURES, tiny: TINY, work: WORK };

export type Kind = keyof typeof KINDS;
