import * as vscode from 'vscode';
import { readAttachments } from '../../core/chat/attachments.ts';
import { runInSlices } from '../../core/steps.ts';
import { t } from '../../language/language.ts';
import type { FromWebview, PreviewIntent } from '../../protocol/fromWebview.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { CONVERSATION_PORTS } from '../conversations/system.ts';
import type { Attachments } from '../files/attachments.ts';
import type { KeptFile } from '../files/keptFile.ts';
import { insertAtCursor, openFile } from '../files/openFile.ts';
import { aroundMessage, fromMessage } from '../present/entries.ts';
import { findRows, readWhole, writeRestored } from '../present/wholeTexts.ts';
import { changePreview, openPreview } from '../preview/previewActions.ts';
import { requireTrust } from '../settings/trust.ts';
import type { Originals } from '../view/originals.ts';
import { setContext, type ViewPage } from '../view/view.ts';
import type { SessionParts } from './agentSessions.ts';
import { changeByHand } from './changes.ts';

/** What intents of a page use. */
export interface IntentParts extends SessionParts {
  readonly keptPage: KeptFile;
  readonly attachments: Attachments;
  readonly originals: Originals;
}

/** Performs an intent of a page. Resolves when it is done; failures were shown. */
export async function performIntent(intent: FromWebview, parts: IntentParts, page: ViewPage): Promise<void> {
  if (isOfPreview(intent)) return await changePreview(intent, parts);
  const perform = INTENTS[intent.type] as (intent: FromWebview, parts: IntentParts, page: ViewPage) => unknown;
  await perform(intent, parts, page);
}

/** Whether an intent is about the open preview. */
function isOfPreview(intent: FromWebview): intent is PreviewIntent {
  return intent.type.startsWith('preview-');
}

/** Changes what is shown of the open conversation. */
function reading<Asked>(change: (active: ActiveConversation, page: ViewPage, asked: Asked) => void) {
  return (asked: Asked, { karl, view }: IntentParts, page: ViewPage): void => {
    if (karl.active !== undefined) change(karl.active, page, asked);
    view.refresh();
  };
}

