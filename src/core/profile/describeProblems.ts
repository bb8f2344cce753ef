import { english } from '../language.ts';
import type { ProfileProblem } from './schema.ts';

/** How many problems a sentence names; a file may have thousands. */
const NAMED = 3;

/** Problems of profile files as one text, however many there are; in English, or as `tell` translates it. */
export function describeProblems(problems: readonly ProfileProblem[], tell = (said: string): string => said): string {
  const named = problems
    .slice(0, NAMED)
    .map(({ source, path, reason }) => [`${source}:`, path, tell(reason)].filter((part) => part !== '').join(' '))
    .join('; ');
  const more = problems.length - NAMED;
  return more > 0 ? tell(english('{0}; and {1} more like these.', named, more)) : named;
}
