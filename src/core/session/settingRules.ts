import { STRATEGY_IDS } from '../compaction/compaction.ts';
import { t } from '../language.ts';
import { EDITOR_MODELS } from '../model/providers.ts';
import { areSetWindows, LEAST_SET_WINDOW, MOST_SET_WINDOW } from '../model/windows.ts';

/** What a setting allows: as a guard and in words; and the default that the manifest declares. */
export interface SettingRule<Value> {
  readonly accepts: (value: unknown) => value is Value;
  readonly allowed: string;
  readonly byDefault: Value;
}

/** The names that `karl.tools.enabled` may contain. */
export const TOOL_NAMES = ['read_file', 'list_files', 'search_text', 'karl_recall'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** The rules of all settings. Limits and defaults equal those of the manifest. */
export const SETTING_RULES = {
  baseUrl: {
    accepts: isBaseUrl,
    get allowed() {
      return t(
        'empty, a URL that begins with http:// or https:// and has no user name, password, query or fragment, or {0}',
        EDITOR_MODELS,
      );
    },
    byDefault: '',
  },
  model: {
    accepts: isLine,
    get allowed() {
      return t('empty, or a model name on one line without spaces at its ends');
    },
    byDefault: '',
  },
  contextWindows: {
    accepts: areSetWindows,
    get allowed() {
      return t(
        'an object that gives each model by its name a whole number of tokens from {0} to {1}',
        String(LEAST_SET_WINDOW),
        String(MOST_SET_WINDOW),
      );
    },
    byDefault: {},
  },
  'compaction.mode': oneOf(['automatic', 'ask', 'manual'] as const, 'automatic'),
  strategy: oneOf(STRATEGY_IDS, 'adaptive'),
  fallbackStrategy: oneOf(['none', ...STRATEGY_IDS] as const, 'none'),
  'thresholds.fraction': between(0.1, 1, 0.8),
  'thresholds.tokens': orNull(whole(500, Number.MAX_SAFE_INTEGER, 500)),
  'thresholds.target': between(0.05, 0.95, 0.5),
  'thresholds.messages': orNull(whole(4, Number.MAX_SAFE_INTEGER, 4)),
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
  'summary.model': {
    accepts: isLine,
    get allowed() {
      return t('empty (the model that answers), or a model name on one line without spaces at its ends');
    },
    byDefault: '',
  },
  'summary.maxTokens': whole(100, 100_000, 8000),
  'summary.when': oneOf(['always', 'whenNeeded', 'never'] as const, 'always'),
  'summary.check': oneOf(['model', 'words'] as const, 'model'),
  'hooks.beforeCompact': command(),
  'hooks.afterCompact': command(),
  'hooks.timeoutSeconds': whole(1, 3600, 30),
  requestTimeoutSeconds: orNull(whole(1, 86_400, 1)),
  'profiles.workspaceFile': {
    accepts: isBoolean,
    get allowed() {
      return t('true or false');
    },
    byDefault: true,
  },
  'tools.enabled': {
    accepts: isToolList,
    get allowed() {
      return t('a list of different names out of {0}', TOOL_NAMES.join(', '));
    },
    byDefault: TOOL_NAMES,
  },
  'tools.maxRounds': whole(1, 10_000, 200),
  'provider.advertisedTokens': whole(1_000, 1_000_000_000, 10_000_000),
  'gateway.enabled': {
    accepts: isBoolean,
    get allowed() {
      return t('true or false');
    },
    byDefault: false,
  },
  'gateway.port': whole(0, 65_535, 27_431),
  'log.directory': {
    accepts: isDirectory,
    get allowed() {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting's own variables, spelled for the user
      return t('an absolute path, or one that begins with ${storage}, ${workspaceFolder} or ~; not empty');
    },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting's own variable
    byDefault: '${storage}/logs',
  },
  'storage.days': whole(1, 36_500, 90),
  'storage.megabytes': whole(1, 1_000_000, 500),
  'storage.otherAgents': {
    accepts: isBoolean,
    get allowed() {
      return t('true or false');
    },
    byDefault: true,
  },
} satisfies Readonly<Record<string, SettingRule<unknown>>>;

function oneOf<const Values extends readonly string[]>(
  values: Values,
  byDefault: Values[number],
): SettingRule<Values[number]> {
  return {
    accepts: (value): value is Values[number] => values.includes(value as string),
    get allowed() {
      return t('one of {0}', values.join(', '));
    },
    byDefault,
  };
}

function between(low: number, high: number, byDefault: number): SettingRule<number> {
  const accepts = (value: unknown): value is number => typeof value === 'number' && value >= low && value <= high;
  return {
    accepts,
    get allowed() {
      return t('a number from {0} to {1}', String(low), String(high));
    },
    byDefault,
  };
}

function whole(low: number, high: number, byDefault: number): SettingRule<number> {
  const accepts = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
  return {
    accepts,
    get allowed() {
      return high === Number.MAX_SAFE_INTEGER
        ? t('a whole number of at least {0}', String(low))
        : t('a whole number from {0} to {1}', String(low), String(high));
    },
    byDefault,
  };
}

function command(): SettingRule<string> {
  return {
    accepts: isLine,
    get allowed() {
      return t('empty (no hook), or a command on one line without spaces at its ends');
    },
    byDefault: '',
  };
}

function orNull(rule: SettingRule<number>): SettingRule<number | null> {
  const accepts = (value: unknown): value is number | null => value === null || rule.accepts(value);
  return {
    accepts,
    get allowed() {
      return t('null or {0}', rule.allowed);
    },
    byDefault: null,
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value === value.trim() && !/[\r\n]/.test(value);
}

function isToolList(value: unknown): value is readonly ToolName[] {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return false;
  return value.every((name: unknown) => TOOL_NAMES.some((tool) => tool === name));
}

/** Begins with a drive letter, a slash, a network share, `~`, or one of the variables that the host replaces. */
function isDirectory(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^(?:\/|[A-Za-z]:[\\/]|\\\\|~(?:[\\/]|$)|\$\{(?:storage|workspaceFolder)\})/.test(value)
  );
}

/** Refuses credentials in the URL, since they end up in logs and proxies. `URL` is part of every JavaScript host. */
function isBaseUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value !== value.trim()) return false;
  if (value === '' || value === EDITOR_MODELS) return true;
  if (!/^https?:\/\/[^\s/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
