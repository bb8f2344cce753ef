import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { ModelProfile } from '../../core/profile/profile.ts';
import { orAborted } from '../../core/session/orAborted.ts';
import type { KeptAttachments } from '../../protocol/parseKept.ts';
import type { Announcer } from '../notices/announcer.ts';
import { imageAttachment, imageTooLarge, readAttachment, textAttachment } from './readAttachment.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** The most attachments of one message. */
const MOST = 20;
/** How long a message waits for the lookup of what it names, milliseconds. */
const LONGEST_LOOKUP = 3000;

/** What was taken out to be sent. */
export interface Taken {
  readonly list: readonly Attachment[];
  /** What is not attached again for being named, if the message comes back. */
  readonly decided: ReadonlySet<string>;
}

/** What attaching needs. */
export interface AttachmentParts {
  readonly announcer: Announcer;
  readonly refresh: () => void;
  /** The model that the message goes to. */
  readonly profile: () => ModelProfile | undefined;
  /** Keeps what is attached, over a reload of the window. */
  readonly store: AttachmentStore;
}

/** Where what is attached is kept. */
export interface AttachmentStore {
  /** What the window before this one kept. */
  read(): Promise<KeptAttachments | undefined>;
  keep(kept: KeptAttachments): void;
  /** Resolves when all is kept. */
  flush(): Promise<void>;
}

/** What was attached before a message was edited, and which one it is. */
interface Editing {
  readonly id: MessageId;
  readonly aside: readonly Attachment[];
}

/** What goes with the next message: files, selections and images, each as it was when it was attached. */
export class Attachments {
  readonly #parts: AttachmentParts;
  /** The files that are offered for attaching. */
  readonly files = new WorkspaceFiles();
  #list: readonly Attachment[] = [];
  /** Files that are still being read; each resolves to whether it could be attached. */
  readonly #reading = new Set<Promise<boolean>>();
  /** Paths that the message was to have already; paths and URLs of images that the user removed from it. */
  #decided: ReadonlySet<string> = new Set();
  #editing: Editing | undefined;
  /** Messages go in the order in which they were sent, however long the files of one take. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  get list(): readonly Attachment[] {
    return this.#list;
  }

  /** The message that is being edited, in every page of the view. */
  get editing(): MessageId | undefined {
    return this.#editing?.id;
  }

  /** Takes over what was attached in the window before this one. */
  async restore(): Promise<void> {
    const kept = await this.#parts.store.read();
    if (kept === undefined) return;
    this.#editing = kept.editing;
    this.#set([...kept.list, ...this.#list]);
  }

  /** Resolves when everything is kept. */
  async flush(): Promise<void> {
    await this.#parts.store.flush();
  }

  /** Attaches a file of the workspace; when it cannot be attached, the user is told why. */
  async addPath(path: string): Promise<boolean> {
    this.#decide(path);
    const reading = readAttachment(path).then((read) => this.#add(read));
    this.#reading.add(reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(reading);
    }
  }

  /** Attaches what is selected in an editor; the whole file without a selection. */
  addSelection({ document, selection }: vscode.TextEditor): void {
    const path = vscode.workspace.asRelativePath(document.uri);
    const { start, end } = selection;
    const text = selection.isEmpty ? document.getText() : document.getText(selection);
    if (text.trim() === '') {
      this.#refuse(t('Nothing is selected in {0}.', path));
      return;
    }
    // A selection that ends before the first letter of a line has nothing of that line.
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    this.#add(textAttachment(path, text, selection.isEmpty ? undefined : { from: start.line + 1, to: last }));
  }

  /** Attaches an image as a base64 `data:` URL. */
  addImage(url: string): void {
    this.#add(imageAttachment(url));
  }

  /** Says that an image is too large. */
  refuseImage(bytes: number): void {
    this.#refuse(imageTooLarge(bytes));
  }

