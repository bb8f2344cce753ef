import { isFilePath } from '../../ledger/files.ts';
import { anyOf } from '../../result.ts';

/** A name or figure in a statement that its source must have too. */
export interface NamedThing {
  readonly text: string;
  /** The spellings that count as this name in a source: whole, without its root, its last part. Lower case. */
  readonly forms: readonly string[];
}

const CODE = /`([^`\n]{1,300})`/g;
/**
 * A placeholder: `logs/<date>/run-<id>.log` is in no source as it is written. `Vec<u8>` and `<UserCard>` are names in
 * code, not placeholders.
 */
const HOLE = /(?<![\p{L}\p{N}_])<(?:[a-z0-9 _-]{1,40}|[A-Z0-9 _-]{1,40})>/gu;
const TOKEN = /[\p{L}\p{N}_$@~./#:][\p{L}\p{N}_$@~./:#=+&?%,-]{1,300}/gu;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const EDGES = /^[~,;=+&?#@%(-]+|(?<![.,:;=+&?#@%/~-])[.,:;=+&?#@%/~-]+$/g;
/** Abbreviations (`e.g.`) look like file names. */
const ABBREVIATION = /^(?:\p{L}\.){1,3}\p{L}?\.?$/u;
/** `:315`, `L20-31`: a line number without its file. */
const LINE = /^(?::L?|L)\d+(?:-L?\d+)?$/;

/** The names and figures of a text: paths, identifiers, codes, hashes, addresses, numbers of two or more digits. */
export function namesIn(text: string): NamedThing[] {
  const names = new Map<string, NamedThing>();
  const add = (name: string, inCode: boolean): void => {
    for (const found of thingsOf(name, inCode)) if (!names.has(found.text)) names.set(found.text, found);
  };
  const prose = withoutHoled(text).replace(CODE, (_, code: string) => {
    for (const [token] of code.matchAll(TOKEN)) add(token, true);
    return ' ';
  });
  for (const [token] of prose.matchAll(TOKEN)) add(token, false);
  return [...names.values()];
}

function withoutHoled(text: string): string {
  return text.replace(HOLE, '<>').replace(/[^\s`]+/g, (token) => (token.includes('<>') ? ' ' : token));
}

function thingsOf(token: string, inCode: boolean): NamedThing[] {
  // `~1500` is marked as rough, so it need not be in the source.
  if (/^~\d/.test(token)) return [];
  const name = token.replace(EDGES, '');
  if (name.length < 2 || ABBREVIATION.test(name) || LINE.test(name)) return [];
  if (ADDRESS.test(name)) return [thing(name)];
  const place = /^(.{2,300}?\.\w{1,10})[:#](L?\d[\dL,:-]*)$/.exec(name);
  const path = place?.[1] ?? name;
  // A source may have a path without its root, or with a longer one.
  const inner = path.replace(/^(?:~?\/|\.{1,2}\/)+/, '');
  if (isPath(path, inCode)) return [thing(path, [inner]), ...numbersIn((place?.[2] ?? '').replace(/\D+/g, ' '))];
  if (isIdentifier(name, inCode)) return [thing(name, lastName(name))];
  const parts = name.split(/[/:=+&?@#~()-]|,(?!\d{3}(?!\d))/).filter((part) => part !== '');
  return parts.length > 1 ? parts.flatMap((part) => thingsOf(part, inCode)) : numbersIn(name);
}

function thing(text: string, forms: readonly string[] = []): NamedThing {
  return { text, forms: [...new Set([text, ...forms].map((form) => form.toLowerCase()))] };
}

/** Folders without a file at the end; with only two parts, prose has too many (`never/ask-each-time`). */
const FOLDERS = /^\/?[\w.@-]{2,}(?:\/[\w.@-]{2,}){2,}$/;
const FOLDERS_IN_CODE = /^(?:~|\.{1,2})?\/?[\w.@-]{2,}(?:\/[\w.@-]{2,})+$/;

function isPath(name: string, inCode: boolean): boolean {
  if (inCode && FOLDERS_IN_CODE.test(name)) return true;
  if (FOLDERS.test(name) && name.split('/').some((part) => /[\w][-_][\w]/.test(part))) return true;
  return isFilePath(name) && (name.includes('/') || /\.[a-z][a-z0-9]{0,4}$/.test(name) || name.startsWith('.'));
}

/** A source may have a method's name without its object's. */
function lastName(name: string): string[] {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return /^\p{L}.{3}/u.test(last) ? [last] : [];
}

/** Letters and digits mixed, in prose as in code: an id, a hash (`1234abc`), an error code (`E0308`, `SC-2086`). */
const MIXED = anyOf(
  /^(?=.{6})\p{L}*\d+\p{L}+\d+|^(?=.{6})\d+\p{L}+\d/u,
  /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$|^\p{Lu}{1,8}-?\d{3,6}$/u,
);

/** Words joined by hyphens: a name when in code marks (`session-start`), plain words in prose. */
const KEBAB = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u;

/** In code marks every word with inner structure is a name; in prose `CommonJS` or `GitHub` may be a product's name. */
function isIdentifier(name: string, inCode: boolean): boolean {
  if (MIXED.test(name) || (inCode && KEBAB.test(name))) return true;
  if (!/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(name) || name.length < 3) return false;
  if (/[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name) || /^\p{Ll}[\p{L}\p{N}]*\p{Lu}/u.test(name)) return true;
  return inCode && (/\p{Ll}\p{Lu}/u.test(name) || /\p{L}\d/u.test(name) || /\p{L}\.\p{L}/u.test(name));
}

/** Numbers of two or more digits, alone or directly before a unit, and versions. */
function numbersIn(text: string): NamedThing[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}_.])v?(\d+(?:[.,]\d+)*)(?=[\p{L}µ%°]{0,4}(?![\p{L}\p{N}_]))/gu)]
    .map((match) => match[1] ?? '')
    .filter((number) => number.replace(/\D/g, '').length >= 2)
    .map((number) => thing(number, [number.replaceAll(',', ''), grouped(number)]));
}

