import * as vscode from 'vscode';
import { parseJson } from '../../core/messages/parseJson.ts';
import { type KeptAttachments, parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { AttachmentStore } from './attachments.ts';

/** A text that outlives the window: a file of its own in Karl's folder of the workspace, written in order. */
class KeptFile {
  readonly #folder: vscode.Uri;
  readonly #name: string;
  readonly #run: (work: Promise<unknown>) => void;
  #writing: Promise<unknown> = Promise.resolve();

  /** `run` takes the work that nobody waits for, and reports its failures. */
  constructor(folder: vscode.Uri, name: string, run: (work: Promise<unknown>) => void) {
    this.#folder = folder;
    this.#name = name;
    this.#run = run;
  }

  /** The text as it is on the disk; undefined when there is no such file, or none that can be read. */
  async read(): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
  }

  /** Keeps a text, after what was kept before. Undefined: nothing is to be kept, and no file is made for that. */
  keep(text: string | undefined): void {
    const write = () => this.#write(text);
    this.#writing = this.#writing.then(write, write);
    this.#run(this.#writing);
  }

  /** Resolves when all is on the disk. */
  async flush(): Promise<void> {
    // A failure was reported when it happened.
    await Promise.allSettled([this.#writing]);
  }

  async #write(text: string | undefined): Promise<void> {
    if (text === undefined) {
      if ((await this.read()) !== undefined) await vscode.workspace.fs.delete(this.#file);
      return;
    }
    await vscode.workspace.fs.createDirectory(this.#folder);
    await vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(text));
  }

  get #file(): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, this.#name);
  }
}

/** The file with what goes with the next message: it may have images, which are too large for VS Code's own memory. */
export class AttachmentFile implements AttachmentStore {
  readonly #file: KeptFile;

  /** `run` takes the work that nobody waits for, and reports its failures. */
  constructor(folder: vscode.Uri, run: (work: Promise<unknown>) => void) {
    this.#file = new KeptFile(folder, 'attachments.json', run);
  }

  /** What the window before this one kept; nothing when there is no such file, or none that can be read. */
  async read(): Promise<readonly KeptAttachments[] | undefined> {
    const text = await this.#file.read();
    return text === undefined ? undefined : parseKeptAttachments(parseJson(text));
  }

  /** Keeps it, after what was kept before. */
  keep(kept: readonly KeptAttachments[]): void {
    const full = kept.filter(({ list, editing }) => list.length > 0 || editing !== undefined);
    this.#file.keep(full.length === 0 ? undefined : JSON.stringify(full));
  }

  /** Resolves when all is on the disk. */
  async flush(): Promise<void> {
    await this.#file.flush();
  }
}

/**
 * What is written in the view and not sent. VS Code keeps it for the page, but a browser may lose the last seconds of
 * that when the window is loaded again.
 */
export class KeptPage {
  readonly #file: KeptFile;
  #before: Promise<string | undefined> | undefined;

  /** `run` takes the work that nobody waits for, and reports its failures. */
  constructor(folder: vscode.Uri, run: (work: Promise<unknown>) => void) {
    this.#file = new KeptFile(folder, 'page.json', run);
    this.#before = this.#file.read();
  }

  /** What the window before this one kept: once, for the first page. */
  async take(): Promise<string | undefined> {
    const before = this.#before;
    this.#before = undefined;
    return (await before) || undefined;
  }

  keep(saved: string): void {
    this.#file.keep(saved);
  }

  /** Resolves when all is on the disk. */
  async flush(): Promise<void> {
    await this.#file.flush();
  }
}
