import { type Block, findHolding } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import type { ViewItem } from '../messages/view.ts';
import { mapInSteps, runAtOnce, type Steps, sortInSteps } from '../steps.ts';
import type { RecordedReplacement, Replacement, Substitute } from './compaction.ts';
import { NOTHING_RAISED, type Raised } from './raised.ts';
import { isFrozen, NONE_TOLD, type Unit, type UnitRole, WholeUnit } from './unit.ts';

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
  readonly raised?: Raised;
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
  readonly raised: Raised;
  /** The messages that the human wrote, other than the request: what they say never goes behind a fence. */
  readonly humans: ReadonlySet<MessageId>;
  readonly #counting: DraftSource;

  constructor(units: readonly Unit[], source: DraftSource) {
    this.units = units;
    this.raised = source.raised ?? NOTHING_RAISED;
    this.humans = source.humans;
    let tokens = 0;
    for (const unit of units) tokens += unit.tokens;
    this.tokens = tokens;
    this.#counting = source;
  }

  /** Tokens that messages would take. */
  count(messages: readonly ChatMessage[]): number {
    return messages.reduce((sum, message) => sum + this.#counting.count(message), 0);
  }

  /** The same in steps, for messages that may be long. */
  *countInSteps(messages: readonly ChatMessage[]): Steps<number> {
    for (const message of messages)
      if (this.#counting.countAhead !== undefined) yield* this.#counting.countAhead(message);
    return this.count(messages);
  }

  /** Puts substitutes in the place of runs of units. Runs are given by unit index, in order, and do not overlap. */
  replace(changes: readonly Change[]): Draft {
    return runAtOnce(this.replaceInSteps(changes));
  }

  /** The same in steps, for many changes. */
  *replaceInSteps(changes: readonly Change[]): Steps<Draft> {
    if (changes.length === 0) return this;
    const units: Unit[] = [];
    let index = 0;
    // A loop, since `flat` takes ten times as long: 20 ms for a hundred thousand units.
    const keep = (end: number): void => {
      for (const unit of this.units.slice(index, end)) units.push(unit);
    };
    for (const { start, count, by } of changes) {
      yield* this.countInSteps(by.messages);
      const merged = this.#merge(this.units.slice(start, start + count), by);
      keep(start);
      units.push(merged);
      index = start + count;
      yield;
    }
    keep(this.units.length);
    return this.withUnits(units);
  }

  /** The same draft with other units. */
  withUnits(units: readonly Unit[]): Draft {
    return new Draft(units, this.#counting);
  }

  /** The same draft with everything counted again: an exact count may have replaced an estimate since. */
  *recounted(): Steps<Draft> {
    const units = yield* mapInSteps(this.units, (unit) => {
      const tokens = this.count(unit.messages);
      if (tokens === unit.tokens) return unit;
      return unit instanceof WholeUnit ? unit.withTokens(tokens) : { ...unit, tokens };
    });
    return this.withUnits(units);
  }

  /** The draft with `change` applied to each message that this plan made. */
  *map(change: (message: ChatMessage) => ChatMessage): Steps<Draft> {
    const units: Unit[] = [];
    for (const unit of this.units) {
      yield;
      const messages = unit.changed ? unit.messages.map(change) : unit.messages;
      units.push(unit.changed ? { ...unit, messages, tokens: yield* this.countInSteps(messages) } : unit);
    }
    return this.withUnits(units);
  }

  /** The tokens of the draft with one more change. */
  #tokensWith({ start, count, by }: Change): number {
    const run = this.units.slice(start, start + count);
    const now = run.reduce((sum, unit) => sum + unit.tokens, 0);
    return this.tokens - now + this.#merge(run, by).tokens;
  }

  /**
   * The draft with only as many of the changes as bring it to the target: no smaller than needed. They are tried in the
   * order given; one that gains nothing is left out.
   */
  *replaceAsNeeded(changes: readonly Change[], target: number): Steps<Draft> {
    const needed: Change[] = [];
    let tokens = this.tokens;
    for (const change of changes) {
      if (tokens <= target) break;
      yield;
      // A substitute may itself be long.
      yield* this.countInSteps(change.by.messages);
      const gain = this.tokens - this.#tokensWith(change);
      if (gain <= 0) continue;
      tokens -= gain;
      needed.push(change);
    }
    return yield* this.replaceInSteps(yield* sortInSteps(needed, (a, b) => a.start - b.start));
  }

  #merge(run: readonly Unit[], by: Substitute): Unit {
    const first = run[0];
    const last = run.at(-1);
    if (first === undefined || last === undefined) throw new Error('a replacement needs at least one unit');
    const blocks: Block[] = [];
    for (const unit of run) for (const block of unit.blocks) blocks.push(block);
    return {
      range: { from: first.range.from, to: last.range.to },
      narratives: by.narratives ?? [],
      blocks,
      messages: by.messages,
      tokens: this.count(by.messages),
      role: run.length === 1 ? first.role : 'work',
      state: by.kind,
      volatile: by.volatile ?? 0,
      changed: true,
    };
  }

  /** The replacements that this plan adds. */
  replacements(): Replacement[] {
    return this.units.flatMap((unit) =>
      unit.changed && unit.state !== 'whole'
        ? [
            {
              range: unit.range,
              by: {
                kind: unit.state,
                messages: unit.messages,
                ...(unit.volatile > 0 && { volatile: unit.volatile }),
                ...(unit.narratives.length > 0 && { narratives: unit.narratives }),
              },
            },
          ]
        : [],
    );
  }
}

