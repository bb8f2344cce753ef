import { groupOf } from '../messages/anyOf.ts';
import { type FileAction, isFilePath } from './filePath.ts';
import { cutAtWord } from './text.ts';

/** One simple command of a shell script: its words without quotes, and the files that its output is redirected to. */
interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

/** How much of a script is read. Characters. */
const LONGEST_SCRIPT = 20_000;

/**
 * The parts of a script: texts in single or double quotes, an escaped character, a redirection, the end of a command,
 * blanks, anything else. A part that is cut off ends with the script.
 */
const PARTS =
  /'([^']*)'?|"((?:[^"\\]|\\[\s\S])*)"?|\\([\s\S]?)|(\d?(?:<<?|>>?)&?|&>>?)|([;|&\n])|([^\S\n]+)|[^\s'"\\<>;|&]+/g;
/** What a backslash takes its meaning from; before anything else it is part of a path. */
const ESCAPABLE = /[\s"'$`()*?[\]{}#!~\\&;|<>]/;

/**
 * Splits a shell script into its simple commands. Understands quotes, escapes and redirections, skips here-documents,
 * and keeps substitutions and control words as words.
 */
function parseShell(script: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let writesTo: string[] = [];
  let word: string | undefined;
  let redirect: string | undefined;
  let isComment = false;
  const endWord = (): void => {
    if (word !== undefined) {
      if (redirect === undefined) words.push(word);
      else if (/>[^&]?$/.test(redirect)) writesTo.push(word);
      redirect = undefined;
    }
    word = undefined;
  };
  for (const [text, single, double, escaped, arrow, end, blank] of withoutDocuments(script).matchAll(PARTS)) {
    if (end === '\n') isComment = false;
    if (isComment) continue;
    if (word === undefined && text.startsWith('#')) isComment = true;
    else if (single !== undefined) word = (word ?? '') + single;
    else if (double !== undefined) word = (word ?? '') + double.replace(/\\(["\\$`])/g, '$1');
    else if (escaped !== undefined) word = (word ?? '') + (ESCAPABLE.test(escaped) ? escaped.replace('\n', '') : text);
    else if (arrow !== undefined || end !== undefined || blank !== undefined) {
      endWord();
      redirect = arrow ?? redirect;
      if (end === undefined) continue;
      if (words.length > 0 || writesTo.length > 0) commands.push({ words, writesTo });
      [words, writesTo, redirect] = [[], [], undefined];
    } else word = (word ?? '') + text;
  }
  endWord();
  return words.length > 0 || writesTo.length > 0 ? [...commands, { words, writesTo }] : commands;
}

/** The beginning of a script, without its here-documents. */
function withoutDocuments(script: string): string {
  let mark: string | undefined;
  const lines = script.slice(0, LONGEST_SCRIPT).split('\n');
  return lines
    .filter((line) => {
      const isInside = mark !== undefined;
      if (isInside && line.trim() === mark) mark = undefined;
      else if (!isInside) mark = /<<-?\s*['"]?([\w-]{1,40})/.exec(line)?.[1];
      return !isInside;
    })
    .join('\n');
}

/** Programs that change the files given as arguments. */
const WRITERS = new Set(['tee', 'touch', 'truncate', 'create', 'set-content', 'add-content', 'out-file', 'new-item']);

/** Words that precede another command. */
const PREFIXES = new Set('sudo time env command exec nohup xargs then do else if ! ( {'.split(' '));

/** The files that a shell script evidently changes, renames or deletes, in order. */
export function shellActions(script: string): FileAction[] {
  return parseShell(script).flatMap(commandActions);
}

function programOf(words: readonly string[]): string {
  return (words[0] ?? '').replace(/^.*[\\/]/, '').toLowerCase();
}

function commandActions(command: SimpleCommand): FileAction[] {
  const words = stripPrefixes(command.words);
  const written = command.writesTo.filter(isFilePath).filter((path) => !path.startsWith('/dev/'));
  return [...programActions(words), ...written.map((path): FileAction => ({ kind: 'change', path }))];
}

function programActions(words: readonly string[]): FileAction[] {
  const program = programOf(words);
  const rest = words.slice(1);
  const plain = rest.filter((word) => !word.startsWith('-'));
  if (program === 'git') return gitActions(plain, rest);
  if (program === 'mv' || program === 'move-item') return renames(plain);
  if (program === 'rm' || program === 'unlink' || program === 'del' || program === 'remove-item')
    return all('delete', plain);
  if (program === 'cp' || program === 'copy-item') return all('change', plain.slice(-1));
  const inPlace = rest.some((word) => /^-(?:i|pi|[a-z]*i(?:\.\w+)?$|-in-place)/.test(word));
  if ((program === 'sed' || program === 'perl') && inPlace) return all('change', plain.slice(plain.length > 1 ? 1 : 0));
  return WRITERS.has(program) || rest.includes('--write') || rest.includes('--fix') ? all('change', plain) : [];
}

function gitActions([verb, ...files]: readonly string[], options: readonly string[]): FileAction[] {
  if (verb === 'mv') return renames(files);
  if (verb === 'rm') return all('delete', files);
  // Of a staged file, only the index changes.
  const isUnstaged = options.some((one) => one === '-S' || one === '--staged' || one === '--cached');
  return verb === 'restore' && !isUnstaged ? all('change', files) : [];
}

function renames(files: readonly string[]): FileAction[] {
  const [from, path] = files;
  if (files.length !== 2 || from === undefined || path === undefined || !isFilePath(from)) return [];
  const target = isFilePath(path) ? path : `${path.replace(/\/$/, '')}/${from.slice(from.lastIndexOf('/') + 1)}`;
  return [{ kind: 'rename', path: target, from }];
}

function all(kind: FileAction['kind'], words: readonly string[]): FileAction[] {
  return words.filter(isFilePath).map((path) => ({ kind, path }));
}

/** The words of a command without what may precede the program: variables, `sudo`, `timeout 60`. */
function stripPrefixes(words: readonly string[]): readonly string[] {
  let start = 0;
  while (start < words.length) {
    const word = words[start] ?? '';
    if (PREFIXES.has(word) || /^[A-Za-z_]\w*=/.test(word)) start += 1;
    else if (word === 'timeout' || word === 'nice') start += 2;
    else break;
  }
  return words.slice(start);
}

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

/** The text of a file within a command: it says something about that file, not about the command. */
const HERE_DOCUMENT = /<<-?\s*['"]?[\w-]{1,40}['"]?[^\n]*/;

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

/** Identifies a run: its command without pipes and redirections. */
export function runKey(command: string): string {
  return shortCommand(command).replace(/\s{0,9}(?:\d?>&?\d?\s?\S*|\|).*$/, '');
}
