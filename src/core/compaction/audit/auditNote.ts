import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { judge } from './judge.ts';
import { type SortedNote, sortStatements, UNVERIFIED } from './sortStatements.ts';
import { Sources } from './sources.ts';

/**
 * Checks a model's note statement by statement against the raw messages. A statement that names something no message
 * has is removed; one that may be true but is not supported where it should be is marked; the rest stays as written.
 * A mark that the model wrote itself is taken out first: what is marked is not judged again.
 */
export function* auditNote(note: string, transcript: Transcript, index: PassageIndex): Steps<SortedNote> {
  const sources = new Sources(transcript);
  yield* sources.read();
  yield* index.update();
  return yield* sortStatements(note.replaceAll(UNVERIFIED, ''), ({ statement }) => judge(statement, sources, index));
}
