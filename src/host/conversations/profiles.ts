import type { ModelProfile } from '../../core/model/profile.ts';
import type { ProfileLayer, ProfileProblem } from '../../core/model/profileFile.ts';
import { type ResolvedProfile, resolveProfile } from '../../core/model/resolve.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import { SAMPLE_PROVIDER } from '../actions/sample.ts';

/** The user's own model profiles: entries by source, and what is wrong with those that could not be used. */
export interface LoadedProfiles {
  readonly layers: readonly ProfileLayer[];
  readonly problems: readonly ProfileProblem[];
}

/** Resolves a model with the settings in force. The timeout is the profile's unless the setting is set. */
export function resolveWithSettings(
  model: string,
  settings: KarlSettings,
  layers: readonly ProfileLayer[],
): ResolvedProfile {
  const { baseUrl, requestTimeoutSeconds } = settings;
  const resolved = resolveProfile({ model, ...(baseUrl !== '' && { baseUrl }) }, layers);
  if (requestTimeoutSeconds === null) return resolved;
  return { ...resolved, profile: { ...resolved.profile, timeoutMs: requestTimeoutSeconds * 1000 } };
}

/**
 * The profile with which a stored conversation opens: that of the model in the settings. The sample keeps its own until
 * a message is sent, and so does every conversation while no model is chosen; `matches` is empty then.
 */
export function profileToOpen(
  stored: ModelProfile | undefined,
  settings: KarlSettings,
  layers: readonly ProfileLayer[],
): ResolvedProfile {
  const isKept = stored !== undefined && (stored.provider === SAMPLE_PROVIDER || settings.model === '');
  return isKept ? { profile: stored, matches: [] } : resolveWithSettings(settings.model, settings, layers);
}
