import { type Block, contains, findHolding } from '../chat/blocks.ts';
import type { Message, MessageId } from '../chat/message.ts';
import { Transcript } from '../chat/transcript.ts';
import { deriveView, type ViewItem, WholeItem } from '../chat/view.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { droppedByHand, editsInForce, withEdits, withoutDropped } from '../compaction/byHand.ts';
import { type Compaction, type RecordedReplacement, remainderOf, splitForPin } from '../compaction/compaction.ts';
import { mapInSteps, runAtOnce, type Steps } from '../steps.ts';

/** Records and pins at one moment. */
export interface ViewBasis {
  readonly compactions: readonly Compaction[];
  readonly pins: ReadonlySet<MessageId>;
}

/** True when neither records nor pins changed between two moments. */
export function isSameBasis(one: ViewBasis, other: ViewBasis): boolean {
  return one.compactions === other.compactions && one.pins === other.pins;
}

/** A record, and whether it was undone. An undone record keeps its place. */
export interface CompactionEntry {
  readonly compaction: Compaction;
  readonly undone: boolean;
  /** The older record whose undo took this one along. */
  readonly undoneWith?: string;
  /** A newer record was made after the undo and may overlap it: it can be read, but no longer redone. */
  readonly superseded?: true;
}

/** The number of superseded runs that are kept, newest first, to be read. Superseded changes by hand are not kept. */
export const MOST_SUPERSEDED = 10;

/** A record that was undone. `place`: its index in the history, oldest first. */
export interface UndoneCompaction extends Pick<CompactionEntry, 'compaction' | 'undoneWith' | 'superseded'> {
  readonly place: number;
}

/** Messages to send in place of single messages, by id. */
type Newer = ReadonlyMap<MessageId, readonly ChatMessage[]>;

/** A record as the view needs it, without receipt. */
type Unreceipted = Omit<Compaction, 'receipt'>;

/** The view with some records, for the transcript up to some block. */
export interface Derived {
  readonly from: readonly Unreceipted[];
  readonly newer: Newer;
  /** The number of blocks covered, and the last of them, the only one that can change. */
  readonly blocks: number;
  readonly last: Block | undefined;
  readonly items: readonly ViewItem<RecordedReplacement>[];
}

/** The transcript as it is sent: derived from messages, compactions and pins, and cached until one of them changes. */
export class CompactedView {
  readonly #transcript: Transcript;
  #history: readonly CompactionEntry[] = [];
  #compactions: readonly Compaction[] = [];
  #pins: ReadonlySet<MessageId> = new Set();
  #newer: Newer = new Map();
  #derived: Derived = { from: [], newer: this.#newer, blocks: 0, last: undefined, items: [] };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The records in force, oldest first. A new array after every change, so that a run can tell if its basis is current. */
  get compactions(): readonly Compaction[] {
    return this.#compactions;
  }

  /** All records, oldest first, including those that were undone. */
  get history(): readonly CompactionEntry[] {
    return this.#history;
  }

  get undone(): readonly UndoneCompaction[] {
    return this.#history.flatMap(({ undone, ...entry }, place) => (undone ? [{ place, ...entry }] : []));
  }

  /** Messages kept whole. A new set after every change. */
  get pins(): ReadonlySet<MessageId> {
    return this.#pins;
  }

