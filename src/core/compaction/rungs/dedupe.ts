import { readOutcome } from '../../ledger/outcome.ts';
import type { Block, ToolsBlock } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageId, ToolCall, ToolMessage } from '../../messages/message.ts';
import type { Change, Unit } from '../draft.ts';
import type { Rung } from '../strategy.ts';

/** Shorter results are left alone: a pointer would be no shorter. Characters. */
const LEAST = 300;

/** What was seen in later messages: texts of the user's role; results by their call and by their text. */
interface Later {
  readonly said: Map<string, MessageId>;
  readonly results: Map<string, ToolMessage>;
}

/**
 * Replaces what a later message supersedes by a pointer to that message: results of the same lookup made again (a file
 * read again, a repeated listing), identical outputs, and what a client wrote again in the user's role.
 */
export const dedupe: Rung = {
  id: 'dedupe',
  *plan(draft, input) {
    const later: Later = { said: new Map(), results: new Map() };
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

/**
 * The messages of a block with the superseded ones replaced by pointers; undefined when there are none. Adds the block
 * to `later`.
 */
function superseded(unit: Unit, block: Block, later: Later): ChatMessage[] | undefined {
  if (block.kind === 'tools') return pointAtLater(unit, block, later);
  if (block.kind !== 'user') return undefined;
  const [message] = block.messages;
  const newer = later.said.get(message.text);
  if (newer === undefined) later.said.set(message.text, message.id);
  if (newer === undefined || message.text.length < LEAST) return undefined;
  return [{ ...message.wire, content: `[${handleOf(block.range)}: the same text as t${newer}]` }];
}

function pointAtLater(unit: Unit, block: ToolsBlock, { results }: Later): ChatMessage[] | undefined {
  const pointers = new Map<ChatMessage, ChatMessage>();
  for (const { call, result } of pairs(block)) {
    const keys = [...(isLookUp(call) ? [`call\n${call.name}\n${call.arguments}`] : []), `output\n${result.text}`];
    if (result.text.length < LEAST) continue;
    const newer = keys.map((key) => results.get(key)).find((one) => one !== undefined && overtakes(one, result));
    if (newer !== undefined) {
      const handle = handleOf({ from: result.id, to: result.id });
      pointers.set(result.wire, {
        ...result.wire,
        content: `[${handle} ${call.name}: superseded by the newer result t${newer.id}]`,
      });
    }
    for (const key of keys) if (newer === undefined || !results.has(key)) results.set(key, result);
  }
  if (pointers.size === 0) return undefined;
  return unit.messages.map((message) => pointers.get(message) ?? message);
}

/** The calls of a block with their results, by position. */
function pairs(block: ToolsBlock): { call: ToolCall; result: ToolMessage }[] {
  const [assistant, ...results] = block.messages;
  const open = [...assistant.calls];
  return results.flatMap((result) => {
    const index = open.findIndex((call) => call.id === result.callId);
    const call = index < 0 ? undefined : open.splice(index, 1)[0];
    return call === undefined ? [] : [{ call, result }];
  });
}

/** A call that names what it looks at: a path, a pattern. */
const NAMES_WHAT = /"(?:\w*path|file_?name|file|uri|pattern|glob|query|regex|directory|dir|folder)"\s*:\s*"/i;
const RUNS_SOMETHING = /"(?:command|cmd|script|code|input)"\s*:/;
const PUTS_SOMETHING_IN = /"(?:new\w*|content\w*|\w*text|patch|diff|edits|replace\w*|insert\w*)"\s*:/i;

/** True for a call that reads a file, lists or searches: made again, it shows the newer state of the same thing. */
function isLookUp({ arguments: text }: ToolCall): boolean {
  return NAMES_WHAT.test(text) && !RUNS_SOMETHING.test(text) && !PUTS_SOMETHING_IN.test(text);
}

/** The results of a unit's look-ups: lines of theirs that mention errors are content. */
export function lookUpResults({ blocks }: Unit): ReadonlySet<MessageId> {
  const found = blocks.flatMap((block) => (block.kind === 'tools' ? pairs(block) : []));
  return new Set(found.flatMap(({ call, result }) => (isLookUp(call) ? [result.id] : [])));
}

/** A later result shorter than this share of the earlier one may be a stub (`File unchanged`), not what was asked for. */
const LEAST_SHARE = 0.5;

/**
 * True when a later result of the same look-up, sent whole, makes the earlier one superfluous: it has the same text, or it
 * did not fail and is not much shorter.
 */
export function overtakes(later: ToolMessage, earlier: ToolMessage): boolean {
  if (later.text === earlier.text) return true;
  return later.text.length >= LEAST_SHARE * earlier.text.length && !hasFailed(later);
}

const failed = new WeakMap<ToolMessage, boolean>();

/** A result is read once. */
function hasFailed(result: ToolMessage): boolean {
  const known = failed.get(result) ?? readOutcome(result.text, result.wire).failed;
  failed.set(result, known);
  return known;
}
