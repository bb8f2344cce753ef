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

/** What the user did by hand to messages of their own choice, in the place of a trigger. */
export type HandAct = 'dropped' | 'shortened' | 'restored';

/**
 * What stands in the place of a range of raw messages.
 * `shortened`: the same messages with parts cut behind handles; `line`: a handle with its label; `note`: text that
 * stands for the range; `removed`: nothing but the handle that a neighbouring note names; `whole`: the messages
 * themselves again, whatever older records put in their place.
 */
export interface Substitute {
  readonly kind: 'shortened' | 'line' | 'note' | 'removed' | 'whole';
  /** The messages of the view, in order. Empty only for `removed` and `whole`. */
  readonly messages: readonly ChatMessage[];
  /** What a model told in the note: it stays word for word when the rest of the note is made anew. */
  readonly narratives?: readonly Narrative[];
  /** How many of the last messages state what was true when the run ended; the next run renews them. */
  readonly volatile?: number;
}

/** What a model told of a range of raw messages, after its audit; or what the user wrote in its place. */
export interface Narrative {
  readonly covers: MessageRange;
  readonly text: string;
  /** The user's own words; absent of a model's. */
  readonly by?: 'user';
}

/** One replaced run of whole blocks. */
export interface Replacement {
  readonly range: MessageRange;
  readonly by: Substitute;
}

/** What the user made of one message of a call with its results: the rest of the block stays as it is. */
export type Edit =
  | { readonly id: MessageId; readonly kind: 'dropped' | 'shortened'; readonly message: ChatMessage }
  /** As it came, whatever older records put in its place. */
  | { readonly id: MessageId; readonly kind: 'whole' };

/** A replacement with the record that it belongs to. */
export interface RecordedReplacement extends Replacement {
  readonly compaction: string;
  readonly messages: readonly ChatMessage[];
  /** Its messages of which the user left nothing but a line. */
  readonly dropped?: ReadonlySet<MessageId>;
}

/**
 * A record beside the transcript: which ranges are replaced, by what, how it was made. Dropping the record is undo.
 * A later range holds an earlier one whole or does not touch it, except where the user restored a part of the earlier.
 */
export interface Compaction {
  /** Unguessable; the fence marks of its notes are made from it. */
  readonly id: string;
  /** When it was recorded, milliseconds since 1970. */
  readonly at: number;
  /** `manual`: the user chose what is replaced, and `trigger` is what they did. */
  readonly strategy: StrategyId | 'manual';
  readonly trigger: Trigger | HandAct;
  /** How many raw messages there were; it can replace none after them. */
  readonly transcriptLength: number;
  readonly replacements: readonly Replacement[];
  /** Only of a manual record. */
  readonly edits?: readonly Edit[];
  readonly receipt: Receipt;
}

/** The record of a strategy's run. */
export type RunRecord = Compaction & { readonly strategy: StrategyId; readonly trigger: Trigger };
