import { parseRecord, type RawLine, RECORD_START } from './rawRecord.ts';

/** A line of a raw file, and its place: the bytes from `start` up to `stop`, without the line end. */
export interface PlacedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  readonly stop: number;
  readonly content: RawLine;
}

/** The lines of a raw file; one line becomes several where the line end between records was damaged. */
export function* readLines(file: Buffer): Generator<PlacedLine> {
  let number = 1;
  for (let start = 0; start < file.length; number += 1) {
    const end = file.indexOf(0x0a, start);
    const stop = end < 0 ? file.length : end;
    const content = parseRecord(file.subarray(start, stop));
    const line = { number, start, stop, content };
    const parts = content.kind === 'record' ? [] : splitLine(file, line);
    if (parts.some((part) => part.content.kind === 'record')) yield* parts;
    else yield line;
    start = stop + 1;
  }
}

/**
 * Splits a line that may hold several records: each begins like a record, and may be followed by a byte that was a line
 * end.
 */
function splitLine(file: Buffer, line: PlacedLine): PlacedLine[] {
  const bytes = file.subarray(0, line.stop);
  const parts: PlacedLine[] = [];
  for (let start = line.start; start < line.stop; ) {
    const next = bytes.indexOf(RECORD_START, start + 1);
    const stop = next < 0 ? beforeTorn(bytes, start + 1) : next;
    const content = parseRecord(file.subarray(start, stop));
    const isRecord = content.kind === 'record';
    parts.push({ ...line, start, stop, content: isRecord ? content : parseRecord(file.subarray(start, stop - 1)) });
    start = stop;
  }
  return parts;
}

/** The end of the bytes, without the beginning of a record that was cut off too early to be recognized. */
function beforeTorn(bytes: Buffer, from: number): number {
  for (let length = RECORD_START.length - 1; length > 0; length -= 1) {
    const stop = bytes.length - length;
    if (stop >= from && bytes.toString('latin1', stop) === RECORD_START.slice(0, length)) return stop;
  }
  return bytes.length;
}
