import * as z from 'zod/mini';
import { STRATEGY_IDS } from '../../core/compaction/compaction.ts';
import { EDITOR_MODELS } from '../../core/model/providers.ts';
import { LEAST_SET_WINDOW, MOST_SET_WINDOW, setWindows } from '../../core/model/windows.ts';
import type { Phrase, Words } from '../../core/phrase.ts';
import { sentence } from '../../language/language.ts';

/** Every checked setting of Karl by its name without `karl.`. Its description says what `null` means. */
export type KarlSettings = {
  readonly [Name in SettingName]: (typeof SETTING_RULES)[Name] extends SettingRule<infer Value> ? Value : never;
};

/** The name of a setting without `karl.`. */
export type SettingName = keyof typeof SETTING_RULES;

/** When a due compaction starts: at once, after the user agreed, or only by command. */
export type CompactionMode = KarlSettings['compaction.mode'];

/** A rejected value of a setting, as JSON; what is allowed, and what stays in force. */
export interface SettingProblem {
  readonly setting: `karl.${SettingName}`;
  readonly value: Words;
  readonly allowed: Phrase;
  readonly inForce: Words;
}

/** The settings in force, and the rejected values. */
export interface CheckedSettings {
  readonly settings: KarlSettings;
  readonly problems: readonly SettingProblem[];
}

/** Characters of a wrong value that a message shows. */
const LONGEST_SHOWN_VALUE = 80;

/** Checks the values that `read` returns (undefined: the default). Wrong and contradictory ones stay as in `lastGood`. */
export function checkSettings(read: (name: SettingName) => unknown, lastGood: KarlSettings): CheckedSettings {
  const problems: SettingProblem[] = [];
  const checked: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const value = read(name);
    const rule = SETTING_RULES[name];
    if (value === undefined) checked[name] = rule.byDefault;
    else if (rule.accepts(value)) checked[name] = value;
    else {
      const kept = lastGood[name];
      checked[name] = kept;
      problems.push({ setting: `karl.${name}`, value: show(value), allowed: rule.allowed, inForce: show(kept) });
    }
  }
  // Every value passed its rule's type guard, or comes from settings that did.
  return keepConsistent(checked as unknown as KarlSettings, lastGood, problems);
}

/** Rejects pairs of values that are valid by themselves but contradict each other. */
function keepConsistent(settings: KarlSettings, lastGood: KarlSettings, problems: SettingProblem[]): CheckedSettings {
  let result = settings;
  const reject = (name: SettingName, other: SettingName, allowed: Phrase) => {
    const inForce = sentence('{0} with {1} {2}', show(lastGood[name]), `karl.${other}`, show(lastGood[other]));
    problems.push({ setting: `karl.${name}`, value: show(result[name]), allowed, inForce });
    result = { ...result, [name]: lastGood[name], [other]: lastGood[other] };
  };
  for (const [low, high] of ORDERED) {
    if (result[low] < result[high]) continue;
    reject(low, high, sentence('a number lower than {0} ({1})', `karl.${high}`, String(result[high])));
  }
  const kept = result['sandwich.topFraction'] + result['sandwich.bottomFraction'];
  if (kept > LARGEST_SANDWICH_SHARE) {
    const allowed = sentence(
      'at most {0} together with karl.sandwich.bottomFraction ({1})',
      String(LARGEST_SANDWICH_SHARE),
      String(result['sandwich.bottomFraction']),
    );
    reject('sandwich.topFraction', 'sandwich.bottomFraction', allowed);
  }
  return { settings: result, problems };
}

/** Pairs of settings of which the first must be the lower one: a run must leave less than makes it due. */
const ORDERED = [
  ['thresholds.target', 'thresholds.fraction'],
  ['actionTrace.keep', 'actionTrace.trigger'],
  ['actionTrace.largeKeep', 'actionTrace.largeTrigger'],
] as const;

