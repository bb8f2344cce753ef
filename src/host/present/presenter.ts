import type { ByHand } from '../../core/compaction/byHand/planByHand.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import type { TokenHistory } from '../../core/conversation/tokenHistory.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import type { ChatMessage, ChatTool } from '../../core/messages/chat.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { Transcript } from '../../core/messages/transcript.ts';
import { type Budget, type Thresholds, triggerTokens } from '../../core/model/budget.ts';
import type { CalibrationState } from '../../core/model/calibration.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { PreviewState } from '../../protocol/preview.ts';
import type { ActivityState, GaugeState, Shows, ViewState } from '../../protocol/viewState.ts';
import type { QuestionState, RunningState, TodoState } from '../../protocol/work.ts';
import type { ShownNotice } from '../notices/notices.ts';
import { placesOfCompressions, type UndoBlock } from './compressions.ts';
import { contentsOf } from './contentsOf.ts';
import { type Item, presentEntries, type Shown, sentBlocks } from './entries.ts';
import { presentGauge } from './gauge.ts';
import {
  describeQueued,
  describeUnfinished,
  messageOf,
  presentAttached,
  presentStreaming,
  presentWaiting,
  type StreamingReply,
  type WaitingMessage,
} from './unsent.ts';

/** The parts of a `Conversation` that are shown. */
export interface ShownConversation {
  readonly transcript: Pick<Transcript, 'messages' | 'blocks'>;
  items(): readonly Item[];
  budget(): Budget;
  /** Tokens of the messages of the next request, as counted. */
  viewTokens(): number;
  thresholds(): Thresholds;
  history(): readonly CompactionEntry[];
  pins(): ReadonlySet<MessageId>;
  readonly byHand: ByHand;
  usage(): { readonly calibration: CalibrationState };
  heldBack(): 'undo' | 'failure' | 'growth' | undefined;
}

/** An open conversation with what its session does. */
export interface PresentedConversation {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  /** Where its profile comes from, and which others the conversation ran with. */
  readonly modelHint?: string | undefined;
  /** The origin of the model's server. */
  readonly server?: string | undefined;
  readonly readOnly?: string | undefined;
  /** Why Karl has no tools that read files. */
  readonly missingTools?: string | undefined;
  /** Another agent leads it: why nothing can be written here. */
  readonly otherAgent?: string | undefined;
  readonly conversation: ShownConversation;
  readonly count: (message: ChatMessage) => number;
  readonly toolTokens: number;
  readonly tools?: readonly ChatTool[];
  readonly mode: CompactionMode;
  /** The user does not want a compression now. */
  readonly isDeclined?: boolean | undefined;
  readonly cached?: number | undefined;
  readonly cost?: GaugeState['cost'];
  /** What happened to the tokens of its requests, where that is recorded. */
  readonly history?: TokenHistory | undefined;
  readonly streaming?: StreamingReply | undefined;
  readonly isPaused?: boolean | undefined;
  /** What the user is asked before the agent does it. */
  readonly question?: QuestionState | undefined;
  readonly todos?: readonly TodoState[] | undefined;
  /** The command that runs now. */
  readonly command?: RunningState | undefined;
  /** Messages whose turns changed files that can be restored. */
  readonly restorable?: ReadonlySet<MessageId> | undefined;
  readonly activity: ActivityState;
  readonly queued: readonly string[];
  /** How many of them, the first ones, are sent only when the user says so. */
  readonly held?: number | undefined;
  /** Messages of the user that are in neither the conversation nor the queue yet, oldest first. */
  readonly waiting?: readonly WaitingMessage[];
  /** What goes with the next message. */
  readonly attachments?: readonly Attachment[];
  readonly shows: Shows;
  readonly shown: Shown;
  readonly preview?: PreviewState | undefined;
}

/** Everything that the view shows. */
export interface Presentation {
  readonly revision: number;
  readonly open?: PresentedConversation | undefined;
  readonly notices: readonly ShownNotice[];
}

const NO_TOOLS: readonly ChatTool[] = [];
const NO_ENTRIES = { entries: [], earlier: 0, later: 0 } as const;

