import { type Block, findHolding, holdsAny } from '../chat/blocks.ts';
import type { MessageId, MessageRange } from '../chat/message.ts';
import type { ViewItem } from '../chat/view.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { withoutUndefined } from '../result.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import type { Narrative, RecordedReplacement, Replacement, Substitute } from './compaction.ts';

/** Messages that a run's instructions ask for, by id: 0 for the best match. */
export type AskedFor = ReadonlyMap<MessageId, number>;

/** A run without instructions. */
export const NOTHING_ASKED_FOR: AskedFor = new Map();

/**
 * The role of a stretch of the view for a planner. `prompt`, `pinned`, `request`, `open` and `unread` are frozen;
 * `unread` is what the model has not answered yet, such as the newest results (see `fitUnread`); `human` is an older
 * message that the human wrote; `work` is everything else.
 */
type UnitRole = 'prompt' | 'pinned' | 'request' | 'open' | 'unread' | 'human' | 'work';

/** One stretch of the view while a plan is made: a whole block, or a run of blocks with their substitute. */
export interface Unit {
  readonly range: MessageRange;
  /** The raw blocks of the range: notes are always made from these. */
  readonly blocks: readonly Block[];
  readonly messages: readonly ChatMessage[];
  /** The narratives in the note that takes the place of the range. */
  readonly narratives: readonly Narrative[];
  readonly tokens: number;
  readonly role: UnitRole;
  readonly state: 'whole' | Substitute['kind'];
  /** See `Substitute.volatile`. */
  readonly volatile: number;
  /** True when the plan under way made it. */
  readonly changed: boolean;
}

const NO_NARRATIVES: readonly Narrative[] = [];

/** True for units that no plan may change. */
export function isFrozen({ role }: Pick<Unit, 'role'>): boolean {
  return role !== 'work' && role !== 'human';
}

/** How messages are counted. */
export interface Counting {
  /** The tokens of one message, overhead included. */
  readonly count: (message: ChatMessage) => number;
  /** Counts a long message in steps, so that `count` then answers at once. */
  readonly countAhead?: (message: ChatMessage) => Iterable<void>;
}

/** What a draft is made with, besides its units. */
interface DraftSource extends Counting {
  readonly humans: ReadonlySet<MessageId>;
  readonly askedFor?: AskedFor;
}

/** A run of units: index of the first, and how many. */
export interface Run {
  readonly start: number;
  readonly count: number;
}

/** A run of units and what takes its place. */
export interface Change extends Run {
  readonly by: Substitute;
}

/**
 * A view in the making. Immutable: each change returns a new draft, so the result of a rung that gains too little is
 * simply dropped.
 */
export class Draft {
  readonly units: readonly Unit[];
  /** Tokens of all messages. */
  readonly tokens: number;
  /** What the run's instructions ask for: notes quote it before everything else. */
  readonly askedFor: AskedFor;
  /** The messages that the human wrote, other than the request: what they say never goes behind a fence. */
  readonly humans: ReadonlySet<MessageId>;
  readonly #source: DraftSource;

  constructor(units: readonly Unit[], source: DraftSource) {
    this.units = units;
    this.askedFor = source.askedFor ?? NOTHING_ASKED_FOR;
    this.humans = source.humans;
    this.tokens = sumTokens(units);
    this.#source = source;
  }

