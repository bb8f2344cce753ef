import path from 'node:path';
import { type Import, readImports } from './readImports.ts';

export interface SourceFile {
  /** From the project's folder, with forward slashes: `src/core/model/budget.ts`. */
  readonly file: string;
  readonly text: string;
}

/** What a folder of src may import. Its own files are always allowed. */
interface Permission {
  /** Folders of src, with all of their code or with types only. */
  readonly folders: readonly string[];
  readonly typesOf: readonly string[];
  /** Packages; a name includes its subpaths. */
  readonly packages: readonly string[];
}

/** The core's folders; imports run leftward only. */
export const CORE_ORDER: readonly string[] = [
  'phrase',
  'result',
  'steps',
  'chat',
  'tokens',
  'model',
  'ledger',
  'compaction',
  'events',
  'conversation',
  'session',
];

/** The small entry point of zod: the other is 70 kB more, loaded at every activation. */
const ZOD = ['zod/mini', 'zod/locales'];

/** What every room outside core may use: the core, and the words for what it reports. */
const BASE: readonly string[] = ['src/core', 'src/language'];

/** The import table of ARCHITECTURE.md. The longest folder that matches a file decides. */
export const IMPORT_TABLE: Readonly<Record<string, Permission>> = {
  'src/core': { folders: [], typesOf: [], packages: ZOD },
  // What core's codes mean, and the language of the user, for every room outside core.
  'src/language': { folders: [], typesOf: ['src/core/phrase.ts'], packages: [] },
  'src/adapters': { folders: BASE, typesOf: [], packages: ['node:'] },
  'src/adapters/node': {
    folders: [...BASE, 'src/adapters'],
    typesOf: [],
    packages: ['node:', 'zod/mini'],
  },
  'src/adapters/node/workspaceTools': {
    folders: [...BASE, 'src/adapters'],
    typesOf: [],
    packages: ['node:', ...ZOD, 'ignore', 'brace-expansion'],
  },
  'src/adapters/openai': {
    folders: [...BASE, 'src/adapters'],
    typesOf: [],
    packages: ['node:', 'eventsource-parser'],
  },
  'src/adapters/tiktoken': {
    folders: [...BASE, 'src/adapters'],
    typesOf: [],
    packages: ['node:', 'js-tiktoken'],
  },
  // Result is part of the language here: its two constructors are code, but depend on nothing.
  'src/protocol': { folders: ['src/core/result.ts'], typesOf: ['src/core'], packages: [...ZOD] },
  // What the host gets of the outside world, which it knows by its types only.
  'src/adapters.ts': {
    folders: [...BASE, 'src/adapters', 'src/rescue'],
    typesOf: [],
    packages: ['node:'],
  },
  'src/host': {
    folders: [...BASE, 'src/protocol'],
    typesOf: ['src/adapters.ts', 'src/adapters', 'src/rescue'],
    packages: ['vscode'],
  },
  'src/host/settings': {
    folders: [...BASE, 'src/host'],
    typesOf: ['src/adapters'],
    packages: ['vscode', 'zod/mini'],
  },
  'src/webview': {
    folders: ['src/language'],
    typesOf: ['src/protocol'],
    packages: ['lit', '@vscode/codicons', 'marked', 'dompurify', 'highlight.js'],
  },
  // The engine: what it needs of the outside world comes from adapters, never from the editor.
  'src/engine.ts': {
    folders: [...BASE, 'src/adapters', 'src/engine'],
    typesOf: [],
    packages: ['node:'],
  },
  'src/engine': { folders: [...BASE, 'src/adapters'], typesOf: [], packages: ['node:', ...ZOD] },
  // The gateway without an editor: it starts what the engine's folder puts together.
  'src/gateway.ts': {
    folders: [...BASE, 'src/adapters', 'src/engine'],
    typesOf: [],
    packages: ['node:'],
  },
  // The program `karl`: the two others, and agents that are started behind a gateway of their own.
  'src/karl.ts': {
    folders: ['src/adapters/agents', 'src/gateway.ts', 'src/mcp.ts', 'src/wrap', 'src/rescue', 'src/engine'],
    typesOf: [],
    packages: ['node:'],
  },
  'src/wrap': { folders: [...BASE, 'src/adapters', 'src/engine'], typesOf: [], packages: ['node:'] },
  // Commands about stored sessions of agents.
  'src/rescue': {
    folders: [...BASE, 'src/adapters', 'src/engine', 'src/engine.ts'],
    typesOf: [],
    packages: ['node:'],
  },
  // Likewise the server that lets other agents recall.
  'src/mcp.ts': {
    folders: [...BASE, 'src/adapters', 'src/engine'],
    typesOf: [],
    packages: ['node:', '@modelcontextprotocol/sdk'],
  },
  // The composition root, which brings host and adapters together.
  'src/extension.ts': { folders: ['src'], typesOf: [], packages: ['vscode', 'node:'] },
};

