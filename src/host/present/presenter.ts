import type { Attachment } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import type { ChatMessage, ChatTool } from '../../core/chat/wire.ts';
import type { TokenHistory } from '../../core/conversation/tokenHistory.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { GaugeState, RunningState, ViewState } from '../../protocol/viewState.ts';
import type { ShownNotice } from '../notices/notices.ts';
import { placesOfCompressions, type UndoBlock } from './compressions.ts';
import { contentsOf } from './contentsOf.ts';
import { presentEntries, type Shown } from './entries.ts';
import { presentGauge } from './gauge.ts';
import { presentAttached } from './rows.ts';
import { type Item, type ShownConversation, sentBlocks } from './sent.ts';
import {
  describeQueued,
  describeUnfinished,
  messageOf,
  presentStreaming,
  presentWaiting,
  type StreamingReply,
  type WaitingMessage,
} from './unsent.ts';

/** The fields of a snapshot that the presenter passes on as they are. */
type Unchanged =
  | 'shows'
  | 'missingTools'
  | 'activity'
  | 'isPaused'
  | 'question'
  | 'todos'
  | 'preview'
  | 'queued'
  | 'held';

/** An open conversation and the state of its session. */
export interface PresentedConversation extends Pick<ViewState, Unchanged>, NonNullable<ViewState['conversation']> {
  readonly conversation: ShownConversation;
  /** What fills the window is shown, too. */
  readonly showsContents?: boolean;
  readonly count: (message: ChatMessage) => number;
  readonly toolTokens: number;
  readonly tools?: readonly ChatTool[];
  readonly mode: CompactionMode;
  /** The user chose "Not Now". */
  readonly isDeclined?: boolean | undefined;
  readonly cached?: number | undefined;
  readonly cost?: GaugeState['cost'];
  /** What happened to the tokens of its requests, where that is recorded. */
  readonly history?: TokenHistory | undefined;
  readonly streaming?: StreamingReply | undefined;
  readonly command?: RunningState | undefined;
  /** Messages whose turns changed files that can be restored. */
  readonly restorable?: ReadonlySet<MessageId> | undefined;
  /** User messages that are in neither the conversation nor the queue yet, oldest first. */
  readonly waiting?: readonly WaitingMessage[];
  /** What goes with the next message. */
  readonly attachments?: readonly Attachment[];
  readonly shown: Shown;
}

/** Everything that the view shows. */
export interface Presentation {
  readonly revision: number;
  readonly open?: PresentedConversation | undefined;
  readonly notices: readonly ShownNotice[];
}

const NO_TOOLS: readonly ChatTool[] = [];

/** Makes the snapshot that the webview draws. Pure. */
export function presentView({ revision, open, notices }: Presentation): ViewState {
  if (open === undefined) return presentNothing(revision, notices);
  const { conversation, waiting = [] } = open;
  const { id, title, model, modelHint, server, readOnly, otherAgent } = open;
  const { shows, missingTools, activity, isPaused, question, todos, preview, queued, held } = open;
  const { messages } = conversation.transcript;
  const items = conversation.items();
  const budget = conversation.budget();
  const isIdle = activity.kind === 'idle';
  const { entries, earlier, later } = presentEntries({
    ...open,
    items,
    messages,
    history: conversation.history(),
    pins: conversation.pins(),
    running: !isIdle,
    askedTool: question?.tool,
    restorable: isIdle && readOnly === undefined ? open.restorable : undefined,
    last: otherAgent === undefined ? messages.length - 1 : undefined,
    blocked: undoBlock(open),
  });
  const streaming = open.streaming && presentStreaming(open.streaming, messages.length, otherAgent !== undefined);
  // The rows are hidden while something else is shown in place of the conversation.
  const isHidden = open.showsContents === true || preview !== undefined;
  const queueing = waiting.filter(({ isQueued }) => isQueued || isHidden);
  const unsent = waiting.filter((one) => !queueing.includes(one));
  const newest = [...(streaming ?? []), ...presentWaiting(unsent, messages.length, open.count)];
  // The notice of a failed turn has a button that continues it.
  const isOffered = notices.some((notice) => notice.id === 'turn');
  const mayGoOn = isIdle && !isOffered && readOnly === undefined && otherAgent === undefined;
  return {
    revision,
    conversation: { id, title, model, modelHint, server, readOnly, otherAgent },
    gauge: presentGauge({
      ...open,
      budget,
      thresholds: conversation.settings.thresholds,
      mode: readOnly === undefined ? open.mode : 'elsewhere',
      prompt: sumTokens(promptMessages(items), open.count),
      tools: open.toolTokens,
      notes: sumTokens(noteMessages(items), open.count),
      counted: conversation.viewTokens() + open.toolTokens,
      calibration: conversation.usage().calibration,
      heldBack: conversation.heldBack() ?? (open.isDeclined ? 'declined' : undefined),
    }),
    shows,
    entries: later === 0 ? [...entries, ...newest] : entries,
    earlier,
    later,
    compressions: placesOfCompressions(conversation.history()),
    contents: open.showsContents
      ? contentsOf(conversation, {
          ...open,
          tools: open.tools ?? NO_TOOLS,
          mayLeaveOut: otherAgent === undefined && readOnly === undefined,
        })
      : undefined,
    unfinished: mayGoOn ? describeUnfinished(conversation.transcript) : undefined,
    missingTools,
    activity,
    isPaused,
    question,
    todos,
    attachments: (open.attachments ?? []).map((one) => ({
      ...presentAttached(one),
      tokens: open.count(messageOf(one)),
    })),
    queued,
    held,
    queueing: queueing.map((one) => describeQueued(one.text, one.attachments)),
    preview,
    // The preview has the buttons of the question itself.
    notices: preview === undefined ? notices : notices.filter((notice) => notice.id !== 'compress?'),
  };
}

/** What is shown while no conversation is open. */
function presentNothing(revision: number, notices: readonly ShownNotice[]): ViewState {
  const rows = { shows: 'history', entries: [], earlier: 0, later: 0, compressions: [] } as const;
  return { revision, ...rows, attachments: [], queued: [], activity: { kind: 'idle' }, notices };
}

function undoBlock({ readOnly, activity, otherAgent }: PresentedConversation): UndoBlock | undefined {
  if (readOnly !== undefined) return 'read-only';
  if (activity.kind === 'idle') return undefined;
  return otherAgent !== undefined && activity.kind === 'model' ? 'served' : 'busy';
}

function sumTokens(messages: readonly ChatMessage[], count: (message: ChatMessage) => number): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

/** The system and developer messages. */
function promptMessages(items: readonly Item[]): ChatMessage[] {
  return items.flatMap((item) => (item.kind === 'whole' && item.block.kind === 'system' ? item.messages : []));
}

/** The messages that are sent in place of others, including the lines in place of dropped results. */
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
