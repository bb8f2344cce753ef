import * as vscode from 'vscode';
import { isRecord } from '../../core/result.ts';
import { failed, type Tool } from '../../core/session/tools.ts';
import type { WorkPorts } from '../../core/session/workPorts.ts';
import { describeDenial, NO_TEXT_PART } from '../../core/session/workResult.ts';
import { t } from '../../language/language.ts';
import { formatPercent } from '../present/words.ts';
import { TOOL_NAMES } from '../settings/settingRules.ts';
import type { Settings } from '../settings/settings.ts';
import { requireTrust } from '../settings/trust.ts';

/** Tool names that servers accept. */
const NAME = /^[\w-]{1,64}$/;
/** Characters of JSON in a token, approximately. */
const CHARACTERS_PER_TOKEN = 4;

/** The enabled tools of other extensions and MCP servers that exist now. Each call asks the user. */
export function findOtherTools(names: readonly string[], work: Pick<WorkPorts, 'ask'>): readonly Tool[] {
  return vscode.lm.tools.filter(({ name }) => names.includes(name) && isOffered(name)).map((tool) => wrap(tool, work));
}

/** Whether a tool of VS Code can be offered. Karl's own tools are already there. */
function isOffered(name: string): boolean {
  return NAME.test(name) && !name.startsWith('karl_') && !TOOL_NAMES.some((own) => own === name);
}

function wrap(
  { name, description, inputSchema }: vscode.LanguageModelToolInformation,
  work: Pick<WorkPorts, 'ask'>,
): Tool {
  const parameters = isRecord(inputSchema) ? inputSchema : { type: 'object', properties: {} };
  return {
    definition: { type: 'function', function: { name, description, parameters } },
    changes: true,
    run: async (args, signal) => {
      if (!isRecord(args)) return failed('The arguments must be a JSON object.');
      const answer = await work.ask({ kind: 'tool', tool: name, input: JSON.stringify(args, undefined, 2) }, signal);
      if (answer.kind === 'denied') return failed(describeDenial(answer.reason));
      const source = new vscode.CancellationTokenSource();
      const stop = (): void => source.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const result = await vscode.lm.invokeTool(name, { input: args, toolInvocationToken: undefined }, source.token);
        const texts = result.content.map((part) =>
          part instanceof vscode.LanguageModelTextPart ? part.value : NO_TEXT_PART,
        );
        return { text: texts.join('\n'), failed: false };
      } finally {
        signal.removeEventListener('abort', stop);
        source.dispose();
      }
    },
  };
}

/** Lets the user switch tools of other extensions and MCP servers on and off. `limit`: the budget, if one is known. */
export async function selectOtherTools(
  { current }: Settings,
  limit: number | undefined,
  tell: (text: string) => void,
): Promise<void> {
  if (!requireTrust()) return;
  const names = current['tools.others'];
  const offered = vscode.lm.tools.filter(({ name }) => isOffered(name));
  if (offered.length === 0) return tell(t('No other extension and no MCP server offers tools here.'));
  const items = offered.map((tool) => {
    const tokens = Math.ceil(JSON.stringify(tool).length / CHARACTERS_PER_TOKEN);
    const share = limit === undefined ? '' : t('{0} of the budget', formatPercent(tokens, limit));
    return {
      label: tool.name,
      description: [t('{0} tokens', tokens), share].join(' · '),
      detail: tool.description,
      picked: names.includes(tool.name),
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDetail: true,
    title: t('Tools of other extensions and MCP servers'),
    placeHolder: t('Each definition is sent with every request'),
  });
  if (picked === undefined) return;
  // Tools that do not exist now keep their setting.
  const absent = names.filter((name) => !offered.some((tool) => tool.name === name));
  await store('tools.others', [...absent, ...picked.map(({ label }) => label)]);
}

/** Removes a tool from the setting that enables it. */
export async function leaveOut(name: string, { current }: Settings, tell: (text: string) => void): Promise<void> {
  const setting = TOOL_NAMES.some((own) => own === name) ? 'tools.enabled' : 'tools.others';
  const names: readonly string[] = current[setting];
  if (!names.includes(name)) return;
  const others = names.filter((one) => one !== name);
  await store(setting, others);
  tell(t('{0} is left out; the setting {1} brings it back.', name, `karl.${setting}`));
}

/** Writes a setting of the user, or of the workspace if it is set there. */
async function store(setting: string, value: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('karl');
  const isUsers = configuration.inspect(setting)?.workspaceValue === undefined;
  const target = isUsers ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await configuration.update(setting, value, target);
}
