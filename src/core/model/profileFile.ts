import * as z from 'zod/mini';
import { DEEPEST_FIELD, weigh } from '../chat/parse.ts';
import { join, type Phrase, phrase, type Words } from '../phrase.ts';
import { isRecord, reasonOf } from '../result.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import { completeProfile, type ModelProfile } from './profile.ts';
import { carriesCredentials, EDITOR_MODELS, UNKNOWN_PROVIDER } from './providers.ts';

const amount = z.number().check(z.nonnegative());
const positive = z.number().check(z.positive());
const tokens = z.int().check(z.positive());

/** An entry of a profile file. Only `id` is required; missing fields come from the layers below. */
const profileEntry = z.strictObject({
  id: z.string().check(z.regex(/^(?:[^*]+\*?|\*)$/u)),
  /** The provider's name. If the server's provider is known, the entry applies only to that one's models. */
  provider: z.optional(z.string().check(z.minLength(1))),
  baseUrl: z.optional(
    z.url({ protocol: /^https?$/ }).check(z.refine((url) => !URL.canParse(url) || !carriesCredentials(new URL(url)))),
  ),
  contextWindow: z.optional(tokens),
  inputLimit: z.optional(tokens),
  outputLimit: z.optional(tokens),
  completionReserve: z.optional(tokens),
  timeoutMs: z.optional(positive.check(z.int())),
  tools: z.optional(z.boolean()),
  envelope: z.optional(z.enum(['standard', 'json', 'xml'])),
  roles: z.optional(z.enum(['free', 'alternating'])),
  systemRole: z.optional(z.enum(['system', 'developer', 'user'])),
  encoding: z.optional(z.enum(['o200k_base', 'cl100k_base'])),
  images: z.optional(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('tiles'), base: amount, tile: positive }),
      z.strictObject({ kind: z.literal('patches'), most: positive, factor: positive }),
      z.strictObject({ kind: z.literal('area'), pixels: positive, longest: positive }),
    ]),
  ),
  price: z.optional(z.strictObject({ input: amount, output: amount, cacheRead: z.optional(amount) })),
  extra: z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.refine((extra) => weigh(extra, Number.POSITIVE_INFINITY).kind === 'fits')),
  ),
});

const TOKENS = phrase('profile.tokens');

/** What the value of a field must be. */
const RULES = new Map<unknown, Phrase>([
  ['id', phrase('profile.id')],
  ['baseUrl', phrase('profile.base-url')],
  ['contextWindow', TOKENS],
  ['inputLimit', TOKENS],
  ['outputLimit', TOKENS],
  ['completionReserve', TOKENS],
  ['timeoutMs', phrase('profile.milliseconds')],
  ['extra', phrase('profile.extra', DEEPEST_FIELD)],
]);

/**
 * Repairs a profile that was stored with a conversation, perhaps by a newer Karl, or edited by hand: drops invalid values,
 * or replaces them with the default where a profile needs one; `repaired` names these fields. Undefined without the
 * model's name.
 */
export function repairProfile(
  stored: unknown,
): { readonly profile: ModelProfile; readonly repaired: readonly string[] } | undefined {
  const { id, ...fields }: { readonly id?: unknown } & Record<string, unknown> = Object(stored);
  if (typeof id !== 'string') return undefined;
  const isKnown = (name: string, value: unknown): boolean => {
    if (name === 'baseUrl' && value === EDITOR_MODELS) return true;
    const field = Object.entries(profileEntry.shape).find(([known]) => known === name)?.[1];
    return field === undefined || (value !== undefined && field.safeParse(value).success);
  };
  const kept = Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKnown(name, value)));
  const profile = completeProfile({ provider: UNKNOWN_PROVIDER, ...kept, id });
  const repaired = [...new Set([...Object.keys(fields), ...Object.keys(profile)])].filter(
    (name) => name !== 'id' && !(name in kept),
  );
  return { profile, repaired };
}

/** The fields of an entry. */
export const PROFILE_FIELDS = Object.keys(profileEntry.shape);

/** A checked entry; missing fields come from the layers below. */
export type ProfileEntry = z.infer<typeof profileEntry>;

/** A problem with one entry, or with the whole file if `path` is empty. */
export interface ProfileProblem {
  /** The file (or setting) that contains the entry. */
  readonly source: string;
  /** The path within it, for example `profiles[2].contextWindow`. */
  readonly path: string;
  readonly reason: Words;
}

/** One source of profiles. Later layers override earlier ones, field by field. */
export interface ProfileLayer {
  readonly source: string;
  /** The workspace folder that it comes from; absent for the user's own. */
  readonly folder?: string | undefined;
  readonly entries: readonly ProfileEntry[];
}

/** The valid profiles of one source, and the problems of the others. */
export interface ParsedProfiles {
  readonly layer: ProfileLayer;
  readonly problems: readonly ProfileProblem[];
}

/**
 * Reads a profile file in steps: a JSON array of entries, an object `{ "profiles": [...] }`, or an object that maps model
 * ids to entries. Reports each bad entry with its path and reason, and loads the others. `folder`: the workspace folder
 * of the file; such a file may not set every field of `extra`.
 */
