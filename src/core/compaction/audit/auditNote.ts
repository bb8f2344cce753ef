import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { judge } from './judge.ts';
import { type SortedNote, sortStatements, UNVERIFIED, type Verdict } from './sortStatements.ts';
import { Sources } from './sources.ts';

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
export function* auditNote(written: string, transcript: Transcript, index: PassageIndex): Steps<AuditedNote> {
  const note = written.replaceAll(UNVERIFIED, '');
  const sources = new Sources(transcript);
  yield* sources.read();
  yield* index.update();
  const verdicts: Verdict[] = [];
  const sorted = yield* sortStatements(note, ({ statement, number }) => {
    const verdict = judge(statement, sources, index);
    verdicts[number] = verdict;
    return verdict;
  });
  return { ...sorted, note, verdicts };
}
