import { stat } from 'node:fs/promises';
import { parseFigures } from '../../core/conversation/figures.ts';
import type { Words } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Readable, ReadableConversations } from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import { inEnglish } from '../../language/language.ts';
import { ConversationFiles } from './conversationFiles.ts';
import { NODE_PORTS } from './slices.ts';
import { describeStorageError, unlessMissing } from './storageError.ts';
import { THREADS, ThreadFiles } from './threadFiles.ts';

/**
 * Reads the conversations below a folder that holds `conversations/` and `threads/` as they are on the disk: takes no
 * lock, repairs and writes nothing. `onProblem` is called with a sentence for damage; the rest is read anyway. The error is
 * one sentence: there is no such folder, or it cannot be read.
 */
export async function openStored(
  root: string,
  onProblem: (message: Words) => void,
): Promise<Result<ReadableConversations, string>> {
  try {
    const found = await unlessMissing(stat(root));
    if (found === undefined) return err(`There is no folder ${root}.`);
    if (!found.isDirectory()) return err(`${root} is not a folder.`);
  } catch (error) {
    return err(inEnglish(describeStorageError(error, root).message));
  }
  const { now } = NODE_PORTS;
  const own = new ConversationFiles({ root, now });
  const others = new ConversationFiles({ root, folder: THREADS, now });
  const threads = new ThreadFiles({ root, now, onProblem });
  const orTell = <Item>(listed: Result<readonly Item[], { readonly message: Words }>): readonly Item[] => {
    if (listed.ok) return listed.value;
    onProblem(listed.error.message);
    return [];
  };
  const readRecords = async () => new Map(orTell(await threads.list()).map((record) => [record.id, record]));
  const list = async () => {
    const [ofKarl, ofOthers, records] = await Promise.all([own.list(), others.list(), readRecords()]);
    return [...orTell(ofKarl), ...orTell(ofOthers)]
      .map(({ id, title, updatedAt }) => ({ id, title, updatedAt, client: records.get(id)?.client }))
      .sort((one, other) => other.updatedAt - one.updatedAt);
  };
  const read = async (id: string): Promise<Readable | undefined> => {
    const ofKarl = await own.read(id);
    const isOther = !ofKarl.ok && ofKarl.error.kind === 'missing';
    const found = isOther ? await others.read(id) : ofKarl;
    if (!found.ok) {
      if (!isOther) onProblem(found.error.message);
      return undefined;
    }
    const { transcript, title, details, problems } = found.value;
    for (const { message } of problems) onProblem(message);
    const figures = parseFigures(isOther ? (await readRecords()).get(id)?.figures : details.state?.figures);
    const source = recallStored(transcript, NODE_PORTS);
    const release = async () => undefined;
    return { id, title, source, isLive: false, release, ...(figures !== undefined && { figures }) };
  };
  const open = async (id?: string) => {
    // Without an id, the newest that can be read.
    for (const wanted of id === undefined ? (await list()).map((listed) => listed.id) : [id]) {
      const found = await read(wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return ok({ list, open });
}
