import { type FileAction, isFilePath } from './files.ts';

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

/** A script: its simple commands, and the bodies of its here-documents; an unclosed one ends with the script. */
interface Script {
  readonly commands: readonly SimpleCommand[];
  readonly documents: readonly string[];
}

/**
 * Splits a shell script in one pass. Understands quotes, escapes, redirections and here-documents; keeps substitutions
 * and control words as words.
 */
export const parseShell: (script: string) => Script = remember(splitScript, 3);

function splitScript(script: string): Script {
  const source = script.slice(0, LONGEST_SCRIPT);
  const commands: SimpleCommand[] = [];
  const documents: string[] = [];
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
      for (const mark of heredocs.splice(0)) {
        const end = endOfDocument(source, i + 1, mark);
        documents.push(source.slice(i + 1, end));
        const lineEnd = source.indexOf('\n', end);
        i = lineEnd < 0 ? source.length : lineEnd;
      }
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
  return { commands, documents };
}

function closingQuote(source: string, start: number, quote: string): number {
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === quote) return i;
    if (quote === '"' && source[i] === '\\') i += 1;
  }
  return source.length;
}

/** Where the line begins that has nothing but the mark of a here-document; the end of the script without one. */
function endOfDocument(source: string, start: number, mark: string): number {
  for (let at = start; at < source.length; ) {
    const lineEnd = source.indexOf('\n', at);
    const next = lineEnd < 0 ? source.length : lineEnd;
    if (source.slice(at, next).trim() === mark) return at;
    at = next + 1;
  }
  return source.length;
}

/** Programs that print the files given as arguments, and those whose first plain word is a pattern or a script. */
const READERS = new Set(
  'cat head tail less more bat batcat nl wc tac view open type get-content gc diff cmp xxd strings md5sum sha256sum stat file source'.split(
    ' ',
  ),
);
const SEARCHERS = new Set('sed awk jq yq grep egrep fgrep rg ag ack'.split(' '));

/** Programs that change the files given as arguments. */
const WRITERS = new Set(['tee', 'touch', 'truncate', 'create', 'set-content', 'add-content', 'out-file', 'new-item']);

/** Words that precede another command. */
const PREFIXES = new Set('sudo time env command exec nohup xargs then do else if ! ( {'.split(' '));

/** The files that a shell script evidently reads, changes, renames or deletes, in order. */
export function shellActions(script: string): FileAction[] {
  return parseShell(script).commands.flatMap(commandActions);
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
  if (program === 'cp' || program === 'copy-item') {
    const target = plain.at(-1);
    return target === undefined ? [] : [...all('read', plain.slice(0, -1)), ...all('change', [target])];
  }
  const inPlace = rest.some((word) => /^-(?:i|pi|[a-z]*i(?:\.\w+)?$|-in-place)/.test(word));
  if ((program === 'sed' || program === 'perl') && inPlace) return all('change', plain.slice(plain.length > 1 ? 1 : 0));
  if (rest.includes('--write') || rest.includes('--fix')) return all('change', plain);
  if (WRITERS.has(program)) return all('change', plain);
  if (READERS.has(program)) return all('read', plain);
  if (!SEARCHERS.has(program)) return [];
  const isPatternGiven = rest.some((word) => word === '-e' || word === '-f');
  return all('read', plain.slice(isPatternGiven ? 0 : 1));
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
