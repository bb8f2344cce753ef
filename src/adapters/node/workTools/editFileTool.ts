import * as z from 'zod/mini';
import { ok, type Result } from '../../../core/result.ts';
import { applyEdits, countChangedLines } from '../../../core/session/edits.ts';
import { failed, type Tool } from '../../../core/session/tools.ts';
import type { WorkPorts } from '../../../core/session/workPorts.ts';
import { describeDenial, sayChange } from '../../../core/session/workResult.ts';
import { findToWrite, type WorkspaceFolder } from '../workspaceTools/workspacePath.ts';
import type { Checkpoints } from './checkpoints.ts';

/** The longest text that a call may write. Characters. */
const LONGEST = 2_000_000;

const text = z.string().check(z.maxLength(LONGEST));
const ARGUMENTS = z.strictObject({
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  edits: z.nullish(
    z
      .array(z.strictObject({ old_text: text.check(z.minLength(1)), new_text: text, all: z.nullish(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(1000)),
  ),
  content: z.nullish(text),
});

const PARAMETERS = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path in the workspace, e.g. src/main.ts' },
    edits: {
      type: 'array',
      description: 'Replacements, in this order: all or none',
      items: {
        type: 'object',
        properties: {
          old_text: { type: 'string', description: 'Text that is in the file exactly once' },
          new_text: { type: 'string' },
          all: { type: 'boolean', description: 'Replace it everywhere' },
        },
        required: ['old_text', 'new_text'],
        additionalProperties: false,
      },
    },
    content: { type: 'string', description: 'The whole new text of the file' },
  },
  required: ['path'],
  additionalProperties: false,
};

/** What the tools that change the workspace need. */
export interface WorkToolParts {
  readonly folders: () => readonly WorkspaceFolder[];
  readonly ports: WorkPorts;
  readonly checkpoints: Checkpoints;
}

/** The tool `edit_file`: replaces texts in a file of the workspace or writes all of it, after asking the user. */
export function makeEditFileTool({ folders, ports, checkpoints }: WorkToolParts): Tool {
  return {
    definition: {
      type: 'function',
      function: {
        name: 'edit_file',
        description:
          'Changes a text file of the workspace, or makes it: by edits, or by its whole content. The user may refuse it.',
        parameters: PARAMETERS,
      },
    },
    changes: true,
    run: async (args, signal) => {
      const parsed = ARGUMENTS.safeParse(args);
      if (!parsed.success) return failed(describeIssues(parsed.error.issues));
      const { path, edits, content } = parsed.data;
      if ((edits == null) === (content == null)) return failed('Give either edits or content.');
      const place = await findToWrite(folders(), path);
      if (!place.ok) return failed(place.error);
      const { real, shown } = place.value;
      const before = await ports.files.read(real);
      if (!before.ok) return failed(before.error);
      if (edits != null && before.value === undefined)
        return failed(`${shown} does not exist. Give content to make it, or use list_files to see what there is.`);
      const after: Result<string, string> = content == null ? applyEdits(before.value ?? '', edits ?? []) : ok(content);
      if (!after.ok) return failed(after.error);
      if (after.value === before.value) return failed(`${shown} already has exactly this text.`);
      const counts = countChangedLines(before.value ?? '', after.value);
      const answer = await ports.ask(
        {
          kind: 'edit',
          tool: 'edit_file',
          path: shown,
          file: real,
          before: before.value,
          after: after.value,
          ...counts,
        },
        signal,
      );
      if (answer.kind === 'denied') return failed(describeDenial(answer.reason));
      // While the question was open, the path may have become a link, and the user may have edited the file.
      const again = await findToWrite(folders(), path);
      if (!again.ok || again.value.real !== real)
        return failed(`${shown} was replaced meanwhile. Nothing was written.`);
      const now = await ports.files.read(real);
      if (!now.ok || now.value !== before.value)
        return failed(`${shown} was changed meanwhile. Nothing was written: read it again.`);
      const covered = await checkpoints.cover(ports.turn(), real);
      if (!covered.ok) return failed(covered.error);
      if (signal.aborted) return failed('The turn was stopped. Nothing was written.');
      const written = await ports.files.write(real, after.value);
      if (!written.ok) return failed(written.error);
      const problems = await ports.problemsOf(real, signal);
      const said = sayChange(shown, before.value === undefined, counts);
      return { text: problems === '' ? said : `${said}\n${problems}`, failed: false };
    },
  };
}

/** Says what is wrong with the arguments of a call, for the model. */
function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const said = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`);
  return `The arguments are wrong (${said.join('; ')}).`;
}
