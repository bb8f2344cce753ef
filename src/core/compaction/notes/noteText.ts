import { describeBlock, describeBlocks } from '../../ledger/describe.ts';
import { type Block, rangeLength } from '../../messages/blocks.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { UNVERIFIED } from '../audit/statements.ts';
import type { Narrative } from '../compaction.ts';
import type { Passage, Step, Variant } from './selection.ts';

/** What the note of a range is made of. */
export interface NoteParts {
  readonly range: MessageRange;
  /** In the order of the transcript. */
  readonly passages: readonly Passage[];
  readonly chosen: ReadonlyMap<Passage, Variant>;
  /** How earlier notes of the same run named files; this note continues from there. */
  readonly names: PathNames;
}

/**
 * The text of a note: Markdown. The first line has the handle of everything that the note replaces and counts the
 * texts and steps that it does not quote; below it is a list of quotations in chronological order, each after its handle.
 */
export function* noteText({ range, passages, chosen, names }: NoteParts): Steps<string> {
  const quoted: string[] = [];
  const left: Step[] = [];
  let texts = 0;
  yield* eachInSteps(passages, (passage) => {
    const variant = chosen.get(passage);
    if (variant === undefined) {
      if (passage.step === undefined) texts += 1;
      else left.push(passage.step);
      return;
    }
    const file = passage.path === undefined ? '' : `${names.edited(passage.path)} `;
    quoted.push(`- [${handleOf(passage.range)}] ${indent(`${file}${variant.text}`)}`);
  });
  const counts = yield* countSteps(left, names);
  if (texts > 0) counts.unshift(texts === 1 ? '1 text' : `${texts} texts`);
  const first = rangeLine(range, counts.join('; '));
  return quoted.length === 0 ? first : `${first}\n${quoted.join('\n')}`;
}

const NOT_QUOTED = '; not quoted: ';

/** The first line of a note whose quotations are gone: it no longer counts what was not quoted. */
export function withoutCounts(first: string): string {
  return first.split(NOT_QUOTED, 1)[0] ?? first;
}

/** The first line of a note, with the handle of its whole range. */
export function rangeLine(range: MessageRange, notQuoted = ''): string {
  const length = rangeLength(range);
  const messages = length === 1 ? '1 message' : `${length} messages`;
  return `[${handleOf(range)}] ${messages}${notQuoted === '' ? '' : `${NOT_QUOTED}${notQuoted}`}`;
}

/** Between narratives and what is quoted, which would be read as the end of the last narrative's last part. */
const RULE = '\n---';

/** A note that has none yet, with narratives inserted before everything that is quoted. */
export function withNarratives(note: string, narratives: readonly Narrative[]): string {
  if (narratives.length === 0) return note;
  const [first = '', ...quoted] = note.split('\n');
  const rule = quoted.length === 0 ? '' : RULE;
  return [`${first}${narratives.map(narrativeText).join('')}${rule}`, ...quoted].join('\n');
}

/** A note without the given narratives. */
export function withoutNarratives(note: string, narratives: readonly Narrative[]): string {
  return narratives.reduce((text, narrative) => {
    const told = narrativeText(narrative);
    const at = text.indexOf(told);
    if (at < 0) return text;
    const [before, after] = [text.slice(0, at), text.slice(at + told.length)];
    // Only a narrative ends with a line of its own that is empty.
    const isLast = after.startsWith(`${RULE}\n`) && !before.endsWith('\n');
    return before + after.slice(isLast ? RULE.length : 0);
  }, note);
}

const UNVERIFIED_MEANS = `; ${UNVERIFIED}: not confirmed by the messages that it names`;

function narrativeText({ covers, text, by }: Narrative): string {
  const whose = by === 'user' ? 'Summary, edited by the user,' : 'Summary by the model';
  return `\n${whose} of [${handleOf(covers)}], as things were at t${covers.to}; what later messages say is newer${text.includes(UNVERIFIED) ? UNVERIFIED_MEANS : ''}:\n${text}\n`;
}

/** Indents all lines after the first, so that they belong to the list item. */
function indent(text: string): string {
  return text.includes('\n') ? text.replaceAll('\n', '\n  ') : text;
}

/**
 * A note counts the steps of this many tools apart, the most used, and names this many of the files that they worked
 * on: first the file that each tool worked on most.
 */
const MOST_TOOLS = 12;
const MOST_FILES = 8;

