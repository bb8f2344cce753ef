import * as vscode from 'vscode';
import { parseJson } from '../../core/messages/parseJson.ts';
import { type KeptAttachments, parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { AttachmentStore } from './attachments.ts';

/** The file with what goes with the next message: it may have images, which are too large for VS Code's own memory. */
export class AttachmentFile implements AttachmentStore {
  readonly #folder: vscode.Uri;
  readonly #run: (work: Promise<unknown>) => void;
  #writing: Promise<unknown> = Promise.resolve();

  /** `run` takes the work that nobody waits for, and reports its failures. */
  constructor(folder: vscode.Uri, run: (work: Promise<unknown>) => void) {
    this.#folder = folder;
    this.#run = run;
  }

  /** What the window before this one kept; nothing when there is no such file, or none that can be read. */
  async read(): Promise<KeptAttachments | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file);
      return parseKeptAttachments(parseJson(new TextDecoder().decode(bytes)));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
  }

  /** Keeps it, after what was kept before. */
  keep(kept: KeptAttachments): void {
    const write = () => this.#write(kept);
    this.#writing = this.#writing.then(write, write);
    this.#run(this.#writing);
  }

  /** Resolves when all is on the disk. */
  async flush(): Promise<void> {
    // A failure was reported when it happened.
    await Promise.allSettled([this.#writing]);
  }

  async #write(kept: KeptAttachments): Promise<void> {
    const isEmpty = kept.list.length === 0 && kept.editing === undefined;
    if (isEmpty && (await this.read()) === undefined) return;
    await vscode.workspace.fs.createDirectory(this.#folder);
    await vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(JSON.stringify(kept)));
  }

  get #file(): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, 'attachments.json');
  }
}
