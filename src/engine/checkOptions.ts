import * as z from 'zod/mini';
import { STRATEGY_IDS, type Trigger } from '../core/compaction/compaction.ts';
import type { SettingsChange } from '../core/compaction/strategy.ts';
import { weigh } from '../core/messages/parse.ts';
import { CALIBRATION_BOUNDS, parseCalibration } from '../core/model/calibration.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { isCompaction, isUndone, learnedWindow as learnedWindowShape } from '../core/session/parseSummary.ts';
import { isTooLarge } from './given.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** A value that `accepts` allows; `allowed` describes it. */
const that = (allowed: string, accepts: (value: unknown) => boolean) => z.custom<unknown>(accepts, allowed);

const oneOf = (values: readonly string[]) =>
  that(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));

/** An object with these optional fields. */
const group = (shape: Shape, allowed = 'an object') => {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.optional(field)] as const);
  return z.strictObject(Object.fromEntries(fields), {
    error: ({ code }) => (code === 'unrecognized_keys' ? `it has ${Object.keys(shape).join(', ')}` : allowed),
  });
};

const options = (shape: Shape) => group(shape, 'called with an object of options');

const TRIGGERS = Object.keys({
  threshold: true,
  'message-count': true,
  'trace-size': true,
  command: true,
  overflow: true,
  'smaller-model': true,
  'hard-limit': true,
} satisfies Record<Trigger, true>);

