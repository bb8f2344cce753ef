import type { Compaction } from '../compaction/compaction.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId } from '../messages/message.ts';
import type { ReadTranscript } from '../messages/transcript.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { CalibrationState } from '../model/calibration.ts';
import type { UndoneCompaction } from './compactedView.ts';

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
