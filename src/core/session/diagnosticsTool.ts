import * as z from 'zod/mini';
import { makeTool } from './makeTool.ts';
import type { Tool } from './tools.ts';

/** A problem that the editor shows in a file. Lines and columns count from 1. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The tool that found it, e.g. `ts` or `eslint`. */
  readonly source?: string | undefined;
}

const MOST_SHOWN = 30;

/** Problems as lines for the model; '' if there are none. */
export function problemLines(problems: readonly Problem[]): string {
  if (problems.length === 0) return '';
  const lines = problems.slice(0, MOST_SHOWN).map(({ path, line, column, severity, message, source }) => {
    const by = source === undefined ? '' : ` (${source})`;
    return `${path}:${line}:${column} ${severity}: ${message.replaceAll('\n', ' ')}${by}`;
  });
  const more = problems.length > MOST_SHOWN ? [`[${problems.length - MOST_SHOWN} more]`] : [];
  return ['Problems that the editor shows:', ...lines, ...more].join('\n');
}

/** The tool `get_diagnostics`: the editor's problems in one file or in all. */
export function makeDiagnosticsTool(list: () => readonly Problem[]): Tool {
  return makeTool({
    name: 'get_diagnostics',
    description: 'Lists the errors and warnings that the editor shows, for a file or for all.',
    parameters: { path: z.optional(z.string()) },
    run: async ({ path: given }) => {
      const path = given?.replace(/^\.\//, '');
      const text = problemLines(list().filter((problem) => path === undefined || problem.path === path));
      const where = path === undefined ? '' : ` in ${path}`;
      return { text: text === '' ? `The editor shows no problems${where}.` : text, failed: false };
    },
  });
}
