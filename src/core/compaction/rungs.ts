import { overtakes } from '../ledger/outcome.ts';
import { type Block, blockMessages, findHolding, type ToolsBlock } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { handleOf } from '../messages/handle.ts';
import type { Message, MessageId, ToolCall, ToolMessage } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';
import { filterInSteps, type Steps } from '../steps.ts';
import { isHuman } from './audit/judge.ts';
import {
  type Change,
  type Draft,
  evenCap,
  findRuns,
  isAskedFor,
  isFrozen,
  sumTokens,
  tailStart,
  type Unit,
} from './draft.ts';
import { dropNarratives, MOST_NARRATIVES, narrativeTokens, noteRuns, runsToNote } from './notes/notePlan.ts';
import { rulesIn } from './notes/noteText.ts';
import {
  CHARACTERS_A_TOKEN,
  type Kept,
  MASKED,
  maskMessage,
  sentForms,
  shortenCalls,
  shortenMessage,
  shortenWritten,
} from './shorten.ts';
import type { PlanInput } from './strategy.ts';

/**
 * Cuts old tool results, pasted content and large tool-call arguments down to their head, error lines and tail; the
 * rest goes behind the handle.
 */
export function* mask(draft: Draft, input: PlanInput): Steps<Draft> {
  const end = tailStart(draft, input.target);
  // What the human answered to a tool is not output, however long the tool's text around it is.
  const isOutput = (unit: Unit): boolean => unit.role === 'work' && !unit.blocks.some(isHuman);
  const changes = yield* shortenings(
    draft,
    (unit, index) => index < end && isOutput(unit),
    (unit) => maskUnit(unit, MASKED),
  );
  // What the user asked to keep is cut last.
  const asked = yield* filterInSteps(changes, ({ start }) => isAskedFor(draft, draft.units[start]));
  const ordered = asked.length === 0 ? changes : [...changes.filter((change) => !asked.includes(change)), ...asked];
  return yield* draft.replaceAsNeeded(ordered, input.target);
}

/** What a message keeps that may take about this many tokens. */
export function keptIn(tokens: number): Kept {
  const characters = tokens * CHARACTERS_A_TOKEN;
  return { head: Math.floor(characters * 0.6), tail: Math.floor(characters * 0.3), errorLines: MASKED.errorLines };
}

/** The messages of a unit with long content shortened; undefined when nothing is long. */
export function maskUnit(unit: Unit, kept: Kept): ChatMessage[] | undefined {
  const lookUps = lookUpResults(unit);
  // In a file that was read, lines that mention errors are not errors.
  return shortenUnit(unit, (message) =>
    maskMessage(message, lookUps.has(message.id) ? { ...kept, errorLines: 0 } : kept),
  );
}

/** The shorter form of a message, given the handle of the whole one and what is sent of it; undefined to leave that. */
export type Shorten = (message: Message, handle: string, sent: ChatMessage) => ChatMessage | undefined;

/** The messages of a whole or shortened unit, each as `shorten` leaves it; undefined when it leaves all as they are. */
export function shortenUnit(unit: Unit, shorten: Shorten): ChatMessage[] | undefined {
  const raw = unit.blocks.flatMap(blockMessages);
  const forms = sentForms(raw, unit.messages);
  const made = new Map<ChatMessage, ChatMessage>();
  for (const message of raw) {
    const sent = forms.get(message.id)?.wire;
    const shorter = sent && shorten(message, handleOf({ from: message.id, to: message.id }), sent);
    if (sent !== undefined && shorter !== undefined) made.set(sent, shorter);
  }
  return made.size === 0 ? undefined : unit.messages.map((wire) => made.get(wire) ?? wire);
}

/** What `shorten` makes shorter of the whole units that `belongs` accepts. Frozen units never change. */
export function* shortenings(
  draft: Draft,
  belongs: (unit: Unit, index: number) => boolean,
  shorten: (unit: Unit) => ChatMessage[] | undefined,
): Steps<Change[]> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    if (isFrozen(unit) || unit.state !== 'whole' || !belongs(unit, start)) continue;
    yield;
    const messages = shorten(unit);
    if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
  }
  return changes;
}

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
export function* dedupe(draft: Draft, input: PlanInput): Steps<Draft> {
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
}

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
function lookUpResults({ blocks }: Unit): ReadonlySet<MessageId> {
  const found = blocks.flatMap((block) => (block.kind === 'tools' ? pairs(block) : []));
  return new Set(found.flatMap(({ call, result }) => (isLookUp(call) ? [result.id] : [])));
}

/**
 * Messages of the human are cut, the longest first, to this share of the free room; what the notes do not need of it
 * makes them longer again at the end.
 */
const HUMANS_SHARE = 1 / 3;
/** The first request may take this share of what all messages of the human may take. */
const FIRST_SHARE = 0.25;
/** No message of the human is cut to less than this. Tokens. */
const LEAST_HUMAN = 150;

/**
 * Replaces older turns by notes that quote what is worth most of them until the target is full, one note for each run
 * between the messages that the human wrote, which stay real messages in their places.
 */
export function* handOver(draft: Draft, input: PlanInput): Steps<Draft> {
  const end = tailStart(draft, input.target);
  const kept = yield* shortenHumans(draft, freeRoom(draft, input.target) * HUMANS_SHARE);
  const runs = yield* runsToNote(kept, 0, end, input.target, (unit) => unit.role === 'work');
  return yield* noteRuns(kept, runs, input);
}

