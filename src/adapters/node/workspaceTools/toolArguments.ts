import { err, ok, type Result } from '../../../core/result.ts';

/** One argument of a tool: what the model is told about it, and what is accepted. */
export interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly required?: boolean;
  /** The lowest integer; default: 1. */
  readonly minimum?: number;
  /** The longest string, characters; default: that of a path. */
  readonly most?: number;
}

/**
 * Checked arguments, by name. Absent and `null` arguments are left out: some models write every optional one as null.
 */
export interface Arguments {
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
}

/** No path is longer on any system (Linux: PATH_MAX). */
const LONGEST_TEXT = 4_096;

/** The number of characters of a wrong name or value that an error repeats. */
const SHOWN = 60;

/** The JSON schema of the parameters, for a tool definition. */
export function describeParameters(parameters: Readonly<Record<string, Parameter>>): Record<string, unknown> {
  const properties = Object.entries(parameters).map(([name, { type, description, minimum = 1 }]) => [
    name,
    { type, description, ...(type === 'integer' && { minimum }) },
  ]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.required === true);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** Checks what a model sent. The error is a sentence that tells the model what to change. */
export function readArguments(
  parameters: Readonly<Record<string, Parameter>>,
  args: unknown,
): Result<Arguments, string> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return err('The arguments must be a JSON object.');
  const given = new Map<string, unknown>(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  );
  const problems = [...given].flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return parameter === undefined
      ? [`There is no argument "${name.slice(0, SHOWN)}"; there are ${Object.keys(parameters).join(', ')}.`]
      : checkValue(name, value, parameter);
  });
  for (const [name, { required }] of Object.entries(parameters)) {
    if (required === true && !given.has(name)) problems.push(`The argument "${name}" is missing.`);
  }
  if (problems.length > 0) return err(problems.join(' '));
  return ok({
    text: (name) => {
      const value = given.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    integer: (name) => {
      const value = given.get(name);
      return typeof value === 'number' ? value : undefined;
    },
    flag: (name) => given.get(name) === true,
  });
}

function checkValue(name: string, value: unknown, { type, minimum = 1, most = LONGEST_TEXT }: Parameter): string[] {
  if (typeof value === 'string' && type === 'string' && value.length > most)
    return [`"${name}" must have at most ${most} characters.`];
  if (type !== 'integer')
    return typeof value === type ? [] : [`"${name}" must be a ${type}, not ${JSON.stringify(value)?.slice(0, SHOWN)}.`];
  const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum;
  return fits
    ? []
    : [`"${name}" must be a whole number of at least ${minimum}, not ${JSON.stringify(value)?.slice(0, SHOWN)}.`];
}

/** Limits on what the workspace tools read and return. */
export interface WorkspaceToolLimits {
  /** The characters of one result. */
  readonly characters: number;
  /** Entries that list_files names. */
  readonly entries: number;
  /** Matches that search_text shows. */
  readonly matches: number;
  /** Files larger than this are read by line ranges only, and not searched, bytes. */
  readonly wholeFileBytes: number;
  /** Folder entries that one call looks at. */
  readonly visited: number;
  /** Time of one call, milliseconds. */
  readonly totalMs: number;
  /** The time that a regular expression may take on one file, milliseconds. */
  readonly fileMs: number;
}

/**
 * A result has at most about 10,000 tokens: asking again costs a model less than dragging along what it does not need.
 */
export const DEFAULT_LIMITS: WorkspaceToolLimits = {
  characters: 40_000,
  entries: 500,
  matches: 100,
  wholeFileBytes: 5_000_000,
  visited: 50_000,
  totalMs: 15_000,
  fileMs: 1_000,
};
