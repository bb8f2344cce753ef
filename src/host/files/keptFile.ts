import * as vscode from 'vscode';
import { queueWork } from '../../core/steps.ts';

/** A text that outlives the window: a file of its own in Karl's folder of the workspace, written in order. */
export class KeptFile {
  readonly #file: vscode.Uri;
  readonly #run: (work: Promise<unknown>) => void;
  readonly #inTurn = queueWork();
  #before: Promise<string> | undefined;

  /** `run` reports failures of work that nobody waits for. */
  constructor(folder: vscode.Uri, name: string, run: (work: Promise<unknown>) => void) {
    this.#file = vscode.Uri.joinPath(folder, name);
    this.#run = run;
    this.#before = this.#inTurn(() => this.#read());
  }

  /** The text that the previous window kept, on the first call; '' if there is none. */
  async take(): Promise<string> {
    const before = this.#before;
    this.#before = undefined;
    return (await before) ?? '';
  }

  /** Writes a text after earlier ones. */
  keep(text: string): void {
    this.#run(this.#inTurn(async () => vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(text))));
  }

  /** Resolves when all is on the disk. Failures were reported when they happened. */
  async flush(): Promise<void> {
    await this.#inTurn(async () => undefined);
  }

  async #read(): Promise<string> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return '';
      throw error;
    }
  }
}
