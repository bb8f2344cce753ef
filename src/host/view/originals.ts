import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { handleOf } from '../../core/messages/handle.ts';
import type { MessageRange } from '../../core/messages/message.ts';
import type { WorkRequest } from '../../core/session/permission.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Host } from '../host.ts';
import { nameMoment } from '../present/compressions.ts';

const SCHEME = 'karl-original';
/** The part of a document that shows what a file would hold. */
const PROPOSED = 'proposed';

/** What a document shows: raw messages, what a compression removed, or the view before or after it ran. */
type Part = 'messages' | 'replaced' | 'before' | 'after';

/**
 * Text documents that nobody can edit: the messages behind the handles of a summary, and what a compression changed.
 * The path is the title of the tab; the query says what is shown, so that a tab can be filled again after a reload.
 */
export class Originals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #host: Host;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  /** The text that the agent last wanted to give a file, by its path in the workspace. */
  readonly #proposed = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(host: Host) {
    this.#host = host;
  }

  /** Opens the messages of a range; nothing when not all of them are in the conversation. */
  async show(range: MessageRange): Promise<void> {
    const active = this.#host.active;
    if (
      active === undefined ||
      range.from > range.to ||
      active.conversation.transcript.messages[range.to] === undefined
    )
      return;
    const handle = handleOf(range);
    await open(uriOf(active, t('Original {0}', handle), 'messages', handle));
  }

  /** Opens the messages that a compression replaced. */
  async showReplaced(id: string): Promise<void> {
    const active = this.#host.active;
    const time = active && timeOf(active, id);
    if (active !== undefined && time !== undefined)
      await open(uriOf(active, t('Originals of {0}', time), 'replaced', id));
  }

  /** Opens the diff of what the model was sent before and after a compression. */
  async showDiff(id: string): Promise<void> {
    const active = this.#host.active;
    const time = active && timeOf(active, id);
    if (active === undefined || time === undefined) return;
    const [before, after] = [
      uriOf(active, t('Before {0}', time), 'before', id),
      uriOf(active, t('After {0}', time), 'after', id),
    ];
    await vscode.commands.executeCommand('vscode.diff', before, after, t('Compression {0}: before and after', time), {
      preview: true,
    });
  }

  /** Opens the change of a file that the user is asked about, beside what the file holds. */
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

  /** Closes the change of a file: the user has answered. */
  async closeChange(path: string): Promise<void> {
    const uri = proposedUri(path).toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOfIt = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri;
    await vscode.window.tabGroups.close(tabs.filter(isOfIt), true);
    this.#proposed.delete(path);
  }

  /** VS Code asks for the text when it opens such a document, also in tabs that a reload restored. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { readPart } = await import('../present/wholeTexts.ts');
    const active = this.#host.active;
    const query = new URLSearchParams(uri.query);
    if (query.get('part') === PROPOSED) return this.#proposed.get(query.get('of') ?? '') ?? '';
    const text =
      active?.id === query.get('conversation') && active !== undefined
        ? readPart(active, query.get('part') ?? '', query.get('of') ?? '')
        : undefined;
    return text ?? t('The conversation with this message is not open. Open it in Karl to see the message here.');
  }

  /** Fills the tabs of a conversation that was opened: while it was not, they said so. */
  fill({ id }: ActiveConversation): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === SCHEME && new URLSearchParams(uri.query).get('conversation') === id) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function uriOf({ id }: ActiveConversation, title: string, part: Part, of: string): vscode.Uri {
  const query = new URLSearchParams({ conversation: id, part, of }).toString();
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query });
}

/** The document of what a file would hold; `of`: '' for an empty one. */
function proposedUri(path: string, of = path): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${path}`,
    query: new URLSearchParams({ part: PROPOSED, of }).toString(),
  });
}

async function open(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true });
}

function timeOf({ conversation }: ActiveConversation, id: string): string | undefined {
  const history = conversation.history();
  const found = history.find(({ compaction }) => compaction.id === id);
  return found === undefined ? undefined : nameMoment(found.compaction, history);
}
