import { join } from 'node:path';
import type { Tool } from '../../core/session/tools.ts';
import type { WorkPorts } from '../../core/session/workPorts.ts';
import { makeListFilesTool } from './workspaceTools/listFilesTool.ts';
import { makeReadFileTool } from './workspaceTools/readFileTool.ts';
import { makeSearchTextTool } from './workspaceTools/searchTextTool.ts';
import { DEFAULT_LIMITS, type WorkspaceToolLimits } from './workspaceTools/toolArguments.ts';
import type { WorkspaceFolder } from './workspaceTools/workspacePath.ts';
import { Checkpoints } from './workTools/checkpoints.ts';
import { Commands } from './workTools/commands.ts';
import { makeCommandTools } from './workTools/commandTools.ts';
import { makeEditFileTool } from './workTools/editFileTool.ts';

/** The tools of an agent that works in these folders, which are looked up on every call: folders come and go. */
export function makeToolKit(folders: () => readonly WorkspaceFolder[]) {
  return {
    /** Tools that only read. */
    readers: makeWorkspaceTools(folders),
    /** Tools that change the workspace, for one conversation, whose folder is below `root`. */
    createWork: (root: string, conversation: string, ports: WorkPorts) =>
      createWork(join(root, 'conversations', conversation), folders, ports),
  };
}

/**
 * The tools `edit_file`, `run_command` and `command_output` of one conversation, and its checkpoints. They keep everything
 * in the conversation's folder, with which it is deleted.
 */
function createWork(folder: string, folders: () => readonly WorkspaceFolder[], ports: WorkPorts) {
  const checkpoints = new Checkpoints(folder, folders);
  const commands = new Commands(folder, ports);
  const parts = { folders, ports, checkpoints };
  const tools: readonly Tool[] = [makeEditFileTool(parts), ...makeCommandTools(parts, commands)];
  return { tools, checkpoints, /** Ends the commands that still run. */ close: () => commands.close() };
}

/** The tools `read_file`, `list_files` and `search_text`. They only read, and never leave the folders. */
export function makeWorkspaceTools(
  folders: () => readonly WorkspaceFolder[],
  limits: Partial<WorkspaceToolLimits> = {},
): readonly Tool[] {
  const all = { ...DEFAULT_LIMITS, ...limits };
  return [makeReadFileTool, makeListFilesTool, makeSearchTextTool].map((make) => make(folders, all));
}
