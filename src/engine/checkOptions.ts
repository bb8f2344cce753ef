import { STRATEGY_IDS, type Trigger } from '../core/compaction/compaction.ts';
import { DEFAULT_STRATEGY_SETTINGS, type SettingsChange } from '../core/compaction/strategy.ts';
import { weigh } from '../core/messages/parse.ts';
import { CALIBRATION_BOUNDS, parseCalibration } from '../core/model/calibration.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { compactionFault, isUndone } from '../core/session/parseSummary.ts';
import { SETTING_RULES } from '../core/session/settings.ts';
import { isTooLarge } from './given.ts';

/** The rule for one option: what it accepts, in code and in words. */
interface Rule {
  readonly accepts: (value: unknown, name: string) => boolean;
  readonly allowed: string;
}

/** A rule for every option of a call. */
type RulesOf<Options> = { readonly [Name in keyof Options]-?: Rule };

const TRIGGERS = Object.keys({
  threshold: true,
  'message-count': true,
  'trace-size': true,
  command: true,
  overflow: true,
  'smaller-model': true,
  'hard-limit': true,
} satisfies Record<Trigger, true>);

const SOURCES = ['server', 'error', 'setting'];

const learnedWindow: Rule = {
  accepts: (value) => isObject(value) && isWhole(value.tokens, 1) && SOURCES.includes(String(value.source)),
  allowed: `{ tokens, source }, with tokens a whole number from 1 and source one of ${SOURCES.join(', ')}`,
};
const recordAllowed =
  '{ id, at, strategy, trigger, transcriptLength, replacements, receipt }, with transcriptLength a whole number from 0 and replacements a list of ranges below it with valid messages';
const RECORD: Rule = {
  accepts: (value) => compactionFault(value, Number.POSITIVE_INFINITY) === undefined,
  allowed: recordAllowed,
};
const UNDONE: Rule = {
  accepts: (value) => isUndone(value, Number.POSITIVE_INFINITY),
  allowed: `{ place, compaction }, with place a whole number from 0 and compaction ${recordAllowed}`,
};
const INDEX = 'the index of a message, a whole number from 0';
const PIN: Rule = { accepts: (value) => isWhole(value, 0), allowed: INDEX };
/** Whether there is such a message is for the transcript to say. */
const index = { accepts: (value: unknown) => typeof value === 'number', allowed: INDEX };
const CALIBRATION: Rule = {
  accepts: (value) => parseCalibration(value) !== undefined,
  allowed: `{ factor, deviation, reports }, with ${CALIBRATION_BOUNDS}`,
};
const profile: Rule = {
  accepts: (value) =>
    typeof value === 'string' ? value.trim() !== '' : isObject(value) && isJson(value) && typeof value.id === 'string',
  allowed: 'a model id, or an object with an id and what is known of the model',
};
const strategy: Rule = oneOf(STRATEGY_IDS);
const tools: Rule = { accepts: isToolList, allowed: 'a list of tool definitions ({ type, function: { name, ... } })' };
const thresholds: Rule = {
  accepts: (value, name) => isObject(value) && hasFigures(value, name, ruleNames('thresholds')),
  allowed: 'an object',
};
const settings: Rule = {
  accepts: (value, name) => isObject(value) && hasFigures(value, name, Object.keys(DEFAULT_STRATEGY_SETTINGS)),
  allowed: 'an object',
};

/** The options of `openConversation`. */
export const OPEN_RULES = {
  profile,
  strategy,
  fallbackStrategy: strategy,
  tools,
  thresholds,
  settings,
  summarize: {
    accepts: (value: unknown) => typeof value === 'function',
    allowed: 'a function that gives a promise of a text',
  },
  summaryProfile: profile,
  restore: { accepts: isState, allowed: 'what snapshot() gave: { version: 1, messages, compactions, pins }' },
};

/** The options of `configure`. */
export const CONFIGURE_RULES = {
  profile,
  strategy,
  tools,
  thresholds,
  learnedWindow,
};