const INTENTS: {
  readonly [Each in Exclude<FromWebview, PreviewIntent> as Each['type']]: (
    intent: Each,
    parts: IntentParts,
    page: ViewPage,
  ) => unknown;
} = {
  ready: async (_, parts, page) => {
    const saved = await parts.keptPage.take();
    if (saved) page.post({ type: 'restore', saved });
    if (parts.attachments.editing !== undefined) edit(parts.attachments.editing, page, parts);
    // The reader of a new page is at the end.
    parts.karl.active?.shown.delete(page);
    parts.view.refresh();
  },
  focused: ({ isFocused }) => setContext('focused', isFocused),
  'keep-page': ({ saved }, { keptPage }) => keptPage.keep(saved),
  'at-end': reading((active, page) => active.shown.delete(page)),
  'read-from': reading((active, page, { id }) => active.shown.set(page, fromMessage(id))),
  reveal: reading((active, page, { id }) => {
    active.show('history');
    active.shown.set(page, aroundMessage(id));
  }),
  show: reading((active, _page, { shows }) => active.show(shows)),
  send: ({ text }, parts, page) => {
    const { active } = parts.karl;
    active?.show(active.shows);
    return parts.karl.send(text, { page });
  },
  continue: (_, { karl }) => karl.resume(),
  retry: ({ id }, { karl }) => karl.retry(id),
  'send-queued': (_, { karl }) => karl.sendQueued(),
  unqueue: ({ index, text }, { karl }) => karl.active?.agent?.changeQueued('unqueue', index, text),
  'send-between': ({ index, text }, { karl }) => karl.active?.agent?.changeQueued('sendBetween', index, text),
  cancel: (_, { karl }) => karl.cancel(),
  pause: ({ isPaused }, { karl: { active } }) => active?.agent?.pause(isPaused),
  edit: ({ id }, parts, page) => {
    const message = parts.karl.active?.conversation.transcript.messages[id];
    if (message?.role !== 'user') return;
    parts.attachments.edit(id, readAttachments(message.wire.content).attachments);
    edit(id, { post: page.tellOthers }, parts);
    edit(id, page, parts);
  },
  resend: ({ id, text }, { karl }, page) => karl.send(text, { page, inPlaceOf: id }),
  'stop-editing': (_, { attachments }, page) => {
    page.tellOthers({ type: 'edited' });
    attachments.stopEditing();
  },
  complete: async ({ text }, { attachments }, page) => {
    if (!vscode.workspace.isTrusted) return;
    page.post({ type: 'completions', text, paths: await attachments.files.complete(text) });
  },
  mention: ({ text }, { attachments }) => (vscode.workspace.isTrusted ? attachments.addNamed(text) : undefined),
  attach: ({ path }, { attachments }) => (requireTrust() ? attachments.addPath(path) : undefined),
  'attach-image': ({ url }, { attachments }) => attachments.addImage(url),
  'refuse-image': ({ bytes }, { attachments }) => attachments.refuseImage(bytes),
  detach: ({ index, label }, { attachments }) => attachments.remove(index, label),
  compress: (_, { karl }) => karl.compress(),
  preview: ({ upTo }, parts) => openPreview(parts, upTo),
  undo: ({ id }, { karl }) => karl.undo(id),
  redo: ({ id }, { karl }) => karl.redo(id),
  diff: ({ id }, { originals }) => originals.showDiff(id),
  'show-replaced': ({ id }, { originals }) => originals.showReplaced(id),
  'show-original': (range, { originals }) => originals.show(range),
  pin: ({ ids, pinned }, { karl }) => karl.setPins(ids, pinned),
  change: (intent, { karl }) => karl.active && changeByHand(karl.active, intent, (text) => karl.tell(text)),
  expand: ({ key }, parts, page) => {
    const texts = readTexts(key, parts);
    if (texts !== undefined) page.post({ type: 'expanded', key, texts });
  },
  copy: async ({ key }, parts) => {
    const texts = readTexts(key, parts);
    if (texts !== undefined) await vscode.env.clipboard.writeText(texts.join('\n\n'));
  },
  'copy-restored': async ({ id }, { karl }) => {
    if (karl.active === undefined) return;
    await vscode.env.clipboard.writeText(writeRestored(karl.active.conversation, id));
    karl.tell(t('Copied. Paste it into the agent as your next message.'));
  },
  rescue: async (_, parts) => {
    const { active } = parts.karl;
    if (active?.sessionFile !== undefined) await (await import('./agentSessions.ts')).rescueSession(parts, active);
  },
  'open-dropped': async (dropped, parts) => (await import('./agentSessions.ts')).openDropped(parts, dropped),
  'copy-text': ({ text }) => vscode.env.clipboard.writeText(text),
  insert: async ({ text }, { karl }) => karl.tell(await insertAtCursor(text)),
  find: async ({ text }, { karl: { active } }, page) => {
    const blocks = active?.conversation.transcript.blocks ?? [];
    page.post({ type: 'found', text, rows: await runInSlices(findRows(blocks, text), CONVERSATION_PORTS) });
  },
  'open-file': async ({ path, line }, { karl }) => karl.tell(await openFile(path, line)),
  answer: (given, { karl: { active } }) => active?.agent?.work.answer(given),
  'leave-out': async ({ tool }, { settings, karl }) =>
    (await import('../work/otherTools.ts')).leaveOut(tool, settings, (text) => karl.tell(text)),
  'show-change': (_, { karl: { active } }) => active?.agent?.work.showChange(),
  'restore-files': async ({ id }, parts) => (await import('../work/restoreFiles.ts')).restoreFiles(id, parts),
  'new-conversation': (_, { karl }) => karl.newConversation(),
  'open-sample': (_, { karl }) => karl.openSample(),
  'set-window': async (_, { karl, view }, page) => {
    const { active } = karl;
    await karl.setContextWindow();
    if (active === undefined || karl.active !== active) return;
    active.show('contents');
    view.refresh();
    // VS Code focuses a text editor when its input box closes.
    await page.reveal('contents');
  },
  'select-server': (_, { karl }) => karl.choose('selectServer', 'view'),
  'select-model': (_, { karl }) => karl.choose('selectModel', 'view'),
  'take-over': (_, { karl }) => karl.takeOver(),
  'open-log': (_, { log, karl }) => log.open((text) => karl.tell(text)),
  notice: ({ id, action }, { notices }) => notices.press(id, action),
};

/** Tells a page to edit a message; a page that already edits it ignores this. */
function edit(id: number, page: Pick<ViewPage, 'post'>, { karl: { active } }: Pick<IntentParts, 'karl'>): void {
  const message = active?.conversation.transcript.messages[id];
  if (message?.role === 'user') page.post({ type: 'edit', id, text: readAttachments(message.wire.content).typed });
}

function readTexts(key: string, { karl: { active } }: Pick<IntentParts, 'karl'>): readonly string[] | undefined {
  return active === undefined ? undefined : readWhole(key, active.conversation, active.shows);
}
