import * as vscode from 'vscode';
import { handleOf } from '../../core/chat/handle.ts';
import type { MessageRange } from '../../core/chat/message.ts';
import type { Compaction } from '../../core/compaction/compaction.ts';
import { viewsAround } from '../../core/conversation/compactedView.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { WorkRequest } from '../../core/session/permission.ts';
import { formatMoment, t } from '../../language/language.ts';
import { newId } from '../conversations/system.ts';
import { writeOriginal, writeReplaced, writeView } from '../present/wholeTexts.ts';

const SCHEME = 'karl-original';

/**
 * Read-only text documents: the messages behind the handles of a summary, what a compression changed, and what the agent
 * proposes for a file. Their texts end with their tabs and with the window.
 */
export class Originals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** The open conversation. */
  readonly #conversation: () => Conversation | undefined;
  /** By URI. */
  readonly #texts = new Map<string, string>();
  /** The document with the last change that the agent proposed for a file, by the file's path in the workspace. */
  readonly #proposed = new Map<string, vscode.Uri>();
  readonly #registration = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
  );

  constructor(conversation: () => Conversation | undefined) {
    this.#conversation = conversation;
  }

  /** Opens the messages of a range, if all of them are in the conversation. */
  async show(range: MessageRange): Promise<void> {
    const messages = this.#conversation()?.transcript.messages ?? [];
    if (messages[range.to] === undefined || range.from > range.to) return;
    await this.#open(t('Original {0}', handleOf(range)), writeOriginal(messages, range));
  }

  /** Opens the messages that a compression replaced. */
  async showReplaced(id: string): Promise<void> {
    const conversation = this.#conversation();
    const made = conversation && findMade(conversation, id);
    if (conversation === undefined || made === undefined) return;
    const text = writeReplaced(conversation.transcript.messages, made);
    await this.#open(t('Originals of {0}', formatMoment(made.at, true)), text);
  }

  /** Opens the diff of what the model was sent before and after a compression. */
  async showDiff(id: string): Promise<void> {
    const conversation = this.#conversation();
    const made = conversation && findMade(conversation, id);
    const views = conversation && viewsAround(conversation.transcript.messages, conversation.history(), id);
    if (made === undefined || views === undefined) return;
    const time = formatMoment(made.at, true);
    const before = this.#make(t('Before {0}', time), writeView(views.before));
    const after = this.#make(t('After {0}', time), writeView(views.after));
    const title = t('Compression {0}: before and after', time);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  /** Opens a proposed change of a file in the diff editor. */
  async showChange({ path, file, before, after }: Extract<WorkRequest, { kind: 'edit' }>): Promise<void> {
    if (this.#proposed.has(path)) await this.closeChange(path);
    const to = this.#make(path, after);
    this.#proposed.set(path, to);
    const from = before === undefined ? this.#make(path, '') : vscode.Uri.file(file);
    await vscode.commands.executeCommand('vscode.diff', from, to, t('{0}: the agent wants to change it', path), {
      preview: true,
      preserveFocus: true,
    });
  }

  /** Closes the proposed change of a file: the user has answered. */
  async closeChange(path: string): Promise<void> {
    const uri = this.#proposed.get(path)?.toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOfIt = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri;
    this.#proposed.delete(path);
    await vscode.window.tabGroups.close(tabs.filter(isOfIt), true);
  }

  /** The text of a document; a tab that a reload restored has none. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? t('This text is not kept when the window reloads. Open it again in Karl.')
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #open(title: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.#make(title, text), { preview: true });
  }

  /** Makes a document. `title`: that of its tab. */
  #make(title: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: newId() });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}

function findMade(conversation: Conversation, id: string): Compaction | undefined {
  return conversation.history().find(({ compaction }) => compaction.id === id)?.compaction;
}
