import * as vscode from 'vscode';
import type { HostAdapters, ToolKit, Work } from '../../adapters.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { makeDiagnosticsTool } from '../../core/session/diagnosticsTool.ts';
import {
  covers,
  type Grant,
  grantsFor,
  parseGrants,
  showUnseen,
  type WorkAnswer,
  type WorkRequest,
} from '../../core/session/permission.ts';
import { charactersIn, makeRecallTool } from '../../core/session/recallTool.ts';
import { buildSystemPrompt } from '../../core/session/systemPrompt.ts';
import { TODO_TOOL } from '../../core/session/todoTool.ts';
import type { Tool } from '../../core/session/tools.ts';
import type { CommandScreen, ShownCommand, WorkPorts } from '../../core/session/workPorts.ts';
import { orAborted } from '../../core/steps.ts';
import { t } from '../../language/language.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import type { QuestionState, RunningState, TodoState } from '../../protocol/viewState.ts';
import type { Basics } from '../basics.ts';
import { newId } from '../conversations/system.ts';
import { readTodos } from '../present/rows.ts';
import { nameGrant } from '../present/words.ts';
import { diskFolders } from '../settings/trust.ts';
import type { Originals } from '../view/originals.ts';
import { CommandTerminal } from './commandTerminal.ts';
import { EDITOR_FILES, listProblems, readProblems } from './editorFiles.ts';
import { findOtherTools } from './otherTools.ts';

interface OpenQuestion {
  readonly id: string;
  readonly request: WorkRequest;
  readonly settle: (answer: WorkAnswer) => void;
}

/** The share of the budget that one result of a command or a tool may take, and its limits in characters. */
const RESULT_SHARE = 0.2;
const LEAST_ROOM = 4_000;
const MOST_ROOM = 24_000;

/** How much output of a running command the view shows: lines and characters. */
const SHOWN_LINES = 3;
const LONGEST_SHOWN = 2_000;

/** What the work of an agent uses. */
export interface WorkParts extends Basics {
  readonly kit: ToolKit;
  /** The folder with the conversations of this workspace. */
  readonly root: string;
  readonly originals: Originals;
}

/** What the agent of one conversation does to the workspace: asks the user for permission and shows the work. */
export class AgentWork implements WorkPorts {
  readonly files = EDITOR_FILES;
  readonly problemsOf = readProblems;
  readonly #conversation: Conversation;
  readonly #parts: WorkParts;
  readonly #terminal = new CommandTerminal();
  /** Tools that the user has allowed until the turn ends. */
  readonly #allowed = new Set<string>();
  readonly #work: Work;
  #question: OpenQuestion | undefined;
  /** The messages whose turns changed files, which can be restored. */
  restorable: ReadonlySet<number> = new Set();
  #running: (ShownCommand & { printed: string }) | undefined;

  constructor(id: string, conversation: Conversation, parts: WorkParts) {
    this.#conversation = conversation;
    this.#parts = parts;
    this.#work = parts.kit.createWork(parts.root, id, this);
    parts.log.run(this.noteChanges());
  }

