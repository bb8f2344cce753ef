import type { AttachedState, EntryState } from './entries.ts';
import type { ListGroup, Source } from './list.ts';
import type { PreviewState } from './preview.ts';

/** The side of a conversation that is shown: every message, or what the model is sent. */
export type Side = 'history' | 'request';

/** What can be shown: a side, or what fills the window. */
export type Shows = Side | 'contents';

/** The complete snapshot that the webview draws; it keeps only the newest one. Texts are data, never trusted markup. */
export interface ViewState {
  readonly revision: number;
  /** Absent before a conversation is open. */
  readonly conversation?:
    | {
        readonly id: string;
        readonly title: string;
        readonly model: string;
        /** The tooltip: where the profile comes from, and earlier profiles. */
        readonly modelHint?: string | undefined;
        /** The origin of the model's server; absent if there is none. */
        readonly server?: string | undefined;
        /** Why nothing can be written in this window, a sentence; shown with a "Take Over" button. */
        readonly readOnly?: string | undefined;
        /** Set if another agent leads it: why nothing can be written, a sentence. */
        readonly otherAgent?: string | undefined;
      }
    | undefined;
  readonly gauge?: GaugeState | undefined;
  readonly shows: Side;
  /** Rows of the history or the next request, oldest first; `read-from` gets the `earlier` and `later` raw messages. */
  readonly entries: readonly EntryState[];
  readonly earlier: number;
  readonly later: number;
  /** What fills the window, while it is shown in front of the rows. */
  readonly contents?: ContentsState | undefined;
  /** For each compression in effect, oldest first: how many raw messages precede its row. */
  readonly compressions: readonly number[];
  /** Why the last turn has no answer, a sentence, if it can be continued. */
  readonly unfinished?: string | undefined;
  /** Why Karl has no tools that read files, a sentence. */
  readonly missingTools?: string | undefined;
  readonly activity: ActivityState;
  /** The turn waits, or will wait, before its next step. */
  readonly isPaused?: boolean | undefined;
  /** What the user is asked before the agent does it. */
  readonly question?: QuestionState | undefined;
  /** The agent's to-do list; absent if there is none, or all of it is done. */
  readonly todos?: readonly TodoState[] | undefined;
  /** A compression that is shown before it is done, in place of the conversation. */
  readonly preview?: PreviewState | undefined;
  /** The attachments of the next message, each with its tokens. */
  readonly attachments: readonly (AttachedState & { readonly tokens: number })[];
  /** Messages typed while the agent runs, waiting for their turn. */
  readonly queued: readonly string[];
  /** How many messages at the head of the queue are sent only when the user asks for it. */
  readonly held?: number | undefined;
  /** Messages that will be queued in a moment. */
  readonly queueing?: readonly string[] | undefined;
  /** Problems and hints that stay until they are solved or dismissed. */
  readonly notices: readonly NoticeState[];
}

/** All figures in tokens. */
export interface GaugeState {
  readonly used: number;
  /** Where `used` comes from, in words: measured, counted, or estimated with an error. */
  readonly usedSource: string;
  /** Set if the window is unknown: the largest request that is known to fit. Window and limit then mean nothing. */
  readonly accepted?: number | undefined;
  readonly window: number;
  /** In words: "profile", "server", "learned from an error", "setting", "unknown". */
  readonly windowSource: string;
  readonly reserve: number;
  /** What prompts may use: min(input limit, window - reserve). */
  readonly limit: number;
  /** Compaction starts at `trigger` and aims at `target`. */
  readonly trigger: number;
  readonly target: number;
  readonly level: 'calm' | 'near' | 'due' | 'over';
  /** The parts of `used`. */
  readonly parts: readonly { readonly label: 'prompt' | 'tools' | 'messages' | 'notes'; readonly tokens: number }[];
  /** Tokens of the last request from the provider's cache; absent if unknown. */
  readonly cached?: number | undefined;
  /** The cost of the last turn and the conversation, US dollars; `broken`: due to caches that compressions invalidated. */
  readonly cost?: { readonly turn: number; readonly all: number; readonly broken: number } | undefined;
  /** By how much prompt, tools and current request alone exceed the limit; 0 if they fit. */
  readonly overflowTokens: number;
  /** One sentence: when the next compaction comes. */
  readonly next: string;
}

/** What fills the window, by source. All figures are tokens of the gauge. */
export interface ContentsState {
  /** Largest first, and so are their rows; then come messages set aside, which are not in the window, and the history, newest first. */
  readonly groups: readonly ListGroup<Source>[];
  /** The history of tokens, oldest first. */
  readonly chart: readonly ChartPoint[];
  /** The newest record, if the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string } | undefined;
  /** What a turn adds, and how many more turns fit before a compression is due. */
  readonly forecast?: string | undefined;
}

/** A request, or an event that changed the tokens of requests. */
export interface ChartPoint {
  /** Tokens of the request; before and after, for a compression, an undo or the like; none, for an error. */
  readonly tokens: readonly number[];
  /** The budget and the threshold at that time. */
  readonly limit: number;
  readonly trigger: number;
}

export type ActivityState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'model' | 'tool' | 'compacting' | 'waiting' | 'paused'; readonly label: string }
  /** `countdown`: when the next attempt begins, in words; snapshots follow every second. */
  | { readonly kind: 'retrying'; readonly label: string; readonly countdown: string };

export interface NoticeState {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Buttons; their intent is `notice` with this id. */
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  /** It can be dismissed: the intent is `notice` with the action `dismiss`. */
  readonly canDismiss: boolean;
}

/** A row of the full history, by key, with the number of its first message. */
export interface FoundRow {
  readonly key: string;
  readonly id: number;
}

/** What the extension host posts to the webview. */
export type ToWebview =
  | { readonly type: 'state'; readonly state: ViewState }
  /** The whole text of a message or summary, or the arguments and result of a call. */
  | { readonly type: 'expanded'; readonly key: string; readonly texts: readonly string[] }
  /** What the previous window kept with `keep-page`. */
  | { readonly type: 'restore'; readonly saved: string }
  /** The whole text of a message that the user wants to edit, in this or another page. */
  | { readonly type: 'edit'; readonly id: number; readonly text: string }
  /**
   * `edited`: editing has ended in another page; `find`: opens the find box; `contents`: focuses what fills the window, as
   * soon as it is shown; `focus`: focuses the message box.
   */
  | { readonly type: 'edited' | 'find' | 'contents' | 'focus' }
  /** The rows of the full history that contain a text, oldest first. */
  | { readonly type: 'found'; readonly text: string; readonly rows: readonly FoundRow[] }
  /** Files of the workspace for what was typed after an `@`, best first. */
  | { readonly type: 'completions'; readonly text: string; readonly paths: readonly string[] }
  /** A message that was not sent and goes back into the composer of the conversation `of`. */
  | { readonly type: 'unsent'; readonly text: string; readonly of?: string | undefined };

/** The agent's question to the user. Texts are data. */
export type QuestionState = {
  readonly id: string;
  readonly tool: string;
  /** What can be always allowed, in words, the narrowest first. */
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

/** A running command and its last output lines. */
export interface RunningState {
  readonly command: string;
  readonly lines: readonly string[];
}

/** An item of the agent's to-do list. */
export interface TodoState {
  readonly text: string;
  readonly state: 'open' | 'active' | 'done' | 'dropped';
}
