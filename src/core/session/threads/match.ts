import type { ChatMessage, ChatTool } from '../../chat/wire.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConversationState, StoredState } from '../../conversation/conversationOptions.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { Words } from '../../phrase.ts';
import type { ThreadRecord } from './threadStore.ts';

/** What is sent to a model: messages and tool definitions. */
export interface Outgoing {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
}

/** A stateless request, as chat-completions clients make it: with the whole history each time. */
export interface StatelessRequest {
  /** Chat-completions messages, including the system prompt. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly profile: ModelProfile;
  /** The output limit that the client asked for. Tokens. */
  readonly maxTokens?: number | undefined;
  /** A conversation id that the client sent: it links threads for the view, and decides nothing. */
  readonly hint?: string | undefined;
  /** The name of the agent, for the view. */
  readonly client?: string | undefined;
  /** Aborts when the client has gone. Its next request then continues the thread although this one has not ended. */
  readonly signal?: AbortSignal | undefined;
}

/** Which conversation to open. */
export interface ThreadOpening {
  /** `aside`: it exists for one request and is not recorded. */
  readonly kind: 'thread' | 'aside';
  readonly id: string;
  readonly profile: ModelProfile;
  readonly tools: readonly ChatTool[];
  readonly restore?: ConversationState | StoredState | undefined;
}

/** What a request was found to be. A thread is held for it until `release`. */
export interface Match {
  /** `aside`: a request beside a conversation, such as for a title. Nothing is recorded or kept of it. */
  readonly kind: 'thread' | 'aside';
  readonly id: string;
  readonly client: string | undefined;
  /** The client changed what it sent before, and may do so with each request: no model is asked for a summary. */
  readonly isRewritten: boolean;
  /** The conversation, brought up to date. What goes upstream is `prepare` of its `request()`. */
  readonly conversation: Conversation;
  /**
   * Prepares what is sent, with the client's own objects where messages are sent whole. If anything is not from this
   * request (law 11), the client's messages and tools are sent as they came, and this is reported. Fields that are
   * private to Karl remain: `ModelClient`s do not send them.
   */
  prepare(view: Outgoing): Outgoing;
  /** Appends Karl's own calls with all of their results. They are never sent to the client. */
  hide(messages: readonly ChatMessage[]): void;
  /** Takes note of the reply that was sent, so that its copy in the next request is recognised. */
  replied(reply: Reply): void;
  /** Stores what is new. Returns a sentence if that failed. */
  save(): Promise<Words | undefined>;
  /** Ends the hold, however the request ended, and saves. Returns a sentence if saving failed. */
  release(): Promise<Words | undefined>;
}

/** A thread in use by something other than a request. */
export interface ThreadUse {
  readonly record: ThreadRecord;
  readonly conversation: Conversation;
  /** The last reply that was sent, until the next request brings it back: it is not in the transcript yet. */
  lastReply(): ChatMessage | undefined;
  /** Stores what was changed. Returns a sentence if that failed. */
  save(): Promise<Words | undefined>;
  release(): Promise<Words | undefined>;
}

/** A reply to a client. */
export interface Reply {
  /** As the client received it. */
  readonly sent: ChatMessage;
  /** What the transcript records instead, if it differs: the message with Karl's own calls, then their results. */
  readonly recorded?: readonly ChatMessage[] | undefined;
}
