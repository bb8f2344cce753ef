import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { failed, type Tool, type ToolOutcome } from './tools.ts';

/** No path is longer on any system (Linux: PATH_MAX). */
const LONGEST_TEXT = 4_096;

/** Characters of an error, which repeats names of wrong arguments. */
const LONGEST_ERROR = 500;

/** An argument of text, at most `most` characters; default: as many as a path may have. */
export const text = (description: string, most = LONGEST_TEXT) =>
  z.string().check(z.maxLength(most), z.describe(description));

/** An argument that is a whole number of at least `least`. */
export const integer = (description: string, least = 1) => z.int().check(z.minimum(least), z.describe(description));

/** An argument that is true or false. */
export const flag = (description: string) => z.boolean().check(z.describe(description));

/** The parts of a tool. `Shape`: its arguments, each with its description for the model. */
interface ToolParts<Shape extends Readonly<Record<string, z.ZodMiniType>>> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Shape;
  /** See `Tool`. */
  readonly changes?: boolean;
  readonly run: (args: z.infer<z.ZodMiniObject<Shape, z.core.$strict>>, signal: AbortSignal) => Promise<ToolOutcome>;
}

/** Makes a tool that checks its arguments and explains wrong ones to the model. */
export function makeTool<Shape extends Readonly<Record<string, z.ZodMiniType>>>(tool: ToolParts<Shape>): Tool {
  const { name, description, changes = false, run } = tool;
  const shape = z.strictObject(tool.parameters);
  const { $schema: _, ...parameters } = z.toJSONSchema(shape, {
    // Limits that no model comes near are not worth their tokens in each request.
    override: ({ jsonSchema }) => {
      delete jsonSchema.maximum;
      delete jsonSchema.maxLength;
      delete jsonSchema.maxItems;
    },
  });
  return {
    definition: { type: 'function', function: { name, description, parameters } },
    changes,
    run: async (args, signal) => {
      const read = shape.safeParse(withoutNulls(args), { error: en().localeError });
      if (read.success) return run(read.data, signal);
      const said = read.error.issues.map(
        ({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`,
      );
      return failed(`The arguments are wrong (${said.join('; ').slice(0, LONGEST_ERROR)}).`);
    },
  };
}

/** Some models write every optional argument as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)]));
}
