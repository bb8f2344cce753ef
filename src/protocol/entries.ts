/**
 * One row of the conversation as shown. `key` names it for as long as it is the same row; long texts come cut, and the
 * intent `expand` brings the whole.
 */
export type EntryState = MessageEntry | CallEntry | SummaryEntry | CompressionsEntry;

/**
 * What the next request has of a message: all of it, a shortened form, a summary that tells of it, or its handle alone.
 */
export type SentState = 'whole' | 'shortened' | 'summarized' | 'dropped';

/** Something said: a prompt, what the user typed, a reply. */
export interface MessageEntry {
  readonly kind: 'message';
  readonly key: string;
  /** Number of the raw message. */
  readonly id: number;
  /** `continued`: Karl's own word to a model whose reply broke off. */
  readonly role: 'system' | 'user' | 'assistant' | 'continued';
  readonly text: string;
  /** The text is cut. */
  readonly truncated: boolean;
  readonly reasoning?: string | undefined;
  /** What the user sent along. */
  readonly attached?: readonly AttachedState[] | undefined;
  readonly tokens: number;
  readonly sent: SentState;
  readonly pinned: boolean;
  readonly streaming: boolean;
  /**
   * Not a message of the conversation yet: a complete reply becomes one with the next request of its agent, a message of
   * the user when what is asked before it is answered.
   */
  readonly unrecorded?: boolean;
  /** The turn that it began changed files, which can be restored. */
  readonly restorable?: boolean;
  /** A message of the user that nothing came after: it is asked again here, every other one in a fork. */
  readonly last?: boolean;
  /** The reply was cancelled or broke off here. */
  readonly interrupted: boolean;
}

/** Something that goes with a message of the user: a file, to be opened at a line, or an image. */
export type AttachedState =
  | { readonly kind: 'file'; readonly label: string; readonly path: string; readonly line: number }
  | { readonly kind: 'image'; readonly label: string };

/** What kind of thing a tool does: chooses the icon. */
export type CallAction = 'read' | 'change' | 'run' | 'search' | 'recall' | 'other';

/** A call with its result. Arguments and result come with `expand`. */
export interface CallEntry {
  readonly kind: 'call';
  readonly key: string;
  /**
   * Number of the message with the call, and of its result if there is one. A result without a call has only its own.
   */
  readonly call: number;
  readonly result?: number | undefined;
  readonly name: string;
  readonly action: CallAction;
  /** What the call is about, in one line: path with range, command, words looked for. */
  readonly target: string;
  /** A file that the call names, to be opened at a line, counted from 1. */
  readonly file?: { readonly path: string; readonly line: number } | undefined;
  readonly outcome: 'running' | 'done' | 'failed' | 'none';
  /** A few words of the outcome: `exit 1`, `212 lines`. */
  readonly detail: string;
  /** The lines that an edit put in and took away. */
  readonly changed?: { readonly added: number; readonly removed: number } | undefined;
  /** The last lines that a running command has printed. */
  readonly printed?: readonly string[] | undefined;
  readonly tokens: number;
  readonly sent: SentState;
  readonly pinned: boolean;
}

/**
 * Text of Karl that the model reads in place of messages. In what the model sees; in the full history only where such a
 * text came as a message.
 */
export interface SummaryEntry {
  readonly kind: 'summary';
  readonly key: string;
  /** The raw messages that it stands for. */
  readonly from: number;
  readonly to: number;
  /** Without its fence. */
  readonly text: string;
  readonly truncated: boolean;
  /** How many raw messages there were when it was written; a handle beyond them names nothing. */
  readonly transcriptLength: number;
  readonly tokens: number;
}

/** The compressions of one turn, oldest first, in the place where the newest of them ran. Only in the full history. */
export interface CompressionsEntry {
  readonly kind: 'compressions';
  readonly key: string;
  readonly runs: readonly CompressionState[];
  /** Where there are several: what those in effect kept together, and what became of the rest, in one line. */
  readonly kept?: string | undefined;
}

/** When a compression ran. */
export interface MomentState {
  /** ISO time. */
  readonly at: string;
  /** How finely it must be written where another of the conversation ran in the same minute. */
  readonly precision?: 'second' | 'millisecond' | undefined;
}

/** One compression as shown. */
export interface CompressionState extends MomentState {
  readonly id: string;
  /** Why it ran, in words; for a change by hand, what the user did. */
  readonly trigger: string;
  /** The user chose what was changed. */
  readonly isManual?: boolean | undefined;
  readonly strategy: string;
  /** The model that wrote the summary. */
  readonly model?: string | undefined;
  /** Tokens of the whole request, as the gauge shows them. */
  readonly before: number;
  readonly after: number;
  /** The budget that both figures are a part of; absent in old records. */
  readonly limit?: number | undefined;
  /** What was kept and what became of the rest, in one line. */
  readonly kept: string;
  /** Sentences of the receipt. */
  readonly receipt: readonly string[];
  /** It wrote text; `expand` with the key `s<id>` brings it. */
  readonly hasSummary: boolean;
  readonly transcriptLength: number;
  readonly undone: boolean;
  /** Another was made since it was undone: it can no longer be redone. */
  readonly superseded?: boolean | undefined;
  /** The later compressions that its undo takes along, or its redo, oldest first. */
  readonly takesAlong: readonly MomentState[];
  /** Why it cannot be undone or redone now; absent when it can. */
  readonly locked?: string | undefined;
  /** What is known of a compression that another agent made itself. */
  readonly agent?: AgentsOwnState | undefined;
}

/** A compression that another agent made itself, before its session was opened here. */
export interface AgentsOwnState {
  readonly name: string;
  /** How many of the messages that it threw away are sent whole again. */
  readonly restored: number;
  /** What its summary does not state, by kind. */
  readonly unsaid: readonly UnsaidGroup[];
  /** How many more of that are not listed. */
  readonly more: number;
}

/** What a summary does not state, of one kind. */
export interface UnsaidGroup {
  readonly label: string;
  readonly facts: readonly UnsaidState[];
}

/** Something that a summary does not state. */
export interface UnsaidState {
  readonly text: string;
  /** The message that states it, and whether it is sent, whole or shortened. */
  readonly at: number;
  readonly isSent: boolean;
}
