import type * as vscode from 'vscode';
import { KeptFile } from '../files/keptFile.ts';

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
