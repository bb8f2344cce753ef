import type * as vscode from 'vscode';
import { parseJson } from '../../core/messages/parseJson.ts';
import { type KeptAttachments, parseKeptAttachments } from '../../protocol/parseKept.ts';
import type { AttachmentStore } from './attachments.ts';
import { KeptFile } from './keptFile.ts';

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
