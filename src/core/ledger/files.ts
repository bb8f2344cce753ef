import { cutHead } from '../chat/cut.ts';
import type { MessageId } from '../chat/message.ts';
import { groupOf } from '../result.ts';
import type { Found } from './fact.ts';
import { saysUnchanged, type ToolUse } from './outcome.ts';

/** What a tool use did, or tried to do, to a file. */
interface FileAction {
  readonly kind: 'read' | 'change' | 'delete' | 'rename';
  readonly path: string;
  /** The old path of a rename. */
  readonly from?: string;
}

/** A longer text is not taken for a path. Characters. */
const LONGEST_PATH = 300;

/** Names of files that have no extension. */
const BARE_FILES =
  /^(?:[A-Z][A-Za-z]{1,12}file|justfile|LICEN[CS]E|README|CHANGELOG|NOTICE|AUTHORS|CODEOWNERS|BUILD|WORKSPACE)$/;

const NOT_IN_A_PATH = /[\s<>|"'`*?{}$;&=,!\u3000-\u303f\uff00-\uffef]|:\/\//;
const EXTENSION = /[^/.]\.([A-Za-z][A-Za-z0-9_+-]{0,11})$/;

/** A path in the form in which it is compared: NFC, forward slashes, no leading `./`. */
function normalizePath(path: string): string {
  const slashed = path.normalize('NFC').replaceAll('\\', '/');
  return slashed.startsWith('./') ? slashed.slice(2) : slashed;
}

/**
 * True for text shaped like a file's path: its last segment has an extension, or is a dotfile or a well-known bare name
 * (`Makefile`); no wildcards, spaces or URL scheme. False for a directory.
 */
export function isFilePath(text: string): boolean {
  if (text.length < 2 || text.length > LONGEST_PATH || NOT_IN_A_PATH.test(text)) return false;
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  if (BARE_FILES.test(base) || /^\.[A-Za-z][\w.-]+$/.test(base)) return true;
  return EXTENSION.test(base) && !/^v?\d+(?:\.\d+)*(?:\.x)?$/.test(base);
}

/** True for text given as a path to a tool whose name already says that it takes one. */
function isPathArgument(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_PATH && !/[\n\r\0]|:\/\//.test(text);
}

/** True for the path of a text for people to read, such as a plan or a guide. */
export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);
}

/** One simple command of a shell script: its words without quotes, and the files that its output is redirected to. */
interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

/** How much of a script is read. Characters. */
const LONGEST_SCRIPT = 20_000;

/** The parts of a script: comments, redirections, ends of commands, and words, which may be partly in quotes. */
const PARTS = /#[^\n]*|\d?(?:<<?|>>?)&?|&>>?|[;|&\n]|(?:'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|[^\s'"\\<>;|&])+/g;
const QUOTED = /'([^']*)'?|"((?:[^"\\]|\\[\s\S])*)"?/g;

