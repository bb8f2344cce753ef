import * as vscode from 'vscode';
import type { Fanout } from '../../core/events/fanout.ts';
import { retell } from '../../core/language.ts';
import type { HostAdapters, Warn } from '../adapters.ts';
import { background } from '../notices/background.ts';
import { plainText } from '../notices/plainText.ts';
import { createEventSinks, type LoggedEvent } from './eventSinks.ts';
import { resolveLogDirectory } from './logDirectory.ts';
import { MovableLog } from './movableLog.ts';
import { Output } from './output.ts';

/** What logging needs. */
export interface WindowLogParts {
  readonly adapters: Pick<HostAdapters, 'createLog' | 'home'>;
  /** The folder that VS Code gives this extension. */
  readonly storage: string;
  /** `karl.log.directory`, checked. */
  readonly directory: () => string;
}

/** Where this window says what happens: in the output channel, and in the daily log, whose folder a setting names. */
export class WindowLog implements vscode.Disposable {
  readonly output = new Output();
  /** Runs work that nobody waits for; an error that it throws is shown. */
  readonly run = background(this.output);
  readonly file: MovableLog;
  /** Takes the events of conversations. */
  readonly sinks: Fanout<LoggedEvent>;
  readonly #parts: WindowLogParts;

  constructor(parts: WindowLogParts) {
    this.#parts = parts;
    this.file = new MovableLog((directory) => parts.adapters.createLog(directory, this.warn), this.#directory());
    this.sinks = createEventSinks(this.output, this.file);
  }

  /** Says something in the output channel, and as a warning of VS Code. */
  readonly warn: Warn = (message, shown = retell(message)) => {
    this.note(message);
    void vscode.window.showWarningMessage(plainText(`Karl: ${shown}`));
  };

  /** Says something in the output channel alone. */
  readonly note = (message: string): void => this.output.say('warn', message);

  /** Logs from now on where the setting says. */
  follow(): void {
    this.file.move(this.#directory());
  }

  dispose(): void {
    this.sinks.dispose();
    this.output.dispose();
  }

  #directory(): string {
    const { adapters, storage, directory } = this.#parts;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    return resolveLogDirectory(directory(), {
      storage,
      home: adapters.home,
      ...(folder !== undefined && { workspaceFolder: folder }),
    });
  }
}
