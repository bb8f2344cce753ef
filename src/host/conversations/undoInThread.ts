import type { ThreadUse } from '../../core/conversation/threads/match.ts';
import { retell } from '../../core/language.ts';
import { undoCompression } from '../actions/undo.ts';
import { undoHint } from '../present/compressions.ts';

/** The conversations of other agents, by their ids. */
interface UsedThreads {
  use(id: string): Promise<Pick<ThreadUse, 'conversation' | 'release'> | undefined>;
  isServed(id: string): boolean;
}

/**
 * Undoes a compression of another agent's conversation, which may have left memory since, and the later ones that build
 * on it. Returns what the user is to be told, if anything.
 */
export async function undoInThread(id: string, compaction: string, threads: UsedThreads): Promise<string | undefined> {
  const used = await threads.use(id);
  if (used === undefined) return undefined;
  const told = threads.isServed(id) ? undoHint('served') : undoCompression(used.conversation, compaction);
  const unsaved = await used.release();
  return unsaved === undefined ? told : retell(unsaved);
}
