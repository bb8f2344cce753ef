import { findHolding } from '../chat/blocks.ts';
import { parseHandle } from '../chat/handle.ts';
import type { Message, MessageId } from '../chat/message.ts';
import { parseMessage } from '../chat/parse.ts';
import type { ViewItem } from '../chat/view.ts';
import type { ChatMessage, Usage } from '../chat/wire.ts';
import { BY_HAND, type ByHand } from '../compaction/byHand.ts';
import type { Compaction, CompactionResult, RecordedReplacement, Trigger } from '../compaction/compaction.ts';
import type { RecallAnswer, Recalled } from '../compaction/recall/excerpts.ts';
import type { RecallRequest } from '../compaction/recall/recall.ts';
import type { Triggers } from '../compaction/triggers.ts';
import type { KarlEvent } from '../events/event.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { ModelProfile } from '../model/profile.ts';
import { profileKey } from '../model/providers.ts';
import { shapeForProfile } from '../model/shape.ts';
import { eachInSteps, runAtOnce, runInSlices, type Steps } from '../steps.ts';
import type { TokenCount } from '../tokens/counter.ts';
import type { CompactionEntry } from './compactedView.ts';
import {
  type CompactRequest,
  type ConversationChange,
  type ConversationOptions,
  type ConversationState,
  compareSettings,
  type StoredState,
  withChange,
} from './conversationOptions.ts';
import { ConversationParts } from './conversationParts.ts';
import type { PreviewOutcome, PreviewRequest } from './makeRun.ts';
import { RequestMeter } from './requestMeter.ts';
import { Runs } from './runs.ts';
import type { UsageMeter } from './usageMeter.ts';

/**
 * A conversation under a budget: the transcript, its compactions, and the view that the model is sent. Methods that may
 * take long return promises; all others answer at once.
 */
export class Conversation extends ConversationParts {
  readonly #runs = new Runs(this);

  /** @throws InvalidMessageError when a restored message is not a valid message. */
  constructor({ restore, ...options }: ConversationOptions) {
    super(options);
    if (restore !== undefined) runAtOnce(this.#restore(restore));
  }

  /**
   * Opens a conversation of any length in slices; its view is derived and counted when this resolves.
   * @throws InvalidMessageError when a restored message is not a valid message.
   */
  static async open({ restore, ...options }: ConversationOptions): Promise<Conversation> {
    const conversation = new Conversation(options);
    if (restore !== undefined) await runInSlices(conversation.#restore(restore), options.ports);
    await conversation.ready();
    return conversation;
  }

  *#restore(state: ConversationState | StoredState): Steps<void> {
    const { view, meter, transcript } = this;
    if ('transcript' in state) transcript.beginWith(state.transcript);
    else
      yield* eachInSteps(state.messages, (message) => transcript.append(parseMessage(message, transcript.nextId)), 1);
    view.restore(state.compactions, state.pins, state.undone);
    if (state.calibration !== undefined) meter.usage.calibration = state.calibration;
    // Reopening a conversation must not repeat a run that the user undid.
    if (view.undone.some(({ compaction, superseded }) => !superseded && compaction.strategy !== 'manual'))
      this.triggers.pause();
    if (state.learnedWindow !== undefined) this.settings = { ...this.settings, learnedWindow: state.learnedWindow };
  }

  /** Appends messages; all or none. @throws InvalidMessageError naming the index (in `messages`) and the field. */
  append(messages: readonly unknown[]): readonly Message[] {
    const checked = this.check(messages);
    this.add(checked);
    return checked;
  }

  /** Checks messages that may be added next. @throws InvalidMessageError naming the index (in `messages`) and the field. */
  check(messages: readonly unknown[]): readonly Message[] {
    return Array.from(messages, (message, index) => parseMessage(message, this.transcript.nextId + index, index));
  }

  /** Adds messages that were checked since the last ones were added. */
  add(checked: readonly Message[]): void {
    const from = this.transcript.nextId;
    for (const message of checked) this.transcript.append(message);
    if (checked.length > 0) this.events.emit({ type: 'messages-appended', from, to: from + checked.length - 1 });
  }

  /** The view: whole blocks and what replaces ranges of them. */
  items(): readonly ViewItem<RecordedReplacement>[] {
    return this.view.items();
  }

  /** The messages of the next request, shaped for the profile. */
  request(): readonly ChatMessage[] {
    this.meter.usage.noteRequest(this.meter.counted(this.items(), this.settings.tools).tokens);
    return shapeForProfile(this.viewMessages(), this.settings.profile);
  }

  /** Tokens of the messages of the view, before shaping and without the tool definitions. */
  viewTokens(): number {
    return this.sum().tokens;
  }

  /** Tokens of one message as it is sent, with its overhead. */
  tokensOf(message: ChatMessage): TokenCount {
    return this.meter.message(message);
  }

  /** Tokens of the tool definitions. */
  toolTokens(): TokenCount {
    return this.meter.tools(this.settings.tools);
  }

  /** What the server's reports taught about the counter. */
  usage(): Readonly<Pick<UsageMeter, 'calibration'>> {
    return this.meter.usage;
  }

  profile(): ModelProfile {
    return this.settings.profile;
  }

  learnedWindow(): LearnedWindow | undefined {
    return this.settings.learnedWindow;
  }

  /** The trigger that may start an automatic run now; none while calls wait for results, when nothing can be sent. */
  due(): Trigger | undefined {
    const last = this.transcript.blocks.at(-1);
    if (last?.kind === 'tools' && last.open) return undefined;
    return this.triggers.find(this.triggerInput());
  }

  heldBack(): ReturnType<Triggers['heldBack']> {
    return this.triggers.heldBack(this.triggerInput());
  }

  /** Compacts. Never rejects for an expected reason: the result says what happened. */
  compact(request: CompactRequest): Promise<CompactionResult> {
    return this.#runs.start(request);
  }

  /** Plans a run and shows its effect without recording it. `compact` with the preview applies it. */
  preview(request: PreviewRequest): Promise<PreviewOutcome> {
    return this.#runs.preview(request);
  }

  /** Near the threshold, lets the model write the coming summary in the background. Returns at once. */
  prepare(signal: AbortSignal): void {
    this.#runs.prepare(signal);
  }

  /** All records, oldest first. */
  compactions(): readonly Compaction[] {
    return this.view.compactions;
  }

  /** All records, including those that can be redone, oldest first. */
  history(): readonly CompactionEntry[] {
    return this.view.history;
  }

  /** Undoes the newest or the named compaction; `undoneWith`: the older one whose undo takes it along. False: none. */
  undo(id?: string, undoneWith?: string): boolean {
    return this.#switch('compaction-undone', id, undoneWith);
  }

  /** Redoes the oldest or the named undone compaction. False: there is none, as after every new run. */
  redo(id?: string): boolean {
    return this.#switch('compaction-redone', id);
  }

  #switch(type: 'compaction-undone' | 'compaction-redone', id?: string, undoneWith?: string): boolean {
    const isUndo = type === 'compaction-undone';
    const tokensBefore = this.budget().used.tokens;
    const compaction = isUndo ? this.view.drop(id, undoneWith) : this.view.redo(id);
    if (compaction === undefined) return false;
    if (compaction.strategy === 'manual') this.triggers.noteChange('given');
    else if (isUndo) this.triggers.pause();
    else this.triggers.noteChange('chosen');
    this.meter.usage.forgetRequest();
    const tokensAfter = this.budget().used.tokens;
    this.events.emit({ type, compaction, tokensBefore, tokensAfter }, { type: 'budget-changed' });
    return true;
  }

