import * as vscode from 'vscode';
import { type Attachment, attach, readAttachments } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import type { CompactionResult, StrategyId } from '../../core/compaction/compaction.ts';
import type { CompactRequest } from '../../core/conversation/conversationOptions.ts';
import { findSetWindow } from '../../core/model/windows.ts';
import type { Result } from '../../core/result.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import { inEnglish, t, translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { ActiveConversation, Opened } from '../conversations/activeConversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { askTokens, withCancel } from '../dialogs.ts';
import type { Attachments } from '../files/attachments.ts';
import type { Cure } from '../notices/describeModelError.ts';
import type { NoticeId } from '../notices/notices.ts';
import { busyHint } from '../present/compressions.ts';
import type { WaitingMessage } from '../present/unsent.ts';
import { plainText } from '../present/words.ts';
import type { NamedServer } from '../servers/folderServers.ts';
import type { Decisions } from '../servers/secrets.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import { describeReset } from '../servers/windows.ts';
import { openSetting } from '../settings/settings.ts';
import { requireTrust } from '../settings/trust.ts';
import { redoCompression, undoCompression } from './changes.ts';
import type { Sending, WaitingMessages } from './waitingMessages.ts';

interface ActionParts extends Basics {
  readonly extensionUri: vscode.Uri;
  readonly servers: Decisions;
  readonly conversations: Conversations;
  readonly attachments: Attachments;
  readonly waiting: WaitingMessages;
  readonly setup: ServerSetup;
  /** Reads the settings again and applies them to the open conversation. */
  readonly applySettings: () => Promise<void>;
}