/** Makes the snapshot that the webview draws. Pure. */
export function presentView({ revision, open, notices }: Presentation): ViewState {
  if (open === undefined) return presentNothing(revision, notices);
  const { conversation, shows } = open;
  const { messages } = conversation.transcript;
  const items = conversation.items();
  const blocked = undoBlock(open);
  const budget = conversation.budget();
  const room = triggerTokens(conversation.thresholds(), budget) - budget.used.tokens;
  const isIdle = open.activity.kind === 'idle';
  const { entries, earlier, later } =
    shows === 'contents'
      ? NO_ENTRIES
      : presentEntries({
          shows,
          items,
          messages,
          history: conversation.history(),
          pins: conversation.pins(),
          count: open.count,
          running: !isIdle,
          command: open.command,
          askedTool: open.question?.tool,
          restorable: isIdle && open.readOnly === undefined ? open.restorable : undefined,
          shown: open.shown,
          last: open.otherAgent === undefined ? messages.length - 1 : undefined,
          blocked,
        });
  const isEndShown = shows !== 'contents' && later === 0;
  const streaming =
    open.streaming === undefined || !isEndShown
      ? []
      : presentStreaming(open.streaming, messages.length, open.otherAgent !== undefined);
  const { waiting = [] } = open;
  const queueing = waiting.filter(({ isQueued }) => isQueued);
  // The notice of a turn that failed has a button that continues it.
  const isOffered = notices.some(({ id }) => id === 'turn');
  const mayGoOn = isIdle && !isOffered && open.readOnly === undefined && open.otherAgent === undefined;
  const unfinished = mayGoOn ? describeUnfinished(conversation.transcript) : undefined;
  return {
    revision,
    conversation: {
      id: open.id,
      title: open.title,
      model: open.model,
      modelHint: open.modelHint,
      server: open.server,
      readOnly: open.readOnly,
      otherAgent: open.otherAgent,
    },
    gauge: presentGauge({
      budget,
      thresholds: conversation.thresholds(),
      mode: open.readOnly === undefined ? open.mode : 'elsewhere',
      prompt: sumTokens(promptMessages(items), open.count),
      tools: open.toolTokens,
      notes: sumTokens(noteMessages(items), open.count),
      counted: conversation.viewTokens() + open.toolTokens,
      calibration: conversation.usage().calibration,
      heldBack: conversation.heldBack() ?? (open.isDeclined ? 'declined' : undefined),
      cached: open.cached,
      cost: open.cost,
    }),
    shows,
    entries: [...entries, ...streaming, ...(isEndShown ? presentWaiting(waiting, open) : [])],
    earlier,
    later,
    compressions: placesOfCompressions(conversation.history(), messages),
    contents:
      shows === 'contents'
        ? contentsOf(conversation, {
            ...open,
            room,
            tools: open.tools ?? NO_TOOLS,
            mayLeaveOut: open.otherAgent === undefined && open.readOnly === undefined,
          })
        : undefined,
    unfinished,
    missingTools: open.missingTools,
    activity: open.activity,
    isPaused: open.isPaused,
    question: open.question,
    todos: open.todos,
    attachments: (open.attachments ?? []).map((one) => ({
      ...presentAttached(one),
      tokens: open.count(messageOf(one)),
    })),
    queued: open.queued,
    held: open.held,
    queueing: queueing.map((one) => describeQueued(one.text, one.attachments)),
    preview: open.preview,
    // The preview has the answers to the question itself.
    notices: open.preview === undefined ? notices : notices.filter(({ id }) => id !== 'compress?'),
  };
}

/** What is shown while no conversation is open. */
function presentNothing(revision: number, notices: readonly ShownNotice[]): ViewState {
  const nothing = { shows: 'history', ...NO_ENTRIES, compressions: [], attachments: [], queued: [] } as const;
  return { revision, ...nothing, activity: { kind: 'idle' }, notices };
}

function undoBlock(open: PresentedConversation): UndoBlock | undefined {
  if (open.readOnly !== undefined) return 'read-only';
  if (open.activity.kind === 'idle') return undefined;
  return open.otherAgent !== undefined && open.activity.kind === 'model' ? 'served' : 'busy';
}

function sumTokens(messages: readonly ChatMessage[], count: (message: ChatMessage) => number): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

/** The system and developer messages, as in what fills the window. */
function promptMessages(items: readonly Item[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) if (item.kind === 'whole' && item.block.kind === 'system') messages.push(...item.messages);
  return messages;
}

/** What is sent in place of messages; of a result that was dropped alone, the line in its place. */
function noteMessages(items: readonly Item[]): ChatMessage[] {
  return items
    .filter((item) => item.kind === 'replaced')
    .flatMap((item) => {
      if (item.replacement.by.kind !== 'shortened') return [...item.messages];
      if (item.replacement.dropped === undefined) return [];
      return sentBlocks(item).flatMap(({ messages }) =>
        messages.flatMap(({ sent, wire }) => (sent === 'dropped' && wire !== undefined ? [wire] : [])),
      );
    });
}
