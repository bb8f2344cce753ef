import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { describeSize } from '../../../core/compaction/shorten.ts';
import { errorLines } from '../../../core/ledger/errors.ts';
import { flag, integer, makeTool, text } from '../../../core/session/makeTool.ts';
import { failed, type Tool, type ToolOutcome } from '../../../core/session/tools.ts';
import { describeDenial, sayState } from '../../../core/session/workResult.ts';
import { findInWorkspace } from '../workspaceTools/workspacePath.ts';
import { type Commands, cleanOutput, type RunningCommand } from './commands.ts';
import type { WorkToolParts } from './editFileTool.ts';

const LONGEST_WAIT = 600;
const LONGEST_RUN = 86_400;
/** How long to wait for the end of a stopped command. Seconds. */
const TO_END = 5;

/** What a longer output shows, as shares of the room: beginning, end and error lines between; characters of such a line. */
const SHOWN = { head: 0.25, tail: 0.5, errorLines: 0.2, line: 300 };

/** The tools `run_command`, which asks the user, and `command_output`, which reads what a command printed. */
export function makeCommandTools({ folders, ports, checkpoints }: WorkToolParts, commands: Commands): readonly Tool[] {
  const run = makeTool({
    name: 'run_command',
    description:
      'Runs a command line in the shell, without input. Long output is shown as its beginning, end and errors. The user may refuse it.',
    parameters: {
      command: text('Command line', 20_000).check(z.trim()),
      folder: z.optional(text('Folder of the workspace; default: the top')),
      wait_seconds: z.optional(integer('After this it continues in the background; default 120, 0 for a server', 0)),
      timeout_seconds: z.optional(integer('After this it is ended; default 1800')),
    },
    changes: true,
    run: async ({ command, folder: inFolder, wait_seconds = 120, timeout_seconds = 1800 }, signal) => {
      if (command === '' || command.includes('\0')) return failed('"command" must be a command line.');
      const [first] = folders();
      if (first === undefined) return failed('No folder is open, so there is no place to run a command.');
      const place = await findInWorkspace(folders(), inFolder ?? (folders().length > 1 ? first.name : '.'));
      if (!place.ok) return failed(place.error);
      const folder = place.value.real;
      const answer = await ports.ask({ kind: 'command', tool: 'run_command', command, folder }, signal);
      if (answer.kind === 'denied') return failed(describeDenial(answer.reason));
      const covered = await checkpoints.coverAll(ports.turn(), signal);
      if (!covered.ok) return failed(covered.error);
      const timeoutMs = Math.min(timeout_seconds, LONGEST_RUN) * 1000;
      if (signal.aborted) return failed('The turn was stopped. Nothing was run.');
      const started = await commands.start({ command, folder, timeoutMs });
      const stop = (): void => started.stop('stopped by the user');
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      await waitFor(started, wait_seconds, signal);
      if (signal.aborted) await waitFor(started, TO_END);
      // From here on, the command no longer depends on the turn.
      signal.removeEventListener('abort', stop);
      return describeRun(started, ports.room());
    },
  });
  const look = makeTool({
    name: 'command_output',
    description: 'Shows what a command has printed; waits for its end, or ends it.',
    parameters: {
      id: text('e.g. c3'),
      start_line: z.optional(integer('Default: the last 100 lines')),
      end_line: z.optional(integer('Itself included')),
      wait_seconds: z.optional(integer(`Waits for its end, at most ${LONGEST_WAIT}`, 0)),
      stop: z.optional(flag('Ends the command')),
    },
    run: async ({ id: named, start_line: start, end_line: end, wait_seconds = 0, stop = false }, signal) => {
      const id = named.replace(/^\[|\]$/g, '');
      const known = commands.find(id);
      if (stop) known?.stop('stopped by the model');
      if (known !== undefined) await waitFor(known, stop ? TO_END : wait_seconds, signal);
      const [from, to] = start === undefined ? [-100, 0] : [start, end ?? start + 199];
      const found = await commands.readLines(id, from, to);
      if (found === undefined) return failed(`There is no command ${JSON.stringify(id.slice(0, 40))}.`);
      const { lines, first, total } = found;
      const head = known === undefined ? `[${id}] ended with an earlier window` : sayState(id, known.state);
      const range =
        lines.length === 0
          ? `no such lines (${total} in all)`
          : `lines ${first}-${first + lines.length - 1} of ${total}`;
      return { text: `${head}\n${range}\n${cutMiddle(lines.join('\n'), ports.room())}`, failed: false };
    },
  });
  return [run, look];
}

async function waitFor(command: RunningCommand, seconds: number, signal?: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const waited = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
  const ms = Math.min(seconds, LONGEST_WAIT) * 1000;
  await Promise.race([command.ended, sleep(ms, undefined, { signal: waited }).catch(() => undefined)]);
  timer.abort();
}

function describeRun(command: RunningCommand, room: number): ToolOutcome {
  const { head, left, tail } = command.output;
  const printed = cutMiddle(cleanOutput(left === 0 ? head + tail : `${head}\n[…]\n${tail}`).trimEnd(), room);
  const text = [sayState(command.id, command.state), ...(printed === '' ? [] : [printed])].join('\n');
  return { text, failed: command.state.kind === 'killed' };
}

/** Shortens an output to the room: cuts out the middle, but keeps its error lines. */
function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  const [start, end] = [Math.floor(room * SHOWN.head), text.length - Math.floor(room * SHOWN.tail)];
  const [head, middle, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const most = Math.floor((room * SHOWN.errorLines) / SHOWN.line);
  const errors = errorLines(middle, most).map((line) => line.slice(0, SHOWN.line).toWellFormed());
  const said = `[… ${describeSize(middle)} left out: command_output shows them …]`;
  return [head.toWellFormed(), said, ...errors, ...(errors.length === 0 ? [] : ['[…]']), tail.toWellFormed()].join(
    '\n',
  );
}
