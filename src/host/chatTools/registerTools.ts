import * as vscode from 'vscode';
import { reasonOf } from '../../core/result.ts';
import { t } from '../../language/language.ts';
import type { WindowLog } from '../log/windowLog.ts';
import type { OpenConversations, RecallInput } from './answerTools.ts';

/** Registers the tools for other agents in VS Code that the manifest declares. Both only read; their code loads at the first call. */
export function registerTools(open: OpenConversations): vscode.Disposable {
  const register = (name: 'karl_recall' | 'karl_budget', say: (input: RecallInput) => string) =>
    vscode.lm.registerTool<RecallInput>(name, {
      prepareInvocation: ({ input }) => ({ invocationMessage: say(input) }),
      invoke: async ({ input, tokenizationOptions }) => {
        const { answer } = await import('./answerTools.ts');
        const text = await answer(open, name, input, tokenizationOptions);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    });
  return vscode.Disposable.from(
    register('karl_recall', ({ query }) => t('Recalling {0}', query)),
    register('karl_budget', () => t('Reading the context budget')),
  );
}

/**
 * Offers Karl's read-only tools over MCP to agents that do not see the tools of VS Code. There is no server in an
 * untrusted folder, nor in editors derived from VS Code that lack or refuse the API.
 */
export function registerMcpServer(context: vscode.ExtensionContext, root: string, log: WindowLog): vscode.Disposable {
  try {
    return offer(context, root);
  } catch (error) {
    log.note(`Karl's MCP server is not offered to other agents: ${reasonOf(error)}`);
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
        // With this variable the editor's own executable runs as Node.
        const environment = { ELECTRON_RUN_AS_NODE: '1' };
        return [new vscode.McpStdioServerDefinition('Karl', process.execPath, [program, root], environment, version)];
      },
      resolveMcpServerDefinition: async (server) => {
        await vscode.workspace.fs.createDirectory(vscode.Uri.file(root));
        return server;
      },
    }),
  );
}
