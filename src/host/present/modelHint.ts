import { describeMatches, type ProfileUse } from '../../core/profile/profileUse.ts';
import type { ResolvedProfile } from '../../core/profile/resolve.ts';

/** The tooltip of the model: what it is resolved from, and the profiles that the conversation ran with before. */
export function describeModel({ profile, matches }: ResolvedProfile, uses: readonly ProfileUse[]): string {
  const newest = uses.at(-1);
  const isRunning = newest !== undefined && JSON.stringify(newest.profile) === JSON.stringify(profile);
  const earlier = isRunning ? uses.slice(0, -1) : uses;
  const origin = matches.length === 0 ? 'as it was stored with the conversation' : describeMatches(matches);
  return [
    `${profile.id} on ${profile.provider}`,
    `Profile: ${origin}`,
    ...(earlier.length === 0 ? [] : ['Ran before with:', ...earlier.map(describeUse)]),
  ].join('\n');
}

function describeUse({ since, profile, matches }: ProfileUse): string {
  const time = new Date(since).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  return `${profile.id} on ${profile.provider}, since ${time} (${describeMatches(matches)})`;
}