/** The options of `compact`. */
export const COMPACT_RULES = {
  strategy,
  // Any number: a target that cannot be reached is still aimed at.
  targetTokens: { accepts: (value: unknown) => typeof value === 'number', allowed: 'a number of tokens' },
  trigger: oneOf(TRIGGERS),
  instructions: { accepts: (value: unknown) => typeof value === 'string' && value.trim() !== '', allowed: 'a text' },
  signal: {
    // Recognized by its shape: a signal may come from another realm.
    accepts: (value: unknown) =>
      isObject(value) && typeof value.aborted === 'boolean' && typeof value.addEventListener === 'function',
    allowed: 'an AbortSignal',
  },
};

/**
 * Checks options by their rules; an option that is absent or `undefined` keeps its default.
 * @throws TypeError naming the option, what it may be and what it was.
 */
export function checkOptions<Options extends object>(call: string, options: Options, rules: RulesOf<Options>): void {
  if (!isObject(options)) refuse(call, `called with an object of options`, options);
  const known = new Map(Object.entries<Rule>(rules));
  for (const [name, value] of Object.entries(options)) {
    const rule = known.get(name);
    if (rule === undefined)
      throw new TypeError(`${call} has no option ${name}; it has ${[...known.keys()].join(', ')}`);
    if (value !== undefined && !rule.accepts(value, name)) refuse(`${call}: ${name}`, rule.allowed, value);
  }
}

/** Options that may contradict each other. */
interface Together {
  readonly strategy?: unknown;
  readonly fallbackStrategy?: unknown;
  readonly summarize?: unknown;
  readonly summaryProfile?: unknown;
  readonly thresholds?: { readonly fraction?: number | undefined; readonly target?: number | undefined };
  readonly settings?: SettingsChange;
}

/**
 * Checks options against each other, where both were given.
 * @throws TypeError naming both.
 */
export function checkTogether(options: Together, profile?: ModelProfile): void {
  const { strategy, fallbackStrategy, summarize, summaryProfile, thresholds = {}, settings } = options;
  const { fraction, target } = thresholds;
  const { topFraction = 0, bottomFraction = 0 } = settings?.sandwich ?? {};
  const faults: readonly (readonly [boolean, string])[] = [
    [
      fallbackStrategy !== undefined && fallbackStrategy === strategy,
      `fallbackStrategy must be another strategy than strategy, ${String(strategy)}`,
    ],
    [
      summaryProfile !== undefined && summarize === undefined,
      'summaryProfile is the model of summarize, which is missing',
    ],
    [
      fraction !== undefined && target !== undefined && target >= fraction,
      `thresholds.target must be below thresholds.fraction: a run aims at ${target} and starts at ${fraction}`,
    ],
    [
      topFraction + bottomFraction > 1,
      `settings.sandwich.topFraction and bottomFraction must be at most 1 together, not ${topFraction + bottomFraction}`,
    ],
    [
      profile?.contextWindow !== undefined && profile.completionReserve >= profile.contextWindow,
      `profile.completionReserve (${profile?.completionReserve}) must be below profile.contextWindow (${profile?.contextWindow})`,
    ],
  ];
  for (const [isFault, message] of faults) if (isFault) throw new TypeError(message);
}

/** The arguments of the other methods. */
const ARGUMENTS = {
  append: { accepts: Array.isArray, allowed: 'a list of messages' },
  recall: { accepts: (value: unknown) => typeof value === 'string', allowed: 'a handle or words' },
  // A server may report none.
  reportUsage: { accepts: (value: unknown) => value == null || isObject(value), allowed: 'the usage of a reply' },
  on: { accepts: (value: unknown) => typeof value === 'function', allowed: 'a function' },
  pin: index,
  unpin: index,
} satisfies Record<string, Rule>;

