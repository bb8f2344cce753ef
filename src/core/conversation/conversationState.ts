import type { Compaction } from '../compaction/compaction.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId } from '../messages/message.ts';
import { parseMessage } from '../messages/parse.ts';
import type { ReadTranscript, Transcript } from '../messages/transcript.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { CalibrationState } from '../model/calibration.ts';
import { eachInSteps, type Steps } from '../steps.ts';
import type { CompactedView, UndoneCompaction } from './compactedView.ts';
import type { UsageMeter } from './usageMeter.ts';

/** The whole state of a conversation, JSON-safe: `restore` recreates the conversation from it. */
export interface ConversationState {
  readonly version: 1;
  readonly messages: readonly ChatMessage[];
  readonly compactions: readonly Compaction[];
  readonly pins: readonly MessageId[];
  /** Records that were undone; absent when there are none. */
  readonly undone?: readonly UndoneCompaction[] | undefined;
  readonly learnedWindow?: LearnedWindow | undefined;
  readonly calibration?: CalibrationState | undefined;
}

/** A state that was stored: its messages have been parsed already, as they were read. */
export interface StoredState extends Omit<ConversationState, 'messages'> {
  readonly transcript: ReadTranscript;
}

/**
 * Restores a state into an empty transcript and its view, in steps. @throws InvalidMessageError when a message is not a
 * valid one.
 */
export function* restoreState(
  state: ConversationState | StoredState,
  transcript: Transcript,
  view: CompactedView,
  usage: UsageMeter,
): Steps<void> {
  if ('transcript' in state) transcript.beginWith(state.transcript);
  else yield* eachInSteps(state.messages, (message) => transcript.append(parseMessage(message, transcript.nextId)), 1);
  view.restore(state.compactions, state.pins, state.undone);
  if (state.calibration !== undefined) usage.restore(state.calibration);
}

/** The state of a conversation now. Optional fields are absent when there is nothing to store. */
export function captureState(
  transcript: Transcript,
  { compactions, pins, undone }: CompactedView,
  learnedWindow: LearnedWindow | undefined,
  calibration: CalibrationState,
): ConversationState {
  return {
    version: 1,
    messages: transcript.messages.map((message) => message.wire),
    compactions,
    pins: [...pins],
    ...(undone.length > 0 && { undone }),
    ...(learnedWindow !== undefined && { learnedWindow }),
    ...(calibration.reports > 0 && { calibration }),
  };
}
