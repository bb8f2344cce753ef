import * as vscode from 'vscode';
import type { Attachment } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { orAborted } from '../../core/steps.ts';
import { t } from '../../language/language.ts';
import { parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { Basics } from '../basics.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { presentAttached } from '../present/rows.ts';
import type { KeptFile } from './keptFile.ts';
import { imageAttachment, imageTooLarge, readAttachment, textAttachment } from './openFile.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** The most attachments of one message. */
const MOST = 20;
/** How long a message waits for the lookup of a file that it names, milliseconds. */
const LONGEST_LOOKUP = 3000;
/** The most conversations whose unsent attachments are kept. */
const MOST_DRAFTS = 50;
/** The key while no conversation is open. The first one that opens takes over its attachments. */
const NONE = '';

/** The attachments of a conversation's next message. */
interface Draft {
  readonly list: readonly Attachment[];
  /** The message that is being edited, and the attachments from before. */
  readonly editing?: { readonly id: MessageId; readonly aside: readonly Attachment[] };
}

interface AttachmentParts extends Basics {
  readonly conversations: Pick<Conversations, 'active'>;
  /** Keeps attachments over a reload of the window; images are too large for VS Code's own memory. */
  readonly file: KeptFile;
}

const EMPTY: Draft = { list: [] };

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
    const kept = parseKeptAttachments(parseJson(await this.#parts.file.take())) ?? [];
    for (const { conversation, list, ...editing } of kept) {
      const now = this.#drafts.get(conversation) ?? EMPTY;
      this.#set(conversation, { ...editing, ...now, list: [...list, ...now.list] });
    }
  }

  /** Attaches a file of the workspace, or tells the user why it cannot be attached. */
  async addPath(path: string): Promise<boolean> {
    return await this.#whileRead(async (of) => this.#add(of, await readAttachment(path)));
  }

  /**
   * Attaches the file that a text names, before any punctuation, if it is offered under this name. A slow lookup must not
   * hold up the message.
   */
  async addNamed(named: string): Promise<boolean> {
    const bare = named.replace(/[^\p{L}\p{N}_]+$/u, '');
    const found = this.files.complete(bare).then((paths) => [named, bare].find((name) => paths.includes(name)));
    const lookup = orAborted(found, undefined, AbortSignal.timeout(LONGEST_LOOKUP));
    return await this.#whileRead(async (of) => {
      const path = await lookup;
      return path === undefined || this.#add(of, await readAttachment(path));
    });
  }

  /** Sending waits for `read`, which resolves to whether its file could be attached. */
  async #whileRead(read: (of: string) => Promise<boolean>): Promise<boolean> {
    const of = this.#of;
    const reading = read(of);
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
    if (text.trim() === '') return void this.#refuse(t('Nothing is selected in {0}.', path));
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
    const others = list.filter((_, at) => at !== place);
    this.#setList(of, others);
  }

  /**
   * Takes all attachments out to be sent, including files that are still being read; `putBack` undoes it. Undefined, with
   * nothing taken, if a file could not be attached. The user was told why, and can send the message again without it.
   */
  async take(): Promise<readonly Attachment[] | undefined> {
    const of = this.#of;
    const own = [...this.#reading].filter(([, where]) => where === of || where === NONE);
    const areAttached = await Promise.all(own.map(([reading]) => reading));
    return areAttached.includes(false) ? undefined : this.#takeList(of);
  }

  #takeList(of: string): readonly Attachment[] {
    const { list, editing } = this.#draft(of);
    this.#set(of, { list: editing?.aside ?? [] });
    return list;
  }

  /** Puts attachments that were taken back among those of a conversation. */
  putBack(list: readonly Attachment[], of = NONE): void {
    this.#setList(of, [...list, ...this.#draft(of).list]);
  }

  /** Shows the attachments of a message that is being edited, until it is sent or editing ends. */
  edit(id: MessageId, list: readonly Attachment[], of = this.#of): void {
    const before = this.#draft(of);
    this.#set(of, { list, editing: { id, aside: before.editing?.aside ?? before.list } });
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
    this.#parts.file.keep(JSON.stringify(kept));
    this.#parts.view.refresh();
  }

  /** Adds an attachment, replacing one of the same file or range. True if it was added. */
  #add(of: string, read: ReturnType<typeof textAttachment>): boolean {
    if (!read.ok) return this.#refuse(read.error);
    const others = this.#draft(of).list.filter((other) => keyOf(other) !== keyOf(read.value));
    if (others.length >= MOST) return this.#refuse(t('A message can have at most {0} attachments.', MOST));
    this.#setList(of, [...others, read.value]);
    return true;
  }

  /** Says why something is not attached. */
  #refuse(text: string): false {
    this.#parts.notices.tell({ id: 'attachment', severity: 'warning', text, passing: true });
    return false;
  }
}

/** What a message can have only once: an image, a file, or one range of its lines. */
function keyOf(one: Attachment): string {
  return one.kind === 'image' ? one.url : JSON.stringify([one.path, one.lines]);
}
