import type { Result } from '../result.ts';
import type { WorkAnswer, WorkRequest } from './permission.ts';

/** What tools that change the workspace need of the place where they run. No operation rejects. */
export interface WorkPorts {
  /** Asks the user, unless the user allowed it before. Denied when the signal aborts. */
  ask(request: WorkRequest, signal: AbortSignal): Promise<WorkAnswer>;
  readonly files: EditableFiles;
  /** What is wrong in a file that was just changed, as lines for the model; '' when nothing is. */
  problemsOf(file: string, signal: AbortSignal): Promise<string>;
  /** Shows a command that begins to run. */
  showCommand(command: ShownCommand): CommandScreen;
  /** Names the turn that runs: the number of the user's message that began it. */
  turn(): number;
  /** How long a result may be now, characters. */
  room(): number;
}

/** Files as their reader would edit them: with the changes that an editor has not saved yet. Paths are real ones. */
export interface EditableFiles {
  /** The text of a file; undefined when there is none. The error is a sentence for the model. */
  read(file: string): Promise<Result<string | undefined, string>>;
  /** Replaces the text and saves it; makes file and folders where they are missing. */
  write(file: string, text: string): Promise<Result<void, string>>;
}

/** A command that runs. */
export interface ShownCommand {
  readonly id: string;
  readonly command: string;
  readonly folder: string;
  /** Ends it with everything that it started. */
  stop(): void;
}

/** Where the user sees what a command prints. */
export interface CommandScreen {
  print(text: string): void;
  /** `how`: one line about its end. */
  end(how: string, failed: boolean): void;
}

/** What a restore does to one file. */
export interface RestoreStep {
  readonly file: string;
  /** The hash of the content that it gets; null: it is removed. */
  readonly hash: string | null;
  /** It is a program, should it have to be made anew. */
  readonly isExecutable: boolean;
}

/** A restore of files that was carried out. */
export interface Restored {
  /** The moment whose restore takes it back. */
  readonly moment: number;
  /** Files that stayed as they were, each with the reason. */
  readonly notRestored: readonly string[];
}

/** A restore of files that was planned and not yet carried out. */
export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  /** Files that were too large to be kept, or could not be read. */
  readonly notKept: readonly string[];
  /** There were too many files to look at all of them: what commands did to the others is not undone. */
  readonly isPart: boolean;
}
