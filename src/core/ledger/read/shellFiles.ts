import type { FileAction } from './fileAction.ts';
import { isPatch, patchActions } from './patch.ts';
import { isFilePath } from './paths.ts';
import { RUNS_SCRIPT, scriptActions } from './scriptFiles.ts';
import { hereDocuments, parseShell, type SimpleCommand } from './shellCommand.ts';

/** Programs that print files; the number says how many plain words precede the files (a pattern, a script). */
const READERS: Readonly<Record<string, number>> = {
  cat: 0,
  head: 0,
  tail: 0,
  less: 0,
  more: 0,
  bat: 0,
  batcat: 0,
  nl: 0,
  wc: 0,
  tac: 0,
  view: 0,
  open: 0,
  type: 0,
  'get-content': 0,
  gc: 0,
  diff: 0,
  cmp: 0,
  xxd: 0,
  strings: 0,
  md5sum: 0,
  sha256sum: 0,
  stat: 0,
  file: 0,
  source: 0,
  sed: 1,
  awk: 1,
  jq: 1,
  yq: 1,
  grep: 1,
  egrep: 1,
  fgrep: 1,
  rg: 1,
  ag: 1,
  ack: 1,
};

/** Programs that change the files given as arguments. */
const WRITERS = new Set(['tee', 'touch', 'truncate', 'create', 'set-content', 'add-content', 'out-file', 'new-item']);

/** Words that precede another command. */
const PREFIXES = new Set([
  'sudo',
  'time',
  'env',
  'command',
  'exec',
  'nohup',
  'xargs',
  'then',
  'do',
  'else',
  'if',
  '!',
  '(',
  '{',
]);

/** The files that a shell script evidently reads, changes, renames or deletes, in order. */
export function shellActions(script: string): FileAction[] {
  const commands = parseShell(script);
  const actions = commands.flatMap(commandActions);
  if (!script.includes('<<') || !commands.some(({ words }) => RUNS_SCRIPT.test(programOf(stripPrefixes(words)))))
    return actions;
  return [
    ...actions,
    ...hereDocuments(script).flatMap((body) => (isPatch(body) ? patchActions(body) : scriptActions(body))),
  ];
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
  const script = rest[rest.findIndex((word) => word === '-c' || word === '-e') + 1];
  if (RUNS_SCRIPT.test(program))
    return rest.includes(script ?? '') && script !== rest[0] ? scriptActions(script ?? '') : [];
  const plain = rest.filter((word) => !word.startsWith('-'));
  if (program === 'git') return onlyUnstages(rest) ? [] : gitActions(plain);
  if (program === 'mv' || program === 'move-item') return renames(plain);
  if (program === 'rm' || program === 'unlink' || program === 'del' || program === 'remove-item')
    return all('delete', plain);
  if (program === 'cp' || program === 'copy-item') {
    const target = plain.at(-1);
    return target === undefined ? [] : [...all('read', plain.slice(0, -1)), ...all('change', [target])];
  }
  const inPlace = rest.some((word) => /^-(?:i|pi|[a-z]*i(?:\.\w+)?$|-in-place)/.test(word));
  if ((program === 'sed' || program === 'perl') && inPlace) return all('change', plain.slice(plain.length > 1 ? 1 : 0));
  if (rest.includes('--write') || rest.includes('--fix')) return all('change', plain);
  if (WRITERS.has(program)) return all('change', plain);
  const skip = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  if (skip === undefined) return [];
  const patternGiven = rest.some((word) => word === '-e' || word === '-f');
  return all('read', plain.slice(patternGiven ? 0 : skip));
}

/** True for options of git with which only the index changes and files stay as they are. */
export function onlyUnstages(options: readonly string[]): boolean {
  const has = (...names: readonly string[]): boolean => names.some((name) => options.includes(name));
  return has('-S', '--staged', '--cached') && !has('-W', '--worktree');
}

function gitActions(plain: readonly string[]): FileAction[] {
  const [verb, ...files] = plain;
  if (verb === 'mv') return renames(files);
  if (verb === 'rm') return all('delete', files);
  if (verb === 'restore') return all('change', files);
  return [];
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
export function stripPrefixes(words: readonly string[]): readonly string[] {
  let start = 0;
  while (start < words.length) {
    const word = words[start] ?? '';
    if (PREFIXES.has(word) || /^[A-Za-z_]\w*=/.test(word)) start += 1;
    else if (word === 'timeout' || word === 'nice') start += 2;
    else break;
  }
  return words.slice(start);
}
