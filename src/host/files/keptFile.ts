import * as vscode from 'vscode';
import { queueWork } from '../../core/steps.ts';

/** A text that outlives the window: a file of its own in Karl's folder of the workspace, written in order. */
export class KeptFile {
  readonly #file: vscode.Uri;
  readonly #run: (work: Promise<unknown>) => void;
  #before: Promise<string | undefined> | undefined;
  readonly #inTurn = queueWork();

  /** `run` reports failures of work that nobody waits for. */
  constructor(folder: vscode.Uri, name: string, run: (work: Promise<unknown>) => void) {
    this.#file = vscode.Uri.joinPath(folder, name);
    this.#run = run;
    this.#before = this.#read();
  }

  /** The text that the previous window kept, on the first call. Undefined if there is none that can be read. */
  async take(): Promise<string | undefined> {
    const before = this.#before;
    this.#before = undefined;
    return await before;
  }

  /** Writes a text after earlier ones. Undefined deletes the file. */
  keep(text: string | undefined): void {
    this.#run(this.#inTurn(() => this.#write(text)));
  }

  /** Resolves when all is on the disk. Failures were reported when they happened. */
  async flush(): Promise<void> {
    await this.#inTurn(async () => undefined);
  }

  async #read(): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
  }

  async #write(text: string | undefined): Promise<void> {
    if (text === undefined) {
      if ((await this.#read()) !== undefined) await vscode.workspace.fs.delete(this.#file);
      return;
    }
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(this.#file, '..'));
    await vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(text));
  }
}