/** Above this the middle is too small for a sandwich to gain the 10 % that every run must gain. */
const LARGEST_SANDWICH_SHARE = 0.85;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_SHOWN_VALUE ? `${text.slice(0, LONGEST_SHOWN_VALUE)}…` : text;
}

/** The setting, its value, what is allowed and what stays in force. */
export function describeSettingProblem(problem: SettingProblem): Phrase {
  const { setting, value, allowed, inForce } = problem;
  return sentence('{0} is {1}; allowed: {2}. {3} stays in effect.', setting, value, allowed, inForce);
}

/** What a setting allows: as a guard and in words; and the default that the manifest declares. */
export interface SettingRule<Value> {
  readonly accepts: (value: unknown) => value is Value;
  readonly allowed: Phrase;
  readonly byDefault: Value;
}

/** The names that `karl.tools.enabled` may contain. */
export const TOOL_NAMES = [
  'read_file',
  'list_files',
  'search_text',
  'edit_file',
  'run_command',
  'command_output',
  'get_diagnostics',
  'update_todos',
  'karl_recall',
] as const;

/** One line without spaces at its ends. */
const line = z.string().check(z.refine((text) => text === text.trim() && !/[\r\n]/.test(text)));

/** The command of a hook. */
const command = rule(line, '', sentence('empty (no hook), or a command on one line without spaces at its ends'));

/** An absolute path, or one that begins with `~` or one of the variables that the host replaces. */
const directory = z
  .string()
  .check(z.regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\|~(?:[\\/]|$)|\$\{(?:storage|workspaceFolder)\})/));

/** The rules of all settings. Limits and defaults equal those of the manifest. */
export const SETTING_RULES = {
  baseUrl: rule(
    z.string().check(z.refine(isBaseUrl)),
    '',
    sentence(
      'empty, a URL that begins with http:// or https:// and has no user name, password, query or fragment, or {0}',
      EDITOR_MODELS,
    ),
  ),
  model: rule(line, '', sentence('empty, or a model name on one line without spaces at its ends')),
  contextWindows: rule(
    setWindows,
    {},
    sentence(
      'an object that maps model names to whole numbers of tokens from {0} to {1}',
      String(LEAST_SET_WINDOW),
      String(MOST_SET_WINDOW),
    ),
  ),
  'compaction.mode': oneOf(['automatic', 'ask', 'manual'] as const, 'automatic'),
  strategy: oneOf(STRATEGY_IDS, 'adaptive'),
  fallbackStrategy: oneOf(['none', ...STRATEGY_IDS] as const, 'none'),
  'thresholds.fraction': between(0.1, 1, 0.8),
  'thresholds.tokens': orNull(whole(500)),
  'thresholds.target': between(0.05, 0.95, 0.5),
  'thresholds.messages': orNull(whole(4)),
  'thresholds.keepMessages': whole(1, 1000, 10),
  keepLastMessages: whole(1, 1000, 10),
  'sandwich.topFraction': between(0, 0.8, 0.2),
  'sandwich.bottomFraction': between(0, 0.8, 0.3),
  'sandwich.maxKeptCharacters': whole(200, 1_000_000, 5000),
  'actionTrace.trigger': whole(2, 1000, 10),
  'actionTrace.keep': whole(1, 999, 5),
  'actionTrace.largeCharacters': whole(1000, 100_000_000, 30 * 1024),
  'actionTrace.largeTrigger': whole(2, 1000, 5),
  'actionTrace.largeKeep': whole(1, 999, 3),
  'actionTrace.observationCharacters': whole(100, 1_000_000, 1000),
  'actionTrace.modelCharacters': whole(1000, 100_000_000, 8 * 1024),
  'summary.model': rule(
    line,
    '',
    sentence('empty (the model that answers), or a model name on one line without spaces at its ends'),
  ),
  'summary.maxTokens': whole(100, 100_000, 8000),
  'summary.when': oneOf(['always', 'whenNeeded', 'never'] as const, 'always'),
  'summary.check': oneOf(['model', 'words'] as const, 'model'),
  'hooks.beforeCompact': command,
  'hooks.afterCompact': command,
  'hooks.timeoutSeconds': whole(1, 3600, 30),
  requestTimeoutSeconds: orNull(whole(1, 86_400)),
  'profiles.workspaceFile': flag(true),
  'tools.enabled': rule(
    distinct(z.enum(TOOL_NAMES)),
    TOOL_NAMES,
    sentence('a list of distinct names from: {0}', TOOL_NAMES.join(', ')),
  ),
  'tools.others': rule(distinct(z.string().check(z.minLength(1))), [], sentence('a list of distinct tool names')),
  'tools.maxRounds': whole(1, 10_000, 200),
  'tools.maxMinutes': orNull(whole(1, 10_000)),
  'tools.maxDollars': orNull(between(0.01, 10_000, 1)),
  'provider.advertisedTokens': whole(1_000, 1_000_000_000, 10_000_000),
  'gateway.enabled': flag(false),
  'gateway.port': whole(0, 65_535, 27_431),
  'log.directory': rule(
    directory,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting's own variable
    '${storage}/logs',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting's own variables, spelled for the user
    sentence('an absolute path, or one that begins with ${storage}, ${workspaceFolder} or ~; not empty'),
  ),
  'storage.days': whole(1, 36_500, 90),
  'storage.megabytes': whole(1, 1_000_000, 500),
  'storage.otherAgents': flag(true),
} satisfies Readonly<Record<string, SettingRule<unknown>>>;

