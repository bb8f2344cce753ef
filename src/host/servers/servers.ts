import type * as vscode from 'vscode';
import type { Decision, NamedServer } from '../../core/model/folderServers.ts';

/** Remembers what the user decided: whether the conversations of a folder may go to a server that the folder names. */
export class Servers {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  readonly decision: Decision = ({ folder, origin }) => this.#memory.get<boolean>(nameOf(folder, origin));

  async decide({ folder, origin }: NamedServer, allowed: boolean): Promise<void> {
    await this.#memory.update(nameOf(folder, origin), allowed);
  }

  /** Forgets all decisions, so that each is asked for again. */
  async forgetAll(): Promise<void> {
    for (const name of this.#memory.keys()) if (name.startsWith(PREFIX)) await this.#memory.update(name, undefined);
  }
}

const PREFIX = 'karl.server ';

function nameOf(folder: string, origin: string): string {
  return `${PREFIX}${JSON.stringify([folder, origin])}`;
}
