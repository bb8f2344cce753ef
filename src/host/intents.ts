import * as vscode from 'vscode';
import { unreachable } from '../core/result.ts';
import type { EntryName, FromWebview } from '../protocol/viewState.ts';
import type { Karl } from './karl.ts';
import type { Notices } from './notices.ts';
import { readWholeText } from './present/messages.ts';

/** What an intent may need besides the actions. */
export interface IntentParts {
  readonly karl: Karl;
  readonly notices: Notices;
  readonly refresh: () => void;
  readonly sendWhole: (entry: EntryName, text: string) => void;
  readonly giveBack: (text: string) => void;
}

/** Does what the view asks for. Resolves when it is done; failures were shown. */
export async function performIntent(intent: FromWebview, parts: IntentParts): Promise<void> {
  const { karl, notices, refresh } = parts;
  switch (intent.type) {
    case 'ready':
      return refresh();
    case 'send':
      if (!(await karl.send(intent.text))) parts.giveBack(intent.text);
      return;
    case 'cancel':
      return karl.cancel();
    case 'unqueue':
      return await karl.active?.agent.unqueue(intent.index);
    case 'compress':
      return await karl.compress();
    case 'compress-with':
      return void (await vscode.commands.executeCommand('karl.compressWith'));
    case 'undo':
      return await karl.undo(intent.id);
    case 'pin':
      return await karl.setPin(intent.id, true);
    case 'unpin':
      return await karl.setPin(intent.id, false);
    case 'expand': {
      const text = readText(karl, intent);
      return text === undefined ? undefined : parts.sendWhole(intent, text);
    }
    case 'copy': {
      const text = readText(karl, intent);
      return text === undefined ? undefined : await vscode.env.clipboard.writeText(text);
    }
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

function readText(karl: Karl, entry: EntryName): string | undefined {
  return karl.active === undefined ? undefined : readWholeText(karl.active.conversation.items(), entry);
}