  /** The items for a planner, without what the user dropped, so that no note contains it. */
  itemsAsRead(): readonly ViewItem<RecordedReplacement>[] {
    const dropped = droppedByHand(this.#compactions);
    return dropped.size === 0 ? this.items() : this.items().map((item) => withoutDropped(item, dropped));
  }

  /** What a run starts from; if it changes, the run's result is void. */
  basis(): ViewBasis {
    return { compactions: this.#compactions, pins: this.#pins };
  }

  /** Restores the records and pins of a stored conversation. Drops records that reach beyond the transcript. */
  restore(
    compactions: readonly Compaction[],
    pins: readonly MessageId[],
    undone: readonly UndoneCompaction[] = [],
  ): void {
    const { length } = this.#transcript.messages;
    const isUsable = (compaction: Compaction): boolean => compaction.transcriptLength <= length;
    const history: CompactionEntry[] = compactions
      .filter(isUsable)
      .map((compaction) => ({ compaction, undone: false }));
    for (const { place, ...entry } of undone)
      if (isUsable(entry.compaction)) history.splice(place, 0, { ...entry, undone: true });
    this.#setHistory(history);
    this.#pins = new Set(pins.filter((id) => id < length));
  }

  /** Whole blocks and what replaces ranges of them, in order. A new array after every change. */
  items(): readonly ViewItem<RecordedReplacement>[] {
    return runAtOnce(this.derive());
  }

  /** Stepwise `items`; may miss messages that are appended while it runs. */
  *derive(): Steps<readonly ViewItem<RecordedReplacement>[]> {
    this.#derived = yield* this.#deriveFor(this.#compactions);
    return this.#derived.items;
  }

  /**
   * Replaces a whole message, which its client now words differently, in the view; it must not be a call or a result. The
   * transcript keeps the first version.
   */
  amend(id: MessageId, messages: readonly ChatMessage[]): void {
    this.#newer = new Map([...this.#newer, [id, messages]]);
  }

  /** The view as it would be with one more record, in steps. */
  with(record: Unreceipted): Steps<Derived> {
    return this.#deriveFor([...this.#compactions, record]);
  }

  /**
   * Adds a record, with the view that `with` derived for it since the last change of the records. Undone records are
   * superseded.
   */
  add(compaction: Compaction, derived: Derived): void {
    this.#history = [...supersede(this.#history), { compaction, undone: false }];
    this.#compactions = [...this.#compactions, compaction];
    this.#derived = { ...derived, from: this.#compactions };
  }

  *#deriveFor(from: readonly Unreceipted[]): Steps<Derived> {
    const known = this.#derived;
    const newer = this.#newer;
    // Messages appended meanwhile are left for the next call; until then, only the last of these blocks may change.
    const blocks = this.#transcript.blocks;
    const upTo = { from, newer, blocks: blocks.length, last: blocks.at(-1) };
    if (known.from === from && known.newer === newer) {
      if (known.blocks === upTo.blocks && known.last === upTo.last) return known;
      const items = grow(known, blocks);
      if (items !== undefined) return { ...upTo, items };
    }
    const items = yield* deriveView(blocks.slice(), from.flatMap(recorded), remainderOf);
    const amended = newer.size === 0 ? items : items.map((item) => withNewer(item, newer));
    const edits = editsInForce(from);
    if (edits.size === 0) return { ...upTo, items: amended };
    return { ...upTo, items: yield* mapInSteps(amended, (item) => withEdits(item, edits)) };
  }

  /**
   * Undoes the newest record, or the one named; undefined when there is none. `undoneWith`: the older record whose undo
   * takes it along.
   */
  drop(id?: string, undoneWith?: string): Compaction | undefined {
    const found = this.#history.findLast(
      ({ compaction, undone }) => !undone && (id ?? compaction.id) === compaction.id,
    );
    this.#mark(found, { undone: true, ...(undoneWith !== undefined && { undoneWith }) });
    return found?.compaction;
  }

  /** Redoes an undone record, the oldest or the one named; undefined when there is none. */
  redo(id?: string): Compaction | undefined {
    const found = this.#history.find(
      ({ compaction, undone, superseded }) => undone && !superseded && (id ?? compaction.id) === compaction.id,
    );
    this.#mark(found, { undone: false });
    return found?.compaction;
  }

  #mark(marked: CompactionEntry | undefined, mark: Omit<CompactionEntry, 'compaction'>): void {
    if (marked === undefined) return;
    const { compaction } = marked;
    this.#setHistory(this.#history.map((entry) => (entry === marked ? { compaction, ...mark } : entry)));
  }

  #setHistory(history: readonly CompactionEntry[]): void {
    this.#history = history;
    this.#compactions = history.flatMap(({ compaction, undone }) => (undone ? [] : [compaction]));
  }

  /** Keeps messages whole; one that was replaced is restored. @throws RangeError when there is no such message. */
  pin(...ids: readonly MessageId[]): void {
    const ranges = new Set(ids.map((id) => this.#blockOf(id).range));
    this.#pins = new Set([...this.#pins, ...ids]);
    this.#setHistory(
      this.#history.map((entry) => ({ ...entry, compaction: [...ranges].reduce(splitForPin, entry.compaction) })),
    );
  }

  #blockOf(id: MessageId): Block {
    const block = this.#transcript.blocks[findHolding(this.#transcript.blocks, id)];
    if (block === undefined)
      throw new RangeError(`there is no message ${id}; the transcript has ${this.#transcript.messages.length}`);
    return block;
  }

  unpin(...ids: readonly MessageId[]): void {
    const ended = new Set(ids);
    this.#pins = new Set([...this.#pins].filter((pinned) => !ended.has(pinned)));
  }
}

