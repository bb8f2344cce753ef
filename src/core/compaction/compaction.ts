import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import type { Receipt } from './receipt.ts';

/** The strategies of the setting `karl.strategy`. */
export const STRATEGY_IDS = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;
/** The name of a strategy: a way to compact. */
export type StrategyId = (typeof STRATEGY_IDS)[number];

/** What started a run. */
export type Trigger =
  | 'threshold'
  | 'message-count'
  | 'trace-size'
  | 'command'
  | 'overflow'
  | 'smaller-model'
  | 'hard-limit';

/** What the user did by hand to messages of their own choice; recorded where a run has its trigger. */
export type HandAct = 'dropped' | 'shortened' | 'restored';

/**
 * What takes the place of a range of raw messages. `shortened`: the same messages with parts cut behind handles;
 * `line`: a handle with its label; `note`: text about the range; `removed`: nothing, the handle is named by a
 * neighbouring note; `whole`: the messages themselves again, whatever older records replaced them with.
 */
export interface Substitute {
  readonly kind: 'shortened' | 'line' | 'note' | 'removed' | 'whole';
  /** The messages of the view, in order. Empty only for `removed` and `whole`. */
  readonly messages: readonly ChatMessage[];
  /** The model's texts within the note: they stay word for word when the rest of the note is made anew. */
  readonly narratives?: readonly Narrative[];
  /** How many of the last messages are the state as of the end of the run; the next run renews them. */
  readonly volatile?: number;
}

/** What a model wrote about a range of raw messages, after its audit; or what the user wrote instead. */
export interface Narrative {
  readonly covers: MessageRange;
  readonly text: string;
  /** `user`: the user's own words. Absent when a model wrote it. */
  readonly by?: 'user';
}

/** A run of whole blocks and what replaces it. */
export interface Replacement {
  readonly range: MessageRange;
  readonly by: Substitute;
}

/** The user's change to a single message of a call with its results; the rest of the block stays as it is. */
export type Edit =
  | { readonly id: MessageId; readonly kind: 'dropped' | 'shortened'; readonly message: ChatMessage }
  /** As it originally was, whatever older records replaced it with. */
  | { readonly id: MessageId; readonly kind: 'whole' };

/** A replacement with the record that it belongs to. */
export interface RecordedReplacement extends Replacement {
  readonly compaction: string;
  readonly messages: readonly ChatMessage[];
  /** Messages of the range of which the user left only a line. */
  readonly dropped?: ReadonlySet<MessageId>;
}

/**
 * A record kept beside the transcript: which ranges are replaced, by what, and how that was made. Undo drops the
 * record. A later range contains an earlier one or does not touch it, except where the user restored part of the
 * earlier one.
 */
export interface Compaction {
  /** Unguessable; the fence marks of its notes are made from it. */
  readonly id: string;
  /** When it was recorded, milliseconds since 1970. */
  readonly at: number;
  /** `manual`: the user chose what is replaced, and `trigger` is what they did. */
  readonly strategy: StrategyId | 'manual';
  readonly trigger: Trigger | HandAct;
  /** How many raw messages there were; the record replaces none after them. */
  readonly transcriptLength: number;
  readonly replacements: readonly Replacement[];
  /** Only in a manual record. */
  readonly edits?: readonly Edit[];
  readonly receipt: Receipt;
}

/** The record of a run, as opposed to a manual one. */
export type RunRecord = Compaction & { readonly strategy: StrategyId; readonly trigger: Trigger };
