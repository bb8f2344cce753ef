import { type Block, blockMessages } from '../../chat/blocks.ts';
import type { MessageRange } from '../../chat/message.ts';
import type { Transcript } from '../../chat/transcript.ts';
import { comparable } from '../../ledger/stated.ts';
import type { Steps } from '../../steps.ts';
import { commandsIn, type NamedThing, namesIn } from './names.ts';
import {
  readStatements,
  type SortedNote,
  type Statement,
  sortStatements,
  UNVERIFIED,
  type Verdict,
} from './statements.ts';

/** Of the handles that a statement cites, this many are looked at. */
const MOST_CITES = 64;

/**
 * Judges one statement by the names and commands in it: it fails when no message has them, and is unverified when the
 * messages that it cites lack a name.
 */
function judge({ text, cites }: Statement, sources: Sources): Verdict {
  const names = namesIn(text.normalize('NFC'));
  const hasAll = names.every((name) => sources.has(name)) && commandsIn(text).every((one) => sources.haveTogether(one));
  if (!hasAll) return 'fails';
  const cited = cites.slice(0, MOST_CITES);
  return cited.length === 0 || names.every((name) => sources.has(name, cited)) ? 'holds' : 'unverified';
}

/** A note and the verdict on each of its statements and headings, by their numbers. */
export interface AuditedNote extends SortedNote {
  /** As the model wrote it, without marks of its own: only what was judged is marked. */
  readonly note: string;
  readonly verdicts: readonly Verdict[];
}

/**
 * Checks a model's note statement by statement against the raw messages. A statement that names something no message
 * has is removed; one that may be true but is not supported where it should be is marked; the rest stays as written.
 */
export function* auditNote(written: string, transcript: Transcript): Steps<AuditedNote> {
  const note = written.replaceAll(UNVERIFIED, '');
  const sources = new Sources(transcript);
  yield* sources.read();
  const verdicts: Verdict[] = [];
  for (const statement of readStatements(note)) {
    yield;
    verdicts.push(judge(statement, sources));
  }
  return { ...sortStatements(note, verdicts), note, verdicts };
}

/** The raw messages as the audit of a note reads them, a call and its results as one text. */
class Sources {
  readonly #blocks: readonly Block[];
  readonly #texts = new Map<Block, string>();
  readonly #found = new Map<string, readonly Block[]>();

  constructor({ blocks }: Transcript) {
    this.#blocks = blocks;
  }

  /** Reads every block once. */
  *read(): Steps<void> {
    for (const block of this.#blocks) {
      this.#texts.set(block, readSource(block));
      yield;
    }
  }

  /**
   * Whether any of some messages (all, if none are given) has the name in any of its forms, or a path in two parts: a
   * folder and what is in it may be named apart, by a listing or a command that changes to the folder first.
   */
  has({ forms }: NamedThing, among?: readonly MessageRange[]): boolean {
    const isAmong = ({ range }: Block): boolean =>
      among === undefined || among.some(({ from, to }) => from <= range.to && range.from <= to);
    if (forms.some((form) => this.#find(form).some(isAmong))) return true;
    const path = forms.at(-1) ?? '';
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folders = new Set(this.#find(path.slice(0, cut)));
      if (this.#find(path.slice(cut + 1)).some((block) => folders.has(block) && isAmong(block))) return true;
    }
    return false;
  }

  /** Whether one block has all of some texts, apart from case and white space. */
  haveTogether(pieces: readonly string[]): boolean {
    const wanted = pieces.map(plain);
    return [...this.#texts.values()].some((text) => wanted.every((piece) => text.includes(piece)));
  }

  /** The blocks that have a form. */
  #find(form: string): readonly Block[] {
    const known = this.#found.get(form);
    if (known !== undefined) return known;
    const found = this.#blocks.filter((block) => stands(this.#texts.get(block) ?? '', form));
    this.#found.set(form, found);
    return found;
  }
}

function readSource(block: Block): string {
  const messages = blockMessages(block);
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map((call) => `${call.name} ${plainCall(call.arguments)}`) : [],
  );
  return plain([...calls, ...messages.map((message) => message.text)].join('\n'));
}

function plain(text: string): string {
  return comparable(text).toLowerCase();
}

/** Escaped line ends and quotes in arguments become what they mean. */
function plainCall(text: string): string {
  return text.replace(/\\[nt]/g, ' ').replace(/\\(["'])/g, '$1');
}

/** Whether a text has a form. A figure is not part of a longer one: 1.2 is not in 1.26, but 1.26 is in 1.26.0. */
function stands(text: string, form: string): boolean {
  const [startsWithDigit, endsWithDigit] = [/^\d/.test(form), /\d$/.test(form)];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    const end = at + form.length;
    const isEnd = startsWithDigit && /\d$/.test(text.slice(Math.max(0, at - 1), at));
    const isStart = endsWithDigit && /^(?!(?:\.0)+(?!\.?\d))[.,]?\d/.test(text.slice(end, end + 8));
    if (!isEnd && !isStart) return true;
  }
  return false;
}
