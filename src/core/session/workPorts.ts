import type { Result } from '../result.ts';
import type { WorkAnswer, WorkRequest } from './permission.ts';

/** The environment of tools that change the workspace. No operation rejects. */
export interface WorkPorts {
  /** Asks the user, unless the user has already allowed it. Denied when the signal aborts. */
  ask(request: WorkRequest, signal: AbortSignal): Promise<WorkAnswer>;
  readonly files: EditableFiles;
  /** The problems in a file that was just changed, as lines for the model; '' if there are none. */
  problemsOf(file: string, signal: AbortSignal): Promise<string>;
  /** Shows a starting command. */
  showCommand(command: ShownCommand): CommandScreen;
  /** The running turn: the number of the user's message that began it. */
  turn(): number;
  /** The current limit of a result. Characters. */
  room(): number;
}

/** Files with the unsaved changes of the editor. Paths are real paths. */
export interface EditableFiles {
  /** The text of a file; undefined if there is no file. The error is a sentence for the model. */
  read(file: string): Promise<Result<string | undefined, string>>;
  /** Replaces and saves the text; creates missing files and folders. */
  write(file: string, text: string): Promise<Result<void, string>>;
}

/** A running command. */
export interface ShownCommand {
  readonly id: string;
  readonly command: string;
  readonly folder: string;
  /** Ends the command and everything that it started. */
  stop(): void;
}

/** Where the user sees what a command prints. */
export interface CommandScreen {
  print(text: string): void;
  /** `how`: one line about the end. */
  end(how: string, failed: boolean): void;
}

/** What a restore does to one file. */
export interface RestoreStep {
  readonly file: string;
  /** The hash of the restored content; null: the file is removed. */
  readonly hash: string | null;
  /** Whether to make it executable if it has to be created. */
  readonly isExecutable: boolean;
}

/** A completed restore. */
export interface Restored {
  /** Restoring this moment undoes the restore. */
  readonly moment: number;
  /** Files that could not be restored, each with the reason. */
  readonly notRestored: readonly string[];
}

/** A planned restore. */
export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  /** Files that were not kept because they were too large or not readable. */
  readonly notKept: readonly string[];
  /** There were too many files to keep all; what commands did to the others cannot be undone. */
  readonly isPart: boolean;
}
