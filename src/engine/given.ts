import { type ChatMessage, type ChatTool, copyData, type Usage } from '../core/messages/chat.ts';

/**
 * A message as a client's package types it, for example `openai`. What it is made of is checked when it is given; the
 * role `function` is refused.
 */
export type GivenMessage =
  | ChatMessage
  | {
      readonly role: ChatMessage['role'] | 'function';
      readonly content?: string | readonly object[] | null | undefined;
      readonly tool_calls?: readonly object[] | null | undefined;
      readonly tool_call_id?: string | undefined;
    };

/** A tool definition as a client's package types it. One that defines no function is refused. */
export type GivenTool = ChatTool | { readonly type: string; readonly function?: { readonly name: string } | undefined };

/** Usage as a client's package types it. */
export type GivenUsage =
  | Usage
  | {
      readonly prompt_tokens?: number | undefined;
      readonly completion_tokens?: number | undefined;
      readonly prompt_tokens_details?: { readonly cached_tokens?: number | undefined } | null | undefined;
    };

/** Tools as the core has them: a copy, since whether tools have changed is told by comparing them with those given before. */
export function toTools(tools: readonly GivenTool[]): readonly ChatTool[] {
  return copyData(tools) as readonly ChatTool[];
}
