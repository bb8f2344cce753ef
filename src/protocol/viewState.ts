import type { ContentsState } from './contents.ts';
import type { AttachedState, EntryState } from './entries.ts';
import type { PreviewState } from './preview.ts';

/** What is shown of a conversation: every message that was said, what the model is sent, or what fills the window. */
export type Shows = 'history' | 'request' | 'contents';

/**
 * The one snapshot that the webview draws. Whole and revisioned: the webview keeps the newest and nothing else.
 * Texts are data to be shown, never markup to be trusted.
 */
export interface ViewState {
  readonly revision: number;
  /** Absent before a conversation is open. */
  readonly conversation?:
    | {
        readonly id: string;
        readonly title: string;
        readonly model: string;
        /** Where its profile comes from, and which others the conversation ran with: lines of the tooltip. */
        readonly modelHint?: string | undefined;
        /** The origin of the server that the messages go to; absent while there is none. */
        readonly server?: string | undefined;
        /** Why nothing can be written here, a sentence; shown with a "Take Over" button. */
        readonly readOnly?: string | undefined;
        /** Set when another agent leads it: why nothing can be written here, a sentence. */
        readonly otherAgent?: string | undefined;
      }
    | undefined;
  readonly gauge?: GaugeState | undefined;
  /** What is shown; `entries` are those of the history, or of the next request. */
  readonly shows: Shows;
  /** Rows, oldest first; `earlier` raw messages come before and `later` after them, and are had with `read-from`. */
  readonly entries: readonly EntryState[];
  readonly earlier: number;
  readonly later: number;
  /** What fills the window; only when it is shown. */
  readonly contents?: ContentsState | undefined;
  /** For each compression in force, oldest first: how many raw messages come before its row. */
  readonly compressions: readonly number[];
  /** Why the last turn has no answer, in a sentence, when it can be continued. */
  readonly unfinished?: string | undefined;
  /** Why Karl has no tools that read files, a sentence. */
  readonly missingTools?: string | undefined;
  readonly activity: ActivityState;
  /** The turn waits, or will wait, before its next step. */
  readonly isPaused?: boolean | undefined;
  /** What the user is asked before the agent does it. */
  readonly question?: QuestionState | undefined;
  /** The agent's to-do list, as it last wrote it; absent where there is none, or all of it is done. */
  readonly todos?: readonly TodoState[] | undefined;
  /** A compression that is shown before it is done, in place of the conversation. */
  readonly preview?: PreviewState | undefined;
  /** What goes with the next message, each with its tokens. */
  readonly attachments: readonly (AttachedState & { readonly tokens: number })[];
  /** Messages typed while the agent runs, waiting for their turn. */
  readonly queued: readonly string[];
  /** How many of them, the first ones, the user stopped: they are sent only when the user says so. */
  readonly held?: number | undefined;
  /** Messages that will be there in a moment. */
  readonly queueing?: readonly string[] | undefined;
  /** Problems and hints that stay until they are solved or dismissed. */
  readonly notices: readonly NoticeState[];
}

/** All figures in tokens. */
export interface GaugeState {
  readonly used: number;
  /** measured: reported by the server; counted: by a tokenizer; estimated: `errorPercent` says how far off. */
  readonly usedSource: 'measured' | 'counted' | 'estimated';
  readonly errorPercent?: number | undefined;
  /** Of an unknown window, the largest request that is known to fit: window and limit stand for no limit then. */
  readonly accepted?: number | undefined;
  readonly window: number;
  /** In words: "profile", "server", "learned from an error", "setting", "unknown". */
  readonly windowSource: string;
  readonly reserve: number;
  /** What prompts may use: min(input limit, window - reserve). */
  readonly limit: number;
  readonly free: number;
  /** Compaction starts at `trigger` and aims at `target`: ticks on the gauge. */
  readonly trigger: number;
  readonly target: number;
  readonly level: 'calm' | 'near' | 'due' | 'over';
  /** Used tokens by what they are; adds up to `used`. */
  readonly parts: readonly { readonly label: 'prompt' | 'tools' | 'messages' | 'notes'; readonly tokens: number }[];
  /** Tokens of the last request that were read from the provider's cache; absent when unknown. */
  readonly cached?: number | undefined;
  /**
   * What the last turn and the conversation have cost, US dollars, and what of it is due to caches that compressions
   * have ended; absent when that is not known.
   */
  readonly cost?: { readonly turn: number; readonly all: number; readonly broken: number } | undefined;
  /** By how much prompt, tools and current request alone exceed the limit; 0 when they fit. */
  readonly overflowTokens: number;
  /** One sentence: when the next compaction comes. */
  readonly next: string;
}

