import { stat } from 'node:fs/promises';
import type { CompactorPorts } from '../../core/compaction/compactionRun.ts';
import { parseFigures } from '../../core/conversation/figures.ts';
import { inEnglish, type Words } from '../../core/language.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Listed, Readable, ReadableConversations } from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import type { ThreadRecord } from '../../core/session/threads/threadStore.ts';
import { ConversationFiles } from './conversationFiles.ts';
import { describeStorageError, unlessMissing } from './storageError.ts';
import { THREADS, ThreadFiles } from './threadFiles.ts';

/** Which conversations to read. */
export interface StoredConversationsOptions {
  /** The folder that holds `conversations/` and `threads/`. */
  readonly root: string;
  readonly ports: CompactorPorts;
  /** Called with a sentence for damage that was found; the rest was read. */
  readonly onProblem: (message: Words) => void;
}

/** The conversations of a folder as they are on the disk. Takes no lock, repairs and writes nothing. */
export class StoredConversations implements ReadableConversations {
  readonly #options: StoredConversationsOptions;
  readonly #own: ConversationFiles;
  readonly #others: ConversationFiles;
  readonly #threads: ThreadFiles;

  /** The error is one sentence: there is no such folder, or it cannot be read. */
  static async open(options: StoredConversationsOptions): Promise<Result<StoredConversations, string>> {
    try {
      const found = await unlessMissing(stat(options.root));
      if (found === undefined) return err(`There is no folder ${options.root}.`);
      return found.isDirectory() ? ok(new StoredConversations(options)) : err(`${options.root} is no folder.`);
    } catch (error) {
      return err(inEnglish(describeStorageError(error, options.root).message));
    }
  }

  private constructor(options: StoredConversationsOptions) {
    const { root, onProblem } = options;
    const now = options.ports.now;
    this.#options = options;
    this.#own = new ConversationFiles({ root, now });
    this.#others = new ConversationFiles({ root, folder: THREADS, now });
    this.#threads = new ThreadFiles({ root, now, onProblem });
  }

  async list(): Promise<readonly Listed[]> {
    const [own, others, records] = await Promise.all([this.#own.list(), this.#others.list(), this.#records()]);
    const all: Listed[] = [];
    for (const listed of [own, others]) {
      if (!listed.ok) this.#options.onProblem(listed.error.message);
      else all.push(...listed.value);
    }
    return all
      .map(({ id, title, updatedAt }) => ({ id, title, updatedAt, client: records.get(id)?.client }))
      .sort((one, other) => other.updatedAt - one.updatedAt);
  }

  /** The conversation with this id; without an id, the newest that can be read. */
  async open(id?: string): Promise<Readable | undefined> {
    for (const wanted of id === undefined ? (await this.list()).map((listed) => listed.id) : [id]) {
      const found = await this.#read(wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #read(wanted: string): Promise<Readable | undefined> {
    const own = await this.#own.read(wanted);
    const isOther = !own.ok && own.error.kind === 'missing';
    const read = isOther ? await this.#others.read(wanted) : own;
    if (!read.ok) {
      if (!isOther) this.#options.onProblem(read.error.message);
      return undefined;
    }
    const { transcript, title, details, problems } = read.value;
    for (const { message } of problems) this.#options.onProblem(message);
    const stored = own.ok ? details.state?.figures : (await this.#records()).get(wanted)?.figures;
    const figures = parseFigures(stored);
    const source = recallStored(transcript, this.#options.ports);
    const release = async () => undefined;
    return { id: wanted, title, source, isLive: false, release, ...(figures !== undefined && { figures }) };
  }

  async #records(): Promise<ReadonlyMap<string, ThreadRecord>> {
    const listed = await this.#threads.list();
    if (!listed.ok) this.#options.onProblem(listed.error.message);
    return new Map((listed.ok ? listed.value : []).map((record) => [record.id, record]));
  }
}
