import * as vscode from 'vscode';
import type { ConversationFile } from '../../adapters/node/conversationFile.ts';
import type { ConversationFiles } from '../../adapters/node/conversationFiles.ts';
import type { StoredSession } from '../../adapters/sessions/session.ts';
import { BY_HUMAN } from '../../core/chat/human.ts';
import type { MessageId } from '../../core/chat/message.ts';
import { type ChatMessage, withoutOwn } from '../../core/chat/wire.ts';
import { figuresOf } from '../../core/conversation/figures.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ConversationDetails, StorageLimits, StorageProblem } from '../../core/session/conversationStore.ts';
import { queueWork } from '../../core/steps.ts';
import { t } from '../../language/language.ts';
import { type ConversationChoice, titleOf, UNTITLED } from '../present/words.ts';
import type { ActiveConversation, Opened } from './activeConversation.ts';
import type { ConversationFactory } from './conversationFactory.ts';
import { newId } from './system.ts';

/** The longest title made from a first message, characters. */
const LONGEST_TITLE = 60;

const LAST = 'karl.lastConversation';

/** The title of a fork: that of its source with the first free number. */
function forkTitle(title: string, taken: readonly string[]): string {
  const base = title.replace(/ \(\d+\)$/, '');
  for (let number = 2; ; number += 1) {
    const candidate = `${base} (${number})`;
    if (!taken.includes(candidate)) return candidate;
  }
}

interface ConversationsParts {
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly store: ConversationFiles;
  readonly factory: Promise<ConversationFactory>;
}

