import * as vscode from 'vscode';
import type { HostAdapters } from '../../adapters.ts';
import { ok } from '../../core/result.ts';
import { formatMoment, t, translate } from '../../language/language.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import type { RescueOptions } from '../../rescue/rescue.ts';
import type { Basics } from '../basics.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { askTokens, withCancel, withProgress } from '../dialogs.ts';
import { restoredIn } from '../present/compressions.ts';
import { plainText, titleOf, withoutIcons } from '../present/words.ts';
import { requireTrust } from '../settings/trust.ts';
import type { UserActions } from './userActions.ts';

// Sessions that other agents have stored on this machine. Their files are only read.

/** How many stored sessions are listed. */
const MOST_SESSIONS = 100;

/** What the commands about sessions need. */
export interface SessionParts extends Basics {
  readonly conversations: Conversations;
  readonly karl: UserActions;
}

/** Opens a session as a conversation of Karl. `chosen`: its file, where the explorer's menu names it. */
export async function openSession(host: SessionParts, chosen: unknown): Promise<void> {
  const { adapters, conversations, karl, view } = host;
  const session = await pickSession(host, t('Karl: Open which session of an agent?'), chosen);
  if (session === undefined || !(await conversations.mayLeave())) return;
  const opened = await cancellable(t('Karl: reading the session'), async (signal, onProgress) => {
    const read = await adapters.readSession(session.file, { signal, onProgress });
    if (!read.ok) return read;
    const { title, agentTitle, repairs } = read.value;
    const name = session.title || title || t('A session of {0}', agentTitle);
    return ok({ repairs, created: await conversations.createFromSession(name, session.file, read.value, signal) });
  });
  if (opened === undefined) return;
  if (!opened.ok) return void vscode.window.showErrorMessage(plainText(`Karl: ${translate(opened.error)}`));
  const { repairs, created } = opened.value;
  if (karl.report(created) === undefined) return;
  await view.reveal();
  if (repairs.length > 0) karl.tell(repairs.map(translate).join(' '));
}

/** Opens the session that was dropped on the view. */
export async function openDropped(
  host: SessionParts,
  { uris, files }: Extract<FromWebview, { type: 'open-dropped' }>,
): Promise<void> {
  if (uris.length + files.length > 1) return host.karl.tell(t('Drop one session at a time.'));
  if (!requireTrust()) return;
  const paths = uris.flatMap(pathOf);
  for (const { name, bytes } of files) paths.push(...(await host.adapters.findSessionFiles(name, bytes)));
  const [path] = paths;
  if (path !== undefined) return await openSession(host, vscode.Uri.file(path));
  host.notices.show({
    id: 'told',
    severity: 'info',
    text: t(
      'VS Code does not say where a dropped file is, and no agent has a session of that name: choose the file instead.',
    ),
    actions: [{ label: t('Open Agent Session…'), run: () => void vscode.commands.executeCommand('karl.openSession') }],
    passing: true,
  });
}

/** The path of a file of the machine that Karl runs on. */
function pathOf(uri: string): string[] {
  try {
    const { scheme, fsPath } = vscode.Uri.parse(uri, true);
    return scheme === 'file' || scheme === 'vscode-remote' ? [fsPath] : [];
  } catch {
    return [];
  }
}

/**
 * Compresses a session into a new one with which an agent continues, and says how. `chosen`: its file, or the open
 * conversation of a session: what the user did with it there is kept, and what its agent has added since is not
 * included.
 */
export async function rescueSession(host: SessionParts, chosen: unknown): Promise<void> {
  const { adapters, karl } = host;
  const session = await pickSession(host, t('Karl: Rescue which session of an agent?'), chosen, karl.active);
  if (session === undefined) return;
  const { listRescuers, tryRescue, usualWindow } = await adapters.rescue();
  const rescuers = listRescuers().map(({ name, title }) => ({ label: title, name }));
  rescuers.sort((one, other) => Number(other.name === session.agent) - Number(one.name === session.agent));
  const agent = await vscode.window.showQuickPick(rescuers, { title: t('Karl: Which agent should continue?') });
  if (agent === undefined) return;
  const usual = usualWindow(session);
  const typed = await askTokens({
    title: plainText(t('Karl: How large is the context window of {0}?', agent.label)),
    prompt: t("In tokens. The new session fills half of what the agent's own prompt and tools leave free."),
    value: String(usual),
  });
  if (typed === undefined) return;
  const { window = usual } = typed;
  const rescued = await cancellable(
    t('Karl: compressing the session'),
    async (signal) => await tryRescue(session.file, { for: agent.name, window, signal, made: session.made }),
  );
  if (rescued === undefined) return;
  if (!rescued.ok) return void vscode.window.showErrorMessage(plainText(`Karl: ${translate(rescued.error)}`));
  const { before, after, folder, resume, masked, newer } = rescued.value;
  const [run, copy] = [t('Run in Terminal'), t('Copy Command')];
  const said = [
    t(
      'Karl: {0} → {1} tokens in a new session; the original was only read. Continue it with: {2}',
      before.tokens,
      after.tokens,
      resume,
    ),
    ...(masked === 0 ? [] : [t('Keys and tokens that were masked: {0}.', masked)]),
    ...(newer === 0
      ? []
      : [t('Messages added to the session since it was opened here, and not included: {0}.', newer)]),
  ];
  const pressed = await vscode.window.showInformationMessage(plainText(said.join(' ')), run, copy);
  if (pressed === copy) await vscode.env.clipboard.writeText(resume);
  if (pressed !== run) return;
  const terminal = vscode.window.createTerminal({ name: agent.label, cwd: folder });
  terminal.show();
  terminal.sendText(resume);
}

