import { correctionIn, replyTo } from '../../messages/reply.ts';
import type { ToolUse } from './toolUse.ts';

/**
 * What the human said inside the result of a tool: the answer, when the tool asks; what was said when a call was
 * declined or corrected, for any tool ("The user doesn't want to proceed …, the user said: …"). Of a text alone, without
 * its tool, only the latter. Undefined when it has no words of the human; whatever else a tool printed is never the
 * human's.
 */
export function humanReplyIn(source: ToolUse | string): string | undefined {
  if (typeof source === 'string') return correctionIn(source);
  return source.result === undefined ? undefined : replyTo(source.name, source.result.text);
}
