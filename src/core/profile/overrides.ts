import { PROFILE_FIELDS, type ProfileLayer, parseProfiles } from './schema.ts';

/**
 * Reads overrides passed by a program: the content of a profile file, or a single entry for `model`. Bad entries are
 * left out, as in a file.
 * @throws TypeError naming the path and the reason when no entry is left.
 */
export function parseOverrides(model: string, overrides: unknown): ProfileLayer {
  const content = isEntry(overrides) ? { ...overrides, id: model } : overrides;
  const { layer, problems } = parseProfiles(content, 'overrides');
  const [problem] = problems;
  if (problem !== undefined && layer.entries.length === 0) {
    throw new TypeError([problem.source, problem.path, problem.reason].filter((part) => part !== '').join(': '));
  }
  return layer;
}

/** An object with at least one field of a profile is a single entry. */
function isEntry(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    PROFILE_FIELDS.some((field) => field in value)
  );
}
