import type { Tool } from '../../../core/session/tool.ts';
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

/** The tools `read_file`, `list_files` and `search_text`. They read, never write, and never leave the folders. */
export function makeWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return [makeReadFileTool, makeListFilesTool, makeSearchTextTool].map((make) => make(options.folders, limits));
}
