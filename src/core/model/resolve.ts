import { isEqual, withoutUndefined } from '../result.ts';
import type { Encoding, ImageRule } from '../tokens/counter.ts';
import { builtinProfiles } from './builtin.ts';
import { completeProfile, type ModelProfile } from './profile.ts';
import type { ProfileEntry, ProfileLayer } from './profileFile.ts';
import { detectProvider, isLocalProvider, UNKNOWN_PROVIDER } from './providers.ts';

/** The entry of a source that shaped a profile. */
export interface ProfileMatch {
  readonly source: string;
  /** How the entry was found: by id, by wildcard, as the newest older member of the model's family, or not at all. */
  readonly rule: 'exact' | 'wildcard' | 'family' | 'default';
  /** The id as written in the entry; absent for the default. */
  readonly id?: string;
}

/** A model, and what is known about the server that it runs on. */
interface ProfileRequest {
  readonly model: string;
  readonly baseUrl?: string;
  /** Absent if nothing is known about the server. */
  readonly provider?: string | undefined;
}

/** A profile and the entries it was made from, the built-in one first. */
export interface ResolvedProfile {
  readonly profile: ModelProfile;
  readonly matches: readonly ProfileMatch[];
}

/**
 * Resolves a model's profile: within each source exact → wildcard → default, then one source over the other, field by
 * field (built-in → workspace file → `KARL_MODEL_PROFILES`). Pure: pass the layers in that order, without the built-in
 * one.
 */
export function resolveProfile(model: string | ProfileRequest, layers: readonly ProfileLayer[] = []): ResolvedProfile {
  const request = typeof model === 'string' ? { model } : model;
  const asked = request.provider ?? knownProvider(request.baseUrl);
  const found = layers.flatMap((layer) => {
    const match = findEntry(layer.entries, { model: request.model, provider: asked });
    return match === undefined ? [] : [{ source: layer.source, ...match }];
  });
  const overrides = found.reduce<Partial<ProfileEntry>>((under, { entry }) => mergeEntries(under, entry), {});
  const baseUrl = overrides.baseUrl ?? request.baseUrl;
  const provider = overrides.provider ?? request.provider ?? knownProvider(baseUrl);
  const builtin = findBuiltin({ model: request.model, provider });
  const server = provider ?? (baseUrl === undefined ? builtin.entry.provider : undefined) ?? UNKNOWN_PROVIDER;
  const figures = server === builtin.entry.provider ? builtin.entry : borrow(builtin.entry);
  const entry = { ...mergeEntries(figures, overrides), id: request.model, provider: server };
  return {
    profile: makeProfile({ ...entry, baseUrl: baseUrl ?? entry.baseUrl }),
    matches: [builtin.match, ...found.map(({ source, rule, entry }) => ({ source, rule, id: entry.id }))],
  };
}

function knownProvider(baseUrl: string | undefined): string | undefined {
  const provider = detectProvider(baseUrl);
  return provider === UNKNOWN_PROVIDER ? undefined : provider;
}

function findBuiltin(wanted: Wanted): { entry: Partial<ProfileEntry>; match: ProfileMatch } {
  const { source, entries } = builtinProfiles();
  const fits = (entry: ProfileEntry, provider: string): boolean => entry.provider === provider;
  // Figures of hosted providers do not apply to a server that the user runs.
  const local = wanted.provider !== undefined && isLocalProvider(wanted.provider) ? wanted.provider : undefined;
  const usable = local === undefined ? entries : entries.filter((entry) => fits(entry, local));
  const direct = findEntry(usable, wanted);
  if (direct !== undefined && (direct.rule === 'exact' || direct.entry.id !== '*')) {
    const server = entries.find((entry) => entry.id === '*' && entry.provider === direct.entry.provider) ?? {};
    return { entry: mergeEntries(server, direct.entry), match: { source, rule: direct.rule, id: direct.entry.id } };
  }
  const prefixed = splitPrefix(wanted, entries);
  if (prefixed !== undefined) return findBuiltin(prefixed);
  const named = local === undefined ? findByName(wanted, entries) : undefined;
  if (named !== undefined) {
    const { entry, rule } = named;
    // The figures belong to the model; address, prices and timeout to its server.
    const server = direct?.entry ?? {};
    return { entry: { ...borrow(entry), ...server }, match: { source, rule, id: entry.id } };
  }
  if (direct !== undefined) return { entry: direct.entry, match: { source, rule: direct.rule, id: direct.entry.id } };
  return { entry: {}, match: { source, rule: 'default' } };
}

