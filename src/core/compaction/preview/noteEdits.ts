import { contains } from '../../messages/blocks.ts';
import { fence, neutralise, unfence } from '../../messages/fence.ts';
import { parseHandles } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { UNVERIFIED } from '../audit/auditNote.ts';
import { judge } from '../audit/judge.ts';
import { Sources } from '../audit/sources.ts';
import { readStatements } from '../audit/statements.ts';
import type { Narrative } from '../compaction.ts';
import type { Change, Draft } from '../draft.ts';
import { withNarratives } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import type { Unit } from '../unit.ts';

/** What the user wrote in the place of a summary. */
export interface NoteEdit {
  /** The raw messages that the summary stands for. */
  readonly range: MessageRange;
  /** Markdown, without the first line of the summary. */
  readonly text: string;
}

/** A summary as the user reads and edits it. */
export interface NoteParts {
  /** Its first line: the handle of all that it stands for. It stays. */
  readonly head: string;
  readonly body: string;
  /** How things stand when it is written; Karl's own words, which stay. */
  readonly state: string;
}

/** The parts of the summary that a plan puts into a unit; undefined when there is none that can be edited. */
export function notePartsOf(unit: Unit): NoteParts | undefined {
  if (!unit.changed || (unit.state !== 'note' && unit.state !== 'line')) return undefined;
  const notes = unit.messages.length - unit.volatile;
  const [text, ...states] = unit.messages.map((message) => unfence(contentText(message)));
  if (notes !== 1 || text === undefined) return undefined;
  const [head = '', ...body] = text.split('\n');
  if (!parseHandles(head).some((range) => contains(range, unit.range))) return undefined;
  const [told] = unit.narratives;
  const own = told?.by === 'user' ? told.text : body.join('\n').trim();
  return { head, body: own, state: states.join('\n\n') };
}

/** The record that edits are put into. */
interface Edited extends Pick<PlanInput, 'ledger' | 'mark' | 'limit'>, Pick<Strategy, 'promise'> {}

/** What edited words are compared with. */
interface Said {
  readonly edits?: readonly NoteEdit[];
  readonly transcript: Transcript;
  readonly index: PassageIndex;
}

/**
 * Puts what the user wrote in the place of summaries. It stays word for word, also in later runs; what the conversation does
 * not bear out is marked, never taken out. What law 7 requires and the user left out joins the state.
 */
export function* applyEdits(draft: Draft, { edits = [], ...said }: Said, input: Edited): Steps<Draft> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    const edit = edits.find(({ range }) => range.from === unit.range.from && range.to === unit.range.to);
    const parts = edit === undefined ? undefined : notePartsOf(unit);
    if (edit === undefined || parts === undefined) continue;
    const text = yield* markUnsupported(parts.body, neutralise(edit.text).toWellFormed().trim(), said);
    const narratives: readonly Narrative[] = text === '' ? [] : [{ covers: unit.range, text, by: 'user' }];
    const messages = [fence(input.mark, withNarratives(parts.head, narratives)), ...unit.messages.slice(1)];
    changes.push({ start, count: 1, by: { kind: 'note', messages, narratives, volatile: unit.volatile } });
  }
  if (changes.length === 0) return draft;
  const edited = yield* draft.replaceInSteps(changes);
  return input.promise === 'facts-in-view' ? yield* renewState(edited, { ...input, target: input.limit }) : edited;
}

/** The text with a mark behind each line that the user wrote and that does not hold of the raw messages. */
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
