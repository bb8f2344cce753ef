import * as vscode from 'vscode';
import { formatMoment, t } from '../../core/language.ts';
import type { HostAdapters } from '../adapters.ts';
import type { Host } from '../host.ts';
import { plainText } from '../present/words.ts';
import { requireTrust } from '../settings/trust.ts';
import { mayLeave } from './dialogs.ts';

// Sessions that other agents have stored on this machine. Their files are only read.

/** How many stored sessions are listed. */
const MOST_SESSIONS = 100;

/** Opens a session as a conversation of Karl. `chosen`: its file, where the explorer's menu names it. */
export async function openSession({ adapters, conversations, karl, view }: Host, chosen: unknown): Promise<void> {
  const session = await pickSession(adapters, t('Karl: Open which session of an agent?'), chosen);
  if (session === undefined || !(await mayLeave(karl.active))) return;
  const abort = new AbortController();
  const title = t('Karl: reading the session');
  const progress = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const read = await vscode.window.withProgress(progress, async (_progress, token) => {
    token.onCancellationRequested(() => abort.abort());
    return await adapters.readSession(session.file, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return undefined;
      throw error;
    });
  });
  if (read === undefined) return;
  if (!read.ok) return void vscode.window.showErrorMessage(plainText(`Karl: ${read.error}`));
  const { messages, repairs, agent } = read.value;
  const name = session.title || read.value.title || t('A session of {0}', agent);
  if (karl.report(await conversations.createFromSession(name, messages)) === undefined) return;
  await view.reveal();
  if (repairs.length > 0) karl.tell(repairs.join(' '));
}

/** Compresses a session into a new one that an agent goes on with, and says how. */
export async function rescueSession({ adapters }: Host, chosen: unknown): Promise<void> {
  const session = await pickSession(adapters, t('Karl: Rescue which session of an agent?'), chosen);
  if (session === undefined) return;
  const { listRescuers, tryRescue } = await adapters.rescue();
  const rescuers = listRescuers().map(({ name, title }) => ({ label: title, name }));
  rescuers.sort((one, other) => Number(other.name === session.agent) - Number(one.name === session.agent));
  const agent = await vscode.window.showQuickPick(rescuers, { title: t('Karl: Which agent goes on with it?') });
  if (agent === undefined) return;
  const progress = { location: vscode.ProgressLocation.Notification, title: t('Karl: compressing the session') };
  const rescued = await vscode.window.withProgress(progress, () => tryRescue(session.file, agent.name));
  if (!rescued.ok) return void vscode.window.showErrorMessage(plainText(`Karl: ${rescued.error}`));
  const { before, after, folder, resume, masked } = rescued.value;
  const [run, copy] = [t('Run in Terminal'), t('Copy Command')];
  const said = [
    t(
      'Karl: {0} → {1} tokens in a new session; the original was only read. It goes on with: {2}',
      before.tokens,
      after.tokens,
      resume,
    ),
    ...(masked === 0 ? [] : [t('Keys and tokens that were masked: {0}.', masked)]),
  ];
  const pressed = await vscode.window.showInformationMessage(plainText(said.join(' ')), run, copy);
  if (pressed === copy) await vscode.env.clipboard.writeText(resume);
  if (pressed !== run) return;
  const terminal = vscode.window.createTerminal({ name: agent.label, cwd: folder });
  terminal.show();
  terminal.sendText(resume);
}

/** A session that the user chose, with what its file tells at a glance. */
interface Picked {
  readonly file: string;
  readonly title?: string;
  readonly agent?: string;
}

async function glance({ glanceAtSession }: HostAdapters, { fsPath }: vscode.Uri): Promise<Picked> {
  return (await glanceAtSession(fsPath)) ?? { file: fsPath };
}

/** Folders of agents are looked into only when the user asks for it. */
async function pickSession(adapters: HostAdapters, title: string, chosen: unknown): Promise<Picked | undefined> {
  if (!requireTrust()) return undefined;
  if (chosen instanceof vscode.Uri) return await glance(adapters, chosen);
  const [list, browse] = [t('List the sessions of agents on this machine'), t('Choose a file…')];
  const ways = [
    { label: list, detail: t('Looks into the folders in which Claude Code, Codex and other agents keep them.') },
    { label: browse, detail: t('A session file of an agent, or messages as JSON.') },
  ];
  const way = await vscode.window.showQuickPick(ways, { title });
  if (way?.label === browse) {
    const [file] = (await vscode.window.showOpenDialog({ canSelectMany: false })) ?? [];
    return file && (await glance(adapters, file));
  }
  if (way === undefined) return undefined;
  const sessions = await adapters.listSessions(MOST_SESSIONS);
  if (sessions.length === 0) {
    void vscode.window.showInformationMessage(t('Karl: no sessions of agents were found on this machine.'));
    return undefined;
  }
  const rows = sessions.map((session) => ({
    label: session.title === '' ? session.file : session.title,
    detail: [
      session.agent,
      formatMoment(session.changedAt),
      ...(session.tokens === undefined ? [] : [t('{0} tokens', session.tokens)]),
      ...(session.folder === undefined ? [] : [session.folder]),
    ].join(' · '),
    session,
  }));
  return (await vscode.window.showQuickPick(rows, { title, matchOnDetail: true }))?.session;
}
