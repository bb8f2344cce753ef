/**
 * The one snapshot that the webview draws. Whole and revisioned: the webview keeps the newest and nothing else.
 * Texts are data to be shown, never markup to be trusted.
 */
export interface ViewState {
  readonly revision: number;
  /** Absent before a conversation is open. */
  readonly conversation?: {
    readonly id: string;
    readonly title: string;
    readonly model: string;
    /** Where its profile comes from, and which others the conversation ran with: lines of the tooltip. */
    readonly modelHint?: string;
    /** The origin of the server that the messages go to; absent while there is none. */
    readonly server?: string;
    /** Set when another window holds the conversation: shown with a "Take over" button. */
    readonly readOnly?: string;
  };
  readonly gauge?: GaugeState;
  /** The newest messages, oldest first; `earlier` more stand before them and come with the intent `load-earlier`. */
  readonly messages: readonly MessageState[];
  readonly earlier: number;
  /** Newest first. */
  readonly summaries: readonly SummaryState[];
  readonly activity: ActivityState;
  /** Messages typed while the agent runs, waiting for their turn. */
  readonly queued: readonly string[];
  /** Problems and hints that stay until they are solved or dismissed. */
  readonly notices: readonly NoticeState[];
}

/** All figures in tokens. */
export interface GaugeState {
  readonly used: number;
  /** measured: reported by the server; counted: by a tokenizer; estimated: `errorPercent` says how far off. */
  readonly usedSource: 'measured' | 'counted' | 'estimated';
  readonly errorPercent?: number;
  readonly window: number;
  /** In words: "profile", "server", "learned from an error", "setting", "unknown, assuming 8k". */
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
  /** Of the last request, read from the provider's cache; absent when unknown. */
  readonly cached?: number;
  /** Prompt, tools and current request alone are over the limit by this; 0 when they fit. */
  readonly overflowTokens: number;
  /** One sentence: when the next compaction comes. */
  readonly next: string;
}

/** One entry of the conversation as shown. */
export interface MessageState {
  /**
   * Message id; a note that stands for a range has the id of its first message, one that stands behind shortened
   * messages the id of the last of them. Role and id together name one entry.
   */
  readonly id: number;
  /** `note`: text of Karl that stands for earlier messages, without its fence. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'note';
  /** Cut after some thousand characters; `truncated` says so, the intent `expand` brings the whole. */
  readonly text: string;
  readonly truncated: boolean;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** For tool results: the name of the tool that was called. */
  readonly toolName?: string;
  /** For notes: how many raw messages there were when it was written; a handle beyond them names nothing. */
  readonly transcriptLength?: number;
  readonly tokens: number;
  readonly state: 'whole' | 'shortened' | 'replaced';
  readonly pinned: boolean;
  readonly streaming: boolean;
  /** The turn was cancelled or broke off here. */
  readonly interrupted: boolean;
}

/** What names one entry of the conversation. */
export type EntryName = Pick<MessageState, 'role' | 'id'>;

/** One compaction as shown. */
export interface SummaryState {
  readonly id: string;
  /** ISO time. */
  readonly at: string;
  readonly trigger: string;
  readonly strategy: string;
  readonly rungs: readonly string[];
  /** Tokens of the whole request, as the gauge shows them. */
  readonly before: number;
  readonly after: number;
  /** The budget that both are a part of; absent in old records. */
  readonly limit?: number;
  readonly ms: number;
  /** The model whose words stand in the request. */
  readonly model?: string;
  /** Requests to a model, whatever came of them. */
  readonly modelCalls: number;
  /** Its notes, without their fences. */
  readonly text: string;
  /** How many raw messages there were when it was made; a handle beyond them names nothing. */
  readonly transcriptLength: number;
  /** Sentences of the receipt: kept, shortened, repaired, rejected, promise. */
  readonly receipt: readonly string[];
  readonly canUndo: boolean;
  /** Why not, in one sentence, when `canUndo` is false. */
  readonly undoHint?: string;
}

export type ActivityState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'model'; readonly label: string }
  | { readonly kind: 'tool'; readonly label: string }
  | { readonly kind: 'compacting'; readonly label: string }
  | { readonly kind: 'waiting'; readonly label: string }
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
  /** It can be put aside without an answer: the intent is `notice` with the action `dismiss`. */
  readonly canDismiss: boolean;
}

/** What the extension host posts to the webview. */
export type ToWebview =
  | { readonly type: 'state'; readonly state: ViewState }
  | { readonly type: 'expanded'; readonly role: MessageState['role']; readonly id: number; readonly text: string }
  /** The caret belongs where the user writes. */
  | { readonly type: 'focus' }
  /** A message that was not sent, because the user left a dialog or no model may be asked here: back into the composer. */
  | { readonly type: 'unsent'; readonly text: string };

/** What the webview asks for. Short intents; the answer is the next state. */
export type FromWebview =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'unqueue'; readonly index: number }
  | { readonly type: 'compress' }
  | { readonly type: 'compress-with' }
  | { readonly type: 'undo'; readonly id: string }
  | { readonly type: 'pin'; readonly id: number }
  | { readonly type: 'unpin'; readonly id: number }
  | { readonly type: 'expand'; readonly role: MessageState['role']; readonly id: number }
  | { readonly type: 'load-earlier' }
  | { readonly type: 'copy'; readonly role: MessageState['role']; readonly id: number }
  /** The raw messages of a handle, both ends included, in an editor. */
  | { readonly type: 'show-original'; readonly from: number; readonly to: number }
  | { readonly type: 'new-conversation' }
  | { readonly type: 'open-sample' }
  | { readonly type: 'send-queued' }
  | { readonly type: 'select-server' }
  | { readonly type: 'select-model' }
  | { readonly type: 'take-over' }
  | { readonly type: 'open-log' }
  | { readonly type: 'notice'; readonly id: string; readonly action: string };