  /** Drops, shortens or restores messages of the user's choice; an error says why nothing was changed. */
  readonly changeByHand: Runs['byHand'] = (act, ids) => this.#runs.byHand(act, ids);
  /** What such a change would send instead of a message, or why it is not allowed. */
  readonly byHand: ByHand = BY_HAND;

  pins(): ReadonlySet<MessageId> {
    return this.view.pins;
  }

  /** Keeps messages whole in every later run. One that was replaced is restored. @throws RangeError when there is no such message. */
  pin(...ids: readonly MessageId[]): void {
    this.view.pin(...ids);
    this.meter.usage.forgetRequest();
    this.events.emit({ type: 'budget-changed' });
  }

  unpin(...ids: readonly MessageId[]): void {
    this.view.unpin(...ids);
    this.triggers.noteChange('given');
    this.events.emit({ type: 'budget-changed' });
  }

  /** Opens handles, or searches the raw messages for words; then what is not whole in the view comes first. */
  async recall(request: RecallRequest): Promise<RecallAnswer> {
    const answer = await runInSlices(this.recaller.answer(request), this.options.ports);
    if (answer.kind === 'opened') return answer;
    const items = this.items();
    const isSeen = ({ handle }: Recalled): boolean =>
      items[findHolding(items, parseHandle(handle)?.from ?? -1)]?.kind === 'whole';
    return { ...answer, found: [...answer.found.filter((one) => !isSeen(one)), ...answer.found.filter(isSeen)] };
  }

  /** Changes profile, tools, thresholds, strategy or the learned window. Setting an equal value changes nothing. */
  configure(change: ConversationChange): void {
    const before = this.settings;
    const { profile = before.profile } = change;
    if (profileKey(profile) !== profileKey(before.profile))
      this.meter = new RequestMeter(this.options.counter, profile.images);
    this.settings = withChange(before, change);
    if (change.learnedWindow !== undefined)
      this.events.emit({
        type: 'window-learned',
        model: this.settings.profile.id,
        window: change.learnedWindow,
      });
    this.triggers.noteChange(compareSettings(before, this.settings));
    this.events.emit({ type: 'budget-changed' });
  }

  /**
   * Takes the usage that the server reported for the last request. True when it newly shows that the server cuts prompts
   * silently; then the window is learned.
   */
  reportUsage(usage: Usage): boolean {
    const { message, window } = this.meter.usage.report(usage);
    const { learnedWindow: known } = this.settings;
    const isNew = window !== undefined && (known === undefined || (known.source === 'server' && known.tokens > window));
    if (isNew) this.configure({ learnedWindow: { tokens: window, source: 'error' } });
    if (message !== undefined) this.events.emit({ type: 'warning', message });
    this.events.emit({ type: 'budget-changed' });
    return isNew;
  }

  /** Adds a listener; returns a function that removes it. A listener that throws does not stop the others. */
  on(listener: (event: KarlEvent) => void): () => void {
    return this.events.add(listener);
  }

  /** The whole state of the conversation, JSON-safe. */
  snapshot(): ConversationState {
    const { compactions, pins, undone } = this.view;
    const { calibration } = this.meter.usage;
    const { learnedWindow } = this.settings;
    return {
      version: 1,
      messages: this.transcript.messages.map((message) => message.wire),
      compactions,
      pins: [...pins],
      ...(undone.length > 0 && { undone }),
      ...(learnedWindow !== undefined && { learnedWindow }),
      ...(calibration.reports > 0 && { calibration }),
    };
  }
}