/** The conversations of this workspace. At most one is open in a window. Failures are values that the caller shows. */
export class Conversations implements vscode.Disposable {
  readonly #parts: ConversationsParts;
  readonly #changed = new vscode.EventEmitter<ActiveConversation | undefined>();
  #active: ActiveConversation | undefined;
  /** Whether one conversation was closed and the next is not open yet. */
  isChanging = false;
  /** Serializes opening and closing, so that two conversations never hold the same file. */
  readonly #inTurn = queueWork();
  /** Fires when another conversation is shown, or none. */
  readonly onDidChangeActive = this.#changed.event;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  get active(): ActiveConversation | undefined {
    return this.#active;
  }

  /**
   * Whether a conversation, new or with this id, may be opened instead of the open one. Asks first if that stops a turn.
   */
  async mayLeave(id?: string): Promise<boolean> {
    const active = this.#active;
    if (active?.agent?.isBusy !== true || active.id === id) return true;
    const stop = t('Stop and Open');
    const detail = t(
      'Opening another conversation stops it. Everything so far is kept, and Continue resumes from there.',
    );
    const what = t('The agent is working in “{0}”.', titleOf(active.title));
    return (await vscode.window.showWarningMessage(what, { modal: true, detail }, stop)) === stop;
  }

  /** Opens the conversation that the workspace had open last, if it still exists. */
  async openLast(): Promise<Result<ActiveConversation | undefined, StorageProblem>> {
    const id = this.#parts.memory.get<string>(LAST);
    if (id === undefined) return ok(undefined);
    // Other agents' conversations are not remembered.
    const opened = await this.#replace(() => this.#parts.store.open(id));
    return !opened.ok && opened.error.kind === 'missing' ? ok(undefined) : opened;
  }

  async create(): Promise<Opened> {
    return await this.#replace(() => this.#parts.store.create({ id: newId(), title: UNTITLED }));
  }

  /** Opens the sample that ships with Karl as a new conversation, which can be continued and deleted like any other. */
  async createSample(extensionUri: vscode.Uri): Promise<Opened> {
    const uri = vscode.Uri.joinPath(extensionUri, 'media', 'sample', 'conversation.json');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    // A test validates the file.
    const { title, messages, profile } = JSON.parse(text) as Sample;
    return await this.#createFrom(title, messages, { compactions: [], pins: [], profile });
  }

  /**
   * Opens an agent's session as a new conversation, with the view that the agent had left. Rejects with the reason of the
   * signal, before anything is changed.
   */
  async createFromSession(title: string, file: string, session: StoredSession, signal: AbortSignal): Promise<Opened> {
    const details = await (await this.#parts.factory).recordSession(file, session, signal);
    return await this.#createFrom(title, session.messages, details);
  }

  /** Opens a new conversation with everything before a message of this one, including compressions and pins. */
  async fork(source: ActiveConversation, end: MessageId): Promise<Opened> {
    const { messages } = source.conversation.transcript;
    const { compactions, pins, undone: _, ...details } = source.details;
    // The queue belongs to the source.
    const { queued: __, ...state } = details.state ?? {};
    const kept = compactions.filter(({ transcriptLength }) => transcriptLength <= end);
    const listed = await this.#parts.store.list();
    if (!listed.ok) return listed;
    const titles = listed.value.map(({ title }) => title);
    return await this.#createFrom(
      forkTitle(source.title, titles),
      messages.slice(0, end).map(({ wire }) => withoutOwn(wire, BY_HUMAN)),
      { ...details, state, compactions: kept, pins: pins.filter((id) => id < end) },
    );
  }

  async #createFrom(title: string, messages: readonly ChatMessage[], details: ConversationDetails): Promise<Opened> {
    const { store } = this.#parts;
    const id = newId();
    const opened = await this.#replace(async () => {
      const file = await store.create({ id, title });
      if (!file.ok) return file;
      const appended = await file.value.append(messages);
      const saved = appended.ok ? await file.value.save(details, []) : appended;
      await file.value.close();
      return saved.ok ? await store.open(id) : saved;
    });
    // With the view that follows from the records.
    if (opened.ok) await opened.value.saveAndReport();
    return opened;
  }

  /**
   * Opens a conversation. One of Karl's own is read-only while another window writes it, unless `takeOver` ends that.
   * Another agent's is not remembered by `openLast`.
   */
  async open(id: string, takeOver = false): Promise<Opened> {
    const factory = await this.#parts.factory;
    if (await factory.threads.has(id)) return await this.#show(() => factory.openThread(id));
    return await this.#replace(() => this.#parts.store.open(id, { takeOver }));
  }

  /** Every conversation that can be opened, Karl's own first, each newest first. */
  async choices(): Promise<Result<readonly ConversationChoice[], StorageProblem>> {
    const own = await this.#parts.store.list();
    if (!own.ok) return own;
    const active = this.#active;
    const others = await (await this.#parts.factory).threads.list();
    return ok([
      // The stored figures of the open conversation may date from its last turn.
      ...own.value.map((listed) => ({
        ...listed,
        ...(listed.id === active?.id && { figures: figuresOf(active.conversation, Date.now()) }),
      })),
      ...others.map(({ client = '', ...record }) => ({ ...record, client })),
    ]);
  }

  async rename(id: string, title: string): Promise<Result<void, StorageProblem>> {
    const renamed = await this.#parts.store.rename(id, title);
    if (renamed.ok && this.#active?.id === id) {
      this.#active.title = title;
      this.#changed.fire(this.#active);
    }
    return renamed;
  }

  /** Names a conversation without a title by the beginning of its first message. */
  async nameByFirstMessage({ id, title }: ActiveConversation, text: string): Promise<void> {
    const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
    if (title !== UNTITLED || line === '') return;
    await this.rename(id, line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line);
  }

  /** Deletes a conversation of Karl's own, or another agent's. */
  async delete(id: string): Promise<Result<void, StorageProblem>> {
    if (this.#active?.id === id) await this.close();
    const { threads } = await this.#parts.factory;
    if (await threads.has(id)) {
      const deleted = await threads.delete(id);
      return deleted.ok ? deleted : err({ kind: 'other', path: id, message: deleted.error.message });
    }
    return await this.#parts.store.delete(id);
  }

  /** Deletes what exceeds the limits, except for the open conversation. */
  async prune(limits: StorageLimits): Promise<Result<readonly string[], StorageProblem>> {
    return await this.#parts.store.prune(limits, (id) => this.#active?.id === id);
  }

  /** Closes the open conversation; resolves when its file is closed. */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#closeActive());
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #replace(openFile: () => Promise<Result<ConversationFile, StorageProblem>>): Promise<Opened> {
    return await this.#show(async () => {
      const file = await openFile();
      if (!file.ok) return err(file.error);
      await this.#parts.memory.update(LAST, file.value.id);
      // Do not await between this and making it active, since only the active one gets changed settings.
      return ok(await (await this.#parts.factory).open(file.value));
    });
  }

  async #show(open: () => Promise<Opened>): Promise<Opened> {
    return await this.#inTurn(async () => {
      this.isChanging = this.#active !== undefined;
      try {
        await this.#closeActive();
        const opened = await open();
        if (!opened.ok) return opened;
        this.#active = opened.value;
        this.#changed.fire(opened.value);
        return opened;
      } finally {
        this.isChanging = false;
      }
    });
  }

  async #closeActive(): Promise<void> {
    const active = this.#active;
    if (active === undefined) return;
    this.#active = undefined;
    this.#changed.fire(undefined);
    await active.close();
  }
}

/** The sample conversation that ships with Karl. It is over the threshold of its 16k profile. */
export interface Sample {
  readonly title: string;
  readonly profile: ModelProfile;
  readonly messages: readonly ChatMessage[];
}