/** Splits a shell script into its simple commands. Understands quotes and redirections, and skips here-documents. */
function parseShell(script: string): readonly SimpleCommand[] {
  const commands: { words: string[]; writesTo: string[] }[] = [];
  let now = { words: [] as string[], writesTo: [] as string[] };
  let redirect = '';
  for (const [part] of withoutDocuments(script).replace(/\\\n/g, ' ').matchAll(PARTS)) {
    if (/^[;|&\n]$/.test(part)) {
      commands.push(now);
      now = { words: [], writesTo: [] };
    } else if (/^\d?[<>]|^&>/.test(part)) redirect = part;
    else if (!part.startsWith('#')) {
      const word = part.replace(QUOTED, '$1$2');
      if (redirect === '') now.words.push(word);
      else if (/>[^&]?$/.test(redirect)) now.writesTo.push(word);
      redirect = '';
    }
  }
  return [...commands, now].filter(({ words, writesTo }) => words.length > 0 || writesTo.length > 0);
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

const MOVERS = new Set(['mv', 'move-item']);
const DELETERS = new Set(['rm', 'unlink', 'del', 'remove-item']);

/** Words that precede another command. */
const PREFIXES = new Set('sudo time env command exec nohup xargs then do else if ! ( {'.split(' '));

function programOf(words: readonly string[]): string {
  return (words[0] ?? '').replace(/^.*[\\/]/, '').toLowerCase();
}

/** The files that a command evidently changes, renames or deletes, in order. */
function commandActions(command: SimpleCommand): FileAction[] {
  const words = stripPrefixes(command.words);
  const written = command.writesTo.filter(isFilePath).filter((path) => !path.startsWith('/dev/'));
  return [...programActions(words), ...written.map((path): FileAction => ({ kind: 'change', path }))];
}

function programActions([name = '', ...given]: readonly string[]): FileAction[] {
  const isGit = programOf([name]) === 'git';
  const [program, rest] = isGit ? [given[0] ?? '', given.slice(1)] : [programOf([name]), given];
  const plain = rest.filter((word) => !word.startsWith('-'));
  if (MOVERS.has(program)) return renames(plain);
  if (DELETERS.has(program)) return all('delete', plain);
  if (program === 'cp' || program === 'copy-item') return all('change', plain.slice(-1));
  const inPlace = rest.some((word) => /^-(?:i|pi|[a-z]*i(?:\.\w+)?$|-in-place)/.test(word));
  if ((program === 'sed' || program === 'perl') && inPlace) return all('change', plain.slice(plain.length > 1 ? 1 : 0));
  const writes = WRITERS.has(program) || rest.includes('--write') || rest.includes('--fix');
  return writes ? all('change', plain) : [];
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

/** The words of a command from its program on: without variables, `sudo` and the like. */
function stripPrefixes(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  return start < 0 ? [] : words.slice(start);
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

const LOOKING_WITH_GIT = /^(?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|fetch|config)$/;

/** A command on one line with single spaces, cut to `LONGEST_COMMAND`. */
export function shortCommand(command: string): string {
  const start = command.slice(0, LONGEST_COMMAND * 4);
  return cutHead(start.replace(/\s+/g, ' ').trim(), LONGEST_COMMAND).trimEnd();
}

/** True for a command that only prints what exists and changes nothing: its output quotes other texts. */
export function onlyLooks(command: string): boolean {
  return parseShell(command).every(({ words, writesTo }) => {
    const [program = '', first = ''] = stripPrefixes(words);
    if (writesTo.some((path) => !path.startsWith('/dev/'))) return false;
    if (program === 'git') return LOOKING_WITH_GIT.test(first);
    if (program === 'sed') return !words.some((word) => /^-i|^--in-place/.test(word));
    return LOOKING.test(program);
  });
}

/** Identifies a run: its command without pipes and redirections. */
export function runKey(command: string): string {
  return shortCommand(command).replace(/\s{0,9}(?:\d?>&?\d?\s?\S*|\|).*$/, '');
}

/** Argument fields that name a file, in the form of `fieldName`. */
const PATH_FIELDS = (
  'path filepath filename file filepaths paths files targetfile notebookpath absolutepath relativepath ' +
  'relativeworkspacepath pathinproject uri fileuri'
).split(' ');

const CHANGE_NAME =
  /amend|rewrite|write|creat|edit|replac|insert|append|patch|save|modif|update|put|change|apply|undo/i;
const READ_NAME = /slurp|retrieve|dump|read|view|open|cat|get|fetch|load|show|peek|inspect/i;
const DELETE_NAME = /delet|remov|unlink/i;
/** Tools that search for files or in files, and print what they find. */
const LOOKUP_NAME = /grep|search|glob|list|find|tree|\bls\b|diagnostic|lsp|symbol|browser|upload/i;

/**
 * What a tool use did (or tried to do) to which files: judged by its command, its patch, or the shape of its arguments.
 */
export function fileActions(use: ToolUse): FileAction[] {
  const patch = patchText(use);
  if (patch !== undefined) return patchActions(patch);
  return use.command === undefined ? shapeActions(use) : parseShell(use.command).flatMap(commandActions);
}

/** The patch in a call: as free text, as a command, or in one of its fields. */
export function patchText({ source, command, fields }: ToolUse): string | undefined {
  const named = ['input', 'patch', 'diff', 'patchtext'].flatMap((field) => fields.text.get(field) ?? []);
  return [fields.parsed === undefined ? source : '', command ?? '', ...named].find((text) => PATCH.test(text));
}

/** Argument fields with the old and the new name of a file that is moved. */
const MOVED_FIELDS = [
  ['oldpath', 'source', 'from'],
  ['newpath', 'destination', 'to'],
];

function shapeActions(use: ToolUse): FileAction[] {
  const [from, to] = MOVED_FIELDS.map((names) => names.flatMap((name) => use.fields.text.get(name) ?? [])[0]);
  if (/renam|move/i.test(use.name) && from !== undefined && to !== undefined && isFilePath(from))
    return [{ kind: 'rename', path: to, from }];
  const kind = kindOf(use);
  if (kind === undefined) return [];
  const paths = PATH_FIELDS.flatMap((field) => use.fields.text.get(field) ?? []);
  const named = kind === 'read' ? paths.filter(isFilePath) : paths.filter(isPathArgument);
  return [...new Set(named)].map((path) => ({ kind, path }));
}

function kindOf(use: ToolUse): FileAction['kind'] | undefined {
  const [verb] = ['command', 'action', 'operation'].flatMap((field) => use.fields.text.get(field) ?? []);
  if (verb !== undefined && /^\w+$/.test(verb)) {
    if (/^(?:view|read|open|show|get)$/i.test(verb)) return 'read';
    if (/^(?:create|str_replace|insert|write|edit|replace|append|undo_edit|overwrite)$/i.test(verb)) return 'change';
    if (/^(?:delete|remove)$/i.test(verb)) return 'delete';
  }
  if (DELETE_NAME.test(use.name)) return 'delete';
  if (LOOKUP_NAME.test(use.name)) return undefined;
  return CHANGE_NAME.test(use.name) && !READ_NAME.test(use.name) ? 'change' : 'read';
}

/** Files that a tool changed, renamed or deleted. A change whose result says that it failed does not count. */
export function findFiles({ uses }: { readonly uses: readonly ToolUse[] }): Found[] {
  return uses.filter(changed).flatMap((use) =>
    fileActions(use)
      .filter(({ kind }) => kind !== 'read')
      .map((action) => changeFact(action, use.at)),
  );
}

function changed(use: ToolUse): boolean {
  const { result } = use;
  return result?.failed === false && (use.command !== undefined || !saysUnchanged(result.text));
}

function changeFact({ kind, path, from }: FileAction, at: MessageId): Found {
  const fact = { class: 'file-changed', value: path, key: normalizePath(path), at } as const;
  if (kind === 'delete') return { ...fact, state: 'deleted' };
  return from === undefined ? fact : { ...fact, state: `renamed from ${from}`, replaces: [normalizePath(from)] };
}

/** Lines of a patch that name files: in the envelope, and in a unified diff. */
const ENVELOPE = /^\*\*\* (?:(Add|Update|Delete) File|(Move) to): (.+)$/;
const UNIFIED = /^\+\+\+ (?:b\/)?([^\t\n]+)/;

/** A patch: the `*** Begin Patch` envelope or a unified diff. */
const PATCH = /^\*\*\* (?:Begin Patch|Add File|Update File|Delete File)|^--- .+\n\+\+\+ .+\n@@/m;

/** The files that a patch adds, changes, renames or deletes, in order. */
function patchActions(text: string): FileAction[] {
  const actions: FileAction[] = [];
  for (const line of text.split('\n')) {
    const [, verb, moved, file = ''] = ENVELOPE.exec(line) ?? [];
    const path = file.trim();
    const from = moved === undefined ? undefined : actions.pop()?.path;
    if (from !== undefined) actions.push({ kind: 'rename', path, from });
    else if (verb !== undefined) actions.push({ kind: verb === 'Delete' ? 'delete' : 'change', path });
    const changed = UNIFIED.exec(line)?.[1]?.trim();
    if (changed !== undefined && changed !== '/dev/null') actions.push({ kind: 'change', path: changed });
  }
  return actions;
}
