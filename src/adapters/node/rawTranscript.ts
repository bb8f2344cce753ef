import { english } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { parseMessage } from '../../core/messages/parse.ts';
import { type ReadTranscript, Transcript } from '../../core/messages/transcript.ts';
import { eachInSteps, mapInSteps, type Steps, sortInSteps } from '../../core/steps.ts';
import { findTrusted, type StatedPosition } from './positions.ts';
import { type PlacedLine, readLines } from './rawLines.ts';
import type { RawLine, RawRecords, ReadRecord } from './rawRecord.ts';

/** A line that was not accepted unchanged; its bytes are kept aside. */
export interface DamagedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  readonly reason: string;
  /** Only its position was wrong, and its neighbours show the right one: the message is in the transcript. */
  readonly repaired: boolean;
}

/** The contents of a raw file. */
export interface RawTranscript extends RawRecords {
  /** The same messages, parsed. */
  readonly transcript: ReadTranscript;
  readonly damaged: readonly DamagedLine[];
  /** The end of the file if it is not a whole line. */
  readonly torn?: Buffer;
  /** How many messages are placeholders: the file has no line for them, or only a damaged one. */
  readonly lost: number;
  /** Those of them for which the file has no line at all. */
  readonly missing: number;
  /** The number of damaged and torn lines after the last message: nothing in them is among the messages. */
  readonly unread: number;
  /** The last line is complete except for its line end. */
  readonly unfinished: boolean;
}

/** No more positions than this can be missing in a file: a line that implies more is damaged. */
const LARGEST_GAP = 10_000;

/**
 * Reads a raw file. Missing messages between existing ones get placeholders, so that every message keeps the position
 * that compactions and handles refer to. A position that does not fit those around it is not believed. A long file is
 * read in steps.
 */
export function* parseRawTranscript(file: Buffer): Steps<RawTranscript> {
  return (yield* readWhole(file)) ?? (yield* readDamaged(file));
}

/**
 * Reads a file in which every line is whole and in its place, with no objects per line besides its record; otherwise
 * undefined.
 */
function* readWhole(file: Buffer): Steps<RawTranscript | undefined> {
  const transcript = new Transcript();
  const messages: ChatMessage[] = [];
  const times: number[] = [];
  for (const { content, stop } of readLines(file)) {
    if (content.kind === 'damaged' || !content.sealed || stop === file.length) return undefined;
    const { at, message } = content.record;
    if (message.id !== transcript.nextId) return undefined;
    transcript.append(message);
    messages.push(message.wire);
    times.push(at);
    yield;
  }
  return { transcript, messages, times, damaged: [], lost: 0, missing: 0, unread: 0, unfinished: false };
}

function* readDamaged(file: Buffer): Steps<RawTranscript> {
  const lines: PlacedLine[] = [];
  for (const line of readLines(file)) {
    lines.push(line);
    yield;
  }
  const last = lines.at(-1);
  const isWhole = last === undefined || last.stop < file.length;
  const torn = isWhole || last.content.kind === 'record' ? undefined : file.subarray(last.start);
  if (torn !== undefined) lines.pop();
  const highest = lines.length + LARGEST_GAP;
  const contents = yield* mapInSteps(lines, ({ content }) => withinReach(content, highest));
  const stated = yield* mapInSteps(contents, (content) => (content.kind === 'record' ? statedIn(content) : undefined));
  const trusted = yield* findTrusted(stated);
  const reading = new Reading();
  yield* eachInSteps(contents, (content, index) => {
    if (content.kind === 'record' && trusted.has(index)) reading.take(content.record);
    else reading.wait({ content, index });
  });
  reading.end();
  const damaged = reading.damaged.map(({ index, ...damage }) => {
    const { number, start, stop } = lines[index] ?? { number: 0, start: 0, stop: 0 };
    return { line: number, bytes: file.subarray(start, stop), ...damage };
  });
  const unread = reading.unread + (torn === undefined ? 0 : 1);
  return {
    ...(yield* reading.content()),
    damaged,
    unread,
    unfinished: !isWhole && torn === undefined,
    ...(torn && { torn }),
  };
}

type RecordLine = Extract<RawLine, { kind: 'record' }>;

function statedIn({ record, sealed }: RecordLine): StatedPosition {
  return { id: record.message.id, sealed };
}

function withinReach(content: RawLine, highest: number): RawLine {
  if (content.kind === 'damaged' || content.record.message.id <= highest) return content;
  return {
    kind: 'damaged',
    reason: english('its position {0} is far beyond the others', String(content.record.message.id)),
  };
}