/**
 * The last resort: the oldest messages, those of the human too, become one note for each run between frozen units, and
 * what the human wrote in it becomes one message beside it: rules first, then a line of each, then more. The first
 * request stays where it is, unless there is no room at all.
 */
export function* reset(draft: Draft, input: PlanInput): Steps<Draft> {
  const few = narrativeTokens(draft) <= input.target * MOST_NARRATIVES;
  const start = few ? draft : yield* dropNarratives(draft);
  const first = start.units.find(({ role }) => role === 'human');
  const foldAllBut = function* (kept: Unit | undefined): Steps<Draft> {
    const runs = findRuns(start, start.units.length, (unit) => !isFrozen(unit) && unit !== kept);
    return yield* noteRuns(start, runs, input);
  };
  const folded = yield* foldAllBut(first);
  return folded.tokens <= input.target ? folded : yield* foldAllBut(undefined);
}

/** The tokens of a target that frozen units leave free. */
function freeRoom(draft: Draft, target: number): number {
  return draft.units.reduce((room, unit) => (isFrozen(unit) ? Math.max(0, room - unit.tokens) : room), target);
}

/**
 * The draft with the human's longest messages all cut to one length, so that together they take `most` tokens. The first
 * request has a larger place, since the whole conversation is about it.
 */
function* shortenHumans(draft: Draft, most: number): Steps<Draft> {
  const humans = draft.units.filter(({ role }) => role === 'human');
  const sizes = humans.map(({ tokens }) => tokens);
  const cap = Math.max(LEAST_HUMAN, yield* evenCap(sizes, most));
  const changes: Change[] = [];
  for (const [index, unit] of humans.entries()) {
    const length = index === 0 ? Math.max(cap, most * FIRST_SHARE) : cap;
    if (unit.tokens <= length) continue;
    yield;
    const start = findHolding(draft.units, unit.range.from);
    const messages = shortenHuman(unit, length);
    if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
  }
  return yield* draft.replace(changes);
}

/** A message of the human cut to about `tokens`; its rules stay word for word. Undefined when nothing is gained. */
export function shortenHuman({ blocks: [block], range }: Unit, tokens: number): ChatMessage[] | undefined {
  if (block?.kind !== 'user') return undefined;
  const { wire } = block.messages[0];
  const handle = handleOf(range);
  const words = shortenWritten(contentText(wire), handle, tokens * CHARACTERS_A_TOKEN, rulesIn(block));
  // From a short text with an image, only the image is removed.
  const shorter = words === undefined ? shortenMessage(wire, handle, MASKED) : { ...wire, content: words };
  return shorter === undefined ? undefined : [shorter];
}

/** Of what the fixed part leaves, at least this share is for what the model has not read, however long all else is. */
const UNREAD_SHARE = 0.5;
/** The share of a shortened text that its beginning takes; its end takes the rest. */
const HEAD_SHARE = 0.66;
/** How much of its room a text is given at first, and how much less with each further attempt. */
const SHARES = [0.99, 0.97, 0.94, 0.9, 0.84, 0.76, 0.65, 0.5];

/**
 * A draft that is over the limit although all else was compacted, with what the model has not read shortened: first
 * the arguments of its own calls, then the longest messages, all to one length and only down to the limit. None is
 * removed, and what is left out is behind its handle. Any other draft is returned as it is.
 */
export function* fitUnread(draft: Draft, limit: number): Steps<Draft> {
  const units = unreadOf(draft);
  const size = sumTokens(units);
  const fixed = sumTokens(draft.units.filter(isFrozen)) - size;
  const room = Math.max(limit - (draft.tokens - size), (limit - fixed) * UNREAD_SHARE);
  if (size <= room) return draft;
  const sizes = units.flatMap(({ messages }) => messages.map((message) => draft.count([message])));
  let fitting = draft;
  for (const share of SHARES) {
    const cap = yield* evenCap(sizes, room * share);
    const changes: Change[] = [];
    for (const unit of units) {
      yield;
      const messages = shortenTo(draft, unit, cap);
      const start = draft.units.indexOf(unit);
      if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
    }
    fitting = yield* draft.replace(changes);
    if (sumTokens(unreadOf(fitting)) <= room) break;
  }
  return fitting;
}

function unreadOf({ units }: Draft): Unit[] {
  return units.filter(({ role }) => role === 'unread');
}

/** The messages of a unit, each in about the given number of tokens; undefined when none is longer. */
function shortenTo(draft: Draft, unit: Unit, most: number): ChatMessage[] | undefined {
  const lookUps = lookUpResults(unit);
  return shortenUnit(unit, (raw, handle, sent) => {
    // The model knows its own calls.
    if (raw.role === 'assistant') return shortenCalls(sent, handle);
    const tokens = draft.count([sent]);
    const errorLines = lookUps.has(raw.id) ? 0 : MASKED.errorLines;
    return tokens > most ? shortenRaw(raw, most / tokens, errorLines) : undefined;
  });
}

/** About a share of a message. */
function shortenRaw({ id, role, wire }: Message, share: number, errorLines: number): ChatMessage | undefined {
  const text = contentText(wire);
  const handle = handleOf({ from: id, to: id });
  const characters = Math.max(MASKED.head + MASKED.tail, Math.floor(share * text.length));
  const written = role === 'user' ? shortenWritten(text, handle, characters) : undefined;
  if (written !== undefined) return { ...wire, content: written };
  const head = Math.floor(characters * HEAD_SHARE);
  return shortenMessage(wire, handle, { head, tail: characters - head, errorLines });
}