/** Everything that a user can do with Karl, from the palette or the view. */
export class UserActions {
  readonly #parts: ActionParts;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  get active(): ActiveConversation | undefined {
    return this.#parts.conversations.active;
  }

  /**
   * Sends a message, or queues it while the agent works. Asks first for missing server, key or model. Resolves when its
   * turn has ended; false if it was not sent, because the user cancelled or was told why not. Until the agent has the
   * message, it is shown as waiting. A message that is not sent goes back to where the user wrote it: the edited message
   * or the message box. In a fork it goes to the message box of the fork.
   */
  async send(text: string, { page, attached = [], inPlaceOf }: Sending = {}): Promise<boolean> {
    const { waiting, attachments } = this.#parts;
    const message = waiting.add(text);
    const { of } = message;
    /** What goes back to the page with a message that is not sent. */
    let taken: readonly Attachment[] | undefined;
    let isSent = false;
    try {
      const list = page === undefined ? attached : await attachments.take();
      if (list === undefined) return false;
      if (page !== undefined) taken = list;
      waiting.attach(message, list);
      if (inPlaceOf !== undefined) page?.tellOthers({ type: 'edited' });
      if (inPlaceOf !== undefined && !(await this.#fork(inPlaceOf, message))) return false;
      // The message before waits for a dialog, which gets the focus back. VS Code 1.139 can do so only for lists.
      if (waiting.isHeld) void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
      isSent = await waiting.inTurn(message, (onTaken) => this.#send(text, list, message, onTaken));
      return isSent;
    } finally {
      const now = message.of;
      if (!isSent && inPlaceOf !== undefined && now === of && now === this.active?.id) {
        page?.post({ type: 'edit', id: inPlaceOf, text });
        if (taken !== undefined) attachments.edit(inPlaceOf, taken);
      } else if (!isSent) {
        page?.post({ type: 'unsent', text, of: now });
        if (taken !== undefined) attachments.putBack(taken, now);
      }
      waiting.remove(message);
    }
  }

  /** Opens everything before a message as a new conversation, and moves the waiting message to it. */
  async #fork(end: MessageId, message: WaitingMessage): Promise<boolean> {
    const source = this.active;
    if (source === undefined || !(await this.#mayAsk())) return false;
    if (this.active !== source || !this.#isFree(source)) return false;
    const fork = this.report(await this.#parts.conversations.fork(source, end));
    if (fork !== undefined) this.#parts.waiting.moveTo(message, fork.id);
    return fork !== undefined;
  }

  async #send(text: string, list: readonly Attachment[], { of }: WaitingMessage, taken: () => void): Promise<boolean> {
    // Another conversation may be opened meanwhile: the message was not written for that one.
    const isElsewhere = () => of !== undefined && this.active !== undefined && this.active.id !== of;
    if (isElsewhere() || (this.active !== undefined && !(await this.#mayLead(this.active)))) return false;
    if (!(await this.#mayAsk()) || isElsewhere()) return false;
    const active = this.active ?? this.report(await this.#parts.conversations.create());
    if (active === undefined || !(await this.#mayLead(active))) return false;
    await this.#parts.conversations.nameByFirstMessage(active, text);
    // The conversation was closed meanwhile.
    if (this.active !== active) return false;
    return (await active.agent?.send(attach(text, list), taken)) ?? false;
  }

  /** Continues a turn that has no answer, also one of an earlier window. Resolves when the turn has ended. */
  async resume(): Promise<void> {
    await (await this.#led())?.agent?.resume();
  }

  /** Sends the messages that a stop or a failure left in the queue. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    await (await this.#led())?.agent?.sendQueued();
  }

  /** The open conversation, if a model may be asked in it. */
  async #led(): Promise<ActiveConversation | undefined> {
    const active = this.active;
    return active !== undefined && (await this.#mayAsk()) && (await this.#mayLead(active)) ? active : undefined;
  }

  /** Asks a user message again: in a fork, unless it is the last message of one of Karl's own conversations. */
  async retry(id: MessageId): Promise<void> {
    const active = this.active;
    const messages = active?.conversation.transcript.messages ?? [];
    const message = messages[id];
    if (message?.role !== 'user') return;
    const { typed, attachments } = readAttachments(message.wire.content);
    if (id === messages.length - 1 && active?.other === undefined) await this.resume();
    else await this.send(typed, { attached: attachments, inPlaceOf: id });
  }

  /**
   * Compresses now. If a turn is asking whether to compress, this answers it. `inPlaceOf`: the id of a compression that is
   * undone first, and redone if this one fails.
   */
  async compress(strategy?: StrategyId, instructions?: string, inPlaceOf?: string): Promise<void> {
    const active = this.#writable();
    if (active === undefined) return;
    active.closePreview();
    const question = active.agent?.question;
    if (question?.isOpen && strategy === undefined && instructions === undefined) return question.answer(true);
    if (inPlaceOf !== undefined) {
      if (!this.#isFree(active)) return;
      this.tell(undoCompression(active.conversation, inPlaceOf));
    }
    const result = await this.run(active, { strategy, instructions });
    // The waiting turn no longer needs to compress: the user just did.
    if (result.kind === 'compacted') question?.answer(false);
    else if (inPlaceOf !== undefined) redoCompression(active.conversation, inPlaceOf);
  }

  /** Runs a compression by command, with its progress in the view or in a notification that can stop it. */
  async run(
    { conversation, whileOpen }: ActiveConversation,
    request: Omit<CompactRequest, 'trigger' | 'signal'>,
    abort = new AbortController(),
  ): Promise<CompactionResult> {
    const compress = () =>
      whileOpen(abort, conversation.compact({ ...request, trigger: 'command', signal: abort.signal }));
    if (this.#parts.view.isVisible) return await compress();
    const { strategy } = request;
    const title = strategy === undefined ? t('Karl: compressing') : t('Karl: compressing ({0})', strategy);
    return await withCancel(title, abort, compress);
  }

  async undo(id?: string): Promise<void> {
    const active = this.#writable();
    if (active !== undefined && this.#isFree(active)) this.tell(undoCompression(active.conversation, id));
  }

  /** Redoes an undone compression, and the later ones that were undone with it. */
  async redo(id?: string): Promise<void> {
    const active = this.#writable();
    if (active !== undefined && this.#isFree(active)) this.tell(redoCompression(active.conversation, id));
  }

  /** Pins or unpins messages: no compression changes pinned ones. Does nothing if one of them does not exist. */
  async setPins(ids: readonly number[], pinned: boolean): Promise<void> {
    const active = this.#writable();
    const exists = (id: number) => active?.conversation.transcript.messages[id] !== undefined;
    if (active === undefined || !ids.every(exists)) return;
    if (active.compressing !== undefined) return this.tell(t('Karl is compressing. Wait or press Stop.'));
    if (pinned) active.conversation.pin(...ids);
    else active.conversation.unpin(...ids);
    this.#parts.view.refresh();
    await active.saveAndReport();
  }

  async newConversation(): Promise<void> {
    await this.#open((conversations) => conversations.create());
  }

  async openConversation(id: string): Promise<void> {
    await this.#open((conversations) => conversations.open(id), id);
  }

  /** Opens the conversation here for writing; the other window can no longer write it. */
  async takeOver(): Promise<void> {
    const active = this.active;
    if (active !== undefined) this.report(await this.#parts.conversations.open(active.id, true));
  }

  async openSample(): Promise<void> {
    await this.#open((conversations) => conversations.createSample(this.#parts.extensionUri));
  }

  /** Opens a conversation, new or with this id, and shows it, unless the user wants to stay with the running turn. */
  async #open(open: (conversations: Conversations) => Promise<Opened>, id?: string): Promise<void> {
    const { conversations, view } = this.#parts;
    if (!(await conversations.mayLeave(id))) return;
    if (this.report(await open(conversations)) !== undefined) await view.reveal();
  }

  /** Asks for server, model or key. */
  async choose(what: 'selectModel' | 'selectServer' | 'setKey', from?: 'view'): Promise<void> {
    if (requireTrust()) await this.#leadBack(this.#parts.setup[what], from);
  }

  /** Opens the dialog or setting that cures a problem. True if the user completed it, so that the work can be retried. */
  async mend(cure: Cure): Promise<boolean> {
    const { setup, applySettings } = this.#parts;
    const dialogs = { 'set-key': setup.setKey, 'select-server': setup.selectServer, 'select-model': setup.selectModel };
    const open = async (): Promise<boolean> => {
      if (cure.kind === 'compress-with') await vscode.commands.executeCommand('karl.compressWith', 'view');
      else if (cure.kind === 'open-setting') await openSetting(`karl.${cure.setting}`);
      else if (await dialogs[cure.kind]()) {
        await applySettings();
        return true;
      }
      return false;
    };
    return requireTrust() && (await this.#leadBack(open, 'view'));
  }

  async forgetWindow(): Promise<void> {
    const active = this.#writable();
    if (active === undefined) return;
    const { conversation } = active;
    const profile = conversation.profile();
    const heard = await this.#parts.windows.forget(profile);
    const known = conversation.learnedWindow() ?? heard;
    conversation.configure({ learnedWindow: undefined });
    await this.#parts.applySettings();
    await active.saveAndReport();
    this.tell(describeReset(profile, known));
  }

  /** Asks for the window of the model and uses it from now on; only a later error of the server may lower it. */
  async setContextWindow(): Promise<void> {
    const active = this.active;
    if (active === undefined || active.readOnly !== undefined) return;
    const { settings, windows } = this.#parts;
    const { conversation } = active;
    const profile = conversation.profile();
    const find = () => findSetWindow(profile.id, settings.current.contextWindows);
    const { window, windowSource } = conversation.budget();
    const typed = await askTokens({
      title: plainText(t('Karl: Context window of {0}', profile.id)),
      prompt: t('In tokens, input and output together. Leave empty to use what Karl detects.'),
      value: String(find()?.tokens ?? ''),
      placeHolder: windowSource === 'unknown' ? '' : String(window),
    });
    if (typed === undefined) return;
    await settings.writeWindow(profile.id, typed.window);
    if (typed.window !== undefined) await windows.forget(profile);
    // The user's figure replaces one learned from an error.
    const set = find();
    if (set !== undefined) conversation.configure({ learnedWindow: set });
    await this.#parts.applySettings();
    await active.saveAndReport();
  }

  /** Records whether the conversations of a folder may go to a server that the folder names. */
  async decideServer(server: NamedServer, allowed: boolean): Promise<void> {
    await this.#parts.servers.decide(server, allowed);
    await this.#parts.applySettings();
  }

  /** Forgets every decision about servers that folders name: none is used until the user allows it again. */
  async forgetServers(): Promise<void> {
    await this.#parts.servers.forgetAll();
    await this.#parts.applySettings();
  }

  cancel(): void {
    this.active?.stopCompressing();
    void this.active?.agent?.cancel();
  }

  /** Shows what fills the window. */
  async showContents(): Promise<void> {
    this.active?.show('contents');
    this.#parts.view.refresh();
    await this.#parts.view.reveal('contents');
  }

  /** Shows a passing notice, or a notification while the view is hidden. Without a text, removes the notice. */
  tell(text?: string, id: NoticeId = 'told'): void {
    if (text === undefined) this.#parts.notices.remove(id);
    else this.#parts.notices.tell({ id, severity: 'info', text, passing: true });
  }

  /** Whether a model may be asked here; asks the user for what is missing. */
  async #mayAsk(): Promise<boolean> {
    return requireTrust() && (await this.#leadBack(() => this.#parts.setup.complete(), 'view'));
  }

  /** Whether messages may be sent in the conversation. The flush detects that another window has taken over. */
  async #mayLead(active: ActiveConversation): Promise<boolean> {
    await active.file.flush();
    if (active.other !== undefined) this.tell(active.other.sentence);
    return active.other === undefined && this.#mayWrite(active);
  }

  /** Whether nothing is running in a conversation; otherwise tells the user. */
  #isFree({ isBusy, other }: ActiveConversation): boolean {
    if (isBusy) this.tell(busyHint(other?.isServed() === true), 'busy');
    return !isBusy;
  }

  /** The open conversation, if this window may change it. */
  #writable(): ActiveConversation | undefined {
    return this.active !== undefined && this.#mayWrite(this.active) ? this.active : undefined;
  }

  /**
   * Whether this window may change a conversation. Otherwise offers to take it over, unless the message box of the visible
   * view makes the same offer.
   */
  #mayWrite({ readOnly }: ActiveConversation): boolean {
    if (readOnly === undefined) return true;
    const { notices } = this.#parts;
    const text = t('{0} Take it over to change it here.', readOnly);
    const actions = [{ label: t('Take Over'), run: () => void this.takeOver() }];
    if (!notices.isVisible) void notices.notify({ severity: 'warning', text, actions });
    return false;
  }

  /**
   * Runs work that may open dialogs, then returns the focus to the visible view; VS Code would give it to a text editor.
   * After a cancelled dialog it does so only if the work began in the view.
   */
  async #leadBack(run: () => Promise<boolean>, from?: 'view'): Promise<boolean> {
    const { setup, view } = this.#parts;
    const before = setup.opened;
    const isDone = await run();
    if ((isDone || from === 'view') && setup.opened > before && view.isVisible) await view.reveal();
    return isDone;
  }

  /** Shows a failure of the disk; returns the value of a success. */
  report<Value>(result: Result<Value, StorageProblem>): Value | undefined {
    if (result.ok) return result.value;
    this.#parts.log.output.error(`${result.error.kind}: ${inEnglish(result.error.message)}`);
    void vscode.window.showErrorMessage(plainText(translate(result.error.message)));
    return undefined;
  }
}
