import * as z from 'zod/mini';
import { reasonOf } from '../../../core/result.ts';
import { integer, makeTool, text } from '../../../core/session/makeTool.ts';
import { failed, type Tool } from '../../../core/session/tools.ts';
import { formatBytes, linesOf, openTextFile, partsOf } from './openTextFile.ts';
import type { WorkspaceToolLimits } from './toolArguments.ts';
import { findInWorkspace, type WorkspaceFolder } from './workspacePath.ts';

/** The tool `read_file`: lines of a text file, with their numbers. */
export function makeReadFileTool(folders: () => readonly WorkspaceFolder[], limits: WorkspaceToolLimits): Tool {
  return makeTool({
    name: 'read_file',
    description: `Reads a text file of the workspace, or a range of its lines. Each line follows its number. At most ${limits.characters} characters are shown.`,
    parameters: {
      path: text('Path in the workspace, e.g. src/main.ts'),
      start_line: z.optional(integer('First line to read, from 1')),
      end_line: z.optional(integer('Last line to read, inclusive')),
    },
    run: async ({ path: wanted, start_line: start, end_line: end }, signal) => {
      const [from, to] = [start ?? 1, end ?? Number.MAX_SAFE_INTEGER];
      if (to < from) return failed(`end_line (${to}) comes before start_line (${from}).`);
      const path = await findInWorkspace(folders(), wanted);
      if (!path.ok) return failed(path.error);
      const { shown } = path.value;
      const file = await openTextFile(path.value);
      if (!file.ok) return failed(file.error);
      const { handle, bytes } = file.value;
      const isHuge = bytes > limits.wholeFileBytes;
      try {
        if (isHuge && start === undefined && end === undefined)
          return failed(
            `${shown} is huge (${formatBytes(bytes)}). Give start_line and end_line, or use search_text to find the place.`,
          );
        const room = limits.characters;
        const all = linesOf(partsOf(file.value), room);
        const lines = await readLines(all, [from, to], room, !isHuge, signal);
        return { text: describeLines(shown, bytes, from, lines), failed: false };
      } catch (error) {
        if (signal.aborted) return failed('Cancelled.');
        return failed(`${shown} cannot be read (${reasonOf(error)}).`);
      } finally {
        await handle.close();
      }
    },
  });
}

interface ReadLines {
  readonly lines: readonly string[];
  /** The number of lines in the whole file, where they were counted. */
  readonly total?: number;
  /** The result is full: the last line, or what follows it, is not shown. */
  readonly cut: boolean;
}

/** Reads a range of lines, `room` characters at most. `countAll`: goes on to the end, to say how many lines there are. */
async function readLines(
  all: AsyncIterable<string>,
  [from, to]: readonly [number, number],
  room: number,
  countAll: boolean,
  signal: AbortSignal,
): Promise<ReadLines> {
  const lines: string[] = [];
  let [number, left] = [0, room];
  for await (const line of all) {
    signal.throwIfAborted();
    number += 1;
    if (number >= from && number <= to && left > 0) {
      lines.push(line.slice(0, left));
      left -= line.length + 1;
    }
    if (!countAll && (number >= to || left <= 0)) return { lines, cut: left <= 0 };
  }
  return { lines, total: number, cut: left <= 0 };
}

function describeLines(shown: string, bytes: number, from: number, { lines, total, cut }: ReadLines): string {
  if (lines.length === 0) {
    if (bytes === 0) return `${shown} is empty.`;
    return `${shown} has ${total === undefined ? 'fewer' : `only ${total}`} lines; line ${from} does not exist.`;
  }
  const last = from + lines.length - 1;
  const head = `${shown}, lines ${from}-${last}${total === undefined ? '' : ` of ${total}`}`;
  const body = lines
    .map((line, index) => `${from + index}\t${line.endsWith('\r') ? line.slice(0, -1) : line}`)
    .join('\n');
  return `${head}\n${body}${cut ? describeCut(lines.length, last, total) : ''}`;
}

function describeCut(shown: number, last: number, total: number | undefined): string {
  if (shown === 1)
    return `\n[Line ${last} fills the answer; its end is not shown. Use search_text for its parts, or start_line ${last + 1} to go on.]`;
  return last === total ? '' : `\n[The answer is full. Read on with start_line ${last}.]`;
}
