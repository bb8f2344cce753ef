import type { Compaction, RecordedReplacement } from '../compaction/compaction.ts';
import { splitForPin } from '../compaction/restore.ts';
import type { Block } from '../messages/blocks.ts';
import type { MessageId } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { deriveView, type ViewItem, wholeItem } from '../messages/view.ts';
import { runAtOnce, type Steps } from '../steps.ts';

/** Records and pins as they were at one moment. */
export interface ViewBasis {
  readonly compactions: readonly Compaction[];
  readonly pins: ReadonlySet<MessageId>;
}

/** True when neither records nor pins have changed between two moments. */
export function isSameBasis(one: ViewBasis, other: ViewBasis): boolean {
  return one.compactions === other.compactions && one.pins === other.pins;
}

/** The view of some records, as far as the transcript had come. */
interface Derived {
  readonly from: readonly Compaction[];
  /** How many blocks it is of, and the last of them: only that one can change. */
  readonly blocks: number;
  readonly last: Block | undefined;
  readonly items: readonly ViewItem<RecordedReplacement>[];
}

/** A record that has been made ready to be added: the records with it, and their view. */
export type PreparedRecord = Derived;

/** The transcript as it is sent: what compactions replace, what pins keep. Derived, and kept until either changes. */
export class CompactedView {
  readonly #transcript: Transcript;
  #compactions: readonly Compaction[] = [];
  #pins: ReadonlySet<MessageId> = new Set();
  #derived: Derived = { from: [], blocks: 0, last: undefined, items: [] };

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** All records, oldest first. A new array after every change, so that a run can tell whether its basis still stands. */
  get compactions(): readonly Compaction[] {
    return this.#compactions;
  }

  /** Messages kept whole. A new set after every change. */
  get pins(): ReadonlySet<MessageId> {
    return this.#pins;
  }

  /** What a run starts from: it is void when this has changed. */
  basis(): ViewBasis {
    return { compactions: this.#compactions, pins: this.#pins };
  }

  /** Takes over records and pins of an earlier life; records that reach beyond the transcript are dropped. */
  restore(compactions: readonly Compaction[], pins: readonly MessageId[]): void {
    const { length } = this.#transcript.messages;
    this.#compactions = compactions.filter((compaction) => compaction.transcriptLength <= length);
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

  /** Makes a record ready to be added: the view with it is derived in steps. */
  *prepare(compaction: Compaction): Steps<PreparedRecord> {
    return yield* this.#deriveFor([...this.#compactions, compaction]);
  }

  /** Adds a record that was prepared since the records last changed. */
  add(prepared: PreparedRecord): void {
    this.#compactions = prepared.from;
    this.#derived = prepared;
  }

  *#deriveFor(from: readonly Compaction[]): Steps<Derived> {
    const known = this.#derived;
    // What comes meanwhile is left for the next time: the last of these blocks may change until then, no other.
    const blocks = this.#transcript.blocks;
    const upTo = { from, blocks: blocks.length, last: blocks.at(-1) };
    if (known.from === from) {
      if (known.blocks === upTo.blocks && known.last === upTo.last) return known;
      const items = grow(known, blocks);
      if (items !== undefined) return { ...upTo, items };
    }
    const items = yield* deriveView(blocks.slice(), from.flatMap(recorded));
    return { ...upTo, items };
  }

  /** Drops the newest record, or the one named; undefined when there is none. */
  drop(id?: string): Compaction | undefined {
    const compaction =
      id === undefined ? this.#compactions.at(-1) : this.#compactions.find((candidate) => candidate.id === id);
    if (compaction !== undefined) this.#compactions = this.#compactions.filter((candidate) => candidate !== compaction);
    return compaction;
  }

  /** Keeps a message whole; one that was replaced is restored. @throws RangeError when there is no such message. */
  pin(id: MessageId): void {
    const block = this.#transcript.blocks.find((candidate) => candidate.range.from <= id && id <= candidate.range.to);
    if (block === undefined) {
      throw new RangeError(`there is no message ${id}; the transcript has ${this.#transcript.messages.length}`);
    }
    this.#pins = new Set([...this.#pins, id]);
    this.#compactions = splitForPin(this.#compactions, block.range);
  }

  unpin(id: MessageId): void {
    this.#pins = new Set([...this.#pins].filter((pinned) => pinned !== id));
  }
}

/** The items when blocks have been added; undefined when they must be derived anew: a record holds the block that changed. */
function grow({ items, blocks: count, last }: Derived, blocks: readonly Block[]): Derived['items'] | undefined {
  const changed = count > 0 && blocks[count - 1] !== last;
  if (changed && items.at(-1)?.kind === 'replaced') return undefined;
  const added = blocks.slice(changed ? count - 1 : count).map(wholeItem);
  return (changed ? items.slice(0, -1) : items).concat(added);
}

function recorded(compaction: Compaction): RecordedReplacement[] {
  return compaction.replacements.map((replacement) => ({
    ...replacement,
    compaction: compaction.id,
    messages: replacement.by.messages,
  }));
}