/** A line that was not accepted unchanged; `index` counts the lines of the file. */
interface WaitingLine<Content extends RawLine = RawLine> {
  readonly content: Content;
  readonly index: number;
}

/** Reads the lines of a file from first to last, and accepts each of them or puts it aside. */
class Reading {
  readonly damaged: (Pick<DamagedLine, 'reason' | 'repaired'> & { readonly index: number })[] = [];
  /** By position. */
  readonly #records = new Map<number, ReadRecord>();
  /** The position after the highest. */
  #length = 0;
  /** The position after the last line whose position was believed. */
  #next = 0;
  /** The lines since then that are damaged, or whose position is not believed. */
  #waiting: WaitingLine[] = [];
  /** The positions of the lines that were put aside for good. */
  readonly #unreadable = new Set<number>();
  /** Lines with a checksum that are out of order: copies, or the only copy of their message. */
  #strays: WaitingLine<RecordLine>[] = [];

  /** The records by position, with placeholders in the gaps. */
  *content(): Steps<RawRecords & Pick<RawTranscript, 'transcript' | 'lost' | 'missing'>> {
    const records = yield* sortInSteps([...this.#records.values()], (one, other) => one.message.id - other.message.id);
    const transcript = new Transcript();
    const messages: ChatMessage[] = [];
    const times: number[] = [];
    const add = ({ at, message }: ReadRecord): void => {
      transcript.append(message);
      messages.push(message.wire);
      times.push(at);
    };
    for (const record of records) {
      const { at, message } = record;
      for (; messages.length < message.id; yield) add({ at, message: parseMessage(lostMessage(), messages.length) });
      add(record);
      yield;
    }
    const lost = messages.length - records.length;
    const unreadable = [...this.#unreadable].filter((id) => id < messages.length && !this.#records.has(id));
    return { transcript, messages, times, lost, missing: lost - unreadable.length };
  }

  /** The number of damaged lines after the last record. */
  get unread(): number {
    return Math.max(0, this.#next - this.#length);
  }

  #put(record: ReadRecord): void {
    const { id } = record.message;
    this.#records.set(id, record);
    this.#length = Math.max(this.#length, id + 1);
  }

  /** Takes the next line whose position is believed, and decides about the waiting lines. */
  take(record: ReadRecord): void {
    const { id } = record.message;
    this.#settle(id - this.#next);
    this.#put(record);
    this.#next = id + 1;
  }

  wait(line: WaitingLine): void {
    const { content, index } = line;
    if (content.kind === 'record' && content.sealed) this.#strays.push({ content, index });
    else this.#waiting.push(line);
  }

  end(): void {
    this.#settle(undefined);
    for (const line of this.#strays) {
      const { record } = line.content;
      const repaired = !this.#records.has(record.message.id);
      if (repaired) this.#put(record);
      this.#setAside(line, repaired);
    }
  }

  /**
   * `gap`: the number of free positions up to the next record; undefined at the end of the file, where there is no
   * limit.
   */
  #settle(gap: number | undefined): void {
    const waiting = this.#waiting.map((line) => ({ line, repeats: this.#repeats(line.content) }));
    this.#waiting = [];
    const fit = gap === undefined || gap === waiting.filter(({ repeats }) => !repeats).length;
    for (const { line, repeats } of waiting) {
      const { content } = line;
      const repaired = fit && !repeats && content.kind === 'record';
      if (repaired) this.#put(movedTo(this.#next, content.record));
      if (!repeats && !repaired) this.#unreadable.add(this.#next);
      if (!repeats) this.#next += 1;
      this.#setAside(line, repaired);
    }
  }

  /** Whether a line repeats the same message. */
  #repeats(content: RawLine): boolean {
    if (content.kind === 'damaged') return false;
    const { id, wire } = content.record.message;
    const held = this.#records.get(id);
    return held !== undefined && JSON.stringify(held.message.wire) === JSON.stringify(wire);
  }

  #setAside({ content, index }: WaitingLine, repaired: boolean): void {
    const reason =
      content.kind === 'damaged'
        ? content.reason
        : english('its position {0} does not go with the lines around it', String(content.record.message.id));
    this.damaged.push({ index, reason, repaired });
  }
}

function movedTo(id: number, { at, message }: ReadRecord): ReadRecord {
  return { at, message: { ...message, id } };
}

/** Worded as the assistant's: a lost user or tool message must not look like something that a person or a tool said. */
function lostMessage(): ChatMessage {
  return { role: 'assistant', content: '[Karl: this message could not be read from the disk.]' };
}
