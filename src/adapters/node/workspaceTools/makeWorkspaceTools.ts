import type { Tool } from '../../../core/session/tools.ts';
import { Gate } from './gate.ts';
import { DEFAULT_LIMITS, type WorkspaceToolLimits } from './limits.ts';
import { makeListFilesTool } from './listFilesTool.ts';
import type { WorkspaceFolder } from './pathRules.ts';
import { makeReadFileTool } from './readFileTool.ts';
import { makeSearchTextTool } from './searchTextTool.ts';

/** What the workspace tools may see. */
export interface WorkspaceToolsOptions {
  /** Asked on every call: folders come and go. */
  readonly folders: () => readonly WorkspaceFolder[];
  readonly limits?: Partial<WorkspaceToolLimits>;
}

/**
 * The number of calls that run at once. A reply may hold thousands; each uses file handles, and a search uses a thread.
 */
const MOST_AT_ONCE = 4;

/**
 * The tools `read_file`, `list_files` and `search_text`. They only read, and never leave the folders. However many are
 * called at once, only a few run at the same time.
 */
export function makeWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const gate = new Gate(MOST_AT_ONCE);
  return [makeReadFileTool, makeListFilesTool, makeSearchTextTool].map((make): Tool => {
    const { definition, run } = make(options.folders, limits);
    const runInTurn: Tool['run'] = (args, signal) =>
      gate.run(async () => (signal.aborted ? { text: 'Cancelled.', failed: true } : await run(args, signal)));
    return { definition, run: runInTurn };
  });
}
