import { contains } from '../../messages/blocks.ts';
import { fence, neutralise, unfence } from '../../messages/fence.ts';
import { parseHandles } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { judge } from '../audit/judge.ts';
import { UNVERIFIED } from '../audit/sortStatements.ts';
import { Sources } from '../audit/sources.ts';
import { readStatements } from '../audit/statements.ts';
import type { Narrative } from '../compaction.ts';
import type { Change, Draft } from '../draft.ts';
import { withNarratives, withoutCounts } from '../notes/noteText.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { Unit } from '../unit.ts';

/** What the user wrote instead of a summary. */
export interface NoteEdit {
  /** The raw messages that the summary covers. */
  readonly range: MessageRange;
  /** Markdown, without the summary's first line. */
  readonly text: string;
}

/** A summary as the user reads and edits it. */
export interface NoteParts {
  /** Its first line, with the handle of everything that it replaces. The user cannot change it. */
  readonly head: string;
  readonly body: string;
  /** What the human wrote in its range, and the state as of its writing. The user cannot change it. */
  readonly state: string;
}

/** The parts of the summary that a plan put into a unit; undefined when it has none that can be edited. */
export function notePartsOf(unit: Unit): NoteParts | undefined {
  if (!unit.changed || (unit.state !== 'note' && unit.state !== 'line')) return undefined;
  const [note = '', ...others] = unit.messages.map(contentText);
  const text = unfence(note);
  if (text === undefined) return undefined;
  const [head = '', ...body] = text.split('\n');
  if (!parseHandles(head).some((range) => contains(range, unit.range))) return undefined;
  const [told] = unit.narratives;
  const own = told?.by === 'user' ? told.text : body.join('\n').trim();
  return { head, body: own, state: others.map((other) => unfence(other) ?? other).join('\n\n') };
}

/** The edits, and what they are checked against. */
interface Said {
  readonly edits?: readonly NoteEdit[];
  readonly transcript: Transcript;
  readonly index: PassageIndex;
}

/**
 * Puts the user's own text in place of summaries. It stays word for word, in later runs too; a line that the
 * conversation does not support is marked, never removed.
 */
export function* applyEdits(draft: Draft, { edits = [], ...said }: Said, mark: string): Steps<Draft> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    const edit = edits.find(({ range }) => range.from === unit.range.from && range.to === unit.range.to);
    const parts = edit === undefined ? undefined : notePartsOf(unit);
    if (edit === undefined || parts === undefined) continue;
    const text = yield* markUnsupported(parts.body, neutralise(edit.text).toWellFormed().trim(), said);
    const narratives: readonly Narrative[] = text === '' ? [] : [{ covers: unit.range, text, by: 'user' }];
    const messages = [fence(mark, withNarratives(withoutCounts(parts.head), narratives)), ...unit.messages.slice(1)];
    changes.push({ start, count: 1, by: { kind: 'note', messages, narratives, volatile: unit.volatile } });
  }
  return yield* draft.replaceInSteps(changes);
}

/** The text with a mark after each line that the user wrote and that does not hold against the raw messages. */
function* markUnsupported(before: string, text: string, { transcript, index }: Said): Steps<string> {
  const kept = new Set(before.split('\n').map((line) => line.trim()));
  const sources = new Sources(transcript);
  yield* sources.read();
  yield* index.update();
  const marked: string[] = [];
  const lines = text.split('\n');
  for (const [at, { lead, parts }] of readStatements(text).entries()) {
    const line = lines[at] ?? '';
    yield;
    const isOwn = parts.length > 0 && !/^\s*#/.test(lead) && !kept.has(line.trim()) && !line.includes(UNVERIFIED);
    const holds = !isOwn || parts.every(({ statement }) => judge(statement, sources, index) === 'holds');
    marked.push(holds ? line : `${line.trimEnd()} ${UNVERIFIED}`);
  }
  return marked.join('\n');
}
