import * as vscode from 'vscode';
import { handleOf } from '../../core/chat/handle.ts';
import type { MessageRange } from '../../core/chat/message.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { formatMoment, t } from '../../core/language.ts';
import type { WorkRequest } from '../../core/session/permission.ts';

const SCHEME = 'karl-original';
/** The part of a document that shows the proposed text of a file. */
const PROPOSED = 'proposed';

/** What a document shows: raw messages, those that a compression replaced, or the view before or after it. */
type Part = 'messages' | 'replaced' | 'before' | 'after';

/** The open conversation. */
interface Open {
  readonly id: string;
  readonly conversation: Conversation;
}

/**
 * Read-only text documents: the messages behind the handles of a summary, and what a compression changed. The path is the
 * title of the tab; the query says what is shown, so that a tab can be filled again after a reload.
 */
export class Originals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #open: () => Open | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  /** The last text that the agent proposed for a file, by its path in the workspace. */
  readonly #proposed = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(open: () => Open | undefined) {
    this.#open = open;
  }

  /** Opens the messages of a range, if all of them are in the conversation. */
  async show(range: MessageRange): Promise<void> {
    const active = this.#open();
    if (active?.conversation.transcript.messages[range.to] === undefined || range.from > range.to) return;
    const handle = handleOf(range);
    await open(uriOf(active, t('Original {0}', handle), 'messages', handle));
  }

  /** Opens the messages that a compression replaced. */
  async showReplaced(id: string): Promise<void> {
    const active = this.#open();
    const time = active && timeOf(active, id);
    if (active !== undefined && time !== undefined)
      await open(uriOf(active, t('Originals of {0}', time), 'replaced', id));
  }

  /** Opens the diff of what the model was sent before and after a compression. */
  async showDiff(id: string): Promise<void> {
    const active = this.#open();
    const time = active && timeOf(active, id);
    if (active === undefined || time === undefined) return;
    const before = uriOf(active, t('Before {0}', time), 'before', id);
    const after = uriOf(active, t('After {0}', time), 'after', id);
    const title = t('Compression {0}: before and after', time);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  /** Opens a proposed change of a file in the diff editor. */
  async showChange({ path, file, before, after }: Extract<WorkRequest, { kind: 'edit' }>): Promise<void> {
    this.#proposed.set(path, after);
    const to = proposedUri(path);
    this.#changed.fire(to);
    const from = before === undefined ? proposedUri(path, '') : vscode.Uri.file(file);
    await vscode.commands.executeCommand('vscode.diff', from, to, t('{0}: the agent wants to change it', path), {
      preview: true,
      preserveFocus: true,
    });
  }

  /** Closes the proposed change of a file: the user has answered. */
  async closeChange(path: string): Promise<void> {
    const uri = proposedUri(path).toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOfIt = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri;
    await vscode.window.tabGroups.close(tabs.filter(isOfIt), true);
    this.#proposed.delete(path);
  }

  /** The text of a document, also of tabs that a reload restored. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { readPart } = await import('../present/wholeTexts.ts');
    const active = this.#open();
    const query = new URLSearchParams(uri.query);
    if (query.get('part') === PROPOSED) return this.#proposed.get(query.get('of') ?? '') ?? '';
    const isOpen = active !== undefined && active.id === query.get('conversation');
    const text = isOpen ? readPart(active.conversation, query.get('part') ?? '', query.get('of') ?? '') : undefined;
    return text ?? t('The conversation with this message is not open. Open it in Karl to see the message here.');
  }

  /** Updates the tabs of a conversation that was opened; until then they said that it is not open. */
  fill({ id }: Open): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === SCHEME && new URLSearchParams(uri.query).get('conversation') === id) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function uriOf({ id }: Open, title: string, part: Part, of: string): vscode.Uri {
  const query = new URLSearchParams({ conversation: id, part, of }).toString();
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query });
}

/** The document with the proposed text of a file; `of`: '' for an empty one. */
function proposedUri(path: string, of = path): vscode.Uri {
  const query = new URLSearchParams({ part: PROPOSED, of }).toString();
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query });
}

async function open(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true });
}

function timeOf({ conversation }: Open, id: string): string | undefined {
  const found = conversation.history().find(({ compaction }) => compaction.id === id);
  return found && formatMoment(found.compaction.at, true);
}