export type ActivityState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'model'; readonly label: string }
  | { readonly kind: 'tool'; readonly label: string }
  | { readonly kind: 'compacting'; readonly label: string }
  | { readonly kind: 'waiting'; readonly label: string }
  /** The user has the turn wait. */
  | { readonly kind: 'paused'; readonly label: string }
  /** Attempt number `attempt` of `attempts` follows in `remainingMs`, as of this snapshot: the page counts down. */
  | {
      readonly kind: 'retrying';
      readonly label: string;
      readonly remainingMs: number;
      readonly attempt: number;
      readonly attempts: number;
    };

export interface NoticeState {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Buttons; their intent is `notice` with this id. */
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  /** It can be put away without an answer: the intent is `notice` with the action `dismiss`. */
  readonly canDismiss: boolean;
}

/** A row of the full history, by key, with the number of its first message. */
export interface FoundRow {
  readonly key: string;
  readonly id: number;
}

/** What the extension host posts to the webview. */
export type ToWebview =
  /** `received`: how many messages of this page have arrived, and are in the state as far as they were not sent back. */
  | { readonly type: 'state'; readonly state: ViewState; readonly received: number }
  /** The whole of what a row shows cut: the text of a message or summary, or the arguments and the result of a call. */
  | { readonly type: 'expanded'; readonly key: string; readonly texts: readonly string[] }
  /** What the window before kept with `keep-page`. */
  | { readonly type: 'restore'; readonly saved: string }
  /** The whole text of a message that the user wants to edit, here or in another page of the view. */
  | { readonly type: 'edit'; readonly id: number; readonly text: string }
  /** The message that was being edited was sent, or its editing ended, in another page of the view. */
  | { readonly type: 'edited' }
  /** The rows of the full history that contain a text, oldest first. */
  | { readonly type: 'found'; readonly text: string; readonly rows: readonly FoundRow[] }
  /** Files of the workspace for what was typed after an `@`, best first. */
  | { readonly type: 'completions'; readonly text: string; readonly paths: readonly string[] }
  /** The user wants to find something: opens the box for it. */
  | { readonly type: 'find' }
  /** The user asked for what fills the window: the focus belongs there as soon as it is shown. */
  | { readonly type: 'contents' }
  /** The caret belongs where the user writes. */
  | { readonly type: 'focus' }
  /**
   * A message that was not sent, because the user left a dialog or no model may be asked here: it goes back into the
   * composer, of the conversation `of` where another was opened meanwhile.
   */
  | { readonly type: 'unsent'; readonly text: string; readonly of?: string | undefined };

/** What the user is asked before the agent does it. Texts are data. */
export type QuestionState = {
  readonly id: string;
  readonly tool: string;
  /** What may be allowed for good instead, in words, the narrowest first. */
  readonly always: readonly string[];
} & (
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly isNew: boolean;
      readonly added: number;
      readonly removed: number;
    }
  | { readonly kind: 'command'; readonly command: string; readonly folder: string }
  | { readonly kind: 'tool'; readonly input: string }
);

/** A command that runs now, and the last lines that it has printed. */
export interface RunningState {
  readonly command: string;
  readonly lines: readonly string[];
}

/** An item of the agent's to-do list. */
export interface TodoState {
  readonly text: string;
  readonly state: 'open' | 'active' | 'done' | 'dropped';
}
