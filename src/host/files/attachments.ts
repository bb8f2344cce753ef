import * as vscode from 'vscode';
import type { Attachment } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { t } from '../../core/language.ts';
import { orAborted, queueWork } from '../../core/steps.ts';
import { parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { Basics } from '../basics.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Notice } from '../notices/notices.ts';
import { presentAttached } from '../present/rows.ts';
import type { KeptFile } from './keptFile.ts';
import { imageAttachment, imageTooLarge, readAttachment, textAttachment } from './openFile.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** The most attachments of one message. */
const MOST = 20;
/** How long a message waits for the lookup of what it names, milliseconds. */
const LONGEST_LOOKUP = 3000;

/** The most conversations whose unsent attachments are kept. */
const MOST_DRAFTS = 50;
/** The key while no conversation is open: the first one that opens takes over its attachments. */
const NONE = '';

/** Attachments that were taken out to be sent. */
export interface Taken {
  /** The conversation in which they were attached. */
  readonly of: string;
  readonly list: readonly Attachment[];
  /** Names that are not attached again if the message comes back. */
  readonly decided: ReadonlySet<string>;
}

/** The attachments of a conversation's next message. */
interface Draft {
  readonly list: readonly Attachment[];
  /** Paths that were already to be attached, and paths and image URLs that the user removed. */
  readonly decided: ReadonlySet<string>;
  /** The message that is being edited, and the attachments from before. */
  readonly editing?: { readonly id: MessageId; readonly aside: readonly Attachment[] };
}

interface AttachmentParts extends Basics {
  readonly conversations: Pick<Conversations, 'active'>;
  /** Keeps attachments over a reload of the window; images are too large for VS Code's own memory. */
  readonly file: KeptFile;
}

const EMPTY: Draft = { list: [], decided: new Set() };

/**
 * The attachments of the next message: files, selections and images, each as it was when it was attached. Each
 * conversation has its own, like the text in the message box.
 */
export class Attachments {
  readonly #parts: AttachmentParts;
  /** The files that are offered for attaching. */
  readonly files = new WorkspaceFiles();
  /** By conversation; the ones changed last come last. */
  readonly #drafts = new Map<string, Draft>();
  /** Files that are being read, with their conversations. Each resolves to whether it could be attached. */
  readonly #reading = new Map<Promise<boolean>, string>();
  /** Keeps messages in the order in which they were sent, however long reading files takes. */
  readonly #inTurn = queueWork();

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  get list(): readonly Attachment[] {
    return this.#draft(this.#of).list;
  }

  /** The message of the open conversation that is being edited. */
  get editing(): MessageId | undefined {
    return this.#draft(this.#of).editing?.id;
  }

  /** Takes over the attachments of the previous window. */
  async restore(): Promise<void> {
    const kept = await this.#parts.file.take();
    for (const { conversation, list, ...editing } of parseKeptAttachments(kept && parseJson(kept)) ?? []) {
      const now = this.#drafts.get(conversation) ?? EMPTY;
      this.#set(conversation, { ...editing, ...now, list: [...list, ...now.list] });
    }
  }

  /** Resolves when everything is on the disk. */
  async flush(): Promise<void> {
    await this.#parts.file.flush();
  }

  /** Attaches a file of the workspace, or tells the user why it cannot be attached. */
  async addPath(path: string): Promise<boolean> {
    const of = this.#of;
    this.#decide(of, path);
    const reading = readAttachment(path).then((read) => this.#add(of, read));
    this.#reading.set(reading, of);
    try {
      return await reading;
    } finally {
      this.#reading.delete(reading);
    }
  }

  /** Attaches the selection of an editor, or the whole file if nothing is selected. */
  addSelection({ document, selection }: vscode.TextEditor): void {
    const path = vscode.workspace.asRelativePath(document.uri);
    const { start, end } = selection;
    const text = selection.isEmpty ? document.getText() : document.getText(selection);
    if (text.trim() === '') {
      this.#refuse(t('Nothing is selected in {0}.', path));
      return;
    }
    // A selection that ends at the start of a line does not include that line.
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    this.#add(this.#of, textAttachment(path, text, selection.isEmpty ? undefined : { from: start.line + 1, to: last }));
  }

  /** Attaches an image as a base64 `data:` URL. */
  addImage(url: string): void {
    this.#add(this.#of, imageAttachment(url));
  }

  /** Says that an image is too large. */
  refuseImage(bytes: number): void {
    this.#refuse(imageTooLarge(bytes));
  }

  /** Removes the attachment shown as `label` at `index`. A file that was attached again has moved to the end. */
  remove(index: number, label: string): void {
    const of = this.#of;
    const { list } = this.#draft(of);
    const labels = list.map((one) => presentAttached(one).label);
    const place = labels[index] === label ? index : labels.lastIndexOf(label);
    const removed = list[place];
    if (removed?.kind === 'image') this.#decide(of, removed.url);
    else if (removed !== undefined && removed.lines === undefined) this.#decide(of, removed.path);
    const others = list.filter((_, at) => at !== place);
    this.#setList(of, others);
  }

  /**
   * Takes all attachments out to be sent with a text, including files that are still being read and files that the text
   * names after an `@`; `putBack` undoes it. Undefined, with nothing taken, if a file could not be attached. The user was
   * told why, and can send the message again without it.
   */
  take(text: string): Promise<Taken | undefined> {
    const of = this.#of;
    return this.#inTurn(() => this.#takeNext(of, text));
  }

  async #takeNext(of: string, text: string): Promise<Taken | undefined> {
    const own = [...this.#reading].filter(([, where]) => where === of || where === NONE);
    const areAttached = await Promise.all(own.map(([reading]) => reading));
    for (const path of await this.#findNamed(text)) {
      const { list, decided } = this.#draft(of);
      if (list.some((one) => isSame(one, { kind: 'file', path, text: '' })) || decided.has(path)) continue;
      this.#decide(of, path);
      const read = await readAttachment(path);
      const isRemoved = read.ok && read.value.kind === 'image' && this.#draft(of).decided.has(read.value.url);
      if (!isRemoved) areAttached.push(this.#add(of, read));
    }
    return areAttached.includes(false) ? undefined : this.#takeList(of);
  }

  /** The paths that a text names. A lookup that fails or takes too long must not hold up the message. */
  async #findNamed(text: string): Promise<readonly string[]> {
    const found = this.files.named(text).catch(() => []);
    return await orAborted(found, [], AbortSignal.timeout(LONGEST_LOOKUP));
  }

  #takeList(of: string): Taken {
    const { list, decided, editing } = this.#draft(of);
    this.#set(of, { ...EMPTY, list: editing?.aside ?? [] });
    return { of, list, decided };
  }

  putBack({ of, list, decided }: Taken): void {
    this.#decide(of, ...decided);
    this.#setList(of, [...list, ...this.#draft(of).list]);
  }

  /** Shows the attachments of a message that is being edited, until it is sent or editing ends. */
  edit(id: MessageId, { list, decided, of }: Omit<Taken, 'of'> & Partial<Taken>): void {
    const where = of ?? this.#of;
    const before = this.#draft(where);
    const editing = { id, aside: before.editing?.aside ?? before.list };
    this.#set(where, { list, decided: new Set([...before.decided, ...decided]), editing });
  }

  stopEditing(): void {
    if (this.editing !== undefined) this.#takeList(this.#of);
  }

  get #of(): string {
    return this.#parts.conversations.active?.id ?? NONE;
  }

  #draft(of: string): Draft {
    return this.#drafts.get(of) ?? this.#drafts.get(NONE) ?? EMPTY;
  }

  #decide(of: string, ...names: readonly string[]): void {
    const draft = this.#draft(of);
    this.#set(of, { ...draft, decided: new Set([...draft.decided, ...names]) });
  }

  #setList(of: string, list: readonly Attachment[]): void {
    this.#set(of, { ...this.#draft(of), list });
  }

  #set(of: string, draft: Draft): void {
    this.#drafts.delete(this.#drafts.has(of) ? of : NONE);
    this.#drafts.set(of, draft);
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > MOST_DRAFTS && oldest !== undefined) this.#drafts.delete(oldest);
    const kept = [...this.#drafts]
      .filter(([, { list, editing }]) => list.length > 0 || editing !== undefined)
      .map(([conversation, { list, editing }]) => ({ conversation, list, editing }));
    this.#parts.file.keep(kept.length === 0 ? undefined : JSON.stringify(kept));
    this.#parts.view.refresh();
  }

  /** Adds an attachment, replacing one of the same file or range. True if it was added. */
  #add(of: string, read: ReturnType<typeof textAttachment>): boolean {
    if (!read.ok) {
      this.#refuse(read.error, of);
      return false;
    }
    const others = this.#draft(of).list.filter((other) => !isSame(other, read.value));
    if (others.length >= MOST) {
      this.#refuse(t('A message can have at most {0} attachments.', MOST), of);
      return false;
    }
    this.#setList(of, [...others, read.value]);
    return true;
  }

  #refuse(text: string, of = this.#of): void {
    this.#tell({ id: 'attachment', severity: 'warning', text, passing: true }, of);
  }

  /** Shows a notice, or a notification while the view is hidden or shows another conversation. */
  #tell(notice: Notice, of: string): void {
    const { notices } = this.#parts;
    if (of === this.#of || of === NONE) notices.tell(notice);
    else void notices.notify(notice);
  }
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'image' || other.kind === 'image')
    return one.kind === other.kind && 'url' in one && 'url' in other && one.url === other.url;
  return one.path === other.path && one.lines?.from === other.lines?.from && one.lines?.to === other.lines?.to;
}