  /** Tokens that messages would take. */
  count(messages: readonly ChatMessage[]): number {
    return countAll(messages, this.#source);
  }

  /** The same in steps, for messages that may be long. */
  *countInSteps(messages: readonly ChatMessage[]): Steps<number> {
    if (this.#source.countAhead !== undefined) for (const message of messages) yield* this.#source.countAhead(message);
    return this.count(messages);
  }

  /** Puts substitutes in the place of runs of units. Runs are given by unit index, in order, and do not overlap. */
  *replace(changes: readonly Change[]): Steps<Draft> {
    if (changes.length === 0) return this;
    const units: Unit[] = [];
    let index = 0;
    // A loop, since `flat` takes ten times as long: 20 ms for a hundred thousand units.
    const keep = (end: number): void => {
      for (const unit of this.units.slice(index, end)) units.push(unit);
    };
    for (const { start, count, by } of changes) {
      const tokens = yield* this.countInSteps(by.messages);
      keep(start);
      units.push(merge(this.units.slice(start, start + count), by, tokens));
      index = start + count;
      yield;
    }
    keep(this.units.length);
    return this.withUnits(units);
  }

  /** The same draft with other units. */
  withUnits(units: readonly Unit[]): Draft {
    return new Draft(units, this.#source);
  }

  /** The replacements that this plan adds. */
  replacements(): Replacement[] {
    return this.units.flatMap(({ changed, range, state: kind, messages, volatile, narratives }) => {
      if (!changed || kind === 'whole') return [];
      const by = withoutUndefined<Substitute>({
        kind,
        messages,
        volatile: volatile > 0 ? volatile : undefined,
        narratives: narratives.length > 0 ? narratives : undefined,
      });
      return [{ range, by }];
    });
  }
}

function countAll(messages: readonly ChatMessage[], { count }: Counting): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

function merge(run: readonly Unit[], by: Substitute, tokens: number): Unit {
  const [first] = run;
  if (first === undefined) throw new Error('a replacement needs at least one unit');
  const blocks: Block[] = [];
  for (const unit of run) for (const block of unit.blocks) blocks.push(block);
  return {
    range: rangeOf(run),
    narratives: by.narratives ?? NO_NARRATIVES,
    blocks,
    messages: by.messages,
    tokens,
    role: run.length === 1 ? first.role : 'work',
    state: by.kind,
    volatile: by.volatile ?? 0,
    changed: true,
  };
}

/** The tokens of some units. A loop: there may be a hundred thousand. */
export function sumTokens(units: readonly Unit[]): number {
  let sum = 0;
  for (const { tokens } of units) sum += tokens;
  return sum;
}

/** The units of a run. */
export function unitsOf(draft: Draft, { start, count }: Run): readonly Unit[] {
  return draft.units.slice(start, start + count);
}

/** The raw messages that some units or blocks cover. */
export function rangeOf(units: readonly { readonly range: MessageRange }[]): MessageRange {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) throw new Error('a range needs at least one unit');
  return { from: first.range.from, to: last.range.to };
}

/**
 * Searches the whole numbers below `high` by bisection for the result of `make` that takes the most of `room` tokens, and
 * stops at the first that leaves less than `spare` of them unused. Undefined when none fits.
 */
export function* largestThatFits<Made extends { readonly tokens: number }>(
  high: number,
  room: number,
  make: (figure: number) => Steps<Made | undefined>,
  spare = 0,
): Steps<Made | undefined> {
  let best: Made | undefined;
  let [fits, tooMuch] = [0, high];
  for (let tries = 0; tries < MOST_TRIES && tooMuch - fits > 1; tries += 1) {
    yield;
    const figure = Math.floor((fits + tooMuch) / 2);
    const made = yield* make(figure);
    if (made === undefined || made.tokens > room) tooMuch = figure;
    else {
      fits = figure;
      // A larger figure does not always give more: notes that become longer than what they replace are dropped.
      if (best === undefined || made.tokens > best.tokens) best = made;
    }
    if (best !== undefined && best.tokens > room - spare) break;
  }
  return best;
}

const MOST_TRIES = 9;

/** Room is well used when less than this share of it is left over. */
export const SPARE_SHARE = 0.01;

/** What decides the role of each unit. */
export interface DraftInput extends DraftSource {
  readonly items: readonly ViewItem<RecordedReplacement>[];
  readonly pins: ReadonlySet<MessageId>;
  /** The messages of the current request; empty when there is none. */
  readonly requests: ReadonlySet<MessageId>;
  /** From this message on, the model has answered nothing. */
  readonly unread: MessageId;
  /** The record whose replacements count as changed, for the laws; default: none. */
  readonly made?: string;
}

/**
 * Measures what is frozen (law 4): the prompt, pinned messages and the current request (`fixed`), and what the model has not
 * read yet. Looks at nothing else of the view. Tokens.
 */
export function frozenTokens(input: Omit<DraftInput, 'humans'>): Record<'fixed' | 'unread', number> {
  const { items, pins, requests, unread } = input;
  const end = items.findIndex((item) => item.kind === 'replaced' || item.block.kind !== 'system');
  const prompt = end < 0 ? items.length : end;
  const newest = findHolding(items, unread);
  const chosen = new Set([...pins, ...requests].map((id) => findHolding(items, id)));
  for (let index = 0; index < prompt; index += 1) chosen.add(index);
  for (let index = newest < 0 ? items.length : newest; index < items.length; index += 1) chosen.add(index);
  const frozen = { fixed: 0, unread: 0 };
  for (const index of chosen) {
    const item = items[index];
    if (item === undefined) continue;
    const role = roleOf(item, index < prompt, { ...input, humans: NO_HUMANS });
    const part = role === 'unread' || role === 'open' ? 'unread' : 'fixed';
    if (isFrozen({ role })) frozen[part] += countAll(item.messages, input);
  }
  return frozen;
}

const NO_HUMANS: ReadonlySet<MessageId> = new Set();

/** Turns the current view into a draft. */
export function* startDraft(input: DraftInput): Steps<Draft> {
  let leading = true;
  const units = yield* mapInSteps(input.items, (item): Unit => {
    const { range, messages } = item;
    leading &&= item.kind === 'whole' && item.block.kind === 'system';
    const by = item.kind === 'whole' ? undefined : item.replacement.by;
    return {
      range,
      blocks: item.kind === 'whole' ? [item.block] : item.blocks,
      messages,
      narratives: by?.narratives ?? NO_NARRATIVES,
      tokens: countAll(messages, input),
      role: roleOf(item, leading, input),
      state: by?.kind ?? 'whole',
      volatile: by?.volatile ?? 0,
      changed: item.kind === 'replaced' && item.replacement.compaction === input.made,
    };
  });
  return new Draft(units, input);
}

/** `leading`: nothing but system messages comes before it. */
function roleOf(item: DraftInput['items'][number], leading: boolean, input: DraftInput): UnitRole {
  const { from } = item.range;
  const [block, ...others] = item.kind === 'whole' ? [item.block] : item.blocks;
  if (item.kind === 'whole' && block?.kind === 'system') return leading ? 'prompt' : 'pinned';
  if (holdsAny(item.range, input.pins)) return 'pinned';
  if (item.kind === 'whole' && block?.kind === 'tools' && block.open) return 'open';
  if (item.kind === 'whole' && block?.kind === 'user' && input.requests.has(from)) return 'request';
  if (from >= input.unread) return 'unread';
  return others.length === 0 && block?.kind === 'user' && input.humans.has(from) ? 'human' : 'work';
}

/** The share of the target that the newest units may take and stay untouched (ARCHITECTURE, figures). */
const TAIL_SHARE = 0.2;

/**
 * Index of the first of the newest units that fit in a share of the target: they stay untouched. What the model has not
 * read takes its part of that share; other frozen units stay anyway and do not count.
 */
export function tailStart({ units }: Draft, target: number): number {
  let left = target * TAIL_SHARE;
  const before = units.findLastIndex((unit) => {
    if (isFrozen(unit) && unit.role !== 'unread') return false;
    if (unit.role !== 'unread' && unit.tokens > left) return true;
    left = Math.max(0, left - unit.tokens);
    return false;
  });
  return before + 1;
}

/** Maximal runs of neighbouring units, from `start` to before `end`, that `belongs` accepts. */
export function findRuns({ units }: Draft, end: number, belongs: (unit: Unit) => boolean, start = 0): Run[] {
  const runs: Run[] = [];
  let first = start;
  for (let index = start; index <= end; index += 1) {
    const unit = index < end ? units[index] : undefined;
    if (unit !== undefined && belongs(unit)) continue;
    if (index > first) runs.push({ start: first, count: index - first });
    first = index + 1;
  }
  return runs;
}

/** The place of the best match in a range among what the run's instructions ask for; undefined for none. */
export function askedOrder({ from, to }: MessageRange, askedFor: AskedFor): number | undefined {
  if (askedFor.size === 0) return undefined;
  let order = Number.POSITIVE_INFINITY;
  for (let id = from; id <= to; id += 1) order = Math.min(order, askedFor.get(id) ?? order);
  return order === Number.POSITIVE_INFINITY ? undefined : order;
}

/** Whether a draft has any of these narratives. */
export function tellsAny({ units }: Draft, narratives: readonly Narrative[]): boolean {
  return units.some((unit) => unit.narratives.some((one) => narratives.includes(one)));
}
