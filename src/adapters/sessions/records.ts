import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { parseJson } from '../../core/chat/parseJson.ts';
import { sentence } from '../../language/language.ts';
import { type Fields, isFields } from '../fields.ts';
import { withFile } from '../node/durableWrite.ts';
import { linesOf } from '../node/workspaceTools/openTextFile.ts';
import { readFromDatabase } from './openCode.ts';
import { SessionError } from './session.ts';
import type { StandIns } from './standIns.ts';

/** The largest JSON document, which is read as a whole, bytes. Files of lines may have any size. */
const LARGEST_DOCUMENT = 200 * 1024 * 1024;

/** How much of a file is read at a time, bytes. */
const PIECE = 1024 * 1024;

/** How much of a file is read to find its format, bytes. */
const SAMPLE = 256 * 1024;

/** The field of a record that is a line of a text file. */
export const TEXT_LINE = 'text_line';

/** How a file is read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called while lines are read. `share`: how much of the file was read, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Long strings stay in the file. */
  readonly standIns?: StandIns | undefined;
}

/** The records of a session file, one after the other. */
export interface SessionRecords {
  /** Those at its beginning. */
  readonly first: readonly Fields[];
  /** All of them; reads the file once. */
  all(): AsyncIterable<Fields>;
  /** Lines that could not be read so far. */
  damaged(): number;
}

/**
 * Opens a file of JSON lines; or one JSON document, which is one record (a list: one for each element); or a text, whose
 * lines become records with the field `TEXT_LINE`.
 * @throws the file system's error, `SessionError` for a document that is too large, and the reason of the signal
 */
export async function openRecords(file: string, { signal, onProgress }: ReadOptions = {}): Promise<SessionRecords> {
  const stored = await readFromDatabase(file);
  if (stored !== undefined) return documentRecords([stored]);
  const found = await stat(file);
  // Opening a pipe would wait for a writer.
  if (!found.isFile() && !found.isDirectory()) throw new SessionError(sentence('{0} is not a regular file.', file));
  const { size } = found;
  const start = await readPiece(file, 0, Math.min(SAMPLE, size));
  const [firstLine = ''] = start.split('\n', 1);
  const isLines = parseJson(firstLine) !== undefined && start.trimEnd().includes('\n');
  if (!isLines) {
    if (size > LARGEST_DOCUMENT)
      throw new SessionError(
        sentence('{0} is larger than {1} MB and not made of JSON lines.', file, LARGEST_DOCUMENT / 1024 / 1024),
      );
    const text = await readPiece(file, 0, size);
    const document = parseJson(text);
    const lines = () => text.split('\n').map((line) => ({ [TEXT_LINE]: line }));
    const records = Array.isArray(document) ? document.filter(isFields) : isFields(document) ? [document] : lines();
    return documentRecords(records);
  }
  let damaged = 0;
  return {
    first: start.split('\n', 50).map(parseJson).filter(isFields),
    async *all() {
      const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE });
      // Only a line feed ends a line: JSON may hold all other separators.
      for await (const line of linesOf(stream, constants.MAX_STRING_LENGTH)) {
        signal?.throwIfAborted();
        // Its agent may write to it meanwhile.
        onProgress?.(Math.min(1, stream.bytesRead / size));
        if (line.trim() === '') continue;
        const record = parseJson(line);
        if (isFields(record)) yield record;
        else damaged += 1;
      }
      signal?.throwIfAborted();
    },
    damaged: () => damaged,
  };
}

function documentRecords(records: readonly Fields[]): SessionRecords {
  return {
    first: records.slice(0, 20),
    async *all() {
      yield* records;
    },
    damaged: () => 0,
  };
}

/** A piece of a file as text. */
export async function readPiece(file: string, from: number, length: number): Promise<string> {
  return withFile(await open(file), async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  });
}