/** Longest source file, lines. */
export const MOST_LINES = 400;

/** Names of files and folders that gather what does not belong together. */
const FORBIDDEN_NAMES = /(?:^|\/)(?:index|ports|types|utils?|helpers?|common|misc)(?:\.ts$|\/)/;

/** Imports of node:http and node:https, and the ways in which they may be written. */
const HTTP_IMPORTS = /^import\b[^;]*? from 'node:https?';/gm;
const HTTP_BY_DEFAULT = /^import (?:type\b|\w+(?:, \{(?:\s*type \w+,?)+\s*\})? from)/;

/** Every breach of the rules, one sentence each; empty when there is none. */
export function findBreaches(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ file, text }) => [...checkShape(file, text), ...checkImports(file, readImports(text))]);
}

function checkShape(file: string, text: string): readonly string[] {
  const lines = text.trimEnd().split('\n').length;
  return [
    ...(FORBIDDEN_NAMES.test(file) ? [`${file}: a name that says nothing about what is inside`] : []),
    ...(lines > MOST_LINES && !file.endsWith('.generated.ts')
      ? [`${file}: ${lines} lines, ${MOST_LINES} at most`]
      : []),
    // VS Code's proxy and certificates are set on the default exports: a name that is imported by itself bypasses them.
    ...[...text.matchAll(HTTP_IMPORTS)]
      .filter(([statement]) => !HTTP_BY_DEFAULT.test(statement))
      .map(([statement]) => `${file}: not by the default import: ${statement}`),
  ];
}

function checkImports(file: string, imports: readonly Import[]): readonly string[] {
  const home = Object.keys(IMPORT_TABLE)
    .filter((folder) => isInside(file, folder))
    .sort((a, b) => b.length - a.length)[0];
  const permission = home === undefined ? undefined : IMPORT_TABLE[home];
  if (home === undefined || permission === undefined) return [`${file}: the import table has no row for it`];
  return imports.flatMap((one) => {
    const allowed = one.specifier.startsWith('.')
      ? mayImportFile({ file, home, permission }, one)
      : permission.packages.some((name) => isPackage(one.specifier, name));
    return allowed ? [] : [`${file} may not import ${one.typeOnly ? 'the type of ' : ''}${one.specifier}`];
  });
}

function mayImportFile(from: { file: string; home: string; permission: Permission }, one: Import): boolean {
  const target = path.posix.join(path.posix.dirname(from.file), one.specifier);
  if (isInside(target, from.home)) return from.home !== 'src/core' || runsLeftward(from.file, target);
  return (
    from.permission.folders.some((folder) => isInside(target, folder)) ||
    (one.typeOnly && from.permission.typesOf.some((folder) => isInside(target, folder)))
  );
}

/** A folder of the core may import itself and those left of it. */
function runsLeftward(file: string, target: string): boolean {
  const [from, to] = [file, target].map((name) => CORE_ORDER.indexOf(coreFolder(name)));
  return from !== undefined && to !== undefined && from >= 0 && to >= 0 && to <= from;
}

function coreFolder(file: string): string {
  return (file.split('/')[2] ?? '').replace(/\.ts$/, '');
}

function isInside(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function isPackage(specifier: string, name: string): boolean {
  return name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`);
}