function grouped(number: string): string {
  return /^\d{4,40}$/.test(number) ? number.replace(/\B(?=(?:\d{3}){1,13}$)/g, ',') : number;
}

const COMMAND_CODE = /`([^`\n]{4,400})`|"([^"\n]{4,400})"/g;
/** Where a note leaves part of a command out or puts a placeholder. */
const COMMAND_HOLE = /(?<!\s)\s*(?:\.{3}|…|<[^<>\n]{1,40}>|\{[^{}\n]{0,40}\}|\bN\b)\s*/;
/** The beginning of a command: variable assignments, then a program's name and at least one argument. */
const COMMAND = /^(?:\$ )?(?:[A-Z][A-Z0-9_]*=\S* )*(?:sudo )?(?:\.{0,2}\/)?[a-z][\w./@+-]{1,60} (?=\S)/;
/** Signs of code, declarations or prose in code marks; a command line hardly ever has them. */
const NO_COMMAND = anyOf(
  /^[\w.]+\s*(?:[=:]=?|\()|[({]\s*\)?$|;\s*$|\breturn\b|=>/,
  /^(?:const|let|var|func|function|class|type|interface|import|export|if|for|while|def|async|await) /,
  /^(?:public|private|static|enum|struct|package|from|select|insert|update|delete) /,
);
/** What a command has and prose in quotation marks has not: a flag, a joint of two commands, a path. */
const FLAG_OR_JOINT = /\s(?:-{1,2}\w|--\s)|&&|\|\||\s\|\s|\s[\w.-]+\/|\$\(/;
/** A shorter command (`git status`) is common knowledge and harmless. In words. */
const LEAST_WORDS = 3;

/** The command lines that a text names in code marks or quotation marks, each as the pieces around what it leaves out. */
export function commandsIn(text: string): string[][] {
  return [...text.matchAll(COMMAND_CODE)].flatMap(([, code, quoted]) => {
    const line = (code ?? quoted ?? '').trim().replace(/^\$ /, '');
    if (!COMMAND.test(line) || NO_COMMAND.test(line) || !FLAG_OR_JOINT.test(line)) return [];
    if (line.split(/\s+/).length < LEAST_WORDS) return [];
    const pieces = line.split(COMMAND_HOLE).filter((piece) => piece.trim().length > 2);
    return pieces.length === 0 ? [] : [pieces];
  });
}
