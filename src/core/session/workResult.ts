import type { LineCounts } from './edits.ts';

// The first lines of Karl's own tool results, read by the model and by the view.

/** Replaces a part of a result that is not text, such as an image. */
export const NO_TEXT_PART = '[a part that is not text was left out]';

/** The result of a call that the user denied. */
export function describeDenial(reason: string): string {
  return reason.trim() === ''
    ? 'denied by the user: do not try it again, ask what to do instead'
    : `denied by the user: ${reason.trim()}`;
}

/** The result of a change of a file. */
export function sayChange(path: string, isNew: boolean, { added, removed }: LineCounts): string {
  return `${isNew ? 'Created' : 'Changed'} ${path}: +${added} -${removed} lines.`;
}

/** Reads the lines of a change from a result of `edit_file`; undefined for any other result. */
export function readChange(result: string): LineCounts | undefined {
  const [, added, removed] = /^(?:Created|Changed) [^\n]*: \+(\d+) -(\d+) lines\./.exec(result) ?? [];
  return added === undefined ? undefined : { added: Number(added), removed: Number(removed) };
}

/** How many lines of a file a result of `read_file` has; undefined for any other result. */
export function readFileLines(result: string): number | undefined {
  const [, from, to] = /^[^\n]+, lines (\d+)-(\d+)(?: of \d+)?\n/.exec(result) ?? [];
  return from === undefined ? undefined : Number(to) - Number(from) + 1;
}

/** The state of a command. */
export type CommandState =
  | { readonly kind: 'ended'; readonly code: number; readonly seconds: number }
  /** `why`: the signal that ended it, that its time was over, or that it was stopped. */
  | { readonly kind: 'killed'; readonly why: string; readonly seconds: number }
  | { readonly kind: 'running'; readonly seconds: number };

/** Describes the state of a command, with the id of its output. */
export function sayState(id: string, state: CommandState): string {
  const seconds = `${state.seconds.toFixed(1)} s`;
  switch (state.kind) {
    case 'ended':
      return `exit ${state.code} after ${seconds} [${id}]`;
    case 'killed':
      return `Error: ended after ${seconds}: ${state.why} [${id}]`;
    case 'running':
      return `still running after ${seconds} [${id}]: it continues in the background. Call command_output with this id to look at it, to wait for it or to stop it.`;
  }
}

/** Reads exit code and time from a result of `run_command`; undefined for any other result. */
export function readEnd(result: string): { code?: number; seconds: string; isStopped?: boolean } | undefined {
  const [, code, stop, seconds] = /^(?:exit (-?\d+)|(Error: ended)|still running) after (\d+\.\d) s/.exec(result) ?? [];
  if (seconds === undefined) return undefined;
  return code === undefined ? { seconds, isStopped: stop !== undefined } : { code: Number(code), seconds };
}
