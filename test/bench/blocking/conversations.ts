import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { type ChatMessage, openConversation } from '../../../src/engine.ts';
import type { PreparedCase } from './cases.ts';

/** Makes the message at a position. */
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

/** The messages are there and counted; only the compaction is measured. */
export function compactCase(make: MakeMessage, count: number): PreparedCase {
  const conversation = open(count);
  // As a session appends them: what is read ahead with each append is not measured here.
  for (let index = 0; index < count; index += 1) conversation.append([make(index)]);
  const { usedTokens } = conversation.budget();
  return { work: () => conversation.compact({ targetTokens: Math.floor(usedTokens / 4) }) };
}

/** From the disk to the first budget, as when the user opens a conversation. */
export async function openCase(count: number): Promise<PreparedCase> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  const files = new ConversationFiles({ root, now: () => Date.now() });
  const made = await files.create({ id: 'bench', title: 'bench' });
  if (!made.ok) throw new Error(made.error.message);
  const appended = await made.value.append(Array.from({ length: count }, (_, index) => TINY(index)));
  if (!appended.ok) throw new Error(appended.error.message);
  await made.value.close();
  return {
    work: async () => {
      const opened = await files.open('bench');
      if (!opened.ok) throw new Error(opened.error.message);
      const conversation = open(count);
      conversation.append(opened.value.stored.messages);
      conversation.budget();
      await opened.value.close();
    },
    end: () => rm(root, { recursive: true, force: true }),
  };
}

function open(count: number): ReturnType<typeof openConversation> {
  const profile = { provider: 'bench', baseUrl: '', timeoutMs: 60_000, tools: true, extra: {} } as const;
  const contextWindow = count * 400;
  return openConversation({
    profile: { ...profile, id: 'bench', envelope: 'standard', contextWindow, completionReserve: 256 },
  });
}