export function* parseProfileFile(text: string, source: string, folder?: string): Steps<ParsedProfiles> {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    const reason = phrase('profile.not-json', reasonOf(error));
    return { layer: { source, entries: [] }, problems: [{ source, path: '', reason }] };
  }
  return yield* parseInSteps(content, source, folder);
}

/** Reads the parsed content of a profile file. */
export function parseProfiles(content: unknown, source: string): ParsedProfiles {
  return runAtOnce(parseInSteps(content, source));
}

function* parseInSteps(content: unknown, source: string, folder?: string): Steps<ParsedProfiles> {
  const candidates = listCandidates(content);
  if (candidates === undefined) {
    const reason = phrase('profile.no-form');
    return { layer: { source, entries: [] }, problems: [{ source, path: '', reason }] };
  }
  const entries: ProfileEntry[] = [];
  const problems: ProfileProblem[] = [];
  for (const { path, value } of candidates) {
    yield;
    const parsed = profileEntry.safeParse(value, { reportInput: true });
    if (!parsed.success) for (const issue of parsed.error.issues) problems.push(describeIssue(issue, path, source));
    else if (folder === undefined || parsed.data.extra === undefined) entries.push(parsed.data);
    else {
      const fields = Object.entries(parsed.data.extra);
      entries.push({ ...parsed.data, extra: Object.fromEntries(fields.filter(([name]) => FOLDER_FIELDS.has(name))) });
      const refused = fields.map(([name]) => name).filter((name) => !FOLDER_FIELDS.has(name));
      if (refused.length === 0) continue;
      const names = `${refused.slice(0, 5).join(', ')}${refused.length > 5 ? ', …' : ''}`;
      problems.push({ source, path: joinPath(path, `.extra.${names}`), reason: REFUSED });
    }
  }
  return { layer: { source, folder, entries }, problems };
}

const REFUSED = phrase('profile.not-by-folder');

/** The entries in a file with their paths; undefined if it has none of the three forms. */
function listCandidates(content: unknown): readonly { readonly path: string; readonly value: unknown }[] | undefined {
  const [list, name] = isRecord(content) && 'profiles' in content ? [content.profiles, 'profiles'] : [content, ''];
  if (Array.isArray(list)) return list.map((value: unknown, index) => ({ path: `${name}[${index}]`, value }));
  if (!isRecord(list)) return undefined;
  if (typeof list.id === 'string') return [{ path: name, value: list }];
  return Object.entries(list)
    .filter(([key]) => key !== '$schema')
    .map(([id, value]) => ({
      path: `${name}[${JSON.stringify(id)}]`,
      value: isRecord(value) ? { id, ...value } : value,
    }));
}

function describeIssue(issue: z.core.$ZodIssue, path: string, source: string): ProfileProblem {
  const inner = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return { source, path: joinPath(path, inner), reason: reasonFor(issue) };
}

function reasonFor(issue: z.core.$ZodIssue): Phrase {
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  if (isMissing) return phrase('profile.missing');
  if (issue.code === 'unrecognized_keys') return phrase('profile.unknown-field', issue.keys.join(', '));
  if (issue.code === 'invalid_value')
    return phrase('profile.one-of', issue.values.map((value) => JSON.stringify(value)).join(', '));
  const rule = RULES.get(issue.path[0]);
  if (rule !== undefined) return rule;
  if (issue.code === 'too_small' && issue.origin === 'number')
    return issue.inclusive
      ? phrase('profile.at-least', String(issue.minimum))
      : phrase('profile.more-than', String(issue.minimum));
  return issue.code === 'invalid_type' ? phrase('profile.type', issue.expected) : phrase('profile.other');
}

function joinPath(path: string, inner: string): string {
  return (path + inner).replace(/^\./u, '');
}

/**
 * The fields of `extra` that a workspace folder may set: they affect only how the model writes. Others may decide who gets
 * the conversation or what is done with it (`provider` and `plugins` of a router, `api_base` of a proxy).
 */
const FOLDER_FIELDS = new Set(
  (
    'temperature top_p top_k top_a min_p typical_p seed stop logit_bias presence_penalty ' +
    'frequency_penalty repetition_penalty repeat_penalty max_tokens max_completion_tokens ' +
    'parallel_tool_calls reasoning reasoning_effort thinking enable_thinking verbosity ' +
    'chat_template_kwargs'
  ).split(' '),
);

/** The most problems that a sentence names; a file may have thousands. */
const NAMED = 3;

/** Summarizes the problems of profile files in one short text. */
export function describeProblems(problems: readonly ProfileProblem[]): Words {
  const named = join(
    problems
      .slice(0, NAMED)
      .map(({ source, path, reason }) =>
        join(path === '' ? [`${source}:`, reason] : [`${source}:`, path, reason], ' '),
      ),
    '; ',
  );
  const more = problems.length - NAMED;
  return more > 0 ? phrase('profile.more', named, more) : named;
}
