import { english } from '../language.ts';

/** How many problems are named in a sentence; a file may have thousands. */
const NAMED = 3;

/** Problems of profile files as one text for the user, however many there are. */
export function describeProblems(problems: readonly string[]): string {
  const named = problems.slice(0, NAMED).join('; ');
  const more = problems.length - NAMED;
  return more > 0 ? english('{0}; and {1} more like these.', named, more) : named;
}
