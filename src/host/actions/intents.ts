import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { readAttachments } from '../../core/messages/attachments.ts';
import { unreachable } from '../../core/result.ts';
import { runInSlices } from '../../core/steps.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { CONVERSATION_PORTS } from '../conversations/system.ts';
import type { Attachments, Taken } from '../files/attachments.ts';
import type { KeptPage } from '../files/keptFile.ts';
import type { LastEditor } from '../files/lastEditor.ts';
import { openFile } from '../files/openFile.ts';
import type { Notices } from '../notices/notices.ts';
import { findRows, readWhole } from '../present/wholeTexts.ts';
import type { PreviewActions } from '../preview/previewActions.ts';
import { requireTrust } from '../settings/trust.ts';
import type { Originals } from '../view/originals.ts';
import { type AskingPage, type Post, setContext } from '../view/view.ts';
import { changeByHand } from './changes.ts';
import type { UserActions } from './userActions.ts';
import type { WaitingMessages, WaitingPlace } from './waitingMessages.ts';

/** What an intent may need besides the actions. */
export interface IntentParts {
  readonly karl: UserActions;
  readonly originals: Originals;
  readonly notices: Notices;
  readonly previews: PreviewActions;
  readonly attachments: Attachments;
  readonly waiting: WaitingMessages;
  readonly kept: KeptPage;
  readonly lastEditor: LastEditor;
  readonly refresh: () => void;
  /** The page that asks. */
  readonly page: AskingPage;
  /** Posts to the other pages. */
  readonly tellOthers: Post;
}

/** Does what the view asks for. Resolves when it is done; failures were shown. */
export async function performIntent(intent: FromWebview, parts: IntentParts): Promise<void> {
  const { karl, notices, refresh, attachments } = parts;
  switch (intent.type) {
    // The reader of a page that was just made is at the end.
    case 'ready':
      await restorePage(parts);
      if (attachments.editing !== undefined) edit(attachments.editing, parts.page, karl);
      karl.active?.showEnd(parts.page);
      return refresh();
    case 'focused':
      return setContext('focused', intent.isFocused);
    case 'keep-page':
      return parts.kept.keep(intent.saved);
    case 'at-end':
      karl.active?.showEnd(parts.page);
      return refresh();
    case 'send':
      karl.active?.showConversation();
      return await send(intent.text, parts);
    case 'continue':
      return await karl.resume();
    case 'retry':
      return await karl.retry(intent.id);
    case 'edit': {
      const message = karl.active?.conversation.transcript.messages[intent.id];
      if (message?.role !== 'user') return;
      attachments.edit(intent.id, { list: readAttachments(message.wire.content).attachments, decided: new Set() });
      edit(intent.id, { post: parts.tellOthers }, karl);
      return edit(intent.id, parts.page, karl);
    }
    case 'resend':
      return await resend(intent, parts);
    case 'stop-editing':
      parts.tellOthers({ type: 'edited' });
      return attachments.stopEditing();
    case 'complete': {
      if (!vscode.workspace.isTrusted) return;
      const paths = await attachments.files.complete(intent.text);
      return parts.page.post({ type: 'completions', text: intent.text, paths });
    }
    case 'attach':
      return requireTrust() ? void (await attachments.addPath(intent.path)) : undefined;
    case 'attach-image':
      return attachments.addImage(intent.url);
    case 'refuse-image':
      return attachments.refuseImage(intent.bytes);
    case 'detach':
      return attachments.remove(intent.index, intent.label);
    case 'cancel':
      return karl.cancel();
    case 'unqueue':
      return await karl.active?.agent.unqueue(intent.index, intent.text);
    case 'compress':
      return await karl.compress();
    case 'compress-with':
      return void (await vscode.commands.executeCommand('karl.compressWith', 'view'));
    case 'compress-keeping':
      return void (await vscode.commands.executeCommand('karl.compressKeeping', 'view'));
    case 'preview':
    case 'preview-keep':
    case 'preview-more':
    case 'preview-strategy':
    case 'preview-instructions':
    case 'preview-edit':
    case 'preview-unedit':
    case 'preview-again':
    case 'preview-mend':
    case 'preview-apply':
    case 'preview-close':
      return await parts.previews.perform(intent);
    case 'undo':
      return await karl.undo(intent.id);
    case 'redo':
      return await karl.redo(intent.id);
    case 'diff':
      return await parts.originals.showDiff(intent.id);
    case 'show-replaced':
      return await parts.originals.showReplaced(intent.id);
    case 'pin':
      return await karl.setPins([intent.id], true);
    case 'unpin':
      return await karl.setPins([intent.id], false);
    case 'pin-all':
      return await karl.setPins(intent.ids, intent.pinned);
    case 'change':
      if (karl.active !== undefined) await changeByHand(karl.active, intent, (notice) => notices.show(notice));
      return;
    case 'expand': {
      const texts = readTexts(karl, intent.key);
      return texts === undefined ? undefined : parts.page.post({ type: 'expanded', key: intent.key, texts });
    }
    case 'copy': {
      const texts = readTexts(karl, intent.key);
      return texts === undefined ? undefined : await vscode.env.clipboard.writeText(texts.join('\n\n'));
    }
    case 'copy-text':
      return await vscode.env.clipboard.writeText(intent.text);
    case 'insert':
      if (await parts.lastEditor.insert(intent.text)) return notices.remove('no-editor');
      return notices.show({
        id: 'no-editor',
        severity: 'warning',
        text: t('Open a file that you can edit, and put the cursor where the code belongs.'),
        passing: true,
      });
    case 'find':
      return await find(intent.text, parts);
    case 'show':
      karl.active?.show(intent.shows);
      return refresh();
    case 'reveal':
      karl.active?.reveal(parts.page, intent.id);
      return refresh();
    case 'open-file': {
      const text = await openFile(intent.path, intent.line);
      if (text === undefined) return notices.remove('no-file');
      return notices.show({ id: 'no-file', severity: 'warning', text, passing: true });
    }
    case 'show-original':
      return await parts.originals.show(intent);
    case 'read-from':
      karl.active?.readFrom(parts.page, intent.id);
      return refresh();
    case 'new-conversation':
      return await karl.newConversation();
    case 'open-sample':
      return await karl.openSample();
    case 'send-queued':
      return await karl.sendQueued();
    case 'set-window':
      return await setWindow(parts);
    case 'select-server':
      return await karl.selectServer('view');
    case 'select-model':
      return await karl.selectModel('view');
    case 'take-over':
      return await karl.takeOver();
    case 'open-log':
      return await karl.openLog();
    case 'notice':
      return notices.press(intent.id, intent.action);
    default:
      return unreachable(intent);
  }
}