  /**
   * The tools that settings and trust allow now: none in an untrusted workspace, only recall in a window without a
   * folder.
   */
  listTools(): readonly Tool[] {
    if (!vscode.workspace.isTrusted) return [];
    const { kit, settings } = this.#parts;
    const own = [...kit.readers, ...this.#work.tools, makeDiagnosticsTool(listProblems), TODO_TOOL];
    const enabled = new Set<string>(settings.current['tools.enabled']);
    return [
      ...[...(diskFolders().length === 0 ? [] : own), makeRecallTool(this.#conversation)].filter((tool) =>
        enabled.has(tool.definition.function.name),
      ),
      ...findOtherTools(settings.current['tools.others'], this),
    ];
  }

  /** Snapshots of the files from before the turns of the conversation. */
  get checkpoints(): Work['checkpoints'] {
    return this.#work.checkpoints;
  }

  /** Updates which turns have changed files, after tools have run. */
  async noteChanges(): Promise<void> {
    const turns = await this.checkpoints.turns();
    if (!turns.ok) return this.#parts.log.warn(turns.error);
    const isSame = turns.value.size === this.restorable.size;
    this.restorable = turns.value;
    if (!isSame) this.#parts.view.refresh();
  }

  /** The open question, if there is one. */
  get question(): QuestionState | undefined {
    return this.#question && presentQuestion(this.#question);
  }

  /** The running command, if there is one. */
  get running(): RunningState | undefined {
    if (this.#running === undefined) return undefined;
    const { command, printed } = this.#running;
    return { command, lines: printed.trimEnd().split('\n').slice(-SHOWN_LINES) };
  }

  /** The agent's to-do list; undefined if it has none, or all of it is done. */
  get todos(): readonly TodoState[] | undefined {
    return readTodos(this.#conversation.transcript.messages);
  }

  /** Forgets what was allowed for the previous turn. */
  beginTurn(): void {
    this.#allowed.clear();
  }

  turn(): number {
    const { messages } = this.#conversation.transcript;
    return messages.findLast((message) => message.role === 'user' && message.by === 'human')?.id ?? 0;
  }

  room(): number {
    const { limit } = this.#conversation.budget();
    return Math.min(MOST_ROOM, Math.max(LEAST_ROOM, charactersIn(limit * RESULT_SHARE)));
  }

  async ask(request: WorkRequest, signal: AbortSignal): Promise<WorkAnswer> {
    const { memory, notices, view, log } = this.#parts;
    const denied: WorkAnswer = { kind: 'denied', reason: '' };
    // The user may revoke trust while a turn runs.
    if (signal.aborted || !vscode.workspace.isTrusted) return denied;
    if (this.#allowed.has(request.tool) || readGrants(memory).some((grant) => covers(grant, request)))
      return { kind: 'allowed' };
    const { promise, resolve } = Promise.withResolvers<WorkAnswer>();
    this.#question = { id: newId(), request, settle: resolve };
    view.refresh();
    if (request.kind === 'edit') log.run(this.showChange());
    const text = t('The agent is waiting for your answer: {0}', request.tool);
    const show = { label: t('Show'), run: () => log.run(view.reveal()) };
    if (!notices.isVisible) void notices.notify({ severity: 'info', text, actions: [show] });
    try {
      return await orAborted(promise, denied, signal);
    } finally {
      this.#question = undefined;
      if (request.kind === 'edit') log.run(this.#parts.originals.closeChange(request.path));
      view.refresh();
    }
  }

  /** Answers the question with this id; does nothing if it is no longer open. */
  answer({ id, answer, reason, offer }: Omit<Extract<FromWebview, { type: 'answer' }>, 'type'>): void {
    if (this.#question?.id !== id) return;
    const { request, settle } = this.#question;
    if (answer === 'turn') this.#allowed.add(request.tool);
    const grant = answer === 'always' ? grantsFor(request)[offer] : undefined;
    if (grant !== undefined) this.#parts.log.run(addGrant(this.#parts.memory, grant));
    settle(answer === 'deny' ? { kind: 'denied', reason } : { kind: 'allowed' });
  }

  /** Opens the change of the open question in the diff editor. */
  async showChange(): Promise<void> {
    const request = this.#question?.request;
    if (request?.kind === 'edit') await this.#parts.originals.showChange(request);
  }

  showCommand(command: ShownCommand): CommandScreen {
    const screen = this.#terminal.show(command);
    const running = { ...command, printed: '' };
    this.#running = running;
    this.#parts.view.refresh();
    return {
      print: (text) => {
        running.printed = (running.printed + text).slice(-LONGEST_SHOWN);
        screen.print(text);
        this.#parts.view.refresh();
      },
      end: (how, failed) => {
        if (this.#running === running) this.#running = undefined;
        screen.end(how, failed);
        this.#parts.view.refresh();
      },
    };
  }

  /** Ends running commands and closes their terminals. */
  close(): void {
    this.#work.close();
    this.#terminal.dispose();
  }
}

function presentQuestion({ id, request }: OpenQuestion): QuestionState {
  const { tool } = request;
  const always = grantsFor(request).map(nameGrant).map(showUnseen);
  switch (request.kind) {
    case 'edit': {
      const { added, removed, before } = request;
      const path = showUnseen(request.path);
      return { id, tool, kind: 'edit', path, isNew: before === undefined, added, removed, always };
    }
    case 'command':
      return { id, tool, kind: 'command', command: showUnseen(request.command), folder: request.folder, always };
    case 'tool':
      return { id, tool, kind: 'tool', input: showUnseen(request.input), always };
  }
}

/** Conventions for agents that a workspace folder may have. */
const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];
/** Nothing, or nothing but the name of another file: `@AGENTS.md`. */
const ONLY_NAMES = /^(?:@\S+)?$/;

/** The system prompt for this window, with the instructions for agents of every workspace folder. */
export async function readPrompt(read: HostAdapters['readInstructions']): Promise<string> {
  const folders = diskFolders();
  const files = await Promise.all(
    folders.flatMap((folder) =>
      INSTRUCTION_FILES.map(async (name) => ({
        path: folders.length > 1 ? `${folder.name}/${name}` : name,
        text: (await read(folder, name)) ?? '',
      })),
    ),
  );
  const texts = files.map(({ text }) => text.trim());
  // One of them often repeats, or only names, another.
  const isOwn = (text: string, index: number) => !ONLY_NAMES.test(text) && texts.indexOf(text) === index;
  const instructions = files.filter((_, index) => isOwn(texts[index] ?? '', index));
  return buildSystemPrompt({ folders: folders.map(({ name }) => name), instructions });
}

/** The key of what the user always allows in this workspace, until it is revoked. */
const GRANTS = 'karl.grants';

/** What the user always allows in this workspace. */
function readGrants(memento: vscode.Memento): readonly Grant[] {
  return parseGrants(memento.get(GRANTS));
}

/** Adds something that is always allowed. */
async function addGrant(memento: vscode.Memento, grant: Grant): Promise<void> {
  const others = readGrants(memento).filter((one) => nameGrant(one) !== nameGrant(grant));
  await memento.update(GRANTS, [...others, grant]);
}

/** Lists what is always allowed and revokes what the user picks. */
export async function reviewGrants(memento: vscode.Memento): Promise<void> {
  const grants = readGrants(memento);
  const none = t('The agent asks about everything here: nothing is always allowed.');
  if (grants.length === 0) return void vscode.window.showInformationMessage(none);
  const picked = await vscode.window.showQuickPick(
    grants.map((grant) => ({ label: nameGrant(grant), grant })),
    { canPickMany: true, title: t('Always allowed in this workspace'), placeHolder: t('Select what to revoke') },
  );
  if (picked === undefined || picked.length === 0) return;
  const kept = grants.filter((grant) => !picked.some((item) => item.grant === grant));
  await memento.update(GRANTS, kept);
}