/** What decides the role of each unit. */
export interface DraftInput extends DraftSource {
  readonly items: readonly ViewItem<RecordedReplacement>[];
  readonly pins: ReadonlySet<MessageId>;
  /** The messages of the current request; empty when there is none. */
  readonly requests: ReadonlySet<MessageId>;
  /** From this message on, the model has answered nothing. */
  readonly unread: MessageId;
}

/** Tokens of what a run may not change, and of what the model has not read yet. */
export interface FrozenTokens {
  /** The prompt, pinned messages and the current request. */
  readonly fixed: number;
  readonly unread: number;
}

/** Measures what is frozen (law 4). Looks at nothing else of the view. */
export function frozenTokens(input: Omit<DraftInput, 'humans'>): FrozenTokens {
  const { items, pins, requests, unread } = input;
  const end = items.findIndex((item) => item.kind === 'replaced' || item.block.kind !== 'system');
  const prompt = end < 0 ? items.length : end;
  const chosen = [...pins, ...requests].map((id) => findHolding(items, id));
  const newest = findHolding(items, unread);
  const rest = newest < 0 ? [] : Array.from({ length: items.length - newest }, (_, index) => newest + index);
  const frozen = { fixed: 0, unread: 0 };
  for (const index of new Set([...Array(prompt).keys(), ...chosen, ...rest])) {
    const item = items[index];
    if (item === undefined) continue;
    const role = roleOf(item, index < prompt, { ...input, humans: NO_HUMANS });
    const part = role === 'unread' || role === 'open' ? 'unread' : 'fixed';
    if (isFrozen({ role })) frozen[part] += item.messages.reduce((sum, message) => sum + input.count(message), 0);
  }
  return frozen;
}

const NO_HUMANS: ReadonlySet<MessageId> = new Set();

/** Turns the current view into a draft. */
export function* startDraft(input: DraftInput): Steps<Draft> {
  let leading = true;
  const units = yield* mapInSteps(input.items, (item): Unit => {
    const tokens = item.messages.reduce((sum, message) => sum + input.count(message), 0);
    if (item.kind === 'replaced') {
      leading = false;
      const { range, messages, blocks } = item;
      const { kind: state, volatile = 0, narratives = NONE_TOLD } = item.replacement.by;
      const role = roleOf(item, false, input);
      return { range, blocks, messages, narratives, tokens, role, state, volatile, changed: false };
    }
    if (item.block.kind !== 'system') leading = false;
    return new WholeUnit(item, tokens, roleOf(item, leading, input));
  });
  return new Draft(units, input);
}

/** `leading`: nothing but system messages comes before it. */
function roleOf(item: DraftInput['items'][number], leading: boolean, input: DraftInput): UnitRole {
  const { from } = item.range;
  const [block, ...others] = item.kind === 'whole' ? [item.block] : item.blocks;
  if (item.kind === 'whole' && block?.kind === 'system') return leading ? 'prompt' : 'pinned';
  if (isPinned(item.range, input.pins)) return 'pinned';
  if (item.kind === 'whole' && block?.kind === 'tools' && block.open) return 'open';
  if (item.kind === 'whole' && block?.kind === 'user' && input.requests.has(from)) return 'request';
  if (from >= input.unread) return 'unread';
  return others.length === 0 && block?.kind === 'user' && input.humans.has(from) ? 'human' : 'work';
}

function isPinned({ from, to }: MessageRange, pins: ReadonlySet<MessageId>): boolean {
  if (pins.size > 0) for (let id = from; id <= to; id += 1) if (pins.has(id)) return true;
  return false;
}
