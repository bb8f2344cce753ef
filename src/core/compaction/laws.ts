import { type Block, blockMessages, findHolding } from '../chat/blocks.ts';
import { isFenced } from '../chat/fence.ts';
import { handleOf, parseHandle } from '../chat/handle.ts';
import type { MessageRange } from '../chat/message.ts';
import { contentText } from '../chat/parse.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Phrase, phrase } from '../phrase.ts';
import { filterInSteps, mapInSteps, type Steps } from '../steps.ts';
import { type Draft, isFrozen, type Unit } from './draft.ts';
import { isSaid } from './notes/noteText.ts';
import { missingFacts, wholeText } from './notes/state.ts';

/** The view before a run, and the view that it would leave. */
interface LawInput {
  readonly before: Draft;
  readonly after: Draft;
  readonly ledger: Ledger;
  readonly promise: 'facts-in-view' | 'handles-only';
  /** The most that the messages may take. Tokens. */
  readonly limit: number;
  /** True for a unit whose fate the user chose by hand. */
  readonly byHand?: (unit: Unit) => boolean;
}

/** The least that a run must gain, as a share of what it may change (law 5). */
export const LEAST_GAIN = 0.1;

/** The tokens that a run of this view must gain (law 5), unless it brings the view under the limit. */
export function leastGain({ units }: Draft): number {
  const free = units.reduce((sum, unit) => (isFrozen(unit) ? sum : sum + unit.tokens), 0);
  return Math.max(1, free * LEAST_GAIN);
}

/**
 * The first law (of the eleven in ARCHITECTURE) that a result breaks, and where; undefined when all hold. Law 5 is the
 * caller's; laws 8 to 10 hold by construction.
 */
export function* findBrokenLaw(input: LawInput): Steps<Phrase | undefined> {
  return (
    (yield* checkComplete(input)) ??
    (yield* checkFrozen(input)) ??
    (yield* checkPaired(input.after)) ??
    (yield* checkUntrusted(input)) ??
    (yield* checkAudited(input))
  );
}

/**
 * Laws 1 and 2: the units cover the transcript in order, without gaps, and whatever is not whole has its handle in the
 * view.
 */
function* checkComplete({ before, after }: LawInput): Steps<Phrase | undefined> {
  let next = before.units[0]?.range.from ?? 0;
  for (const [index, unit] of after.units.entries()) {
    if (unit.changed || index % 64 === 0) yield;
    if (unit.range.from !== next) return phrase('law.gap', handleOf(unit.range), `t${next - 1}`);
    next = unit.range.to + 1;
    const missing = unit.changed ? findUnnamed(unit) : undefined;
    if (missing !== undefined) return phrase('law.unnamed', missing);
  }
  const end = before.units.at(-1)?.range.to;
  return end !== undefined && next !== end + 1 ? phrase('law.end', `t${next - 1}`, `t${end}`) : undefined;
}

function findUnnamed(unit: Unit): string | undefined {
  const text = unit.messages.map(wholeText).join('\n');
  if (unit.state !== 'shortened') return isNamed(unit.range, text) ? undefined : handleOf(unit.range);
  // By content: the messages of a restored record are copies of the raw ones.
  const sent = new Set(unit.messages.map((message) => JSON.stringify(message)));
  const cut = unit.blocks
    .flatMap(blockMessages)
    .find((message) => !isNamed({ from: message.id, to: message.id }, text) && !sent.has(JSON.stringify(message.wire)));
  return cut === undefined ? undefined : `t${cut.id}`;
}

const HANDLES = /(?<!\w)t(\d{1,9})(?:-(\d{1,9}))?(?!\w)/g;

/** True when a handle in the text opens the whole range: the range's own, or a wider one that a pin has since split. */
function isNamed(range: MessageRange, text: string): boolean {
  for (const [, from, to = from] of text.matchAll(HANDLES))
    if (Number(from) <= range.from && range.to <= Number(to)) return true;
  return false;
}

/**
 * Law 4: frozen units are in the result with the very same messages; what the model has not read may be shortened where
 * the result would be over the limit with it.
 */
function* checkFrozen({ before, after, limit }: LawInput): Steps<Phrase | undefined> {
  const isOver = ({ tokens, role }: Unit, now: Unit): boolean =>
    role === 'unread' && now.state === 'shortened' && after.tokens - now.tokens + tokens > limit;
  const [broken] = yield* filterInSteps(before.units, (unit) => {
    if (!isFrozen(unit)) return false;
    const now = after.units[findHolding(after.units, unit.range.from)];
    if (now?.range.from !== unit.range.from || now.messages.length !== unit.messages.length) return true;
    return now.messages.some((message, index) => message !== unit.messages[index]) && !isOver(unit, now);
  });
  return broken === undefined ? undefined : phrase('law.frozen', handleOf(broken.range), broken.role);
}