/** Asks for the context window. VS Code gives the focus to a text editor when its box closes: it goes back to the page. */
async function setWindow({ karl, refresh, page }: IntentParts): Promise<void> {
  const { active } = karl;
  await vscode.commands.executeCommand('karl.setContextWindow');
  if (active === undefined || karl.active !== active) return;
  active.show('contents');
  refresh();
  await page.reveal('contents');
}

/** Gives the first page of a window what was written in the window before. */
async function restorePage({ kept, page }: Pick<IntentParts, 'kept' | 'page'>): Promise<void> {
  const saved = await kept.take();
  if (saved !== undefined) page.post({ type: 'restore', saved });
}

/** What sending needs. */
type SendParts = Pick<IntentParts, 'attachments' | 'waiting' | 'tellOthers'> & {
  readonly karl: Pick<UserActions, 'send' | 'resend'>;
  readonly page: Pick<AskingPage, 'post'>;
};

/**
 * Sends a message, which is shown as waiting from now on; one that was not sent, whatever the reason, goes back into the
 * composer.
 */
export async function send(text: string, { karl, attachments, waiting, page }: SendParts): Promise<void> {
  const place = waiting.add(text);
  let taken: Taken | undefined;
  let isSent = false;
  try {
    taken = await attachments.take(text);
    isSent = taken !== undefined && (await karl.send(text, taken.list, place));
  } finally {
    if (!isSent) {
      giveBack(text, place, taken, { attachments, page });
      place.leave();
    }
  }
}

/** Puts a message back into the message box of the conversation that it was written in, with what was attached. */
function giveBack(
  text: string,
  { of }: WaitingPlace,
  taken: Taken | undefined,
  { attachments, page }: Pick<SendParts, 'attachments' | 'page'>,
): void {
  page.post({ type: 'unsent', text, ...(of !== undefined && { of }) });
  if (taken !== undefined) attachments.putBack({ ...taken, ...(of !== undefined && { of }) });
}

/**
 * Sends a message again; one that was not sent, whatever the reason, is edited as before. Where its fork is open by
 * then, it is to be sent there.
 */
export async function resend(
  { id, text }: Extract<FromWebview, { type: 'resend' }>,
  { karl, attachments, waiting, page, tellOthers }: SendParts,
): Promise<void> {
  const place = waiting.add(text);
  const { of } = place;
  let taken: Taken | undefined;
  let isSent = false;
  try {
    taken = await attachments.take(text);
    if (taken !== undefined) tellOthers({ type: 'edited' });
    isSent = taken !== undefined && (await karl.resend(id, text, taken.list, place));
  } finally {
    if (!isSent) {
      if (place.of !== of || !waiting.isHere(place)) giveBack(text, place, taken, { attachments, page });
      else {
        page.post({ type: 'edit', id, text });
        if (taken !== undefined) attachments.edit(id, taken);
      }
      place.leave();
    }
  }
}

/** Tells a page to edit a message; a page that edits it already ignores this. */
function edit(id: number, page: Pick<AskingPage, 'post'>, { active }: UserActions): void {
  const message = active?.conversation.transcript.messages[id];
  if (message?.role === 'user') page.post({ type: 'edit', id, text: readAttachments(message.wire.content).typed });
}

async function find(text: string, { karl, page }: IntentParts): Promise<void> {
  const messages = karl.active?.conversation.transcript.messages ?? [];
  page.post({ type: 'found', text, rows: await runInSlices(findRows(messages, text), CONVERSATION_PORTS) });
}

function readTexts({ active }: UserActions, key: string): readonly string[] | undefined {
  return active === undefined ? undefined : readWhole(key, active.conversation, active.shows);
}