  remove(index: number): void {
    const removed = this.#list[index];
    if (removed?.kind === 'image') this.#decide(removed.url);
    else if (removed !== undefined && removed.lines === undefined) this.#decide(removed.path);
    this.#set(this.#list.filter((_, at) => at !== index));
  }

  /**
   * Takes everything out to be sent with a text, after what is still being read and what the text names after an `@`;
   * `putBack` undoes it. Undefined, and nothing is taken, when a file could not be attached, which the user was told:
   * the message is not sent without it, unless it is sent again.
   */
  take(text: string): Promise<Taken | undefined> {
    const taking = Promise.allSettled([this.#taking]).then(() => this.#takeNext(text));
    this.#taking = taking;
    return taking;
  }

  async #takeNext(text: string): Promise<Taken | undefined> {
    const areAttached = await Promise.all(this.#reading);
    for (const path of await this.#findNamed(text)) {
      const isThere = this.#list.some((one) => isSame(one, { kind: 'file', path, text: '' }));
      if (isThere || this.#decided.has(path)) continue;
      this.#decide(path);
      const read = await readAttachment(path);
      const isRemoved = read.ok && read.value.kind === 'image' && this.#decided.has(read.value.url);
      if (!isRemoved) areAttached.push(this.#add(read));
    }
    return areAttached.includes(false) ? undefined : this.#takeList();
  }

  /** The paths that a text names. Naming is a convenience: a lookup that fails or takes too long holds up no message. */
  async #findNamed(text: string): Promise<readonly string[]> {
    const found = this.files.named(text).catch(() => []);
    return await orAborted(found, [], AbortSignal.timeout(LONGEST_LOOKUP));
  }

  #takeList(): Taken {
    const taken = { list: this.#list, decided: this.#decided };
    const { aside = [] } = this.#editing ?? {};
    this.#editing = undefined;
    this.#decided = new Set();
    this.#set(aside);
    return taken;
  }

  putBack({ list, decided }: Taken): void {
    this.#decide(...decided);
    this.#set([...list, ...this.#list]);
  }

  /** Shows the attachments of a message that is being edited, until it is sent or the editing ends. */
  edit(id: MessageId, { list, decided }: Taken): void {
    this.#editing = { id, aside: this.#editing?.aside ?? this.#list };
    this.#decide(...decided);
    this.#set(list);
  }

  #decide(...names: readonly string[]): void {
    this.#decided = new Set([...this.#decided, ...names]);
  }

  stopEditing(): void {
    if (this.#editing !== undefined) this.#takeList();
  }

  /** Replaces an attachment of the same file or range. True when it is attached. */
  #add(read: ReturnType<typeof textAttachment>): boolean {
    if (!read.ok) {
      this.#refuse(read.error);
      return false;
    }
    const others = this.#list.filter((other) => !isSame(other, read.value));
    if (others.length >= MOST) {
      this.#refuse(t('A message can have at most {0} attachments.', MOST));
      return false;
    }
    const profile = this.#parts.profile();
    if (read.value.kind === 'image' && profile !== undefined && profile.images === undefined) {
      const text = t(
        'Karl does not know whether {0} takes images. If the server refuses it, edit the message and remove the image.',
        profile.id,
      );
      this.#parts.announcer.tell({ id: 'attachment', severity: 'warning', text });
    }
    this.#set([...others, read.value]);
    return true;
  }

  /** Says why something is not attached: in the view, or as a notification while that is hidden. */
  #refuse(text: string): void {
    this.#parts.announcer.tell({ id: 'attachment', severity: 'warning', text, passing: true });
  }

  #set(list: readonly Attachment[]): void {
    this.#list = list;
    this.#parts.store.keep({ list, ...(this.#editing !== undefined && { editing: this.#editing }) });
    this.#parts.refresh();
  }
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'image' || other.kind === 'image')
    return one.kind === other.kind && 'url' in one && 'url' in other && one.url === other.url;
  return one.path === other.path && one.lines?.from === other.lines?.from && one.lines?.to === other.lines?.to;
}