/** The history before a new record: only the newest undone runs stay, to be read. */
function supersede(history: readonly CompactionEntry[]): readonly CompactionEntry[] {
  const runs = history.filter(({ undone, compaction }) => undone && compaction.strategy !== 'manual');
  const kept = new Set(runs.slice(-MOST_SUPERSEDED));
  return history.flatMap((entry): readonly CompactionEntry[] => {
    if (!entry.undone) return [entry];
    return kept.has(entry) ? [{ ...entry, superseded: true }] : [];
  });
}

function withNewer<Item extends ViewItem>(item: Item | WholeItem, newer: Newer): Item | WholeItem {
  if (item.kind !== 'whole' || item.block.kind === 'tools') return item;
  const messages = newer.get(item.range.from);
  return messages === undefined ? item : new WholeItem(item.block, messages);
}

/**
 * The items with new blocks added; undefined when they must be derived anew because the block that changed is in a
 * replaced range.
 */
function grow({ items, newer, blocks: count, last }: Derived, blocks: readonly Block[]): Derived['items'] | undefined {
  const changed = count > 0 && blocks[count - 1] !== last;
  if (changed && items.at(-1)?.kind === 'replaced') return undefined;
  const added = blocks.slice(changed ? count - 1 : count).map((block) => withNewer(new WholeItem(block), newer));
  return (changed ? items.slice(0, -1) : items).concat(added);
}

function recorded(compaction: Pick<Compaction, 'id' | 'replacements'>): RecordedReplacement[] {
  return compaction.replacements.map((replacement) => ({
    ...replacement,
    compaction: compaction.id,
    messages: replacement.by.messages,
    isWhole: replacement.by.kind === 'whole',
  }));
}

/**
 * The later compactions in force that build on a given one, newest first: they replaced what it (or another that builds
 * on it) had put into the view, so undoing it alone would not restore that. Changes by hand stand alone.
 */
export function buildsOn(history: readonly CompactionEntry[], id: string): readonly Compaction[] {
  const index = history.findIndex(({ compaction }) => compaction.id === id);
  const base = history[index];
  if (base === undefined || base.undone || base.compaction.strategy === 'manual') return [];
  const found: Compaction[] = [];
  for (const { compaction, undone } of history.slice(index + 1)) {
    if (undone || compaction.strategy === 'manual') continue;
    if ([base.compaction, ...found].some((earlier) => covers(compaction, earlier))) found.unshift(compaction);
  }
  return found;
}

/** The later compactions that the undo of a given one took along, oldest first; its redo brings them back. */
export function undoneWith(history: readonly CompactionEntry[], id: string): readonly Compaction[] {
  return history.filter((entry) => entry.undoneWith === id).map(({ compaction }) => compaction);
}

function covers(later: Compaction, earlier: Compaction): boolean {
  return later.replacements.some((replacement) =>
    earlier.replacements.some(({ range }) => contains(replacement.range, range)),
  );
}

/** The view as it would be with only the first `length` raw messages and these records. */
export function viewAt(
  messages: readonly Message[],
  length: MessageId,
  compactions: readonly Compaction[],
): readonly ViewItem<RecordedReplacement>[] {
  const transcript = new Transcript();
  for (const message of messages.slice(0, length)) transcript.append(message);
  const view = new CompactedView(transcript);
  view.restore(compactions, []);
  return view.items();
}

/** What the model was sent before and after one compaction; undefined when there is no such record. */
export function viewsAround(
  messages: readonly Message[],
  history: readonly CompactionEntry[],
  id: string,
): Record<'before' | 'after', readonly ViewItem<RecordedReplacement>[]> | undefined {
  const index = history.findIndex(({ compaction }) => compaction.id === id);
  const made = history[index]?.compaction;
  if (made === undefined) return undefined;
  const earlier = history.slice(0, index).flatMap(({ compaction, undone }) => (undone ? [] : [compaction]));
  return {
    before: viewAt(messages, made.transcriptLength, earlier),
    after: viewAt(messages, made.transcriptLength, [...earlier, made]),
  };
}
