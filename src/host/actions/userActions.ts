import * as vscode from 'vscode';
import type { StrategyId } from '../../core/compaction/compaction.ts';
import { retell, t } from '../../core/language.ts';
import { type Attachment, attach, readAttachments } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { NamedServer } from '../../core/model/folderServers.ts';
import { findSetWindow } from '../../core/model/windows.ts';
import type { Result } from '../../core/result.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { type Conversations, readSample } from '../conversations/conversations.ts';
import { type LogPort, type Output, showLog } from '../log/windowLog.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { Cure } from '../notices/describeModelError.ts';
import type { NoticeId } from '../notices/notices.ts';
import type { ConversationChoice } from '../present/conversationChoice.ts';
import { plainText } from '../present/words.ts';
import { describeReset, type LearnedWindows } from '../servers/learnedWindows.ts';
import type { Servers } from '../servers/secrets.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import type { Settings } from '../settings/settings.ts';
import { requireTrust } from '../settings/trust.ts';
import { redoCompression, undoCompression } from './changes.ts';
import { compressWithProgress } from './compress.ts';
import { askWindow, isFree, leadBack, mayLead, mayLeave, mayWrite, openCure } from './guards.ts';
import type { WaitingMessages, WaitingPlace } from './waitingMessages.ts';

/** What the actions work on. */
interface UserActionsParts {
  readonly extensionUri: vscode.Uri;
  readonly conversations: Conversations;
  readonly setup: ServerSetup;
  readonly settings: Settings;
  readonly output: Output;
  readonly log: LogPort;
  readonly windows: LearnedWindows;
  readonly servers: Servers;
  /** Applies what is in force now to the open conversation. */
  readonly applySettings: () => Promise<void>;
  readonly waiting: WaitingMessages;
  readonly announcer: Announcer;
  readonly reveal: (at?: 'find' | 'contents') => Promise<void>;
  readonly refresh: () => void;
}

/** Everything that a user can do with Karl, whether from the palette or from the view. */
export class UserActions {
  readonly #parts: UserActionsParts;

  constructor(parts: UserActionsParts) {
    this.#parts = parts;
  }

  get active(): ActiveConversation | undefined {
    return this.#parts.conversations.active;
  }

