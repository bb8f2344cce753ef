import { failed, type Tool } from '../../../core/session/tools.ts';
import { makeListFilesTool } from './listFilesTool.ts';
import { makeReadFileTool } from './readFileTool.ts';
import { makeSearchTextTool } from './searchTextTool.ts';
import { DEFAULT_LIMITS, type WorkspaceToolLimits } from './toolArguments.ts';
import type { WorkspaceFolder } from './workspacePath.ts';

/** What the workspace tools may see. */
export interface WorkspaceToolsOptions {
  /** Called for every tool call: folders come and go. */
  readonly folders: () => readonly WorkspaceFolder[];
  readonly limits?: Partial<WorkspaceToolLimits>;
}

/** Calls that run at once. A reply may hold thousands; each uses file handles, a search also a thread. */
const MOST_AT_ONCE = 4;

/**
 * The tools `read_file`, `list_files` and `search_text`. They only read, never leave the folders, and only a few calls run
 * at the same time.
 */
export function makeWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const gate = new Gate(MOST_AT_ONCE);
  return [makeReadFileTool, makeListFilesTool, makeSearchTextTool].map((make): Tool => {
    const { definition, run } = make(options.folders, limits);
    const runInTurn: Tool['run'] = (args, signal) =>
      gate.run(async () => (signal.aborted ? failed('Cancelled.') : await run(args, signal)));
    return { definition, run: runInTurn };
  });
}

/** Lets a limited number of tasks run at once; the others wait their turn, in order. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs the task when it is its turn. Settles as the task does. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
