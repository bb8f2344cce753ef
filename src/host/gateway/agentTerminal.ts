import * as vscode from 'vscode';
import type { StartableAgent } from '../../adapters.ts';
import { t, translate } from '../../core/language.ts';

/** A terminal in which an agent runs, and a function that removes the files written for it. */
interface AgentTerminal {
  readonly terminal: vscode.Terminal;
  readonly remove: () => void;
}

/** Starts the named agent, or one that the user chooses, in a terminal. Undefined if none was started. */
export async function openAgentTerminal(
  agents: readonly StartableAgent[],
  gateway: Parameters<StartableAgent['prepare']>[0],
  name: string | undefined,
): Promise<AgentTerminal | undefined> {
  const items = agents.map((agent) => ({
    label: agent.title,
    description: agent.program ?? t('not found: {0}', `npm install -g ${agent.package}`),
    agent,
  }));
  items.sort((one, other) => Number(other.agent.program !== undefined) - Number(one.agent.program !== undefined));
  const title = t('Karl: Start which agent in a terminal?');
  const picked =
    items.find(({ agent }) => agent.name === name) ?? (await vscode.window.showQuickPick(items, { title }));
  if (picked === undefined) return undefined;
  const { program, problem, prepare } = picked.agent;
  if (program === undefined) {
    const install = `npm install -g ${picked.agent.package}`;
    void vscode.window.showWarningMessage(t('Karl: {0} was not found. Install it with: {1}', picked.label, install));
    return undefined;
  }
  if (problem !== undefined) {
    void vscode.window.showWarningMessage(translate(problem));
    return undefined;
  }
  const { environment, words, remove } = prepare(gateway);
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
  const terminal = vscode.window.createTerminal({
    name: t('{0} under Karl', picked.label),
    shellPath: program,
    shellArgs: [...words],
    env: environment,
    ...(cwd !== undefined && { cwd }),
    // VS Code would restart it without the gateway.
    isTransient: true,
  });
  terminal.show();
  return { terminal, remove };
}
