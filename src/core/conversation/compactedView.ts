import { droppedByHand, editsInForce, withEdits, withoutDropped } from '../compaction/byHand/withEdits.ts';
import type { Compaction, RecordedReplacement } from '../compaction/compaction.ts';
import { remainderOf, splitForPin } from '../compaction/restore.ts';
import type { Block } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { deriveView, type ViewItem, WholeItem } from '../messages/view.ts';
import { mapInSteps, runAtOnce, type Steps } from '../steps.ts';

/** Records and pins as they were at one moment. */
export interface ViewBasis {
  readonly compactions: readonly Compaction[];
  readonly pins: ReadonlySet<MessageId>;
}

/** True when neither records nor pins have changed between two moments. */
export function isSameBasis(one: ViewBasis, other: ViewBasis): boolean {
  return one.compactions === other.compactions && one.pins === other.pins;
}

/** A record and whether it counts. One that was undone keeps its place until a new one is made. */
export interface CompactionEntry {
  readonly compaction: Compaction;
  readonly undone: boolean;
}

/** A record that was undone and can be done again. `place`: how many records stand before it, oldest first. */
export interface UndoneCompaction {
  readonly place: number;
  readonly compaction: Compaction;
}

/** What is sent in the place of single messages. */
type Newer = ReadonlyMap<MessageId, readonly ChatMessage[]>;

/** The view of some records, as far as the transcript had come. */
interface Derived {
  readonly from: readonly Compaction[];
  readonly newer: Newer;
  /** How many blocks it is of, and the last of them: only that one can change. */
  readonly blocks: number;
  readonly last: Block | undefined;
  readonly items: readonly ViewItem<RecordedReplacement>[];
}

/** A record that has been made ready to be added: the records with it, and their view. */
export interface PreparedRecord extends Derived {
  readonly compaction: Compaction;
}

/** The transcript as it is sent: what compactions replace, what pins keep. Derived, and kept until either changes. */
export class CompactedView {
  readonly #transcript: Transcript;
  #history: readonly CompactionEntry[] = [];
  /** Those of the history that are not undone. */
  #compactions: readonly Compaction[] = [];
  #pins: ReadonlySet<MessageId> = new Set();
  #newer: Newer = new Map();
  #derived: Derived = { from: [], newer: this.#newer, blocks: 0, last: undefined, items: [] };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** All records, oldest first. A new array after every change, so that a run can tell whether its basis still stands. */
  get compactions(): readonly Compaction[] {
    return this.#compactions;
  }

  /** All records, oldest first, those that were undone since the newest one was made among them. */
  get history(): readonly CompactionEntry[] {
    return this.#history;
  }

  /** Those that were undone, oldest first. */
  get undone(): readonly UndoneCompaction[] {
    return this.#history.flatMap(({ compaction, undone }, place) => (undone ? [{ place, compaction }] : []));
  }

  /** Messages kept whole. A new set after every change. */
  get pins(): ReadonlySet<MessageId> {
    return this.#pins;
  }

