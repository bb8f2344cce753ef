import type { Block } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import type { ViewItem } from '../messages/view.ts';
import type { Narrative, RecordedReplacement, Replacement, Substitute } from './compaction.ts';
import { NOTHING_RAISED, type Raised } from './raised.ts';

/**
 * What a stretch of the view is to a planner. `prompt`, `pinned`, `request` and `open` are frozen; `human` is an older
 * message that the human wrote; `work` is everything else.
 */
export type UnitRole = 'prompt' | 'pinned' | 'request' | 'open' | 'human' | 'work';

/** One stretch of the view while a plan is made: a whole block, or a run of blocks with its substitute. */
export interface Unit {
  readonly range: MessageRange;
  /** The raw blocks of the range: a note is always made from these. */
  readonly blocks: readonly Block[];
  readonly messages: readonly ChatMessage[];
  /** What a model told in the note that stands here. */
  readonly narratives: readonly Narrative[];
  readonly tokens: number;
  readonly role: UnitRole;
  readonly state: 'whole' | Substitute['kind'];
  /** See `Substitute.volatile`. */
  readonly volatile: number;
  /** True when this plan made it. */
  readonly changed: boolean;
}

/** True for units that no plan may change. */
export function isFrozen(unit: Unit): boolean {
  return unit.role !== 'work' && unit.role !== 'human';
}

/** Tokens of prompt and current request: what no compaction may touch (law 4). */
export function frozenTokens(draft: Draft): number {
  const frozen = draft.units.filter(({ role }) => role === 'prompt' || role === 'request');
  return frozen.reduce((sum, unit) => sum + unit.tokens, 0);
}

/** Counts the tokens of one message with its overhead. */
export type CountMessage = (message: ChatMessage) => number;

/** A run of units, by index. */
export interface Run {
  readonly start: number;
  readonly count: number;
}

/** A run of units with what takes its place. */
export interface Change extends Run {
  readonly by: Substitute;
}

/** A view in the making. Immutable: each change returns a new draft, so a rung that adds too little is just dropped. */
export class Draft {
  readonly units: readonly Unit[];
  /** Tokens of all messages. */
  readonly tokens: number;
  /** What notes quote before everything else. */
  readonly raised: Raised;
  readonly #count: CountMessage;

  constructor(units: readonly Unit[], count: CountMessage, raised: Raised = NOTHING_RAISED) {
    this.units = units;
    this.raised = raised;
    this.tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
    this.#count = count;
  }

  /** Tokens that messages would take. */
  count(messages: readonly ChatMessage[]): number {
    return messages.reduce((sum, message) => sum + this.#count(message), 0);
  }

  /** Puts substitutes in the place of runs of units. Runs are given by unit index, in order, and do not overlap. */
  replace(changes: readonly Change[]): Draft {
    if (changes.length === 0) return this;
    const units: Unit[] = [];
    let index = 0;
    for (const { start, count, by } of changes) {
      units.push(...this.units.slice(index, start));
      const run = this.units.slice(start, start + count);
      units.push(this.#merge(run, by));
      index = start + count;
    }
    units.push(...this.units.slice(index));
    return new Draft(units, this.#count, this.raised);
  }

  /** The same draft with every count taken anew: an estimate may have been replaced since. */
  recounted(): Draft {
    const units = this.units.map((unit) => ({ ...unit, tokens: this.count(unit.messages) }));
    return new Draft(units, this.#count, this.raised);
  }

  /** The draft with the messages that this plan made as `change` makes them. */
  map(change: (message: ChatMessage) => ChatMessage): Draft {
    const units = this.units.map((unit) => {
      if (!unit.changed) return unit;
      const messages = unit.messages.map(change);
      return { ...unit, messages, tokens: this.count(messages) };
    });
    return new Draft(units, this.#count, this.raised);
  }

  /** The tokens of the draft with one more change. */
  tokensWith({ start, count, by }: Change): number {
    const run = this.units.slice(start, start + count);
    const now = run.reduce((sum, unit) => sum + unit.tokens, 0);
    return this.tokens - now + this.#merge(run, by).tokens;
  }

  /**
   * The draft with changes applied from the oldest on, only as many as bring it to the target: no smaller than needed.
   * Changes are tried in the order in which they are given; one that gains nothing is left out.
   */
  replaceAsNeeded(changes: readonly Change[], target: number): Draft {
    const needed: Change[] = [];
    let tokens = this.tokens;
    for (const change of changes) {
      if (tokens <= target) break;
      const gain = this.tokens - this.tokensWith(change);
      if (gain <= 0) continue;
      tokens -= gain;
      needed.push(change);
    }
    return this.replace(needed.sort((a, b) => a.start - b.start));
  }

  #merge(run: readonly Unit[], by: Substitute): Unit {
    const first = run[0];
    const last = run.at(-1);
    if (first === undefined || last === undefined) throw new Error('a replacement needs at least one unit');
    return {
      range: { from: first.range.from, to: last.range.to },
      narratives: by.narratives ?? [],
      blocks: run.length === 1 ? first.blocks : run.flatMap((unit) => unit.blocks),
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
export interface DraftInput {
  readonly items: readonly ViewItem<RecordedReplacement>[];
  readonly pins: ReadonlySet<MessageId>;
  /** The newest message that the human wrote; undefined when there is none. */
  readonly request: MessageId | undefined;
  /** Older messages that the human wrote. */
  readonly humans: ReadonlySet<MessageId>;
  readonly count: CountMessage;
  readonly raised?: Raised;
}

/** Turns the current view into a draft. */
export function startDraft(input: DraftInput): Draft {
  let leading = true;
  const units = input.items.map((item): Unit => {
    const tokens = item.messages.reduce((sum, message) => sum + input.count(message), 0);
    const base = { range: item.range, messages: item.messages, narratives: [], tokens, changed: false };
    if (item.kind === 'replaced') {
      leading = false;
      const { kind, volatile, narratives: told = [] } = item.replacement.by;
      const human = item.blocks.length === 1 && input.humans.has(item.range.from);
      return {
        ...base,
        narratives: told,
        blocks: item.blocks,
        role: human ? 'human' : 'work',
        state: kind,
        volatile: volatile ?? 0,
      };
    }
    if (item.block.kind !== 'system') leading = false;
    return { ...base, blocks: [item.block], role: roleOf(item.block, leading, input), state: 'whole', volatile: 0 };
  });
  return new Draft(units, input.count, input.raised);
}

function roleOf(block: Block, leading: boolean, input: DraftInput): UnitRole {
  if (block.kind === 'system') return leading ? 'prompt' : 'pinned';
  for (let id = block.range.from; id <= block.range.to; id += 1) if (input.pins.has(id)) return 'pinned';
  if (block.kind === 'tools' && block.open) return 'open';
  if (block.kind !== 'user') return 'work';
  if (block.range.from === input.request) return 'request';
  return input.humans.has(block.range.from) ? 'human' : 'work';
}
