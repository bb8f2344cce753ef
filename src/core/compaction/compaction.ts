import type { ChatMessage } from '../messages/chat.ts';
import type { MessageRange } from '../messages/message.ts';
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

/**
 * What stands in the place of a range of raw messages.
 * `shortened`: the same messages with parts cut behind handles; `line`: a handle with its label; `note`: text that
 * stands for the range; `removed`: nothing but the handle that a neighbouring note names.
 */
export interface Substitute {
  readonly kind: 'shortened' | 'line' | 'note' | 'removed';
  /** The messages of the view, in order. Empty only for `removed`. */
  readonly messages: readonly ChatMessage[];
  /** What a model told in the note: it stays word for word when the rest of the note is made anew. */
  readonly narratives?: readonly Narrative[];
  /** How many of the last messages state what was true when the run ended; the next run renews them. */
  readonly volatile?: number;
}

/** What a model told of a range of raw messages, after its audit. */
export interface Narrative {
  readonly covers: MessageRange;
  readonly text: string;
}

/** One replaced run of whole blocks. */
export interface Replacement {
  readonly range: MessageRange;
  readonly by: Substitute;
}

/** A replacement with the record that it belongs to. */
export interface RecordedReplacement extends Replacement {
  readonly compaction: string;
  readonly messages: readonly ChatMessage[];
}

/**
 * A record beside the transcript: which ranges are replaced, by what, how it was made. Dropping the record is undo.
 * The ranges of all records form a laminar family: a later range holds an earlier one whole or does not touch it.
 */
export interface Compaction {
  /** Unguessable; the fence marks of its notes are made from it. */
  readonly id: string;
  /** When it was recorded, milliseconds since 1970. */
  readonly at: number;
  readonly strategy: StrategyId;
  readonly trigger: Trigger;
  /** How many raw messages there were; it can replace none after them. */
  readonly transcriptLength: number;
  readonly replacements: readonly Replacement[];
  readonly receipt: Receipt;
}
