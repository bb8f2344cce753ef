import type { Writer } from './human.ts';
import type { ChatMessage } from './wire.ts';

/** The position of a message in its transcript, counted from 0; the number in its handle (`t41` is message 41). */
export type MessageId = number;

/** A run of raw messages, both ends included. */
export interface MessageRange {
  readonly from: MessageId;
  readonly to: MessageId;
}

interface MessageBase {
  readonly id: MessageId;
  /** The readable text of the content, with a short mark for each image. */
  readonly text: string;
  /** The message exactly as it came, and as it is sent while whole. */
  readonly wire: ChatMessage;
}

/** A system or developer message. */
export interface SystemMessage extends MessageBase {
  readonly role: 'system';
}

/** A user-role message. */
export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly by: Writer;
}

/** A tool call; `arguments` is the model's own text, not necessarily JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A message of the model; `calls` is empty when it calls no tool. */
export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly calls: readonly ToolCall[];
}

/** The result of one tool call. */
export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly callId: string;
}

/** One entry of the transcript. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
