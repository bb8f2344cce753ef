import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { isFields } from '../adapters/fields.ts';
import { weigh } from '../core/chat/parse.ts';
import { STRATEGY_IDS, TRIGGERS } from '../core/compaction/compaction.ts';
import { type SettingsChange, withDefaults } from '../core/compaction/strategy.ts';
import { parseCalibration } from '../core/model/calibration.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { learnedWindow, storedCompaction, storedUndone } from '../core/session/parseSummary.ts';
import { isTooLarge } from './given.ts';

/** A value that `accepts` allows; `allowed` describes it. */
const that = (allowed: string, accepts: (value: unknown) => boolean) =>
  z.custom<unknown>(accepts, `expected ${allowed}`);

/** An object with these optional fields. */
const group = (shape: Readonly<Record<string, z.ZodMiniType>>) => z.partial(z.strictObject(shape));

const profile = that('a model id, or an object with an id and what is known about the model', (value) =>
  typeof value === 'string' ? value.trim() !== '' : isFields(value) && isJson(value) && typeof value.id === 'string',
);
const strategy = z.enum(STRATEGY_IDS);
const tools = that('a list of tool definitions ({ type, function: { name, ... } }) that JSON can hold', isToolList);
const callback = that('a function', isFunction);
const part = z.number().check(z.gte(0), z.lte(1));
const positive = z.number().check(z.positive());
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
    when: z.enum(['always', 'whenNeeded', 'never']),
    check: z.enum(['model', 'words']),
  }),
});

/** The parts of a snapshot; restoring leaves out references beyond its messages. */
const snapshot = z
  .looseObject({
    version: z.literal(1),
    messages: z.array(z.unknown()),
    compactions: z.array(storedCompaction),
    undone: z.optional(z.array(storedUndone)),
    pins: z.array(z.int().check(z.nonnegative())),
    learnedWindow: z.optional(learnedWindow),
    calibration: z.optional(
      that('a calibration, as snapshot() gave it', (value) => parseCalibration(value) !== undefined),
    ),
  })
  .check(z.refine((value) => !isTooLarge(value), 'expected a snapshot that memory can hold'));

/** The options of each call. */
const OPTIONS = {
  openConversation: group({
    profile,
    strategy,
    fallbackStrategy: strategy,
    tools,
    thresholds,
    settings,
    summarize: callback,
    summaryProfile: profile,
    restore: snapshot,
  }),
  configure: group({ profile, strategy, tools, thresholds, learnedWindow }),
  compact: group({
    strategy,
    // Any number: a run may aim at a target that it cannot reach.
    targetTokens: that('a number of tokens', (value) => typeof value === 'number'),
    trigger: z.enum(TRIGGERS),
    instructions: z.string().check(z.regex(/\S/, 'expected a text')),
    // Recognized by its shape, since a signal may come from another realm.
    signal: that(
      'an AbortSignal',
      (value) => isFields(value) && typeof value.aborted === 'boolean' && isFunction(value.addEventListener),
    ),
  }),
  append: z.array(z.unknown()),
  recall: z.string(),
  // A server may report none.
  reportUsage: z.nullish(z.looseObject({})),
  on: callback,
  // The transcript knows whether there is such a message.
  pin: z.number(),
  unpin: z.number(),
};

/**
 * Checks the options, or the argument, of a call; an absent or `undefined` option has its default.
 * @throws TypeError naming the call, the option and what it may be.
 */
export function checkOptions(call: keyof typeof OPTIONS, given: unknown): void {
  const [issue] = OPTIONS[call].safeParse(given, { error: en().localeError }).error?.issues ?? [];
  if (issue === undefined) return;
  const place = issue.path.reduce<string>(
    (outer, key) => (typeof key === 'number' ? `${outer}[${key}]` : `${outer}.${String(key)}`),
    '',
  );
  throw new TypeError([call, place.slice(1), issue.message].filter((words) => words !== '').join(': '));
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
    `fallbackStrategy must differ from strategy, ${String(given.strategy)}`,
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
  const { trigger, keep, largeTrigger, largeKeep } = withDefaults(given.settings).actionTrace;
  refuseIf(
    keep >= trigger || largeKeep >= largeTrigger,
    `settings.actionTrace must keep fewer steps than trigger it, not ${keep} of ${trigger} or ${largeKeep} of ${largeTrigger}`,
  );
  refuseIf(
    model?.contextWindow !== undefined && model.completionReserve >= model.contextWindow,
    `profile.completionReserve (${model?.completionReserve}) must be below profile.contextWindow (${model?.contextWindow})`,
  );
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isToolList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (tool) => isJson(tool) && isFields(tool) && isFields(tool.function) && typeof tool.function.name === 'string',
    )
  );
}

/** Whether a value can be written as JSON; one that contains itself cannot. */
function isJson(value: unknown): boolean {
  return !isTooLarge(value) && weigh(value, Number.POSITIVE_INFINITY).kind === 'fits';
}
