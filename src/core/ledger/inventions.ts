import { comparableLines } from './boundaries.ts';
import { isFilePath } from './read/paths.ts';
import { trimToken } from './sourceIndex.ts';

/**
 * What a note that a model wrote states and the source does not have: paths, identifiers (camelCase, snake_case, mixed
 * names of six characters or more), error codes and numbers of two or more digits. Numbering of lists is no statement.
 * `isInSource` answers for one token, at token boundaries (`SourceIndex.has`).
 */
export function findInventions(noteText: string, isInSource: (token: string) => boolean): string[] {
  const invented = new Set<string>();
  for (const line of comparableLines(noteText).split('\n')) {
    const text = line.replace(LIST_NUMBER, '');
    for (const match of text.matchAll(TOKEN)) {
      for (const token of claims(match[0])) if (!isInSource(token)) invented.add(token);
    }
  }
  return [...invented];
}

/** `10. `, `10) ` and `(10) ` at the beginning of a line, under list marks and headings. */
const LIST_NUMBER = /^\s*(?:(?:[-*+>•]|#{1,6})\s+)*(?:\*\*)?\(?\d{1,3}[.)、:]\)?(?=\s|\*\*|$)/;

const TOKEN = /[\p{L}\p{N}_$@~./#][\p{L}\p{N}_$@~./:#=+&?%,-]{1,400}/gu;

/** The tokens of one word of a note that claim something of the source. */
function claims(word: string): string[] {
  const token = trimToken(word);
  if (token.length < 2) return [];
  if (/^https?:/i.test(token)) return [token];
  const place = /^(.{2,300}?\.\w{1,10})[:#]L?(\d+)(?:[:-]L?\d+)?$/.exec(token);
  const path = place?.[1] ?? token;
  if (isPathClaim(path)) return [path, ...((place?.[2] ?? '').match(/\d{2,}/g) ?? [])];
  return token.split(/[/:=+&?@#~]/).flatMap(partClaims);
}

/** Abbreviations and product names that have the shape of a file's name. */
const NOT_A_PATH =
  /^(?:e\.g|i\.e|z\.B|d\.h|u\.a|a\.k\.a|p\.ex|\p{Lu}\p{L}+\.(?:js|io|net|ai|py)|\p{L}\.\p{L}(?:\.\p{L})*)$/iu;

/** A file's path: one with a folder, or a name with a short extension in lower case. */
function isPathClaim(token: string): boolean {
  if (!isFilePath(token) || NOT_A_PATH.test(token)) return false;
  return token.includes('/') || /\.[a-z][a-z0-9]{0,5}$/.test(token) || token.startsWith('.');
}

function partClaims(part: string): string[] {
  const token = part.replace(/^[.%$-]+|[.%,-]+$/g, '');
  if (isErrorCode(token) || isIdentifier(token) || isHash(token)) return [token];
  const names = token
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((name) => isIdentifier(name) || isErrorCode(name) || isHash(name));
  return [...names, ...numbersIn(token)];
}

/** Numbers of two or more digits, bare or directly before a unit. */
function numbersIn(token: string): string[] {
  return [...token.matchAll(/(?<![\p{L}\p{N}_.,])v?(\d+(?:[.,]\d+)*)(?=[\p{L}µ%°]{0,4}(?![\p{L}\p{N}_]))/gu)]
    .map((match) => match[1] ?? '')
    .filter((number) => number.replace(/\D/g, '').length >= 2);
}

/** TS2345, E0308, ENOENT, ERR_MODULE_NOT_FOUND: codes that name an error. */
function isErrorCode(name: string): boolean {
  return /^(?:[A-Z]{1,8}-?\d{2,6}|ERR_[A-Z_]{3,40})$/.test(name) || SYSTEM_ERRORS.has(name);
}

const SYSTEM_ERRORS = new Set(
  'ENOENT EACCES EPERM EEXIST EISDIR ENOTDIR ENOTEMPTY EBUSY EINVAL EMFILE ENOSPC EROFS EPIPE ECONNREFUSED ECONNRESET EADDRINUSE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ERESOLVE ELIFECYCLE EXDEV ELOOP ENOMEM'.split(
    ' ',
  ),
);

/** The short or long form of a commit or checksum. */
function isHash(name: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(name) && /\d/.test(name) && /[a-f]/.test(name);
}

function isIdentifier(name: string): boolean {
  if (name.length < 6 || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  return (
    /\p{Ll}\p{Lu}/u.test(name) ||
    /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name) ||
    (/\p{L}\d/u.test(name) && /\p{Ll}/u.test(name))
  );
}
