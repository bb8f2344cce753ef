import * as z from 'zod/mini';
import { ok, type Result } from '../../../core/result.ts';
import { applyEdits, countChangedLines } from '../../../core/session/edits.ts';
import { flag, makeTool, text } from '../../../core/session/makeTool.ts';
import { failed, type Tool } from '../../../core/session/tools.ts';
import type { WorkPorts } from '../../../core/session/workPorts.ts';
import { describeDenial, sayChange } from '../../../core/session/workResult.ts';
import { findToWrite, type WorkspaceFolder } from '../workspaceTools/workspacePath.ts';
import type { Checkpoints } from './checkpoints.ts';

/** The longest text that a call may write. Characters. */
const LONGEST = 2_000_000;

const edit = z.strictObject({
  old_text: text('Text that is in the file exactly once', LONGEST).check(z.minLength(1)),
  new_text: z.string().check(z.maxLength(LONGEST)),
  all: z.optional(flag('Replace it everywhere')),
});

/** What the tools that change the workspace need. */
export interface WorkToolParts {
  readonly folders: () => readonly WorkspaceFolder[];
  readonly ports: WorkPorts;
  readonly checkpoints: Checkpoints;
}

/** The tool `edit_file`: replaces texts in a file of the workspace or writes all of it, after asking the user. */
export function makeEditFileTool({ folders, ports, checkpoints }: WorkToolParts): Tool {
  return makeTool({
    name: 'edit_file',
    description:
      'Changes or creates a text file of the workspace: by edits, or by its whole content. The user may refuse it.',
    parameters: {
      path: text('Path in the workspace, e.g. src/main.ts').check(z.minLength(1)),
      edits: z.optional(
        z.array(edit).check(z.minLength(1), z.maxLength(1000), z.describe('Replacements, in this order: all or none')),
      ),
      content: z.optional(text('The whole new text of the file', LONGEST)),
    },
    changes: true,
    run: async ({ path, edits, content }, signal) => {
      if ((edits === undefined) === (content === undefined)) return failed('Give either edits or content.');
      const place = await findToWrite(folders(), path);
      if (!place.ok) return failed(place.error);
      const { real, shown } = place.value;
      const before = await ports.files.read(real);
      if (!before.ok) return failed(before.error);
      if (edits !== undefined && before.value === undefined)
        return failed(`${shown} does not exist. Give content to create it, or use list_files to see what there is.`);
      const after: Result<string, string> =
        content === undefined ? applyEdits(before.value ?? '', edits ?? []) : ok(content);
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
  });
}