  /** The same as a planner reads them: notes are made without what the user dropped. */
  itemsAsRead(): readonly ViewItem<RecordedReplacement>[] {
    const dropped = droppedByHand(this.#compactions);
    return dropped.size === 0 ? this.items() : this.items().map((item) => withoutDropped(item, dropped));
  }

  /** What a run starts from: it is void when this has changed. */
  basis(): ViewBasis {
    return { compactions: this.#compactions, pins: this.#pins };
  }

  /** Takes over records and pins of an earlier life; records that reach beyond the transcript are dropped. */
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
    for (const { place, compaction } of undone)
      if (isUsable(compaction)) history.splice(place, 0, { compaction, undone: true });
    this.#setHistory(history);
    this.#pins = new Set(pins.filter((id) => id < length));
  }

  /** Whole blocks and what stands in the place of replaced ranges, in order. A new array after every change. */
  items(): readonly ViewItem<RecordedReplacement>[] {
    return runAtOnce(this.derive());
  }

  /** The same in steps. What is appended meanwhile may be missing. */
  *derive(): Steps<readonly ViewItem<RecordedReplacement>[]> {
    this.#derived = yield* this.#deriveFor(this.#compactions);
    return this.#derived.items;
  }

  /**
   * Sends other messages in the place of one, as long as it is whole: a client now says it in another way. The transcript
   * keeps what came first.
   */
  amend(id: MessageId, messages: readonly ChatMessage[]): void {
    this.#newer = new Map([...this.#newer, [id, messages]]);
  }

  /** Makes a record ready to be added: the view with it is derived in steps. */
  *prepare(compaction: Compaction): Steps<PreparedRecord> {
    const derived = yield* this.#deriveFor([...this.#compactions, compaction]);
    return { ...derived, compaction };
  }

  /**
   * Adds a record that was prepared since the records last changed. What was undone before cannot be done again: the new
   * one may overlap it.
   */
  add({ compaction, ...derived }: PreparedRecord): void {
    this.#history = [...this.#history.filter(({ undone }) => !undone), { compaction, undone: false }];
    this.#compactions = derived.from;
    this.#derived = derived;
  }

  *#deriveFor(from: readonly Compaction[]): Steps<Derived> {
    const known = this.#derived;
    const newer = this.#newer;
    // What comes meanwhile is left for the next time: the last of these blocks may change until then, no other.
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

  /** Undoes the newest record, or the one named; undefined when there is none. */
  drop(id?: string): Compaction | undefined {
    const found = this.#history.findLast(
      ({ compaction, undone }) => !undone && (id ?? compaction.id) === compaction.id,
    );
    this.#mark(found, true);
    return found?.compaction;
  }

  /** Does an undone record again, the one undone that is oldest or the one named; undefined when there is none. */
  redo(id?: string): Compaction | undefined {
    const found = this.#history.find(({ compaction, undone }) => undone && (id ?? compaction.id) === compaction.id);
    this.#mark(found, false);
    return found?.compaction;
  }

  #mark(marked: CompactionEntry | undefined, undone: boolean): void {
    if (marked === undefined) return;
    this.#setHistory(this.#history.map((entry) => (entry === marked ? { ...entry, undone } : entry)));
  }

  #setHistory(history: readonly CompactionEntry[]): void {
    this.#history = history;
    this.#compactions = history.flatMap(({ compaction, undone }) => (undone ? [] : [compaction]));
  }

  /** Keeps a message whole; one that was replaced is restored. @throws RangeError when there is no such message. */
  pin(id: MessageId): void {
    const block = this.#transcript.blocks.find((candidate) => candidate.range.from <= id && id <= candidate.range.to);
    if (block === undefined) {
      throw new RangeError(`there is no message ${id}; the transcript has ${this.#transcript.messages.length}`);
    }
    this.#pins = new Set([...this.#pins, id]);
    this.#setHistory(
      this.#history.map(({ compaction, undone }) => ({ compaction: splitForPin(compaction, block.range), undone })),
    );
  }

  unpin(id: MessageId): void {
    this.#pins = new Set([...this.#pins].filter((pinned) => pinned !== id));
  }
}

function withNewer<Item extends ViewItem>(item: Item | WholeItem, newer: Newer): Item | WholeItem {
  if (item.kind !== 'whole' || item.block.kind === 'tools') return item;
  const messages = newer.get(item.range.from);
  return messages === undefined ? item : new WholeItem(item.block, messages);
}

/** The items when blocks have been added; undefined when they must be derived anew: a record holds the block that changed. */
function grow({ items, newer, blocks: count, last }: Derived, blocks: readonly Block[]): Derived['items'] | undefined {
  const changed = count > 0 && blocks[count - 1] !== last;
  if (changed && items.at(-1)?.kind === 'replaced') return undefined;
  const added = blocks.slice(changed ? count - 1 : count).map((block) => withNewer(new WholeItem(block), newer));
  return (changed ? items.slice(0, -1) : items).concat(added);
}

function recorded(compaction: Compaction): RecordedReplacement[] {
  return compaction.replacements.map((replacement) => ({
    ...replacement,
    compaction: compaction.id,
    messages: replacement.by.messages,
    isWhole: replacement.by.kind === 'whole',
  }));
}