const learnedWindow = that(
  '{ tokens, source }, with tokens a whole number from 1 and source one of server, error, setting',
  (value) => learnedWindowShape.safeParse(value).success,
);
const profile = that('a model id, or an object with an id and what is known of the model', (value) =>
  typeof value === 'string' ? value.trim() !== '' : isObject(value) && isJson(value) && typeof value.id === 'string',
);
const strategy = oneOf(STRATEGY_IDS);
const tools = that('a list of tool definitions ({ type, function: { name, ... } })', isToolList);
const text = that('a text', (value) => typeof value === 'string' && value.trim() !== '');
const part = that('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1);
const positive = that('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0);
const thresholds = group({
  fraction: part,
  tokens: positive,
  target: part,
  messages: positive,
  keepMessages: positive,
});
const settings = group({
  keepLastMessages: positive,
  sandwich: group({ topFraction: part, bottomFraction: part, maxKeptCharacters: positive }),
  actionTrace: group({
    trigger: positive,
    keep: positive,
    largeCharacters: positive,
    largeTrigger: positive,
    largeKeep: positive,
    observationCharacters: positive,
    modelCharacters: positive,
  }),
  summary: group({
    maxTokens: positive,
    when: oneOf(['always', 'whenNeeded', 'never']),
    check: oneOf(['model', 'words']),
  }),
});

/** The options of `openConversation`. */
export const OPEN_OPTIONS = options({
  profile,
  strategy,
  fallbackStrategy: strategy,
  tools,
  thresholds,
  settings,
  summarize: that('a function that gives a promise of a text', isFunction),
  summaryProfile: profile,
  restore: that(
    'what snapshot() gave: { version: 1, messages, compactions, pins }',
    (value) => isObject(value) && value.version === 1 && Array.isArray(value.messages) && !isTooLarge(value),
  ),
});

/** The options of `configure`. */
export const CONFIGURE_OPTIONS = options({ profile, strategy, tools, thresholds, learnedWindow });

/** The options of `compact`. */
export const COMPACT_OPTIONS = options({
  strategy,
  // Any number: a run may aim at a target that it cannot reach.
  targetTokens: that('a number of tokens', (value) => typeof value === 'number'),
  trigger: oneOf(TRIGGERS),
  instructions: text,
  // Recognized by its shape, since a signal may come from another realm.
  signal: that(
    'an AbortSignal',
    (value) => isObject(value) && typeof value.aborted === 'boolean' && isFunction(value.addEventListener),
  ),
});

const RECORD =
  '{ id, at, strategy, trigger, transcriptLength, replacements, receipt }, with transcriptLength a whole number from 0 and replacements a list of ranges below it with valid messages';
const INDEX = 'the index of a message, a whole number from 0';
const ANY = Number.POSITIVE_INFINITY;

/** The parts of a snapshot; restoring leaves out references beyond its messages. */
const SNAPSHOT = z.looseObject({
  compactions: z.array(
    that(RECORD, (value) => isCompaction(value, ANY)),
    'a list',
  ),
  undone: z.optional(
    z.array(
      that(`{ place, compaction }, with place a whole number from 0 and compaction ${RECORD}`, (value) =>
        isUndone(value, ANY),
      ),
      'a list',
    ),
  ),
  pins: z.array(
    that(INDEX, (value) => isWhole(value, 0)),
    'a list',
  ),
  learnedWindow: z.optional(learnedWindow),
  calibration: z.optional(
    that(
      `{ factor, deviation, reports }, with ${CALIBRATION_BOUNDS}`,
      (value) => parseCalibration(value) !== undefined,
    ),
  ),
});

/**
 * Checks the options of a call; an absent or `undefined` option has its default.
 * @throws TypeError naming the option, what it may be and what it was.
 */
export function checkOptions(call: string, given: object, allowed: z.ZodMiniType): void {
  check(allowed, given, (path) => (path.length === 1 ? `${call}: ${dotted(path)}` : dotted(path) || call));
  const { restore } = given as { readonly restore?: unknown };
  if (restore !== undefined) check(SNAPSHOT, restore, (path) => dotted(['restore', ...path]));
}

/** The arguments of the other methods. */
const ARGUMENTS = {
  append: that('a list of messages', Array.isArray),
  recall: that('a handle or words', (value) => typeof value === 'string'),
  // A server may report none.
  reportUsage: that('the usage of a reply', (value) => value == null || isObject(value)),
  on: that('a function', isFunction),
  // The transcript knows whether there is such a message.
  pin: that(INDEX, (value) => typeof value === 'number'),
  unpin: that(INDEX, (value) => typeof value === 'number'),
};

/** Checks the argument of a method. @throws TypeError naming the method, what it accepts and what it was given. */
export function checkArgument(call: keyof typeof ARGUMENTS, value: unknown): void {
  check(ARGUMENTS[call], value, () => `${call}: its argument`);
}

type Path = readonly PropertyKey[];

function check(allowed: z.ZodMiniType, given: unknown, nameOf: (path: Path) => string): void {
  const [issue] = allowed.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return;
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const kind = path.length === 0 ? 'option' : 'field';
    throw new TypeError(`${dotted(path) || nameOf(path)} has no ${kind} ${issue.keys[0]}; ${message}`);
  }
  const value = path.reduce<unknown>((outer, key) => Object(outer)[key], given);
  throw new TypeError(`${nameOf(path)} must be ${message}, not ${describe(value)}`);
}

function dotted(path: Path): string {
  return path.reduce<string>((outer, key) => {
    if (typeof key === 'number') return `${outer}[${key}]`;
    return outer === '' ? String(key) : `${outer}.${String(key)}`;
  }, '');
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
export function checkTogether(given: Together, model?: ModelProfile): void {
  const { thresholds: { fraction, target } = {}, settings: { sandwich } = {} } = given;
  const { topFraction = 0, bottomFraction = 0 } = sandwich ?? {};
  const refuseIf = (isFault: boolean, message: string): void => {
    if (isFault) throw new TypeError(message);
  };
  refuseIf(
    given.fallbackStrategy !== undefined && given.fallbackStrategy === given.strategy,
    `fallbackStrategy must be another strategy than strategy, ${String(given.strategy)}`,
  );
  refuseIf(
    given.summaryProfile !== undefined && given.summarize === undefined,
    'summaryProfile is the model of summarize, which is missing',
  );
  refuseIf(
    fraction !== undefined && target !== undefined && target >= fraction,
    `thresholds.target must be below thresholds.fraction: a run aims at ${target} and starts at ${fraction}`,
  );
  refuseIf(
    topFraction + bottomFraction > 1,
    `settings.sandwich.topFraction and bottomFraction must be at most 1 together, not ${topFraction + bottomFraction}`,
  );
  refuseIf(
    model?.contextWindow !== undefined && model.completionReserve >= model.contextWindow,
    `profile.completionReserve (${model?.completionReserve}) must be below profile.contextWindow (${model?.contextWindow})`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isToolList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (tool) => isJson(tool) && isObject(tool) && isObject(tool.function) && typeof tool.function.name === 'string',
    )
  );
}

/** Whether a value can be written as JSON; one that contains itself cannot. */
function isJson(value: unknown): boolean {
  return !isTooLarge(value) && weigh(value, Number.POSITIVE_INFINITY).kind === 'fits';
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && !isJson(value)) return 'something that JSON cannot hold';
  const text = typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