/** Law 3: results directly follow their call, with none missing and none left over, and Karl made no empty message. */
function* checkPaired(draft: Draft): Steps<Phrase | undefined> {
  let open: string[] = [];
  const last = draft.units.at(-1);
  for (const [index, unit] of draft.units.entries()) {
    if (index % 64 === 0) yield;
    const running = unit === last && isRunning(unit);
    for (const [position, message] of unit.messages.entries()) {
      if (message.role === 'tool') {
        const index = open.indexOf(String(message.tool_call_id));
        if (index < 0) return phrase('law.no-call', handleOf(unit.range));
        open.splice(index, 1);
        continue;
      }
      if (open.length > 0 && (position === 0 || !running)) return phrase('law.no-result', handleOf(unit.range));
      open = (message.tool_calls ?? []).map((call) => call.id);
      if (unit.changed && contentText(message) === '' && open.length === 0)
        return phrase('law.no-content', handleOf(unit.range));
    }
  }
  return open.length > 0 && !isRunning(last) ? phrase('law.last-call') : undefined;
}

/** True for a call that still waits for results, pinned or not. */
function isRunning(unit: Unit | undefined): boolean {
  const block = unit?.blocks.at(-1);
  return block?.kind === 'tools' && block.open;
}

/**
 * Law 6: what Karl wrote for a range is a fenced user message whose fence opens and closes exactly once. What the human
 * wrote there stays outside any fence, if only behind its handle, unless they chose otherwise by hand.
 */
function* checkUntrusted({ after, byHand = () => false }: LawInput): Steps<Phrase | undefined> {
  for (const unit of after.units) {
    if (!unit.changed || (unit.state !== 'note' && unit.state !== 'line')) continue;
    const said = yield* filterInSteps(unit.blocks, (block) => isSaid(after, block));
    const open: string[] = [];
    for (const message of unit.messages) {
      yield;
      const text = contentText(message);
      if (said.length > 0 && isUnfenced(message)) open.push(text);
      else if (message.role !== 'user' || !isFenced(text)) return phrase('law.unfenced', handleOf(unit.range));
      else if (text.split('karl-history').length !== 3) return phrase('law.fence-inside', handleOf(unit.range));
    }
    const hidden = byHand(unit) ? undefined : yield* firstUnnamed(said, open.join('\n'));
    if (hidden !== undefined) return phrase('law.human-fenced', handleOf(hidden.range));
  }
  return undefined;
}

/** True for the message with what the human wrote among the messages that a note replaces: their words need no fence. */
function isUnfenced(message: ChatMessage): boolean {
  const text = contentText(message);
  return message.role === 'user' && parseHandle(text) !== undefined && !/karl-history/i.test(text);
}

/** The first of some blocks, in their order, that no line of a text begins with; its first line names them all. */
function* firstUnnamed(blocks: readonly Block[], text: string): Steps<Block | undefined> {
  const named = yield* mapInSteps(text.split('\n').slice(1), (line) => parseHandle(line.slice(0, 24)));
  let at = 0;
  for (const block of blocks) {
    yield;
    while (at < named.length && (named[at]?.to ?? 0) < block.range.from) at += 1;
    if ((named[at]?.from ?? Number.POSITIVE_INFINITY) > block.range.from) return block;
  }
  return undefined;
}

/** Law 7: what must be literally in the view is there, or the state, which would say it, counts it as left out. */
function* checkAudited({ after, ledger, promise }: LawInput): Steps<Phrase | undefined> {
  if (promise === 'handles-only') return undefined;
  // What the model has not read is no knowledge yet.
  const missing = yield* filterInSteps(
    yield* missingFacts(ledger, after),
    ({ at }) => after.units[findHolding(after.units, at)]?.role !== 'unread',
  );
  const first = missing[0];
  if (first === undefined || missing.length <= countOmitted(after)) return undefined;
  return phrase('law.fact-missing', first.class, first.value.slice(0, 80), `t${first.at}`);
}

/** The number of facts that the state counts as left out. */
function countOmitted({ units }: Draft): number {
  const state = units.findLast(({ volatile }) => volatile > 0)?.messages.at(-1);
  return state === undefined ? 0 : Number(/^\+(\d+) more$/m.exec(contentText(state))?.[1] ?? 0);
}
