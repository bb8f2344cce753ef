import { err, ok, type Result } from '../../../core/result.ts';
import { failed, type Tool, type ToolOutcome } from '../../../core/session/tools.ts';

/** One argument of a tool: what the model is told about it, and what is accepted. */
interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly required?: boolean;
  /** The lowest integer; default: 1. */
  readonly minimum?: number;
  /** The longest string, characters; default: that of a path. */
  readonly most?: number;
}

/** Checked arguments, by name. `null` counts as absent: some models write every optional one as null. */
interface Arguments {
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
}

/** No path is longer on any system (Linux: PATH_MAX). */
const LONGEST_TEXT = 4_096;

/** Characters of a wrong name or value that an error repeats. */
const SHOWN = 60;

/** The parts of a tool. */
interface ToolParts {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** See `Tool`. */
  readonly changes?: boolean;
  readonly run: (args: Arguments, signal: AbortSignal) => Promise<ToolOutcome>;
}

/** Makes a tool that checks its arguments; a model that sends wrong ones is told what to change. */
export function makeTool({ name, description, parameters, changes = false, run }: ToolParts): Tool {
  return {
    definition: {
      type: 'function',
      function: { name, description, parameters: describeParameters(parameters) },
    },
    changes,
    run: async (args, signal) => {
      const read = readArguments(parameters, args);
      return read.ok ? run(read.value, signal) : failed(read.error);
    },
  };
}

function describeParameters(parameters: ToolParts['parameters']): Record<string, unknown> {
  const properties = Object.entries(parameters).map(([name, { type, description, minimum = 1 }]) => [
    name,
    { type, description, ...(type === 'integer' && { minimum }) },
  ]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.required === true);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function readArguments(parameters: ToolParts['parameters'], args: unknown): Result<Arguments, string> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return err('The arguments must be a JSON object.');
  const given = new Map(Object.entries(args).filter(([, value]) => value !== null && value !== undefined));
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
    text: (name) => given.get(name) as string | undefined,
    integer: (name) => given.get(name) as number | undefined,
    flag: (name) => given.get(name) === true,
  });
}

function checkValue(name: string, value: unknown, { type, most = LONGEST_TEXT, minimum = 1 }: Parameter): string[] {
  if (typeof value === 'string' && type === 'string' && value.length > most)
    return [`"${name}" must have at most ${most} characters.`];
  const fits = type === 'integer' ? Number.isSafeInteger(value) && Number(value) >= minimum : typeof value === type;
  const expected = type === 'integer' ? `whole number of at least ${minimum}` : type;
  return fits ? [] : [`"${name}" must be a ${expected}, not ${JSON.stringify(value)?.slice(0, SHOWN)}.`];
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

/** A result has at most some 10,000 tokens: asking again costs less than carrying along what is not needed. */
export const DEFAULT_LIMITS: WorkspaceToolLimits = {
  characters: 40_000,
  entries: 500,
  matches: 100,
  wholeFileBytes: 5_000_000,
  visited: 50_000,
  totalMs: 15_000,
  fileMs: 1_000,
};