  /**
   * Sends a message, or queues it while the agent runs. Asks first for what is missing. Resolves when its turn has
   * ended; false when it was not sent, which the user was told or decided. Until it is taken it is shown as waiting, in
   * the place that it may have already.
   */
  async send(text: string, attachments: readonly Attachment[] = [], given?: WaitingPlace): Promise<boolean> {
    const { waiting, setup } = this.#parts;
    const place = given ?? waiting.add(text);
    place.attach(attachments);
    if (waiting.isHeld) void setup.focusDialog();
    return await waiting.inTurn(place, (taken) => this.#send(text, attachments, place, taken));
  }

  async #send(
    text: string,
    attachments: readonly Attachment[],
    { of }: WaitingPlace,
    taken: () => void,
  ): Promise<boolean> {
    // Another conversation may be opened during each of these: the message was not written for that one.
    const isElsewhere = () => of !== undefined && this.active !== undefined && this.active.id !== of;
    if (isElsewhere() || (this.active !== undefined && !(await this.#mayLead(this.active)))) return false;
    if (!(await this.#mayAsk()) || isElsewhere()) return false;
    const active = this.active ?? (await this.#createConversation());
    if (active === undefined || !(await this.#mayLead(active))) return false;
    await this.#parts.conversations.nameByFirstMessage(active, text);
    // The conversation was closed meanwhile.
    if (this.active !== active) return false;
    return await active.agent.send(attach(text, attachments), taken);
  }

  /** Continues a turn that has no answer, also one of an earlier window. Resolves when the turn has ended. */
  async resume(): Promise<void> {
    const active = this.active;
    if (active === undefined || !(await this.#mayAsk()) || !(await this.#mayLead(active))) return;
    await active.agent.resume();
  }

  /** Sends the messages that a stop or a failure left in the queue. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    const active = this.active;
    if (active === undefined || !(await this.#mayAsk()) || !(await this.#mayLead(active))) return;
    await active.agent.sendQueued();
  }

  /** Asks a message of the user again: in a fork, unless it is the last one of Karl's own conversation. */
  async retry(id: MessageId): Promise<void> {
    const active = this.active;
    const messages = active?.conversation.transcript.messages ?? [];
    const message = messages[id];
    if (message?.role !== 'user') return;
    const { typed, attachments } = readAttachments(message.wire.content);
    if (id === messages.length - 1 && active?.otherAgent === undefined) await this.resume();
    else await this.resend(id, typed, attachments);
  }

  /** Sends a text in place of a message of the user, in a fork; the original stays. Resolves as `send` does. */
  async resend(
    id: MessageId,
    text: string,
    attachments: readonly Attachment[] = [],
    given?: WaitingPlace,
  ): Promise<boolean> {
    const source = this.active;
    const place = given ?? this.#parts.waiting.add(text);
    place.attach(attachments);
    try {
      if (source === undefined || !(await this.#mayAsk())) return false;
      if (this.active !== source || !this.#isFree(source)) return false;
      const fork = this.#report(await this.#parts.conversations.fork(source, id));
      if (fork === undefined) return false;
      place.moveTo(fork.id);
      return await this.send(text, attachments, place);
    } finally {
      place.leave();
    }
  }

  /**
   * Compresses now. Where a turn waits for the user's word on a compression, this is the answer. `inPlaceOf`: the id of a
   * compression that is undone first, and redone when nothing comes of this one.
   */
  async compress(strategy?: StrategyId, instructions?: string, inPlaceOf?: string): Promise<void> {
    const active = this.active;
    if (active === undefined || !this.#mayWrite(active)) return;
    active.closePreview();
    if (active.agent.asks && strategy === undefined && instructions === undefined) {
      active.agent.answer(true);
      return;
    }
    if (inPlaceOf !== undefined) {
      if (!this.#isFree(active)) return;
      this.tell(undoCompression(active.conversation, inPlaceOf));
    }
    const result = await active.whileOpen((abort) =>
      compressWithProgress(active.conversation, abort, {
        isVisible: this.#parts.announcer.isVisible,
        ...(strategy !== undefined && { strategy }),
        ...(instructions !== undefined && { instructions }),
      }),
    );
    // The turn need not compress any more: the user did, in a way of their own.
    if (result.kind === 'compacted') active.agent.answer(false);
    else if (inPlaceOf !== undefined) redoCompression(active.conversation, inPlaceOf);
  }

  async undo(id?: string): Promise<void> {
    const active = this.active;
    if (active === undefined || !this.#mayWrite(active) || !this.#isFree(active)) return;
    this.tell(undoCompression(active.conversation, id));
  }

  /** Redoes a compression that was undone, and the later ones that its undo took along. */
  async redo(id?: string): Promise<void> {
    const active = this.active;
    if (active === undefined || !this.#mayWrite(active) || !this.#isFree(active)) return;
    this.tell(redoCompression(active.conversation, id));
  }

  /** Pins messages, so that no compression changes them, or takes their pins away. Does nothing when one does not exist. */
  async setPins(ids: readonly number[], pinned: boolean): Promise<void> {
    const active = this.active;
    const exists = (id: number) => active?.conversation.transcript.messages[id] !== undefined;
    if (active === undefined || !this.#mayWrite(active) || !ids.every(exists)) return;
    if (active.compressing !== undefined) return this.tell(t('Karl is compressing. Wait or press Stop.'));
    if (pinned) active.conversation.pin(...ids);
    else active.conversation.unpin(...ids);
    this.#parts.refresh();
    await active.saveAndReport();
  }

  async newConversation(): Promise<void> {
    if (!(await mayLeave(this.active))) return;
    if ((await this.#createConversation()) !== undefined) await this.#parts.reveal();
  }

  async openConversation(id: string, isOther = false): Promise<void> {
    if (id !== this.active?.id && !(await mayLeave(this.active))) return;
    if (this.#report(await this.#parts.conversations.openAny(id, isOther)) !== undefined) await this.#parts.reveal();
  }

  /** Ends the other window's writing and opens the conversation here for writing. */
  async takeOver(): Promise<void> {
    const active = this.active;
    if (active !== undefined) this.#report(await this.#parts.conversations.open(active.id, true));
  }

  async renameConversation(id: string, title: string): Promise<void> {
    this.#report(await this.#parts.conversations.rename(id, title));
  }

  async deleteConversation(id: string, isOther = false): Promise<void> {
    this.#report(await this.#parts.conversations.deleteAny(id, isOther));
  }

  async openSample(): Promise<void> {
    if (!(await mayLeave(this.active))) return;
    const sample = await readSample(this.#parts.extensionUri);
    if (this.#report(await this.#parts.conversations.createSample(sample)) !== undefined) await this.#parts.reveal();
  }

  async selectModel(from?: 'view'): Promise<void> {
    if (requireTrust()) await leadBack(() => this.#parts.setup.selectModel(), this.#parts, from);
  }

  async selectServer(from?: 'view'): Promise<void> {
    if (requireTrust()) await leadBack(() => this.#parts.setup.selectServer(), this.#parts, from);
  }

  async setApiKey(): Promise<void> {
    if (requireTrust()) await leadBack(() => this.#parts.setup.setKey(), this.#parts);
  }

  /** Opens the dialog or setting that cures a problem. True when the cure is in force, so that the failed work may be retried. */
  async mend(cure: Cure): Promise<boolean> {
    const cureAndApply = async (): Promise<boolean> => {
      const isCured = await openCure(cure, this.#parts.setup);
      if (isCured) await this.#parts.applySettings();
      return isCured;
    };
    return requireTrust() && (await leadBack(cureAndApply, this.#parts, 'view'));
  }

  async openLog(): Promise<void> {
    await showLog(this.#parts.log, this.#parts.output, (text) => this.tell(text));
  }

  showOutput(): void {
    this.#parts.output.show();
  }

  async forgetWindow(): Promise<void> {
    const active = this.active;
    if (active === undefined || !this.#mayWrite(active)) return;
    const { conversation } = active;
    const profile = conversation.profile();
    const heard = await this.#parts.windows.forget(profile);
    const known = conversation.learnedWindow() ?? heard;
    conversation.configure({ learnedWindow: undefined });
    await this.#parts.applySettings();
    await active.saveAndReport();
    this.tell(describeReset(profile, known));
  }

  /** Asks for the window of the model, which counts from now on; only a later error of the server may lower it. */
  async setContextWindow(): Promise<void> {
    const active = this.active;
    if (active === undefined || active.readOnly !== undefined) return;
    const { settings, windows, applySettings } = this.#parts;
    const { conversation } = active;
    const profile = conversation.profile();
    const find = () => findSetWindow(profile.id, settings.current.contextWindows);
    const typed = await askWindow(profile.id, conversation, find());
    if (typed === undefined) return;
    await settings.writeWindow(profile.id, typed.window);
    if (typed.window !== undefined) await windows.forget(profile);
    // The user's figure replaces what an error taught this conversation.
    const set = find();
    if (set !== undefined) conversation.configure({ learnedWindow: set });
    await applySettings();
    await active.saveAndReport();
  }

  /** Lets the conversations of a folder go to a server that the folder names, or does not. */
  async decideServer(server: NamedServer, allowed: boolean): Promise<void> {
    await this.#parts.servers.decide(server, allowed);
    await this.#parts.applySettings();
  }

  /** Takes back every decision about a server that a folder names: none is used until it is allowed again. */
  async forgetServers(): Promise<void> {
    await this.#parts.servers.forgetAll();
    await this.#parts.applySettings();
  }

  cancel(): void {
    this.active?.stopCompressing();
    void this.active?.agent.cancel();
  }

  async openView(at?: 'find'): Promise<void> {
    await this.#parts.reveal(at);
  }

  /** Shows what fills the window, in the view. */
  async showContents(): Promise<void> {
    this.active?.show('contents');
    this.#parts.refresh();
    await this.#parts.reveal('contents');
  }

  async list(): Promise<readonly ConversationChoice[]> {
    return this.#report(await this.#parts.conversations.choices()) ?? [];
  }

  /** Shows a passing notice in the view, or a notification while the view is hidden. Without a text, removes the notice. */
  tell(text?: string, id: NoticeId = 'told'): void {
    if (text === undefined) this.#parts.announcer.remove(id);
    else this.#parts.announcer.tell({ id, severity: 'info', text, passing: true });
  }

  async #createConversation(): Promise<ActiveConversation | undefined> {
    return this.#report(await this.#parts.conversations.create());
  }

  /** Whether a model may be asked here; asks the user for what is missing. */
  async #mayAsk(): Promise<boolean> {
    return requireTrust() && (await leadBack(() => this.#parts.setup.complete(), this.#parts, 'view'));
  }

  /** Whether a message may be sent in the conversation; a flush finds out whether another window has taken over. */
  async #mayLead(active: ActiveConversation): Promise<boolean> {
    await active.file.flush();
    return mayLead(active, (text) => this.tell(text)) && this.#mayWrite(active);
  }

  #isFree(active: ActiveConversation): boolean {
    return isFree(active, (text) => this.tell(text, 'busy'));
  }

  #mayWrite(active: ActiveConversation): boolean {
    return mayWrite(active, this.#parts.announcer, () => void this.takeOver());
  }

  /** Shows a failure of the disk; returns the value of a success. */
  #report<Value>(result: Result<Value, StorageProblem>): Value | undefined {
    if (result.ok) return result.value;
    this.#parts.output.say('error', `${result.error.kind}: ${result.error.message}`);
    void vscode.window.showErrorMessage(plainText(retell(result.error.message)));
    return undefined;
  }
}
