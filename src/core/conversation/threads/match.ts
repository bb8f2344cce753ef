import type { ChatMessage, ChatTool } from '../../messages/chat.ts';
import type { ModelProfile } from '../../profile/profile.ts';
import type { Conversation } from '../conversation.ts';
import type { ConversationState } from '../conversationState.ts';
import type { ThreadRecord } from './threadStore.ts';

/** A request as clients without a memory on the server's side send it: the whole history each time. */
export interface StatelessRequest {
  /** Chat-completions messages, the system prompt among them. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly profile: ModelProfile;
  /** The output limit that the client asks for, tokens. */
  readonly maxTokens?: number;
  /** A conversation id that the client sent. Nothing types it, so it only tips the scales. */
  readonly hint?: string;
  /** Which agent speaks, for the view. */
  readonly client?: string;
  /** Aborts when the client has gone: its next request then waits for the end of this one, and goes on with its thread. */
  readonly signal?: AbortSignal;
}

/** Which conversation is to be made. */
export interface ThreadOpening {
  /** `aside`: it lives for one request and is recorded nowhere. */
  readonly kind: 'thread' | 'aside';
  readonly id: string;
  readonly client?: string;
  readonly profile: ModelProfile;
  readonly tools: readonly ChatTool[];
  /** What it starts with. */
  readonly restore?: ConversationState;
}

/** The thread that a request continues, held for it until `release`. */
export interface ThreadMatch {
  readonly kind: 'thread';
  readonly id: string;
  readonly client?: string;
  readonly isNew: boolean;
  /** How many messages of the request were new to the transcript. */
  readonly appended: number;
  /** The thread that this one was just split off from: the client went back, edited, or compacted by itself. */
  readonly forkedFrom?: string;
  /** Brought up to date: `dress(conversation.request())` is what goes upstream, after a compaction where one is due. */
  readonly conversation: Conversation;
  /**
   * Makes a view ready to leave: puts what the client marked for its provider's cache on the messages on which it stood.
   * All else stays byte for byte. What is Karl's own is still there: no `ModelClient` sends it.
   */
  dress(messages: readonly ChatMessage[]): readonly ChatMessage[];
  /** Takes Karl's own calls with their results, none missing: at their place in the transcript, never sent to the client. */
  hide(messages: readonly ChatMessage[]): void;
  /** Notes the reply that went out; the next request's copy of it is recognised. */
  replied(reply: Reply): void;
  /** Stores what is new. Answers what could not be saved, as a sentence. */
  save(): Promise<string | undefined>;
  /** Ends the hold, however the request ended, and saves. Answers what could not be saved, as a sentence. */
  release(): Promise<string | undefined>;
}

/** A thread in use by something else than a request. */
export interface ThreadUse {
  readonly record: ThreadRecord;
  readonly conversation: Conversation;
  /** The reply that went out last, until the next request brings it: it is not in the transcript yet. */
  lastReply(): ChatMessage | undefined;
  /** Stores what was changed. Answers what could not be saved, as a sentence. */
  save(): Promise<string | undefined>;
  release(): Promise<string | undefined>;
}

/** A reply to a client. */
export interface Reply {
  /** As the client got it. */
  readonly sent: ChatMessage;
  /**
   * What the transcript has in its place, where that differs: the message with Karl's own calls too, then the results of
   * those calls. The client's results follow with its next request.
   */
  readonly recorded?: readonly ChatMessage[];
}

/**
 * A request that is not the conversation: a title, a summary, a classifier. Nothing of it is recorded; it is compacted
 * only when it would not fit, and its conversation ends with it.
 */
export interface AsideMatch {
  readonly kind: 'aside';
  readonly client?: string;
  readonly conversation: Conversation;
  dress(messages: readonly ChatMessage[]): readonly ChatMessage[];
  release(): Promise<string | undefined>;
}

/** What a request is. */
export type Match = ThreadMatch | AsideMatch;
