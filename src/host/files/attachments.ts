import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import { orAborted } from '../../core/steps.ts';
import { parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { Host } from '../host.ts';
import type { Notice } from '../notices/notices.ts';
import { presentAttached } from '../present/unsent.ts';
import type { KeptFile } from './keptFile.ts';
import { imageAttachment, imageTooLarge, readAttachment, textAttachment } from './openFile.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** The most attachments of one message. */
const MOST = 20;
/** How long a message waits for the lookup of what it names, milliseconds. */
const LONGEST_LOOKUP = 3000;

/** The most conversations whose unsent attachments are kept. */
const MOST_DRAFTS = 50;
/** Stands for a conversation while none is open: the first that opens takes over what is attached. */
const NONE = '';

/** What was taken out to be sent. */
export interface Taken {
  /** The conversation that it was attached in. */
  readonly of: string;
  readonly list: readonly Attachment[];
  /** What is not attached again for being named, if the message comes back. */
  readonly decided: ReadonlySet<string>;
}

/** What goes with the next message of a conversation. */
interface Draft {
  readonly list: readonly Attachment[];
  /** Paths that the message was to have already; paths and URLs of images that the user removed from it. */
  readonly decided: ReadonlySet<string>;
  /** The message that is being edited, and what had been attached before. */
  readonly editing?: { readonly id: MessageId; readonly aside: readonly Attachment[] };
}

const EMPTY: Draft = { list: [], decided: new Set() };

/**
 * What goes with the next message: files, selections and images, each as it was when it was attached. Each conversation
 * has its own, like the text in the message box.
 */
export class Attachments {
  readonly #host: Host;
  readonly #file: KeptFile;
  /** The files that are offered for attaching. */
  readonly files = new WorkspaceFiles();
  /** By conversation, those changed last at the end. */
  readonly #drafts = new Map<string, Draft>();
  /** Files that are still being read, with their conversations; each resolves to whether it could be attached. */
  readonly #reading = new Map<Promise<boolean>, string>();
  /** Messages go in the order in which they were sent, however long the files of one take. */
  #taking: Promise<unknown> = Promise.resolve();

  /** `file`: keeps it over a reload of the window; images are too large for VS Code's own memory. */
  constructor(host: Host, file: KeptFile) {
    this.#host = host;
    this.#file = file;
  }

  get list(): readonly Attachment[] {
    return this.#draft(this.#of).list;
  }

  /** The message of the open conversation that is being edited, in every page of the view. */
  get editing(): MessageId | undefined {
    return this.#draft(this.#of).editing?.id;
  }

  /** Takes over what was attached in the window before this one. */
  async restore(): Promise<void> {
    const kept = await this.#file.take();
    for (const { conversation, list, ...editing } of parseKeptAttachments(kept && parseJson(kept)) ?? []) {
      const now = this.#drafts.get(conversation) ?? EMPTY;
      this.#set(conversation, { ...editing, ...now, list: [...list, ...now.list] });
    }
  }

  /** Resolves when everything is kept. */
  async flush(): Promise<void> {
    await this.#file.flush();
  }

  /** Attaches a file of the workspace; when it cannot be attached, the user is told why. */
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

  /** Removes what was shown as `label` in a place of the list; a file that is attached again has moved to its end. */
  remove(index: number, label: string): void {
    const of = this.#of;
    const { list } = this.#draft(of);
    const labels = list.map((one) => presentAttached(one).label);
    const place = labels[index] === label ? index : labels.lastIndexOf(label);
    const removed = list[place];
    const isLastImage = removed?.kind === 'image' && list.filter(({ kind }) => kind === 'image').length === 1;
    if (isLastImage) this.#host.announcer.remove('images?');
    if (removed?.kind === 'image') this.#decide(of, removed.url);
    else if (removed !== undefined && removed.lines === undefined) this.#decide(of, removed.path);
    this.#setList(
      of,
      list.filter((_, at) => at !== place),
    );
  }

  /**
   * Takes everything out to be sent with a text, after what is still being read and what the text names after an `@`;
   * `putBack` undoes it. Undefined, and nothing is taken, when a file could not be attached, which the user was told:
   * the message is not sent without it, unless it is sent again.
   */
  take(text: string): Promise<Taken | undefined> {
    const of = this.#of;
    const taking = Promise.allSettled([this.#taking]).then(() => this.#takeNext(of, text));
    this.#taking = taking;
    return taking;
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

  /** The paths that a text names. Naming is a convenience: a lookup that fails or takes too long holds up no message. */
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

  /** Shows the attachments of a message that is being edited, until it is sent or the editing ends. */
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
    return this.#host.active?.id ?? NONE;
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
    this.#file.keep(kept.length === 0 ? undefined : JSON.stringify(kept));
    this.#host.refresh();
  }

  /** Replaces an attachment of the same file or range. True when it is attached. */
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
    const profile = this.#host.active?.conversation.profile();
    if (read.value.kind === 'image' && profile !== undefined && profile.images === undefined) {
      const text = t(
        'Karl does not know whether {0} takes images. If the server refuses it, edit the message and remove the image.',
        profile.id,
      );
      this.#tell({ id: 'images?', severity: 'warning', text }, of);
    }
    this.#setList(of, [...others, read.value]);
    return true;
  }

  /** Says why something is not attached. */
  #refuse(text: string, of = this.#of): void {
    this.#tell({ id: 'attachment', severity: 'warning', text, passing: true }, of);
  }

  /** Tells it in the view; as a notification while that is hidden or shows another conversation. */
  #tell(notice: Notice, of: string): void {
    const { announcer } = this.#host;
    if (of === this.#of || of === NONE) announcer.tell(notice);
    else void announcer.notify(notice);
  }
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'image' || other.kind === 'image')
    return one.kind === other.kind && 'url' in one && 'url' in other && one.url === other.url;
  return one.path === other.path && one.lines?.from === other.lines?.from && one.lines?.to === other.lines?.to;
}
