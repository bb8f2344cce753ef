import type { ProfileEntry } from './schema.ts';

/** How an entry was found: by the model's own id, by a wildcard, or not at all. */
export type MatchRule = 'exact' | 'wildcard' | 'default';

/** What is looked for. `provider` is absent when nothing is known about the server. */
export interface Wanted {
  readonly model: string;
  readonly provider?: string;
}

/**
 * The best entry for a model: exact before wildcard, a longer wildcard before a shorter one, an entry of the wanted
 * provider before one of another, and the first of equals. A wildcard entry of another provider than the wanted one
 * never matches.
 */
export function findEntry(
  entries: readonly ProfileEntry[],
  wanted: Wanted,
): { readonly entry: ProfileEntry; readonly rule: 'exact' | 'wildcard' } | undefined {
  let best: { entry: ProfileEntry; rule: 'exact' | 'wildcard'; score: number } | undefined;
  for (const entry of entries) {
    const rule = matchId(entry.id, wanted.model);
    if (rule === undefined) continue;
    const own = entry.provider !== undefined && entry.provider === wanted.provider;
    const foreign = entry.provider !== undefined && !own;
    // When no provider is known, the `*` of some provider says nothing about this model.
    if (rule === 'wildcard' && foreign && (wanted.provider !== undefined || entry.id === '*')) continue;
    const score = (rule === 'exact' ? 1_000_000 : entry.id.length * 2) + (own ? 1 : 0);
    if (best === undefined || score > best.score) best = { entry, rule, score };
  }
  return best;
}

/** Compares ids case-insensitively: servers write the same model differently. */
function matchId(pattern: string, model: string): 'exact' | 'wildcard' | undefined {
  const [wantedId, id] = [model.toLowerCase(), pattern.toLowerCase()];
  if (id === wantedId) return 'exact';
  return id.endsWith('*') && wantedId.startsWith(id.slice(0, -1)) ? 'wildcard' : undefined;
}
