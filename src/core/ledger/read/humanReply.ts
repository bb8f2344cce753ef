import { correctionIn, replyTo } from '../../messages/reply.ts';
import type { ToolUse } from './toolUse.ts';

/**
 * What the human said inside a tool's result: the answer, when the tool asks; the reason, when any call was declined or
 * corrected ("The user doesn't want to proceed …, the user said: …"). For a text without its tool, only the latter.
 * Undefined when it has no words of the human; nothing else that a tool printed counts as the human's.
 */
export function humanReplyIn(source: ToolUse | string): string | undefined {
  if (typeof source === 'string') return correctionIn(source);
  return source.result === undefined ? undefined : replyTo(source.name, source.result.text);
}
