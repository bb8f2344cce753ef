import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import type { ModelProfile } from '../../core/profile/profile.ts';
import type { Announcer } from '../notices/announcer.ts';
import { bytesOf, describeBytes } from '../present/attachments.ts';
import { findLink } from './findLink.ts';
import { findFile } from './openFile.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** Largest file and largest image that can be attached, bytes. */
const LARGEST_FILE = 1_000_000;
const LARGEST_IMAGE = 5_000_000;

/** How many things one message takes along. */
const MOST = 20;

const IMAGES: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp' };

/** What attaching needs. */
export interface AttachmentParts {
  readonly announcer: Announcer;
  readonly refresh: () => void;
  /** The model that the message goes to. */
  readonly profile: () => ModelProfile | undefined;
}

/** What goes with the next message: files, selections and images, each as it was when it was attached. */
export class Attachments {
  readonly #parts: AttachmentParts;
  /** The files that are offered. */
  readonly files = new WorkspaceFiles();
  #list: readonly Attachment[] = [];
  /** What is read and not in the list yet. */
  readonly #reading = new Set<Promise<void>>();
  /** What was attached before a message was edited. */
  #aside: readonly Attachment[] | undefined;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  get list(): readonly Attachment[] {
    return this.#list;
  }

  /** Attaches a file of the workspace; what cannot be attached is told. */
  async addPath(path: string): Promise<void> {
    const reading = this.#addPath(path);
    this.#reading.add(reading);
    try {
      await reading;
    } finally {
      this.#reading.delete(reading);
    }
  }

  async #addPath(path: string): Promise<void> {
    const uri = await findFile(path);
    if (uri === undefined) this.#tell(t('There is no file {0} in this workspace.', path));
    else await this.#addFile(uri, path);
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
    this.#addText(path, text, selection.isEmpty ? undefined : { from: start.line + 1, to: last });
  }

  /** Attaches an image as a base64 `data:` URL. */
  addImage(url: string): void {
    const bytes = bytesOf(url);
    if (bytes > LARGEST_IMAGE) {
      this.refuseImage(bytes);
      return;
    }
    const profile = this.#parts.profile();
    if (profile !== undefined && profile.images === undefined) {
      this.#tell(
        t(
          'Karl does not know whether {0} takes images. If the server refuses it, edit the message and remove the image.',
          profile.id,
        ),
      );
    }
    this.#add({ kind: 'image', url });
  }

  /** Says that an image is too large. */
  refuseImage(bytes: number): void {
    this.#tell(tooLarge(t('The image'), bytes, LARGEST_IMAGE));
  }

  remove(index: number): void {
    this.#set(this.#list.filter((_, at) => at !== index));
  }

  /** Takes everything out, to be sent, with what is still being read; `putBack` undoes it. */
  async take(): Promise<readonly Attachment[]> {
    await Promise.allSettled(this.#reading);
    return this.#takeList();
  }

  #takeList(): readonly Attachment[] {
    const taken = this.#list;
    this.#set(this.#aside ?? []);
    this.#aside = undefined;
    return taken;
  }

  putBack(taken: readonly Attachment[]): void {
    this.#set([...taken, ...this.#list]);
  }

  /** Shows those of a message that is edited, until it is sent or left. */
  edit(attachments: readonly Attachment[]): void {
    this.#aside ??= this.#list;
    this.#set(attachments);
  }

  stopEditing(): void {
    if (this.#aside !== undefined) this.#takeList();
  }

  async #addFile(uri: vscode.Uri, path: string): Promise<void> {
    const link = await findLink(uri);
    if (link !== undefined) {
      this.#tell(t('{0} is a link and may lead out of the workspace. Attach the file that it leads to.', link));
      return;
    }
    const { size } = await vscode.workspace.fs.stat(uri);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open !== undefined) {
      this.#addText(path, open.getText());
      return;
    }
    const image = IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    const largest = image === undefined ? LARGEST_FILE : LARGEST_IMAGE;
    if (size > largest) {
      this.#tell(tooLarge(path, size, largest));
      return;
    }
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (image !== undefined)
      return this.addImage(`data:image/${image};base64,${Buffer.from(bytes).toString('base64')}`);
    if (bytes.includes(0))
      this.#tell(t('{0} is a binary file ({1}), not text. It is not attached.', path, describeBytes(size)));
    else this.#addText(path, new TextDecoder().decode(bytes));
  }

  #addText(path: string, text: string, lines?: { readonly from: number; readonly to: number }): void {
    if (text.length > LARGEST_FILE) {
      this.#tell(tooLarge(path, text.length, LARGEST_FILE));
      return;
    }
    this.#add({ kind: 'file', path, ...(lines !== undefined && { lines }), text });
  }

  /** The same file or range is replaced by what it is now. */
  #add(attachment: Attachment): void {
    const others = this.#list.filter((other) => !isSame(other, attachment));
    if (others.length >= MOST) {
      this.#tell(t('A message takes {0} attachments at most.', MOST));
      return;
    }
    this.#set([...others, attachment]);
  }

  /** Says a sentence where the user looks. */
  #tell(text: string): void {
    this.#parts.announcer.tell({ id: 'attachment', severity: 'warning', text });
  }

  #set(list: readonly Attachment[]): void {
    this.#list = list;
    this.#parts.refresh();
  }
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'image' || other.kind === 'image')
    return one.kind === other.kind && 'url' in one && 'url' in other && one.url === other.url;
  return one.path === other.path && one.lines?.from === other.lines?.from && one.lines?.to === other.lines?.to;
}

function tooLarge(what: string, bytes: number, most: number): string {
  return t(
    '{0} has {1}; {2} at most can be attached. Let the agent read the part that matters, or attach a selection.',
    what,
    describeBytes(bytes),
    describeBytes(most),
  );
}
