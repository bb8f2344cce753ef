import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFigures } from '../../core/conversation/figures.ts';
import type { ConversationListing } from '../../core/session/conversationStore.ts';
import { RAW_FILE, SUMMARY_FILE } from './loadConversation.ts';
import { errorCode } from './storageError.ts';

/** The title of a conversation whose summary cannot be read. */
const UNTITLED = 'Untitled conversation';

/** Lists the conversations below a folder, newest first; transcripts are not read. No folder means no conversations. */
export async function listConversations(folder: string): Promise<ConversationListing[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const listings: ConversationListing[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const listing = await describeFolder(join(folder, entry.name), entry.name);
    if (listing !== undefined) listings.push(listing);
  }
  return listings.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** `undefined` for a folder without a transcript, including one that is deleted at this moment. */
async function describeFolder(folder: string, id: string): Promise<ConversationListing | undefined> {
  try {
    const raw = await stat(join(folder, RAW_FILE));
    let bytes = 0;
    for (const name of await readdir(folder)) bytes += await sizeOf(join(folder, name));
    const { title, createdAt, updatedAt, figures } = await readTitle(join(folder, SUMMARY_FILE));
    return {
      id,
      title: title ?? UNTITLED,
      createdAt: createdAt ?? raw.birthtimeMs,
      updatedAt: Math.max(raw.mtimeMs, updatedAt ?? 0),
      bytes,
      ...(figures !== undefined && { figures }),
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** 0 for what is there no more: another window that saves replaces its temporary files at any moment. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The list must open although one summary is damaged: what is missing is filled in, and opening reports the damage. */
async function readTitle(
  path: string,
): Promise<Partial<Pick<ConversationListing, 'title' | 'createdAt' | 'updatedAt' | 'figures'>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    const { title, createdAt, updatedAt, state } = value as Record<string, unknown>;
    const figures = parseFigures(Object(state).figures);
    return {
      ...(typeof title === 'string' && title !== '' && { title }),
      ...(typeof createdAt === 'number' && { createdAt }),
      ...(typeof updatedAt === 'number' && { updatedAt }),
      ...(figures !== undefined && { figures }),
    };
  } catch (error) {
    // Whatever the file system says about this one: the other conversations are still there.
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return {};
    throw error;
  }
}
