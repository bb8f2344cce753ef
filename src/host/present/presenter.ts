import type { Budget } from '../../core/budget/budget.ts';
import type { CalibrationState } from '../../core/budget/calibration.ts';
import type { Thresholds } from '../../core/budget/thresholds.ts';
import type { Compaction, RecordedReplacement } from '../../core/compaction/compaction.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message, MessageId } from '../../core/messages/message.ts';
import type { ViewItem } from '../../core/messages/view.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { ActivityState, MessageState, NoticeState, ViewState } from '../../protocol/viewState.ts';
import { presentGauge } from './gauge.ts';
import { LONGEST_TEXT, presentMessages } from './messages.ts';
import { presentSummaries, type UndoBlock } from './summaries.ts';

/** The parts of a `Conversation` that are shown. */
export interface ShownConversation {
  readonly transcript: { readonly messages: readonly Message[] };
  items(): readonly ViewItem<RecordedReplacement>[];
  budget(): Budget;
  thresholds(): Thresholds;
  compactions(): readonly Compaction[];
  pins(): ReadonlySet<MessageId>;
  usage(): { readonly calibration: CalibrationState };
  overflowTokens(): number;
}

/** A reply that is being made. */
export interface StreamingReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Tokens of what has come so far, counted as it comes. */
  readonly tokens: number;
}

/** An open conversation with what its session does. */
export interface PresentedConversation {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  /** Where its profile comes from, and which others the conversation ran with. */
  readonly modelHint?: string;
  /** The origin of the server that it is asked on. */
  readonly server?: string;
  readonly readOnly?: string;
  readonly conversation: ShownConversation;
  readonly count: (message: ChatMessage) => number;
  readonly toolTokens: number;
  readonly mode: CompactionMode;
  readonly cached?: number;
  readonly streaming?: StreamingReply;
  readonly activity: ActivityState;
  readonly queued: readonly string[];
  /** How many of the newest messages are shown. */
  readonly shown: number;
}

/** Everything that the view shows. */
export interface Presentation {
  readonly revision: number;
  readonly open?: PresentedConversation;
  readonly notices: readonly NoticeState[];
}

/** Makes the snapshot that the webview draws. Pure. */
export function presentView({ revision, open, notices }: Presentation): ViewState {
  if (open === undefined) {
    return { revision, messages: [], earlier: 0, summaries: [], activity: { kind: 'idle' }, queued: [], notices };
  }
  const { conversation } = open;
  const items = conversation.items();
  const { messages, earlier } = presentMessages({
    items,
    messages: conversation.transcript.messages,
    compactions: conversation.compactions(),
    pins: conversation.pins(),
    count: open.count,
    shown: open.shown,
  });
  const streaming =
    open.streaming === undefined ? [] : [presentStreaming(open.streaming, conversation.transcript.messages.length)];
  return {
    revision,
    conversation: {
      id: open.id,
      title: open.title,
      model: open.model,
      ...(open.modelHint !== undefined && { modelHint: open.modelHint }),
      ...(open.server !== undefined && { server: open.server }),
      ...(open.readOnly !== undefined && { readOnly: open.readOnly }),
    },
    gauge: presentGauge({
      budget: conversation.budget(),
      thresholds: conversation.thresholds(),
      mode: open.mode,
      prompt: sumTokens(promptMessages(items), open.count),
      tools: open.toolTokens,
      notes: sumTokens(noteMessages(items), open.count),
      calibration: conversation.usage().calibration,
      overflowTokens: conversation.overflowTokens(),
      ...(open.cached !== undefined && { cached: open.cached }),
    }),
    messages: [...messages, ...streaming],
    earlier,
    summaries: presentSummaries(conversation.compactions(), undoBlock(open)),
    activity: open.activity,
    queued: open.queued,
    notices,
  };
}

function undoBlock(open: PresentedConversation): UndoBlock | undefined {
  if (open.readOnly !== undefined) return 'read-only';
  return open.activity.kind === 'idle' ? undefined : 'busy';
}

function sumTokens(messages: readonly ChatMessage[], count: (message: ChatMessage) => number): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

/** The leading system and developer messages. */
function promptMessages(items: readonly ViewItem<RecordedReplacement>[]): ChatMessage[] {
  const prompt: ChatMessage[] = [];
  for (const item of items) {
    if (item.kind !== 'whole' || item.block.kind !== 'system') break;
    prompt.push(...item.messages);
  }
  return prompt;
}

function noteMessages(items: readonly ViewItem<RecordedReplacement>[]): ChatMessage[] {
  return items
    .filter((item) => item.kind === 'replaced' && item.replacement.by.kind !== 'shortened')
    .flatMap(({ messages }) => messages);
}

/** A reply in the making is shown up to this many characters; its whole text follows when it is done. */
const LONGEST_STREAMED_TEXT = 50_000;

/** A reply in the making stands after the last message; its end is what matters, so the beginning is cut. */
function presentStreaming(reply: StreamingReply, id: number): MessageState {
  return {
    id,
    role: 'assistant',
    text: reply.text.slice(-LONGEST_STREAMED_TEXT).toWellFormed(),
    truncated: reply.text.length > LONGEST_STREAMED_TEXT,
    ...(reply.reasoning !== '' && { reasoning: reply.reasoning.slice(-LONGEST_TEXT).toWellFormed() }),
    ...(reply.calls.length > 0 && {
      calls: reply.calls.map((call) => ({ ...call, arguments: call.arguments.slice(0, LONGEST_TEXT) })),
    }),
    tokens: reply.tokens,
    state: 'whole',
    pinned: false,
    streaming: true,
    interrupted: false,
  };
}
