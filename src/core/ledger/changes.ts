import type { MessageId } from '../messages/message.ts';
import { filterInSteps, type Steps } from '../steps.ts';
import type { Found } from './found.ts';
import { parseShell } from './read/shellCommand.ts';
import { onlyUnstages, stripPrefixes } from './read/shellFiles.ts';

/**
 * The messages that changed files, by an edit or by version control, in order: what was checked before may no longer
 * hold.
 */
export function* changesIn(found: readonly Found[]): Steps<MessageId[]> {
  const changes = yield* filterInSteps(found, changesFiles);
  return [...new Set(changes.map(({ at }) => at))];
}

function changesFiles({ class: kind, strength, state, value }: Found): boolean {
  if (kind === 'file-changed') return strength !== 'soft';
  const failed = state !== undefined && state !== 'exit 0';
  return kind === 'command' && !failed && parseShell(value).some(({ words }) => putsFilesInPlace(words));
}

/** True for a git command that changes files in the working tree. */
function putsFilesInPlace(words: readonly string[]): boolean {
  const [program, ...rest] = stripPrefixes(words);
  if (program !== 'git') return false;
  while (rest[0]?.startsWith('-') === true) rest.splice(0, rest[0] === '-C' || rest[0] === '-c' ? 2 : 1);
  const [verb = '', ...options] = rest;
  const has = (option: RegExp): boolean => options.some((word) => option.test(word));
  switch (verb) {
    case 'merge':
    case 'pull':
    case 'rebase':
    case 'revert':
    case 'cherry-pick':
    case 'apply':
    case 'am':
      return !has(/^--(?:check|stat|numstat|dry-run)$/);
    case 'checkout':
    case 'switch':
      // A new branch starts with the files as they are.
      return !(has(/^(?:-[bBcC]|--create|--orphan)$/) && options.length === 2);
    case 'restore':
      return !onlyUnstages(options);
    case 'reset':
      return has(/^--(?:hard|merge|keep)$/);
    case 'stash':
      return !has(/^(?:list|show|drop|clear|create|store|branch)$/);
    default:
      return false;
  }
}
