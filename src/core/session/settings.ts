import { t } from '../language.ts';
import { SETTING_RULES, type SettingRule } from './settingRules.ts';

/**
 * Every checked setting of Karl by its name without `karl.`. Fractions are between 0 and 1; `null` has the meaning
 * given in the setting's description.
 */
export type KarlSettings = {
  readonly [Name in SettingName]: Accepted<(typeof SETTING_RULES)[Name]>;
};

type Accepted<Rule> = Rule extends Pick<SettingRule<infer Value>, 'accepts'> ? Value : never;

/** The name of a setting without `karl.`. */
export type SettingName = keyof typeof SETTING_RULES;

/** When a due compaction starts: at once, after the user agreed, or only by command. */
export type CompactionMode = KarlSettings['compaction.mode'];

/** A rejected value: of which setting, the value as JSON, what is allowed, and what is in force instead. */
export interface SettingProblem {
  readonly setting: `karl.${SettingName}`;
  readonly value: string;
  readonly allowed: string;
  readonly inForce: string;
}

/** The settings in force, and the values that were rejected. */
export interface CheckedSettings {
  readonly settings: KarlSettings;
  readonly problems: readonly SettingProblem[];
}

/** How much of a wrong value a message shows. Characters. */
const LONGEST_SHOWN_VALUE = 80;

/**
 * Checks every value that `read` returns (`undefined`: not set, so the default applies). A wrong value is reported, and
 * the one in `lastGood` stays in force. Settings that contradict each other are rejected together.
 */
export function checkSettings(read: (name: SettingName) => unknown, lastGood: KarlSettings): CheckedSettings {
  const problems: SettingProblem[] = [];
  const checked: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const value = read(name);
    const rule = SETTING_RULES[name];
    if (value === undefined) checked[name] = rule.byDefault;
    else if (rule.accepts(value)) checked[name] = value;
    else {
      checked[name] = lastGood[name];
      problems.push({
        setting: `karl.${name}`,
        value: show(value),
        allowed: rule.allowed,
        inForce: show(lastGood[name]),
      });
    }
  }
  // Every value passed its rule's type guard, or comes from settings that did.
  return keepConsistent(checked as unknown as KarlSettings, lastGood, problems);
}

/** Rejects pairs of values that are valid by themselves but contradict each other. */
function keepConsistent(settings: KarlSettings, lastGood: KarlSettings, problems: SettingProblem[]): CheckedSettings {
  let result = settings;
  const reject = (name: SettingName, other: SettingName, allowed: string) => {
    const inForce = t('{0} with {1} {2}', show(lastGood[name]), `karl.${other}`, show(lastGood[other]));
    problems.push({ setting: `karl.${name}`, value: show(result[name]), allowed, inForce });
    result = { ...result, [name]: lastGood[name], [other]: lastGood[other] };
  };
  if (result['thresholds.target'] >= result['thresholds.fraction']) {
    const allowed = t('a number lower than karl.thresholds.fraction ({0})', String(result['thresholds.fraction']));
    reject('thresholds.target', 'thresholds.fraction', allowed);
  }
  const kept = result['sandwich.topFraction'] + result['sandwich.bottomFraction'];
  if (kept > LARGEST_SANDWICH_SHARE) {
    const allowed = t(
      'at most {0} together with karl.sandwich.bottomFraction ({1})',
      String(LARGEST_SANDWICH_SHARE),
      String(result['sandwich.bottomFraction']),
    );
    reject('sandwich.topFraction', 'sandwich.bottomFraction', allowed);
  }
  for (const [keep, trigger] of TRACE_PAIRS) {
    if (result[keep] < result[trigger]) continue;
    const allowed = t('a whole number lower than {0} ({1})', `karl.${trigger}`, String(result[trigger]));
    reject(keep, trigger, allowed);
  }
  return { settings: result, problems };
}

/** A trace must keep fewer calls than it takes to make it due. */
const TRACE_PAIRS = [
  ['actionTrace.keep', 'actionTrace.trigger'],
  ['actionTrace.largeKeep', 'actionTrace.largeTrigger'],
] as const;

/** Above this the middle is too small for a sandwich to gain the 10 % that every run must gain. */
const LARGEST_SANDWICH_SHARE = 0.85;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_SHOWN_VALUE ? `${text.slice(0, LONGEST_SHOWN_VALUE)}…` : text;
}

/** One sentence for the user: the setting, its value, what is allowed and what stays in force. */
export function describeSettingProblem(problem: SettingProblem): string {
  const { setting, value, allowed, inForce } = problem;
  return t('{0} is {1}; allowed: {2}. {3} stays in effect.', setting, value, allowed, inForce);
}

/** The names of all settings, in the order of the manifest. */
export const SETTING_NAMES = Object.keys(SETTING_RULES) as SettingName[];

/** The settings when nothing is set; the manifest declares the same (a test compares them). */
export const DEFAULT_SETTINGS: KarlSettings = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTING_RULES[name].byDefault]),
) as unknown as KarlSettings;