function rule<Value>(schema: z.ZodMiniType<Value>, byDefault: Value, allowed: Phrase): SettingRule<Value> {
  return { accepts: (value): value is Value => schema.safeParse(value).success, allowed, byDefault };
}

function oneOf<const Values extends readonly string[]>(values: Values, byDefault: Values[number]) {
  return rule<Values[number]>(z.enum(values), byDefault, sentence('one of {0}', values.join(', ')));
}

function between(low: number, high: number, byDefault: number): SettingRule<number> {
  const allowed = sentence('a number from {0} to {1}', String(low), String(high));
  return rule(z.number().check(z.gte(low), z.lte(high)), byDefault, allowed);
}

function whole(low: number, high: number = Number.MAX_SAFE_INTEGER, byDefault: number = low): SettingRule<number> {
  const allowed =
    high === Number.MAX_SAFE_INTEGER
      ? sentence('a whole number of at least {0}', String(low))
      : sentence('a whole number from {0} to {1}', String(low), String(high));
  return rule(z.int().check(z.gte(low), z.lte(high)), byDefault, allowed);
}

function flag(byDefault: boolean): SettingRule<boolean> {
  return rule(z.boolean(), byDefault, sentence('true or false'));
}

function orNull({ accepts, allowed }: SettingRule<number>): SettingRule<number | null> {
  return {
    accepts: (value) => value === null || accepts(value),
    allowed: sentence('null or {0}', allowed),
    byDefault: null,
  };
}

/** A list in which nothing occurs twice. */
function distinct<Value>(item: z.ZodMiniType<Value>) {
  return z.readonly(z.array(item).check(z.refine((list) => new Set(list).size === list.length)));
}

/** Refuses credentials in the URL, since they end up in logs and proxies. `URL` is part of every JavaScript host. */
function isBaseUrl(value: string): boolean {
  if (value === '' || value === EDITOR_MODELS) return true;
  if (value !== value.trim() || !/^https?:\/\/[^\s/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** The names of all settings, in the order of the manifest. */
export const SETTING_NAMES = Object.keys(SETTING_RULES) as SettingName[];

/** The settings when nothing is set; the manifest declares the same (a test compares them). */
export const DEFAULT_SETTINGS: KarlSettings = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTING_RULES[name].byDefault]),
) as unknown as KarlSettings;
