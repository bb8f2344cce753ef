import type { Block, ToolsBlock } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { ToolCall, ToolMessage } from '../../messages/message.ts';
import type { Change, Unit } from '../draft.ts';
import { isLookUp } from '../lookUp.ts';
import type { Rung } from '../rung.ts';

/** Shorter results are left alone: the mark would be no shorter. Characters. */
const LEAST = 300;

/**
 * Results that a later one supersedes: the same call made again (a file read again, a listing repeated) or the very
 * same output; and what a client wrote in the user's role a second time. The earlier one becomes a pointer to the later.
 */
export const dedupe: Rung = {
  id: 'dedupe',
  *plan(draft, input) {
    const later = new Map<string, number>();
    const changes: Change[] = [];
    for (let index = draft.units.length - 1; index >= 0; index -= 1) {
      const unit = draft.units[index];
      const block = unit?.blocks[0];
      if (unit === undefined || unit.state !== 'whole' || block === undefined) continue;
      yield;
      const messages = superseded(unit, block, later);
      if (messages !== undefined && (unit.role === 'work' || unit.role === 'human'))
        changes.push({ start: index, count: 1, by: { kind: 'shortened', messages } });
    }
    return yield* draft.replaceAsNeeded(changes.reverse(), input.target);
  },
};

/** The messages of a block with superseded ones replaced by pointers; undefined when none is. Notes the block in `later`. */
function superseded(unit: Unit, block: Block, later: Map<string, number>): ChatMessage[] | undefined {
  if (block.kind === 'tools') return pointAtLater(unit, block, later);
  if (block.kind !== 'user') return undefined;
  const [message] = block.messages;
  const key = `user\n${message.text}`;
  const newer = later.get(key);
  if (newer === undefined) later.set(key, message.id);
  if (newer === undefined || message.text.length < LEAST) return undefined;
  return [{ ...message.wire, content: `[${handleOf(block.range)}: the same text as t${newer}]` }];
}

function pointAtLater(unit: Unit, block: ToolsBlock, later: Map<string, number>): ChatMessage[] | undefined {
  const pointers = new Map<ChatMessage, ChatMessage>();
  for (const { call, result } of pairs(block)) {
    const keys = [...(isLookUp(call) ? [`call\n${call.name}\n${call.arguments}`] : []), `output\n${result.text}`];
    const newer = keys.map((key) => later.get(key)).find((id) => id !== undefined);
    if (newer !== undefined && result.text.length >= LEAST) {
      const handle = handleOf({ from: result.id, to: result.id });
      pointers.set(result.wire, {
        ...result.wire,
        content: `[${handle} ${call.name}: superseded by the newer result t${newer}]`,
      });
    }
    if (result.text.length >= LEAST) for (const key of keys) if (!later.has(key)) later.set(key, result.id);
  }
  if (pointers.size === 0) return undefined;
  return unit.messages.map((message) => pointers.get(message) ?? message);
}

/** The calls of a block with their results, by position. */
export function pairs(block: Extract<Block, { kind: 'tools' }>): { call: ToolCall; result: ToolMessage }[] {
  const [assistant, ...results] = block.messages;
  const open = [...assistant.calls];
  return results.flatMap((result) => {
    const index = open.findIndex((call) => call.id === result.callId);
    const call = index < 0 ? undefined : open.splice(index, 1)[0];
    return call === undefined ? [] : [{ call, result }];
  });
}
