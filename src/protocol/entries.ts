/** One row of the conversation. Long texts are cut, and the intent `expand` gets the whole text. */
export type EntryState = MessageEntry | CallEntry | SummaryEntry | CompressionEntry;

interface Row {
  /** Identifies the row. */
  readonly key: string;
  /** The numbers of the first and the last raw message that it shows; of compressions, the one after which it stands. */
  readonly from: number;
  readonly to: number;
}

/** How much of a message the next request has: all of it, a shortened form, a summary that covers it, or only its handle. */
export type SentState = 'whole' | 'shortened' | 'summarized' | 'dropped';

/** Something said: a prompt, what the user typed, a reply. */
export interface MessageEntry extends Row {
  readonly kind: 'message';
  /** `continued`: Karl's message to a model whose reply broke off. */
  readonly role: 'system' | 'user' | 'assistant' | 'continued';
  readonly text: string;
  /** The text is cut. */
  readonly truncated: boolean;
  readonly reasoning?: string | undefined;
  /** The attachments. */
  readonly attached?: readonly AttachedState[] | undefined;
  readonly tokens: number;
  readonly sent: SentState;
  readonly pinned: boolean;
  readonly streaming: boolean;
  /** Not a message of the conversation yet: a complete reply of another agent, or a waiting user message. */
  readonly unrecorded?: boolean;
  /** Its turn changed files that can be restored. */
  readonly restorable?: boolean;
  /** The last message: a retry happens here, and not in a fork. */
  readonly last?: boolean;
  /** The reply was cancelled or broke off. */
  readonly interrupted: boolean;
}

/** An attachment of a user message: a file, to be opened at a line, or an image. */
export type AttachedState =
  | { readonly kind: 'file'; readonly label: string; readonly path: string; readonly line: number }
  | { readonly kind: 'image'; readonly label: string };

/** What a tool does, which determines its icon. */
export type CallAction = 'read' | 'change' | 'run' | 'search' | 'recall' | 'other';

/** A call with its result, or a result without a call, whose key begins with `m`. `expand` gets arguments and result. */
export interface CallEntry extends Row {
  readonly kind: 'call';
  readonly name: string;
  readonly action: CallAction;
  /** The subject of the call in one line: path with range, command, search words. */
  readonly target: string;
  /** A file that the call names, to be opened at a line, counted from 1. */
  readonly file?: { readonly path: string; readonly line: number } | undefined;
  readonly outcome: 'running' | 'done' | 'failed' | 'none';
  /** The outcome in a few words: `exit 1`, `212 lines`. */
  readonly detail: string;
  /** The lines that an edit added and removed. */
  readonly changed?: { readonly added: number; readonly removed: number } | undefined;
  /** The last output lines of a running command. */
  readonly printed?: readonly string[] | undefined;
  readonly tokens: number;
  readonly sent: SentState;
  readonly pinned: boolean;
}

/** A text by Karl in place of messages, in what the model sees. In the full history only if such a text came as a message. */
export interface SummaryEntry extends Row {
  readonly kind: 'summary';
  /** Without its fence. */
  readonly text: string;
  readonly truncated: boolean;
  /** How many raw messages there were when it was written; handles beyond them are invalid. */
  readonly transcriptLength: number;
  readonly tokens: number;
}

/** A compression, at the place where it ran. Only in the full history. */
export interface CompressionEntry extends Row {
  readonly kind: 'compression';
  readonly run: CompressionState;
}

/** One compression as shown. */
export interface CompressionState {
  readonly id: string;
  /** ISO time. */
  readonly at: string;
  /** Why it ran; for a change by hand, what the user did. */
  readonly trigger: string;
  /** A change by hand. */
  readonly isManual?: boolean | undefined;
  readonly strategy: string;
  /** The model that wrote the summary. */
  readonly model?: string | undefined;
  /** Tokens of the whole request, as in the gauge. */
  readonly before: number;
  readonly after: number;
  /** The budget; absent in old records. */
  readonly limit?: number | undefined;
  /** What was kept and what became of the rest, in one line. */
  readonly kept: string;
  readonly receipt: readonly string[];
  /** It has a text, which `expand` with the key `s<id>` gets. */
  readonly hasSummary: boolean;
  readonly transcriptLength: number;
  readonly undone: boolean;
  /** Another one was made since it was undone, so it can no longer be redone. */
  readonly superseded?: boolean | undefined;
  /** How many later compressions are undone or redone with it. */
  readonly takesAlong: number;
  /** Why it cannot be undone or redone now. */
  readonly locked?: string | undefined;
  /** What is known of a compression that another agent made itself. */
  readonly agent?: AgentsOwnState | undefined;
}

/** A compression that another agent made itself, before its session was opened here. */
export interface AgentsOwnState {
  readonly name: string;
  /** How many of the messages that it discarded are sent whole again. */
  readonly restored: number;
  /** What its summary does not state, by kind. */
  readonly unsaid: readonly { readonly label: string; readonly facts: readonly UnsaidState[] }[];
  /** How many more of that are not listed. */
  readonly more: number;
}

/** Something that a summary does not state. */
export interface UnsaidState {
  readonly text: string;
  /** The message that states it, and whether it is sent, whole or shortened. */
  readonly at: number;
  readonly isSent: boolean;
}
