import * as vscode from 'vscode';
import type { Warn } from '../adapters.ts';

const LABEL = 'Karl';

/**
 * Offers agents that do not see Karl's tools in VS Code the same ones over MCP, read only. In a folder that is not trusted
 * there is no server. Editors that are made from VS Code may lack the API, and one may refuse it: then nothing is offered,
 * and all else works. `root`: the folder with the conversations of this workspace.
 */
export function registerMcpServer(context: vscode.ExtensionContext, root: string, warn: Warn): vscode.Disposable {
  if (typeof vscode.lm.registerMcpServerDefinitionProvider !== 'function')
    return new vscode.Disposable(() => undefined);
  try {
    return offer(context, root);
  } catch (error) {
    warn(`Karl's MCP server is not offered to other agents: ${error instanceof Error ? error.message : String(error)}`);
    return new vscode.Disposable(() => undefined);
  }
}

function offer(context: vscode.ExtensionContext, root: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider('karl.mcp', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => {
        if (!vscode.workspace.isTrusted) return [];
        const program = vscode.Uri.joinPath(context.extensionUri, 'dist/mcp.mjs').fsPath;
        const { version } = context.extension.packageJSON as { readonly version: string };
        // The editor's own program is a Node when it is told so.
        const environment = { ELECTRON_RUN_AS_NODE: '1' };
        return [new vscode.McpStdioServerDefinition(LABEL, process.execPath, [program, root], environment, version)];
      },
      resolveMcpServerDefinition: async (server) => {
        await vscode.workspace.fs.createDirectory(vscode.Uri.file(root));
        return server;
      },
    }),
  );
}
