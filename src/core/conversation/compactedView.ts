import type { Compaction, RecordedReplacement } from '../compaction/compaction.ts';
import { splitForPin } from '../compaction/restore.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageId } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import { deriveView, type ViewItem } from '../messages/view.ts';

/** Records and pins as they were at one moment. */
export interface ViewBasis {
  readonly compactions: readonly Compaction[];
  readonly pins: ReadonlySet<MessageId>;
}

/** True when neither records nor pins have changed between two moments. */
export function isSameBasis(one: ViewBasis, other: ViewBasis): boolean {
  return one.compactions === other.compactions && one.pins === other.pins;
}

/** The transcript as it is sent: what compactions replace, what pins keep. Derived, and kept until either changes. */
export class CompactedView {
  readonly #transcript: Transcript;
  #compactions: readonly Compaction[] = [];
  #pins: ReadonlySet<MessageId> = new Set();
  #newer: ReadonlyMap<MessageId, readonly ChatMessage[]> = new Map();
  #derived:
    | {
        readonly from: readonly Compaction[];
        readonly newer: ReadonlyMap<MessageId, readonly ChatMessage[]>;
        readonly length: number;
        readonly items: readonly ViewItem<RecordedReplacement>[];
      }
    | undefined;

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

  /** Whole blocks and what stands in the place of replaced ranges, in order. */
  items(): readonly ViewItem<RecordedReplacement>[] {
    const { blocks, messages } = this.#transcript;
    const [from, newer, { length }] = [this.#compactions, this.#newer, messages];
    const derived = this.#derived;
    if (derived?.from === from && derived.newer === newer && derived.length === length) return derived.items;
    const items = deriveView(blocks, from.flatMap(recorded)).map((item) => withNewer(item, newer));
    this.#derived = { from, newer, length, items };
    return items;
  }

  /**
   * Sends other messages in the place of one, as long as it is whole: a client now says it in another way. The transcript
   * keeps what came first.
   */
  amend(id: MessageId, messages: readonly ChatMessage[]): void {
    this.#newer = new Map([...this.#newer, [id, messages]]);
  }

  /** Adds a record. */
  add(compaction: Compaction): void {
    this.#compactions = [...this.#compactions, compaction];
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

function withNewer<Item extends ViewItem>(item: Item, newer: ReadonlyMap<MessageId, readonly ChatMessage[]>): Item {
  if (newer.size === 0 || item.kind !== 'whole' || item.block.kind === 'tools') return item;
  const messages = newer.get(item.range.from);
  return messages === undefined ? item : { ...item, messages };
}

function recorded(compaction: Compaction): RecordedReplacement[] {
  return compaction.replacements.map((replacement) => ({
    ...replacement,
    compaction: compaction.id,
    messages: replacement.by.messages,
  }));
}
