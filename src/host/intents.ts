import * as vscode from 'vscode';
import { unreachable } from '../core/result.ts';
import { runInSlices } from '../core/steps.ts';
import type { FromWebview, ToWebview } from '../protocol/viewState.ts';
import { changeByHand } from './changeByHand.ts';
import { CONVERSATION_PORTS } from './conversationPorts.ts';
import type { Karl } from './karl.ts';
import type { Notices } from './notices.ts';
import { openFile } from './openFile.ts';
import { findRows } from './present/findRows.ts';
import { readWhole } from './present/wholeTexts.ts';
import type { PreviewActions } from './preview/previewActions.ts';

/** What an intent may need besides the actions. */
export interface IntentParts {
  readonly karl: Karl;
  readonly notices: Notices;
  readonly previews: PreviewActions;
  readonly refresh: () => void;
  /** Posts something to the page beside the snapshots. */
  readonly post: (message: Exclude<ToWebview, { type: 'state' }>) => void;
}

/** Does what the view asks for. Resolves when it is done; failures were shown. */
export async function performIntent(intent: FromWebview, parts: IntentParts): Promise<void> {
  const { karl, notices, refresh } = parts;
  switch (intent.type) {
    case 'ready':
      return refresh();
    case 'send':
      if (karl.active?.shows === 'contents') karl.active.shows = 'history';
      if (!(await karl.send(intent.text))) parts.post({ type: 'unsent', text: intent.text });
      return;
    case 'continue':
      return await karl.resume();
    case 'retry':
      return await karl.retry(intent.id);
    case 'edit': {
      const message = karl.active?.conversation.transcript.messages[intent.id];
      return message?.role === 'user' ? parts.post({ type: 'edit', id: intent.id, text: message.text }) : undefined;
    }
    case 'resend':
      if (!(await karl.resend(intent.id, intent.text))) parts.post({ ...intent, type: 'edit' });
      return;
    case 'cancel':
      return karl.cancel();
    case 'unqueue':
      return await karl.active?.agent.unqueue(intent.index);
    case 'compress':
      return await karl.compress();
    case 'compress-with':
      return void (await vscode.commands.executeCommand('karl.compressWith'));
    case 'compress-keeping':
      return void (await vscode.commands.executeCommand('karl.compressKeeping'));
    case 'preview':
    case 'preview-keep':
    case 'preview-strategy':
    case 'preview-edit':
    case 'preview-unedit':
    case 'preview-again':
    case 'preview-apply':
    case 'preview-close':
      return await parts.previews.perform(intent);
    case 'undo':
      return await karl.undo(intent.id);
    case 'redo':
      return await karl.redo(intent.id);
    case 'diff':
      return await karl.showDiff(intent.id);
    case 'show-replaced':
      return await karl.showReplaced(intent.id);
    case 'pin':
      return await karl.setPin(intent.id, true);
    case 'unpin':
      return await karl.setPin(intent.id, false);
    case 'change':
      if (karl.active !== undefined) await changeByHand(karl.active, intent, (notice) => notices.show(notice));
      return;
    case 'expand': {
      const texts = readTexts(karl, intent.key);
      return texts === undefined ? undefined : parts.post({ type: 'expanded', key: intent.key, texts });
    }
    case 'copy': {
      const texts = readTexts(karl, intent.key);
      return texts === undefined ? undefined : await vscode.env.clipboard.writeText(texts.join('\n\n'));
    }
    case 'find':
      return await find(intent.text, parts);
    case 'show':
      if (karl.active !== undefined) karl.active.shows = intent.shows;
      return refresh();
    case 'reveal':
      karl.active?.reveal(intent.id);
      return refresh();
    case 'open-file':
      return await openFile(intent.path, intent.line);
    case 'show-original':
      return await karl.showOriginal(intent);
    case 'load-earlier':
      karl.active?.showEarlier();
      return refresh();
    case 'new-conversation':
      return await karl.newConversation();
    case 'open-sample':
      return await karl.openSample();
    case 'send-queued':
      return await karl.sendQueued();
    case 'set-window':
      return void (await vscode.commands.executeCommand('karl.setContextWindow'));
    case 'select-server':
      return await karl.selectServer();
    case 'select-model':
      return await karl.selectModel();
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

async function find(text: string, { karl, post }: IntentParts): Promise<void> {
  const messages = karl.active?.conversation.transcript.messages ?? [];
  post({ type: 'found', text, rows: await runInSlices(findRows(messages, text), CONVERSATION_PORTS) });
}

function readTexts({ active }: Karl, key: string): readonly string[] | undefined {
  return active === undefined ? undefined : readWhole(key, active.conversation, active.shows);
}