/** The entry for another common name of a model, whatever its server, or for an older member of its family. */
function findByName({ model }: Wanted, entries: readonly ProfileEntry[]) {
  const names = namesOf(model);
  const isNamed = (entry: ProfileEntry, name: string): boolean =>
    entry.contextWindow !== undefined && entry.id.toLowerCase().replace(/^.*\//, '') === name;
  for (const name of names) {
    const entry = entries.find((one) => isNamed(one, name));
    if (entry !== undefined) return { entry, rule: 'wildcard' as const };
  }
  const older = findOlder(entries, names);
  return older === undefined ? undefined : { entry: older, rule: 'family' as const };
}

/** `ollama/llama3.2` names its provider, where it is looked up as `llama3.2`. */
function splitPrefix(wanted: Wanted, entries: readonly ProfileEntry[]): Wanted | undefined {
  const slash = wanted.model.indexOf('/');
  if (slash < 1) return undefined;
  const provider = wanted.model.slice(0, slash).toLowerCase();
  if (wanted.provider !== undefined && wanted.provider !== provider) return undefined;
  if (!entries.some((entry) => entry.provider === provider)) return undefined;
  return { model: wanted.model.slice(slash + 1), provider };
}

/** The model's figures from another provider's entry, without address, prices and timeout. */
function borrow(entry: Partial<ProfileEntry>): Partial<ProfileEntry> {
  const { provider: _provider, baseUrl: _baseUrl, price: _price, timeoutMs: _timeout, ...figures } = entry;
  return figures;
}

function mergeEntries(under: Partial<ProfileEntry>, over: Partial<ProfileEntry>): Partial<ProfileEntry> {
  const extra = { ...under.extra, ...over.extra };
  // A window without an input limit replaces both, since the old limit belonged to the old window.
  const { inputLimit: _stale, ...kept } = under;
  const base = over.contextWindow !== undefined && over.inputLimit === undefined ? kept : under;
  return { ...base, ...over, ...(Object.keys(extra).length > 0 && { extra }) };
}

function makeProfile({ price, ...entry }: Partial<ProfileEntry> & { id: string; provider: string }): ModelProfile {
  return withoutUndefined<ModelProfile>({
    ...completeProfile(withoutUndefined<Parameters<typeof completeProfile>[0]>(entry)),
    encoding: entry.encoding ?? encodingOf(entry.id),
    images: entry.images ?? imageRuleOf(entry.id),
    price: price && withoutUndefined<NonNullable<ModelProfile['price']>>(price),
  });
}

/** A model to look up. */
type Wanted = Pick<ProfileRequest, 'model' | 'provider'>;

/**
 * The best entry for a model: exact before wildcard, longer before shorter wildcard, the wanted provider before another,
 * and the first of equals. A wildcard of another provider than the wanted one never matches.
 */
function findEntry(
  entries: readonly ProfileEntry[],
  wanted: Wanted,
): { readonly entry: ProfileEntry; readonly rule: 'exact' | 'wildcard' } | undefined {
  let best: { entry: ProfileEntry; rule: 'exact' | 'wildcard'; score: number } | undefined;
  for (const entry of entries) {
    const rule = matchId(entry.id, wanted.model);
    if (rule === undefined) continue;
    const own = entry.provider !== undefined && entry.provider === wanted.provider;
    const foreign = entry.provider !== undefined && !own;
    // If no provider is known, the `*` of some provider says nothing about this model.
    if (rule === 'wildcard' && foreign && (wanted.provider !== undefined || entry.id === '*')) continue;
    const score = (rule === 'exact' ? 1_000_000 : entry.id.length * 2) + (own ? 1 : 0);
    if (best === undefined || score > best.score) best = { entry, rule, score };
  }
  return best;
}

/** Compares ids case-insensitively, since servers write them differently. */
function matchId(pattern: string, model: string): 'exact' | 'wildcard' | undefined {
  const [wantedId, id] = [model.toLowerCase(), pattern.toLowerCase()];
  if (id === wantedId) return 'exact';
  return id.endsWith('*') && wantedId.startsWith(id.slice(0, -1)) ? 'wildcard' : undefined;
}

/** Suffixes of hosts after a colon, which do not affect the window. */
const ROUTES = /:(?:free|beta|thinking|online|nitro|floor|exacto|\d{1,2})$/;
/** Suffixes of a model's name: Bedrock's version, a date, a stage. */
const ENDINGS =
  /(?:-v\d{1,2}|[-@](?:20\d{6}|20\d\d-\d\d-\d\d|\d{4})|-(?:preview|latest|exp|experimental|beta)(?:-\d\d-(?:20)?\d\d)?)$/;

/**
 * The names under which a model may be known, from the given one to ever shorter ones: without route, vendor and region
 * before it, and without version, date and stage after it. A name with a tag (`qwen3:32b`) stays as it is: it is that of a
 * local server, whose window depends on how it was started.
 */
function namesOf(model: string): readonly string[] {
  let name = model.toLowerCase();
  const names = new Set([name]);
  const shorten = (part: RegExp, repeatedly = false): void => {
    const shorter = name.replace(part, '');
    if (shorter === '' || shorter === name) return;
    name = shorter;
    names.add(name);
    if (repeatedly) shorten(part, true);
  };
  shorten(ROUTES);
  if (name.includes(':')) return [model];
  shorten(/^[^/]*\//, true);
  // Bedrock: `us.anthropic.claude-...`.
  shorten(/^(?:[a-z]{2,6}\.)?[a-z][a-z0-9]{2,20}\.(?=[a-z])/);
  shorten(ENDINGS, true);
  return [...names];
}

/** A family's name, a version and a variant: `gpt-` 5.2 `-codex`, `minimax-m` 2. */
const VERSIONED = /^([a-z][a-z-]{1,30}?-?[a-z]?)(\d{1,2}(?:\.\d{1,2})?)(-[a-z][a-z-]{0,30})?$/;

/** The entry for the newest older member of a model's family, of the same variant. */
function findOlder(entries: readonly ProfileEntry[], names: readonly string[]): ProfileEntry | undefined {
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

/**
 * Models whose own tokenizer is closer to cl100k_base than to o200k_base: OpenAI's before gpt-4o, and the families that
 * the published accuracy tables of ai-tokenizer 1.0 (npm) map to it. All others, unknown models included, are counted
 * with o200k_base; reported usage corrects the remaining difference.
 */
const NEARER_TO_CL100K =
  /(^|\/)(gpt-3\.5|gpt-4(-|$)|text-davinci|qwen|qwq|llama|meta-llama|codestral|devstral|magistral|mistral|ministral|mixtral|pixtral|nova-|amazon\.nova|glm-4\.5v?$|grok-2)/iu;

/** The public tokenizer closest to a model's own. */
export function encodingOf(model: string): Encoding {
  return NEARER_TO_CL100K.test(model) ? 'cl100k_base' : 'o200k_base';
}

/**
 * The documented image rules of providers, by model family; the first match counts. OpenAI: guide "Images and vision",
 * section "Calculating costs"; Anthropic: guide "Vision", width x height / 750 after the longer side is reduced to
 * 1568.
 */
const IMAGE_RULES: readonly { readonly model: RegExp; readonly rule: ImageRule }[] = [
  { model: /(^|\/)(gpt-5-mini|gpt-4\.1-mini)/u, rule: { kind: 'patches', most: 1536, factor: 1.62 } },
  { model: /(^|\/)(gpt-5-nano|gpt-4\.1-nano)/u, rule: { kind: 'patches', most: 1536, factor: 2.46 } },
  { model: /(^|\/)o4-mini/u, rule: { kind: 'patches', most: 1536, factor: 1.72 } },
  { model: /(^|\/)gpt-4o-mini/u, rule: { kind: 'tiles', base: 2833, tile: 5667 } },
  { model: /(^|\/)(gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5)/u, rule: { kind: 'tiles', base: 85, tile: 170 } },
  { model: /(^|\/)gpt-5($|-chat|-20)/u, rule: { kind: 'tiles', base: 70, tile: 140 } },
  { model: /(^|\/)(o1|o1-pro|o3)($|-20)/u, rule: { kind: 'tiles', base: 75, tile: 150 } },
  { model: /(^|\/)claude-/u, rule: { kind: 'area', pixels: 750, longest: 1568 } },
];

/** The documented image rule of a model; undefined if none is known. */
export function imageRuleOf(model: string): ImageRule | undefined {
  return IMAGE_RULES.find(({ model: family }) => family.test(model))?.rule;
}

/** A profile that a session used, the entries it was made from, and since when (milliseconds since 1970). */
export interface ProfileUse extends ResolvedProfile {
  readonly since: number;
}

/** Adds the current profile to those of a session; the same list if it is already the newest. */
export function noteProfile(
  uses: readonly ProfileUse[],
  { profile, matches }: ResolvedProfile,
  now: number,
): readonly ProfileUse[] {
  const newest = uses.at(-1);
  const isNewest = isEqual(newest?.profile, profile) && isEqual(newest?.matches, matches);
  return isNewest ? uses : [...uses, { since: now, profile, matches }];
}
