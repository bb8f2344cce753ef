import { groupOf } from '../../messages/anyOf.ts';
import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { cutAtWord } from '../read/sentences.ts';
import { parseShell } from '../read/shellCommand.ts';

/** A longer command is cut. Characters. */
const LONGEST_COMMAND = 240;

/** Programs that only look something up: their output is behind the handle, and it matters little that they ran. */
const LOOKING = new RegExp(
  `^${groupOf(
    /cat|ls|cd|pwd|echo|printf|head|tail|less|more|bat|nl|wc|grep|egrep|rg|ag|find|fd|tree|which|whereis|type|stat|file/,
    /du|df|ps|env|date|whoami|uname|sed|awk|cut|sort|uniq|tr|xargs|jq|diff|sleep|true|test|\[|export|set|source/,
    /for|do|done|if|then|fi|else|while|gh|Get-\w+/,
  )}$`,
  'i',
);

/** Shell commands that ran, with their exit code where the result states it. */
export function findCommands(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    if (use.command === undefined || use.result === undefined) return [];
    const value = shortCommand(use.command);
    if (value === '') return [];
    const { exitCode, failed } = use.result;
    const state = exitCode === undefined ? (failed ? 'failed' : undefined) : `exit ${exitCode}`;
    const soft = !failed && (onlyLooks(use.command) || onlyWrites(use.command));
    return [
      {
        class: 'command',
        value,
        key: value,
        at: use.at,
        by: 'tool',
        ...(state === undefined ? {} : { state }),
        ...(soft ? { strength: 'soft' } : {}),
      },
    ];
  });
}

/** The text of a file within a command: it says something about that file, not about the command. */
const HERE_DOCUMENT = /<<-?\s*['"]?[\w-]{1,40}['"]?[^\n]*/;

/** True for a command that only writes a here-document to a file: that is a change of the file. */
function onlyWrites(command: string): boolean {
  return HERE_DOCUMENT.test(command) && /^\s*(?:cat|tee|apply_patch|patch|git apply|python3?|node)\b/.test(command);
}

/**
 * A command on one line with single spaces, up to and including the beginning of its first here-document, cut to
 * `LONGEST_COMMAND`.
 */
export function shortCommand(command: string): string {
  const document = HERE_DOCUMENT.exec(command);
  const line = (document === null ? command : command.slice(0, document.index + document[0].length))
    .slice(0, LONGEST_COMMAND * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return cutAtWord(line, LONGEST_COMMAND);
}

/** True for a command that only prints what exists and changes nothing: its output quotes other texts. */
export function onlyLooks(command: string): boolean {
  return parseShell(command).every(({ words, writesTo }) => {
    const program = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? '';
    if (writesTo.some((path) => !path.startsWith('/dev/'))) return false;
    if (program === 'git')
      return /^(?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|fetch|config)$/.test(
        words[words.indexOf('git') + 1] ?? '',
      );
    if (program === 'sed') return !words.some((word) => /^-i|^--in-place/.test(word));
    return LOOKING.test(program);
  });
}
