import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { ModelProfile } from '../../core/profile/profile.ts';
import type { KeptAttachments } from '../../protocol/parseKept.ts';
import type { Announcer } from '../notices/announcer.ts';
import { imageAttachment, imageTooLarge, readAttachment, textAttachment } from './readAttachment.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** How many things one message takes along. */
const MOST = 20;

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
  /** The files that are offered. */
  readonly files = new WorkspaceFiles();
  #list: readonly Attachment[] = [];
  /** What is read and not in the list yet: whether it could be attached. */
  readonly #reading = new Set<Promise<boolean>>();
  #editing: Editing | undefined;

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

  /** Attaches a file of the workspace; what cannot be attached is told. */
  async addPath(path: string): Promise<void> {
    const reading = readAttachment(path).then((read) => this.#add(read));
    this.#reading.add(reading);
    try {
      await reading;
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
      this.#tell(t('Nothing is selected in {0}.', path));
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
    this.#tell(imageTooLarge(bytes));
  }

  remove(index: number): void {
    this.#set(this.#list.filter((_, at) => at !== index));
  }

  /**
   * Takes everything out, to be sent, with what is still being read; `putBack` undoes it. Undefined, and nothing is taken,
   * when something of it could not be attached, which was told: the message is not sent without it.
   */
  async take(): Promise<readonly Attachment[] | undefined> {
    const areAttached = await Promise.all(this.#reading);
    return areAttached.includes(false) ? undefined : this.#takeList();
  }

  #takeList(): readonly Attachment[] {
    const taken = this.#list;
    const { aside = [] } = this.#editing ?? {};
    this.#editing = undefined;
    this.#set(aside);
    return taken;
  }

  putBack(taken: readonly Attachment[]): void {
    this.#set([...taken, ...this.#list]);
  }

  /** Shows those of a message that is edited, until it is sent or left. */
  edit(id: MessageId, attachments: readonly Attachment[]): void {
    this.#editing = { id, aside: this.#editing?.aside ?? this.#list };
    this.#set(attachments);
  }

  stopEditing(): void {
    if (this.#editing !== undefined) this.#takeList();
  }

  /** The same file or range is replaced by what it is now. True when it is attached. */
  #add(read: ReturnType<typeof textAttachment>): boolean {
    if (!read.ok) {
      this.#tell(read.error);
      return false;
    }
    const others = this.#list.filter((other) => !isSame(other, read.value));
    if (others.length >= MOST) {
      this.#tell(t('A message can have at most {0} attachments.', MOST));
      return false;
    }
    const profile = this.#parts.profile();
    if (read.value.kind === 'image' && profile !== undefined && profile.images === undefined) {
      this.#tell(
        t(
          'Karl does not know whether {0} takes images. If the server refuses it, edit the message and remove the image.',
          profile.id,
        ),
      );
    }
    this.#set([...others, read.value]);
    return true;
  }

  /** Says a sentence where the user looks. */
  #tell(text: string): void {
    this.#parts.announcer.tell({ id: 'attachment', severity: 'warning', text });
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
