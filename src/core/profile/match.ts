import type { ProfileEntry } from './schema.ts';

/**
 * How an entry was found: by the model's own id, by a wildcard, as the nearest older member of the model's family, or
 * not at all.
 */
export type MatchRule = 'exact' | 'wildcard' | 'family' | 'default';

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

/** Suffixes that hosts put behind a colon, and that say nothing about the window. */
const ROUTES = /:(?:free|beta|thinking|online|nitro|floor|exacto|\d{1,2})$/;
/** What is written behind a model's name, outermost first: Bedrock's version, a date, a stage. */
const ENDINGS =
  /(?:-v\d{1,2}|[-@](?:20\d{6}|20\d\d-\d\d-\d\d|\d{4})|-(?:preview|latest|exp|experimental|beta)(?:-\d\d-(?:20)?\d\d)?)$/;

/**
 * The names under which a model may be known, as people write it and then ever shorter: without a route, vendor or
 * region before it, and without version, date or stage behind it. A name with a tag (`qwen3:32b`) is one of a local
 * server, whose window depends on how it was started, so it stays as it is.
 */
export function namesOf(model: string): readonly string[] {
  const names = [model.toLowerCase()];
  const add = (name: string): void => {
    if (name !== '' && !names.includes(name)) names.push(name);
  };
  add((names.at(-1) ?? '').replace(ROUTES, ''));
  if ((names.at(-1) ?? '').includes(':')) return [model];
  for (let slash = names.at(-1)?.indexOf('/') ?? -1; slash >= 0; slash = names.at(-1)?.indexOf('/') ?? -1)
    add((names.at(-1) ?? '').slice(slash + 1));
  // Bedrock: `us.anthropic.claude-...`.
  add((names.at(-1) ?? '').replace(/^(?:[a-z]{2,6}\.)?[a-z][a-z0-9]{2,20}\.(?=[a-z])/, ''));
  for (;;) {
    const last = names.at(-1) ?? '';
    add(last.replace(ENDINGS, ''));
    if (names.at(-1) === last) return names;
  }
}

/** A family's name, the version of a member, and what follows: `gpt-` 5.2 `-codex`, `minimax-m` 2. */
const VERSIONED = /^([a-z][a-z-]{1,30}?-?[a-z]?)(\d{1,2}(?:\.\d{1,2})?)(-[a-z][a-z-]{0,30})?$/;

/** The entry for the newest older member of a model's family, with the same words behind its version. */
export function findOlder(entries: readonly ProfileEntry[], names: readonly string[]): ProfileEntry | undefined {
  const wanted = VERSIONED.exec(names.at(-1) ?? '');
  if (wanted === null) return undefined;
  const [, family, version, variant = ''] = wanted;
  let best: { readonly entry: ProfileEntry; readonly version: number } | undefined;
  for (const entry of entries) {
    const member = VERSIONED.exec(entry.id.toLowerCase().replace(/^.*\//, ''));
    if (member === null || member[1] !== family || (member[3] ?? '') !== variant || entry.contextWindow === undefined)
      continue;
    const older = Number(member[2]);
    if (older < Number(version) && older > (best?.version ?? -1)) best = { entry, version: older };
  }
  return best?.entry;
}
