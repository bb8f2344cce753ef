import type { Block, ToolsBlock } from '../chat/blocks.ts';
import { handleOf } from '../chat/handle.ts';
import type { Message, ToolCall, ToolMessage } from '../chat/message.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { overtakes } from '../ledger/outcome.ts';
import type { Steps } from '../steps.ts';
import { type Change, type Draft, isFrozen } from './draft.ts';

/** Shorter texts are left alone: a pointer would be no shorter. Characters. */
const LEAST = 300;

/** A message that a later one with one of the same keys may supersede. */
interface Repeatable {
  readonly message: Message;
  readonly keys: readonly string[];
  /** The text that takes its place, after its handle. */
  readonly point: (newer: Message) => string;
}

/**
 * Replaces what a later message supersedes by a pointer to that message: results of the same lookup made again (a file
 * read again, a repeated listing), identical outputs, and what a client wrote again in the user's role.
 */
export function* dedupe(draft: Draft): Steps<Draft> {
  const newest = new Map<string, Message>();
  const changes: Change[] = [];
  for (let start = draft.units.length - 1; start >= 0; start -= 1) {
    const unit = draft.units[start];
    const block = unit?.blocks[0];
    if (unit === undefined || unit.state !== 'whole' || block === undefined) continue;
    yield;
    const pointers = new Map<ChatMessage, ChatMessage>();
    for (const { message, keys, point } of repeatables(block)) {
      if (message.text.length < LEAST) continue;
      const newer = keys.map((key) => newest.get(key)).find((one) => one !== undefined && supersedes(one, message));
      if (newer === undefined) for (const key of keys) newest.set(key, message);
      else {
        const content = `[${handleOf({ from: message.id, to: message.id })}${point(newer)}]`;
        pointers.set(message.wire, { ...message.wire, content });
        for (const key of keys) if (!newest.has(key)) newest.set(key, message);
      }
    }
    if (pointers.size === 0 || isFrozen(unit)) continue;
    const messages = unit.messages.map((message) => pointers.get(message) ?? message);
    changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
  }
  return yield* draft.replace(changes.reverse());
}

function supersedes(newer: Message, older: Message): boolean {
  return newer.text === older.text || (newer.role === 'tool' && older.role === 'tool' && overtakes(newer, older));
}

function repeatables(block: Block): Repeatable[] {
  if (block.kind === 'user') {
    const [message] = block.messages;
    return [{ message, keys: [`said\n${message.text}`], point: ({ id }) => `: the same text as t${id}` }];
  }
  if (block.kind !== 'tools') return [];
  return callsWithResults(block).map(({ call, result }) => ({
    message: result,
    keys: [...(isLookUp(call) ? [`call\n${call.name}\n${call.arguments}`] : []), `output\n${result.text}`],
    point: ({ id }) => ` ${call.name}: superseded by the newer result t${id}`,
  }));
}

/** The calls of a block with their results, by position. */
function callsWithResults(block: ToolsBlock): { call: ToolCall; result: ToolMessage }[] {
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

/** The results of look-ups, in which the word "error" is content and not a failure. */
export function lookUpResults(blocks: readonly Block[]): ReadonlySet<Message> {
  const found = blocks.flatMap((block) => (block.kind === 'tools' ? callsWithResults(block) : []));
  return new Set(found.flatMap(({ call, result }) => (isLookUp(call) ? [result] : [])));
}
