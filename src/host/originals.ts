import * as vscode from 'vscode';
import { handleOf, parseHandle } from '../core/messages/handle.ts';
import type { MessageRange } from '../core/messages/message.ts';
import type { ActiveConversation } from './activeConversation.ts';
import { writeOriginal } from './present/original.ts';

const SCHEME = 'karl-original';

/** Before the handle in the document's path: with it the title of the tab. */
const TITLE = '/Original ';

/** Raw messages as text documents, which nobody can edit: what stands behind the handles of a summary. */
export class Originals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #active: () => ActiveConversation | undefined;
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(active: () => ActiveConversation | undefined) {
    this.#active = active;
  }

  /** Opens the messages of a range; one that is not all in the conversation opens nothing. */
  async show(active: ActiveConversation, range: MessageRange): Promise<void> {
    if (range.from > range.to || active.conversation.transcript.messages[range.to] === undefined) return;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${TITLE}${handleOf(range)}`, query: active.id });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** VS Code asks for the text when it opens such a document; also for tabs of an earlier time. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    const active = this.#active();
    const range = parseHandle(uri.path.slice(TITLE.length));
    if (active === undefined || active.id !== uri.query || range === undefined)
      return 'The conversation with this message is not open. Open it in Karl, then open the message again.';
    return writeOriginal(active.conversation.transcript.messages, range);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