/** Checks the argument of a method. @throws TypeError naming the method, what it accepts and what it was given. */
export function checkArgument(call: keyof typeof ARGUMENTS, value: unknown): void {
  const { accepts, allowed } = ARGUMENTS[call];
  if (!accepts(value)) refuse(`${call}: its argument`, allowed, value);
}

/** Checks figures, one level of groups deep, by the types of the extension's settings of the same names. */
function hasFigures(values: Record<string, unknown>, path: string, names: readonly string[]): boolean {
  for (const [name, value] of Object.entries(values)) {
    if (!names.includes(name)) throw new TypeError(`${path} has no field ${name}; it has ${names.join(', ')}`);
    if (value === undefined) continue;
    const here = `${path}.${name}`;
    const group = path === 'settings' ? groupNames(name) : [];
    if (group.length > 0) {
      if (!isObject(value)) refuse(here, 'an object', value);
      hasFigures(value, here, group);
    } else checkFigure(here, value);
  }
  return true;
}

function checkFigure(path: string, value: unknown): void {
  const rule = Object.entries(SETTING_RULES).find(([name]) => name === path.replace(/^settings\./, ''))?.[1];
  if (rule === undefined) return;
  if (typeof rule.byDefault === 'string' || typeof rule.byDefault === 'boolean') {
    if (!rule.accepts(value)) refuse(path, rule.allowed(), value);
    return;
  }
  const isFraction = typeof rule.byDefault === 'number' && !Number.isInteger(rule.byDefault);
  const isRight = isFraction ? isPart(value) : isPositive(value);
  if (!isRight) refuse(path, isFraction ? 'a number from 0 to 1' : 'a number above 0', value);
}

/** The fields of a group of strategy settings; none for a single figure. */
function groupNames(name: string): readonly string[] {
  const group = Object.entries(DEFAULT_STRATEGY_SETTINGS).find(([known]) => known === name)?.[1];
  return typeof group === 'object' ? Object.keys(group) : [];
}

/** The names after `group.` in the settings. */
function ruleNames(group: string): readonly string[] {
  return Object.keys(SETTING_RULES)
    .filter((name) => name.startsWith(`${group}.`))
    .map((name) => name.slice(group.length + 1));
}

function oneOf(values: readonly string[]): Rule {
  return { accepts: (value) => values.some((one) => one === value), allowed: `one of ${values.join(', ')}` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isPart(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isToolList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (tool) => isJson(tool) && isObject(tool) && isObject(tool.function) && typeof tool.function.name === 'string',
    )
  );
}

/** Whether it can be written as JSON; what contains itself cannot. */
function isJson(value: unknown): boolean {
  return !isTooLarge(value) && weigh(value, Number.POSITIVE_INFINITY).kind === 'fits';
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

/** Checks a snapshot part by part; references beyond its messages are left out when it is restored. */
function isState(value: unknown, path: string): boolean {
  if (!isObject(value) || value.version !== 1 || isTooLarge(value)) return false;
  const { messages, compactions, pins, undone = [], learnedWindow: window, calibration } = value;
  if (!Array.isArray(messages)) return false;
  checkEach(`${path}.compactions`, compactions, RECORD);
  checkEach(`${path}.undone`, undone, UNDONE);
  checkEach(`${path}.pins`, pins, PIN);
  if (window !== undefined) check(`${path}.learnedWindow`, window, learnedWindow);
  if (calibration !== undefined) check(`${path}.calibration`, calibration, CALIBRATION);
  return true;
}

function checkEach(path: string, values: unknown, rule: Rule): void {
  if (!Array.isArray(values)) refuse(path, 'a list', values);
  values.forEach((value: unknown, index) => {
    check(`${path}[${index}]`, value, rule);
  });
}

function check(path: string, value: unknown, { accepts, allowed }: Rule): void {
  if (!accepts(value, path)) refuse(path, allowed, value);
}

function refuse(what: string, allowed: string, value: unknown): never {
  throw new TypeError(`${what} must be ${allowed}, not ${describe(value)}`);
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && !isJson(value)) return 'something that JSON cannot hold';
  const text = typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
