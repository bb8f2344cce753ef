import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import type { ChatMessage, ModelProfile } from '../../../src/engine.ts';
import type { NamedTranscript } from '../compaction/transcripts.ts';
import { makeThreads, TOOLS } from './replay.ts';

/** The most messages of each thread, so that the bench does not take too long. */
const MOST_MESSAGES = 400;

export interface Many {
  readonly threads: number;
  readonly messages: number;
  readonly tokens: number;
  /** Memory of the process: before the first thread, and with all of them. */
  readonly before: Memory;
  readonly after: Memory;
}

/**
 * Opens this many threads over a store of files, each with a session of its own as its history, and measures the
 * memory.
 */
export async function measureMany(
  count: number,
  sessions: readonly NamedTranscript[],
  profile: ModelProfile,
): Promise<Many> {
  const root = mkdtempSync(join(tmpdir(), 'karl-bench-threads-'));
  const told: string[] = [];
  const store = new ThreadFiles({ root, now: () => Date.now(), onProblem: (message) => told.push(message) });
  const threads = makeThreads(store);
  const before = measure();
  let [messages, tokens] = [0, 0];
  try {
    for (let index = 0; index < count; index += 1) {
      const session = sessions[index % sessions.length]?.messages.slice(0, MOST_MESSAGES) ?? [];
      const history = [
        { role: 'user' as const, content: `Task ${index}.` },
        ...session.map((message) => ownCopy(message, index)),
      ];
      const match = await threads.match({ messages: history, tools: TOOLS, profile });
      messages += history.length;
      tokens += match.conversation.budget().used.tokens;
      const problem = await match.release();
      if (problem !== undefined) told.push(problem);
    }
    if (told.length > 0) throw new Error(told[0]);
    return { threads: threads.list().length, messages, tokens, before, after: measure() };
  } finally {
    await threads.saveAll();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A message with ids of its own: with equal ids it would be taken for the same session. */
function ownCopy(message: ChatMessage, index: number): ChatMessage {
  const copy = JSON.parse(JSON.stringify(message)) as ChatMessage;
  const calls = copy.tool_calls?.map((call) => ({ ...call, id: `${call.id}-${index}` }));
  return {
    ...copy,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(copy.tool_call_id !== undefined && { tool_call_id: `${copy.tool_call_id}-${index}` }),
  };
}

/** Megabytes: the whole process, and the objects in use (only those still referenced, with node --expose-gc). */
export interface Memory {
  readonly process: number;
  readonly objects: number;
}

function measure(): Memory {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { process: Math.round(rss / 2 ** 20), objects: Math.round((heapUsed + external) / 2 ** 20) };
}
