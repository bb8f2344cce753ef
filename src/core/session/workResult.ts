import type { LineCounts } from './edits.ts';

// The first line of what Karl's own tools answer, which the model reads, and the view too.

/** In the place of a part of a result that is no text, such as an image. */
export const NO_TEXT_PART = '[a part that is no text was left out]';

/** What the model reads when the user said no. */
export function describeDenial(reason: string): string {
  return reason.trim() === ''
    ? 'denied by the user: do not try it again, ask what to do instead'
    : `denied by the user: ${reason.trim()}`;
}

/** Says what became of a file. */
export function sayChange(path: string, isNew: boolean, { added, removed }: LineCounts): string {
  return `${isNew ? 'Created' : 'Changed'} ${path}: +${added} -${removed} lines.`;
}

/** The lines of a change, from the answer of `edit_file`; undefined when it says something else. */
export function readChange(result: string): LineCounts | undefined {
  const [, added, removed] = /^(?:Created|Changed) [^\n]*: \+(\d+) -(\d+) lines\./.exec(result) ?? [];
  return added === undefined ? undefined : { added: Number(added), removed: Number(removed) };
}

/** How a command stands: how it ended, or that it goes on. */
export type CommandState =
  | { readonly kind: 'ended'; readonly code: number; readonly seconds: number }
  /** By a signal: `why` says which, or that its time was over, or that it was stopped. */
  | { readonly kind: 'killed'; readonly why: string; readonly seconds: number }
  | { readonly kind: 'running'; readonly seconds: number };

/** Says how a command stands, and under which id its output is kept. */
export function sayState(id: string, state: CommandState): string {
  const seconds = `${state.seconds.toFixed(1)} s`;
  switch (state.kind) {
    case 'ended':
      return `exit ${state.code} after ${seconds} [${id}]`;
    case 'killed':
      return `Error: ended after ${seconds}: ${state.why} [${id}]`;
    case 'running':
      return `still running after ${seconds} [${id}]: it goes on in the background. Call command_output with this id to look at it, to wait for it or to stop it.`;
  }
}

/** How a command ended and how long it took, from the answer of `run_command`; undefined when it says something else. */
export function readEnd(result: string): { readonly code?: number; readonly seconds: string } | undefined {
  const [, code, seconds] = /^(?:exit (-?\d+)|Error: ended|still running) after (\d+\.\d) s/.exec(result) ?? [];
  if (seconds === undefined) return undefined;
  return code === undefined ? { seconds } : { code: Number(code), seconds };
}
