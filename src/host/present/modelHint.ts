import { language, t } from '../../core/language.ts';
import { describeMatches, type ProfileUse } from '../../core/model/profileUse.ts';
import type { ResolvedProfile } from '../../core/model/resolve.ts';

/**
 * The tooltip of the model: what it is resolved from, and the profiles that the conversation ran with before; empty where
 * none was chosen yet.
 */
export function describeModel({ profile, matches }: ResolvedProfile, uses: readonly ProfileUse[]): string {
  const newest = uses.at(-1);
  const isRunning = newest !== undefined && JSON.stringify(newest.profile) === JSON.stringify(profile);
  const earlier = isRunning ? uses.slice(0, -1) : uses;
  const origin = matches.length === 0 ? t('as it was stored with the conversation') : describeMatches(matches);
  return [
    ...(profile.id === '' ? [] : [t('{0} on {1}', profile.id, profile.provider), t('Profile: {0}', origin)]),
    ...(earlier.length === 0 ? [] : [t('Used before:'), ...earlier.map(describeUse)]),
  ].join('\n');
}

function describeUse({ since, profile, matches }: ProfileUse): string {
  const time = new Date(since).toLocaleString(language() === 'en' ? 'en-US' : language(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return t('{0} on {1}, from {2} ({3})', profile.id, profile.provider, time, describeMatches(matches));
}
