import { type FileAction, isFilePath } from './files.ts';
import { isPatch, patchActions } from './patch.ts';

/**
 * Makes a function of a text keep its last few answers, since several extractors ask the same about one text in a row.
 * Answers are shared, so they must not be changed.
 */
export function remember<Answer>(ask: (text: string) => Answer, kept: number): (text: string) => Answer {
  const answers: { readonly text: string; readonly answer: Answer }[] = [];
  let next = 0;
  return (text) => {
    for (const known of answers) if (known.text === text) return known.answer;
    const answer = ask(text);
    answers[next] = { text, answer };
    next = (next + 1) % kept;
    return answer;
  };
}

/** One simple command of a shell script: its words without quotes, and the files that its output is redirected to. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

/** How much of a script is read. Characters. */
const LONGEST_SCRIPT = 20_000;

/**
 * Splits a shell script into its simple commands, in one pass. Understands quotes, escapes, redirections and
 * here-documents (which it skips); keeps substitutions and control words as words.
 */
export const parseShell: (script: string) => readonly SimpleCommand[] = remember(splitScript, 3);

function splitScript(script: string): SimpleCommand[] {
  const source = script.slice(0, LONGEST_SCRIPT);
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let writesTo: string[] = [];
  let word = '';
  let quoted = false;
  let redirect: '>' | '<' | undefined;
  const heredocs: string[] = [];

  const endWord = (): void => {
    if (word === '' && !quoted) return;
    if (redirect === '>') writesTo.push(word);
    else if (redirect === undefined) words.push(word);
    redirect = undefined;
    word = '';
    quoted = false;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || writesTo.length > 0) commands.push({ words, writesTo });
    words = [];
    writesTo = [];
  };

  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? '';
    if (char === "'" || char === '"') {
      const end = closingQuote(source, i, char);
      word += char === '"' ? source.slice(i + 1, end).replace(/\\(["\\$`])/g, '$1') : source.slice(i + 1, end);
      quoted = true;
      i = end;
    } else if (char === '\\') {
      word += /[\s"'\\$`()&;|<>*?[\]{}#!~]/.test(source[i + 1] ?? '')
        ? (source[i + 1] ?? '').replace('\n', '')
        : `\\${source[i + 1] ?? ''}`;
      i += 1;
    } else if (char === '#' && word === '' && !quoted && /\s|^$/.test(source[i - 1] ?? '')) {
      const end = source.indexOf('\n', i);
      i = (end < 0 ? source.length : end) - 1;
    } else if (char === '\n') {
      endCommand();
      i = skipHeredocs(source, i, heredocs);
    } else if (char === ';' || char === '|' || char === '&') {
      if (char === '&' && (source[i + 1] === '>' || redirect !== undefined)) continue;
      endCommand();
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(word)) word = '';
      endWord();
      if (char === '<' && source[i + 1] === '<') {
        const mark = /^<<-?\s*(['"]?)([\w-]+)\1/.exec(source.slice(i, i + 80));
        if (mark !== null) {
          heredocs.push(mark[2] ?? '');
          i += mark[0].length - 1;
          continue;
        }
      }
      if (source[i + 1] === char) i += 1;
      redirect = char;
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word += char;
    }
  }
  endCommand();
  return commands;
}

function closingQuote(source: string, start: number, quote: string): number {
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === quote) return i;
    if (quote === '"' && source[i] === '\\') i += 1;
  }
  return source.length;
}

/** Skips the bodies of the here-documents that were opened on the line ending at `lineEnd`. */
function skipHeredocs(source: string, lineEnd: number, heredocs: string[]): number {
  let at = lineEnd;
  for (const mark of heredocs.splice(0)) {
    while (at < source.length) {
      const next = source.indexOf('\n', at + 1);
      const line = source.slice(at + 1, next < 0 ? source.length : next);
      at = next < 0 ? source.length : next;
      if (line.trim() === mark) break;
    }
  }
  return at;
}

const HERE_DOCUMENT = /<<-?\s*(['"]?)([\w-]{1,40})\1[^\n]*\n/g;

/** The bodies of a script's here-documents, without their marks. An unclosed one ends with the script. */
export function hereDocuments(script: string): string[] {
  const bodies: string[] = [];
  HERE_DOCUMENT.lastIndex = 0;
  for (let match = HERE_DOCUMENT.exec(script); match !== null; match = HERE_DOCUMENT.exec(script)) {
    const start = HERE_DOCUMENT.lastIndex;
    let end = start;
    while (end < script.length) {
      const next = script.indexOf('\n', end);
      const line = script.slice(end, next < 0 ? script.length : next);
      if (line.trim() === match[2]) break;
      end = next < 0 ? script.length : next + 1;
    }
    bodies.push(script.slice(start, end));
    HERE_DOCUMENT.lastIndex = end;
  }
  return bodies;
}

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

/** Programs that run a script given in the command or in a here-document. */
export const RUNS_SCRIPT = /^(?:python[\d.]*|node\d*|ruby|deno|bun|tsx|perl)$/;

const PATH_LITERAL = String.raw`(?:[\w.]{0,20}Path\(\s*)?[rbf]?['"]([^'"\n]{2,300})['"]`;
/** `p = Path("a.toml")`, `const file = 'a.ts'`: a variable for a path. */
const NAMED = new RegExp(String.raw`\b(\w{1,40})\s*=\s*${PATH_LITERAL}`, 'g');
/** `for f in ["a.py", "b.py"]:`, `for (const f of ['a.ts'])`: a variable for several paths. */
const EACH = /\bfor\s*\(?(?:const |let )?(\w{1,40})\s+(?:in|of)\s*[[(]([^\])]{1,2000})[\])]/g;
/** Calls that write to a file, given as a variable or as the path itself. */
const WRITES: readonly RegExp[] = [
  /(?:\b(\w{1,40})|Path\(\s*['"]([^'"\n]{2,300})['"]\s*\))\.write_(?:text|bytes)\(/g,
  /\bopen\(\s*(?:(\w{1,40})|['"]([^'"\n]{2,300})['"])\s*,\s*(?:mode\s*=\s*)?['"][wax]/g,
  /\b(\w{1,40})()\.open\(\s*['"][wax]/g,
  new RegExp(
    String.raw`\b(?:(?:write|append|output)File(?:Sync)?|File\.write|IO\.write|Bun\.write|writeTextFile(?:Sync)?)\(` +
      String.raw`\s*(?:(\w{1,40})|['"\x60]([^'"\x60\n]{2,300})['"\x60])`,
    'g',
  ),
];

/** The files that a script in Python, JavaScript or Ruby writes, identified by a variable or by the path itself. */
export function scriptActions(script: string): FileAction[] {
  const source = script.slice(0, LONGEST_SCRIPT);
  const names = new Map<string, string[]>();
  for (const [, name = '', path = ''] of source.matchAll(NAMED)) if (isFilePath(path)) addTo(names, name, path);
  for (const [, name = '', list = ''] of source.matchAll(EACH)) {
    for (const [, path = ''] of list.matchAll(/['"]([^'"\n]{2,300})['"]/g))
      if (isFilePath(path)) addTo(names, name, path);
  }
  const written = new Set<string>();
  for (const shape of WRITES) {
    for (const [, name = '', path = ''] of source.matchAll(shape)) {
      for (const one of path === '' ? (names.get(name) ?? []) : [path]) if (isFilePath(one)) written.add(one);
    }
  }
  return [...written].map((path) => ({ kind: 'change', path }));
}

function addTo(names: Map<string, string[]>, name: string, path: string): void {
  names.set(name, [...(names.get(name) ?? []), path]);
}