/** Reads or writes a session; undefined: the user has cancelled it. */
async function cancellable<Done>(
  title: string,
  work: (signal: AbortSignal, report: (share: number) => void) => Promise<Done>,
): Promise<Done | undefined> {
  const abort = new AbortController();
  try {
    return await withCancel(title, abort, (report) => work(abort.signal, report));
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    throw error;
  }
}

/** A session that the user chose, with what the start and end of its file tell. */
interface Picked {
  readonly file: string;
  readonly title?: string;
  readonly agent?: string;
  readonly model: string | undefined;
  readonly window: number | undefined;
  /** What the user did with it in the open conversation. */
  readonly made?: RescueOptions['made'];
}

async function glance({ glanceAtSession }: HostAdapters, file: string): Promise<Picked> {
  return (await glanceAtSession(file)) ?? { file, model: undefined, window: undefined };
}

/** The session of a conversation, with what the user has compressed and restored in it. */
async function glanceAtOpen(adapters: HostAdapters, { conversation, sessionFile = '' }: ActiveConversation) {
  const { messages, compactions, pins } = conversation.snapshot();
  const lost = compactions.flatMap(({ agent }) => agent?.lost ?? []);
  // What the user restored stays, whatever is compressed now.
  const made = { messages, compactions, pins: [...new Set([...pins, ...restoredIn(lost, conversation.items())])] };
  return { ...(await glance(adapters, sessionFile)), made };
}

/** Agents' folders are searched only when the user asks for it. `open`: a conversation that may be chosen as well. */
async function pickSession(
  { adapters }: SessionParts,
  title: string,
  chosen: unknown,
  open?: ActiveConversation,
): Promise<Picked | undefined> {
  if (!requireTrust()) return undefined;
  const session = open?.sessionFile === undefined ? undefined : open;
  if (session !== undefined && chosen === session) return await glanceAtOpen(adapters, session);
  if (chosen instanceof vscode.Uri) return await glance(adapters, chosen.fsPath);
  const here = session && { label: t('The session that is open here'), detail: titleOf(session.title) };
  const [list, browse] = [t('List the sessions of agents on this machine'), t('Choose a file…')];
  const ways = [
    ...(here === undefined ? [] : [here]),
    { label: list, detail: t('Looks in the folders where Claude Code, Codex and other agents keep them.') },
    { label: browse, detail: t('A session file of an agent, or messages as JSON.') },
  ];
  const way = await vscode.window.showQuickPick(ways, { title });
  if (session !== undefined && way === here) return await glanceAtOpen(adapters, session);
  if (way?.label !== browse) return way && (await pickListed(adapters, title));
  const [file] = (await vscode.window.showOpenDialog({ canSelectMany: false })) ?? [];
  return file && (await glance(adapters, file.fsPath));
}

/** Lets the user choose among the sessions that were used last. */
async function pickListed(adapters: HostAdapters, title: string): Promise<Picked | undefined> {
  const list = () => adapters.listSessions(MOST_SESSIONS);
  const { sessions, all, unread } = await withProgress(t('Karl: looking for sessions'), list);
  if (sessions.length + unread.length === 0) {
    void vscode.window.showInformationMessage(t('Karl: no sessions of agents were found on this machine.'));
    return undefined;
  }
  const rows = sessions.map((session) => ({
    label: withoutIcons(session.title === '' ? session.file : session.title),
    detail: [
      session.agentTitle,
      formatMoment(session.changedAt),
      ...(session.tokens === undefined ? [] : [t('{0} tokens', session.tokens)]),
      ...(session.folder === undefined ? [] : [withoutIcons(session.folder)]),
    ].join(' · '),
    session,
  }));
  const missing = [
    ...(sessions.length === MOST_SESSIONS && all > MOST_SESSIONS
      ? [t('Showing the {0} most recent of {1}.', MOST_SESSIONS, all)]
      : []),
    ...unread.map((folder) => t('{0} cannot be read: its sessions are not listed.', folder)),
  ].join(' ');
  const placeHolder = missing === '' ? t('Title or folder of the session') : missing;
  return (await vscode.window.showQuickPick(rows, { title, placeHolder, matchOnDetail: true }))?.session;
}
