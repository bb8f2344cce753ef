import { groupOf } from '../messages/anyOf.ts';

/** What a tool use did, or tried to do, to a file. */
export interface FileAction {
  readonly kind: 'read' | 'change' | 'delete' | 'rename';
  readonly path: string;
  /** The old path of a rename. */
  readonly from?: string;
}

/** A longer text is not taken for a path. Characters. */
const LONGEST_PATH = 300;

/** Names of files that have no extension. */
const BARE_FILES = new RegExp(
  `^${groupOf(
    /Makefile|GNUmakefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Justfile|justfile/,
    /Brewfile|Podfile|LICENSE|LICENCE|README|CHANGELOG|NOTICE|AUTHORS|CODEOWNERS|BUILD|WORKSPACE|Caddyfile|Pipfile/,
  )}$`,
);

const NOT_IN_A_PATH = /[\s<>|"'`*?{}$;&=,!\u3000-\u303f\uff00-\uffef]|:\/\//;
const EXTENSION = /[^/.]\.([A-Za-z][A-Za-z0-9_+-]{0,11})$/;

/** A path in the form in which it is compared: NFC, forward slashes, no leading `./`. */
export function normalizePath(path: string): string {
  const slashed = path.normalize('NFC').replaceAll('\\', '/');
  return slashed.startsWith('./') ? slashed.slice(2) : slashed;
}

/** The last segment of a path. */
function baseName(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.slice(slashed.lastIndexOf('/') + 1);
}

/**
 * True for text shaped like a file's path: its last segment has an extension, or is a dotfile or a well-known bare name
 * (`Makefile`); no wildcards, spaces or URL scheme. False for a directory.
 */
export function isFilePath(text: string): boolean {
  if (text.length < 2 || text.length > LONGEST_PATH || NOT_IN_A_PATH.test(text)) return false;
  const base = baseName(text);
  if (BARE_FILES.test(base) || /^\.[A-Za-z][\w.-]+$/.test(base)) return true;
  return EXTENSION.test(base) && !/^v?\d+(?:\.\d+)*(?:\.x)?$/.test(base);
}

/** True for text given as a path to a tool whose name already says that it takes one. */
export function isPathArgument(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_PATH && !/[\n\r\0]|:\/\//.test(text);
}

/** True for the path of a text for people to read, such as a plan or a guide. */
export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);
}
