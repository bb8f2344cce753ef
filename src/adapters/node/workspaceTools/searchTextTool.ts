import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { reasonOf } from '../../../core/result.ts';
import { flag, makeTool, text } from '../../../core/session/makeTool.ts';
import { failed, type Tool, type ToolOutcome } from '../../../core/session/tools.ts';
import { withFile } from '../durableWrite.ts';
import { LONGEST_GLOB, readGlob } from './glob.ts';
import { openTextFile } from './openTextFile.ts';
import type { WorkspaceToolLimits } from './toolArguments.ts';
import { ALL_LEVELS, SKIPPED_FOLDERS, Walk, walkFolder } from './walkFolder.ts';
import { findStartPlaces, type WorkspaceFolder, type WorkspacePath } from './workspacePath.ts';

const LONGEST_QUERY = 1_000;

/** The tool `search_text`: lines that contain a text or match a regular expression. */
export function makeSearchTextTool(folders: () => readonly WorkspaceFolder[], limits: WorkspaceToolLimits): Tool {
  return makeTool({
    name: 'search_text',
    description: `Finds lines in the text files of the workspace. ${SKIPPED_FOLDERS.join(', ')}, what .gitignore names, binary and huge files are skipped. At most ${limits.matches} matches.`,
    parameters: {
      query: text('Text to find, or a JavaScript regular expression with is_regex', LONGEST_QUERY).check(
        z.minLength(1),
      ),
      is_regex: z.optional(flag('The query is a regular expression; false when absent')),
      case_sensitive: z.optional(flag('false when absent')),
      path: z.optional(text('Folder or file in the workspace; the whole workspace when absent')),
      include: z.optional(text('Only files that match these globs, e.g. *.{ts,tsx}', LONGEST_GLOB)),
    },
    run: async ({ query, is_regex = false, case_sensitive = false, path, include }, signal) => {
      const pattern = makePattern(query, is_regex, case_sensitive);
      if (typeof pattern === 'string') return failed(pattern);
      const places = await findStartPlaces(folders(), path);
      if (!places.ok) return failed(places.error);
      return new Search(pattern, limits, signal).run(places.value, include);
    },
  });
}

function makePattern(query: string, isRegex: boolean, caseSensitive: boolean): RegExp | string {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  if (!isRegex && /[\r\n]/u.test(query)) return 'The query must be one line: lines are searched one by one.';
  try {
    return new RegExp(source, caseSensitive ? 'u' : 'iu');
  } catch (error) {
    return `The query is not a valid regular expression: ${reasonOf(error)}`;
  }
}

/** After an expression had to be stopped on this many files, the search ends: the expression is at fault. */
const MOST_SLOW_FILES = 3;

/** One search through files, and what it has found. */
class Search {
  readonly #matcher: LineMatcher;
  readonly #limits: WorkspaceToolLimits;
  readonly #walk: Walk;
  readonly #found: (LineMatch & { readonly place: string })[] = [];
  #files = 0;
  #huge = 0;
  /** Files on which the regular expression had to be stopped. */
  readonly #slow: string[] = [];