/** The counts of steps that are not quoted, by tool: `13 TaskUpdate`, `23 Edit, 8 of engine.ts`. */
function* countSteps(steps: readonly Step[], names: PathNames): Steps<string[]> {
  const tools = new Map<string, Map<string, number>>();
  yield* eachInSteps(steps, ({ tool, path }) => {
    const files = tools.get(tool) ?? new Map<string, number>();
    const file = path ?? '';
    files.set(file, (files.get(file) ?? 0) + 1);
    tools.set(tool, files);
  });
  const counts = [...tools].map(([tool, files]) => ({
    tool,
    total: [...files.values()].reduce((sum, count) => sum + count, 0),
    files: [...files].filter(([file]) => file !== '').sort(([, a], [, b]) => b - a),
  }));
  const told = new Set(counts.toSorted((a, b) => b.total - a.total).slice(0, MOST_TOOLS));
  const ranked = [...told].flatMap(({ files }) => files.map((file, rank) => ({ file, rank })));
  ranked.sort((a, b) => a.rank - b.rank || b.file[1] - a.file[1]);
  const named = new Set([...new Set(ranked.map(({ file: [path] }) => path))].slice(0, MOST_FILES));
  const parts = counts.flatMap((count) => {
    if (!told.has(count)) return [];
    const shown = count.files
      .filter(([path]) => named.has(path))
      .map(([path, uses]) => (uses === 1 ? names.counted(path) : `${uses} of ${names.counted(path)}`));
    return [[`${count.total} ${count.tool}`, ...shown].join(', ')];
  });
  const others = counts.reduce((sum, count) => (told.has(count) ? sum : sum + count.total), 0);
  return others === 0 ? parts : [...parts, `${others} by other tools`];
}

/** Paths are shortened by the deepest folder that contains at least this share of them. */
const ROOT_SHARE = 0.8;

/**
 * How the notes of one run name files: with the whole path where an edit is first mentioned, as briefly as possible
 * afterwards.
 */
export class PathNames {
  readonly #root: string;
  readonly #edited: Set<string>;
  readonly #counted: Set<string>;

  private constructor(root: string, edited: Set<string>, counted: Set<string>) {
    this.#root = root;
    this.#edited = edited;
    this.#counted = counted;
  }

  /** Names for some files, none of them used yet. */
  static of(paths: readonly string[]): PathNames {
    return new PathNames(commonFolder(paths), new Set(), new Set());
  }

  /** A copy, for a note that may yet be discarded. */
  copy(): PathNames {
    return new PathNames(this.#root, new Set(this.#edited), new Set(this.#counted));
  }

  /** The name of a file that was changed: its whole path the first time, then its last two parts. */
  edited(path: string): string {
    if (this.#edited.has(path)) return path.split(/[\\/]/).slice(-2).join('/');
    this.#edited.add(path);
    return path;
  }

  /** The name of a file in a count: its path within the common folder the first time, then its base name. */
  counted(path: string): string {
    if (this.#edited.has(path) || this.#counted.has(path)) return path.split(/[\\/]/).at(-1) || path;
    this.#counted.add(path);
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }
}

/** The deepest folder, with a separator at its end, that contains most absolute paths; '' when there is none. */
function commonFolder(paths: readonly string[]): string {
  let inside = [...new Set(paths)].filter((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path));
  const least = inside.length * ROOT_SHARE;
  let folder = '';
  while (inside.length > 1) {
    const counts = new Map<string, number>();
    for (const path of inside) {
      const end = path.slice(folder.length).search(/[\\/]/);
      if (end < 0) continue;
      const next = path.slice(0, folder.length + end + 1);
      counts.set(next, (counts.get(next) ?? 0) + 1);
    }
    const next = [...counts].find(([, count]) => count >= least)?.[0];
    if (next === undefined) return folder;
    folder = next;
    inside = inside.filter((path) => path.startsWith(next));
  }
  return folder;
}

const LABEL_CHARACTERS = 160;

/** `[t11-30 20 messages · changed … · read …]`: the handle of a range and a label that says what is behind it. */
export function labelRange(range: MessageRange, blocks: readonly Block[], characters = LABEL_CHARACTERS): string {
  const [only] = blocks;
  return `[${handleOf(range)} ${blocks.length === 1 && only !== undefined ? describeBlock(only) : describeBlocks(blocks, characters)}]`;
}
