import type { ModelProfile } from './profile.ts';
import type { ProfileMatch, ResolvedProfile } from './resolve.ts';

/** A profile that a session used: since when (milliseconds since 1970), and the entries that it was made from. */
export interface ProfileUse extends ResolvedProfile {
  readonly since: number;
}

/** The profiles of a session, with the one in use now added; the same list when that is already the newest. */
export function noteProfile(
  uses: readonly ProfileUse[],
  { profile, matches }: ResolvedProfile,
  now: number,
): readonly ProfileUse[] {
  const newest = uses.at(-1);
  if (newest !== undefined && isSame(newest.profile, profile) && isSame(newest.matches, matches)) return uses;
  return [...uses, { since: now, profile, matches }];
}

function isSame(one: ModelProfile | readonly ProfileMatch[], other: ModelProfile | readonly ProfileMatch[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