  constructor(pattern: RegExp, limits: WorkspaceToolLimits, signal: AbortSignal) {
    this.#matcher = new LineMatcher(pattern);
    this.#limits = limits;
    this.#walk = new Walk(limits, signal, () =>
      this.#found.length >= limits.matches ? `more than ${limits.matches} matches` : undefined,
    );
  }

  async run(places: readonly WorkspacePath[], include: string | undefined): Promise<ToolOutcome> {
    const glob = include === undefined ? undefined : readGlob(include);
    if (glob?.ok === false) return failed(glob.error);
    try {
      for await (const place of this.#list(places)) {
        if (glob?.value(place.shown) === false) continue;
        await this.#searchFile(place);
        if (!this.#walk.mayGoOn()) break;
      }
    } finally {
      this.#matcher.dispose();
    }
    if (this.#walk.signal.aborted) return failed('Cancelled.');
    return { text: this.#describe(), failed: false };
  }

  /** The files at these places and below. */
  async *#list(places: readonly WorkspacePath[]): AsyncGenerator<WorkspacePath> {
    for (const place of places) {
      for await (const entry of walkFolder(place, ALL_LEVELS, this.#walk)) {
        // A start that is no folder is the one file to search.
        const isPlace = entry.kind === 'unreadable' && entry.place === place;
        if (entry.kind === 'file' || isPlace) yield entry.place;
      }
    }
  }

  async #searchFile(place: WorkspacePath): Promise<void> {
    const file = await openTextFile(place);
    if (!file.ok) return;
    const { bytes, encoding } = file.value;
    const { wholeFileBytes, fileMs, matches } = this.#limits;
    await withFile(file.value.handle, async (handle) => {
      if (bytes > wholeFileBytes) {
        this.#huge += 1;
        return;
      }
      const text = new TextDecoder(encoding).decode(await handle.readFile());
      const ms = Math.max(1, Math.min(fileMs, this.#walk.leftMs));
      const found = await this.#matcher.match(text, matches - this.#found.length, ms, this.#walk.signal);
      this.#files += 1;
      if (found === undefined) this.#slow.push(place.shown);
      else this.#found.push(...found.map((match) => ({ place: place.shown, ...match })));
      if (this.#slow.length >= MOST_SLOW_FILES)
        this.#walk.ended = 'the regular expression takes too long; simplify it, e.g. without nested repetition';
    });
  }

  /** The result for the model: one line per match, then what was skipped and how to get more. */
  #describe(): string {
    const shown: string[] = [];
    let room = this.#limits.characters;
    for (const { place, line, text } of this.#found) {
      const entry = `${place}:${line}: ${text}`;
      room -= entry.length + 1;
      if (room < 0) break;
      shown.push(entry);
    }
    const isCut = shown.length < this.#found.length;
    const ended = this.#walk.ended ?? (isCut ? 'the answer is full' : undefined);
    const notes = [
      this.#found.length === 0
        ? `No line matches (${this.#files} files searched).`
        : `${shown.length} matches in ${this.#files} files searched.`,
    ];
    if (this.#huge > 0) notes.push(`${this.#huge} huge files were not searched.`);
    if (this.#slow.length > 0) {
      const names = this.#slow.slice(0, 5).join(', ');
      notes.push(`Not searched to the end, since the expression took too long: ${names}.`);
    }
    if (ended !== undefined) notes.push(`Stopped: ${ended}. Narrow it with path or include.`);
    return [...shown, `[${notes.join(' ')}]`].join('\n');
  }
}

/** A line that matches, counted from 1. */
interface LineMatch {
  readonly line: number;
  readonly text: string;
}

/** The most characters of a line that are shown around a match, and of those before it. */
const AROUND_MATCH = 300;
const BEFORE_MATCH = 100;

/** The code of the worker, as text so that no bundle needs a file for it. */
const WORKER_CODE = `
const { parentPort, workerData: expression } = require('node:worker_threads');
parentPort.on('message', ({ text, most }) => {
  const matches = [];
  for (const [index, line] of text.split(/\\r?\\n/).entries()) {
    const at = matches.length < most ? expression.exec(line)?.index : undefined;
    if (at === undefined) continue;
    const from = line.length <= ${AROUND_MATCH} ? 0 : Math.max(0, at - ${BEFORE_MATCH});
    const [before, after] = [from > 0, from + ${AROUND_MATCH} < line.length].map((isCut) => (isCut ? '…' : ''));
    matches.push({ line: index + 1, text: before + line.slice(from, from + ${AROUND_MATCH}).trim() + after });
  }
  parentPort.postMessage(matches);
});`;

/**
 * Matches lines in a worker thread, which is stopped at a deadline: an expression that never ends blocks nothing else. One
 * text at a time; call `dispose` when done.
 */
class LineMatcher {
  readonly #pattern: RegExp;
  #worker: Worker | undefined;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  /** At most `most` matches; undefined when the signal aborted, or the expression took too long or too much memory. */
  async match(text: string, most: number, ms: number, signal: AbortSignal): Promise<readonly LineMatch[] | undefined> {
    try {
      const worker = this.#worker ?? (await this.#start(signal));
      worker.postMessage({ text, most });
      const [matches] = await once(worker, 'message', { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) });
      return matches;
    } catch {
      this.dispose();
      return undefined;
    }
  }

  /** On a busy machine, the start of a thread takes longer than a file may: it does not count. */
  async #start(signal: AbortSignal): Promise<Worker> {
    const resourceLimits = { maxOldGenerationSizeMb: 128 };
    this.#worker = new Worker(WORKER_CODE, { eval: true, workerData: this.#pattern, execArgv: [], resourceLimits });
    await once(this.#worker, 'online', { signal });
    return this.#worker;
  }

  dispose(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
