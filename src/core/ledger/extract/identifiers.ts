import type { Found } from '../found.ts';
import { fileActions, patchText } from '../read/fileActions.ts';
import { changeSucceeded } from '../read/outcome.ts';
import { changedLines, isPatch } from '../read/patch.ts';
import { isFilePath } from '../read/paths.ts';
import type { Reading } from '../read/reading.ts';
import { hereDocuments } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** At most this many names are taken from one edit: the declared ones first. */
const MOST_DECLARED = 60;
const MOST_MENTIONED = 8;

/** Edits longer than this are read at their beginning, characters. */
const LONGEST_EDIT = 60_000;

/** A declaration in any of the common languages; the name is one of the groups. */
const DECLARATION =
  /(?:^|[\s;{}(])(?:function\*?|class|interface|enum|struct|trait|impl|type|def|defp|defmacro|defmodule|fn|fun|func(?:\s+\([^)\n]{0,80}\))?|macro_rules!|module|namespace|record|protocol|object|define|sub|proc|typealias|newtype|extension|union|contract)\s+(?:mut\s+|async\s+|inline\s+|final\s+|self\.)?([\p{L}_$][\p{L}\p{N}_$]{2,60})/gmu;
/** A constant or variable; one without a shape of its own, inside something, is a detail. */
const BOUND = /^([ \t]*)(?:[\w ]{0,30}\b)?(?:const|let|var|val|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]{2,60})/gmu;
/** What else is declared at the beginning of a line: tables, resources, services, macros. */
const SQL_OBJECT =
  /^[ \t]*(?:CREATE|ALTER|DROP)\s+(?:OR\s+REPLACE\s+|UNIQUE\s+|TEMP(?:ORARY)?\s+|MATERIALIZED\s+)*(?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TYPE|TRIGGER|SEQUENCE|SCHEMA)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+|CONCURRENTLY\s+)?(?:\w+\.)?["`[]?([A-Za-z_]\w{2,60})/gim;
const NAMED_BLOCK =
  /^[ \t]*(?:(?:message|service|component|actor|procedure|scalar|input)\s+(?=[\w-]{3,60}\s*[({])|(?:rpc|#define|@mixin|mixin)\s+(?=[\w-]{3,60}(?:\s|\())|(?:resource|data)\s+"[\w-]+"\s+"|(?:variable|output|module|provider)\s+")([A-Za-z_][\w-]{2,60})/gm;
const METHOD =
  /^[ \t]*(?:(?:public|private|protected|internal|static|async|final|override|virtual|abstract|get|set|export|readonly|inline|extern|constexpr|unsafe|sealed|partial|suspend|synchronized|const|unsigned|default|open)\s+){0,5}(?:[\w<>[\],.?*&:]{1,60}\s+[*&]{0,2})?([A-Za-z_$#][\w$]{2,60})\s*\([^()\n]{0,200}\)\s*(?::\s*[^={\n]{1,80}|throws\s+[\w., ]{1,80}|const\s*|noexcept\s*)?(?:\{|=>)/gm;
/** The same without its body, when a word before it says that it is one. */
const SIGNATURE =
  /^[ \t]*(?:(?:public|private|protected|internal|static|async|override|virtual|abstract|inline|extern|constexpr|suspend|synchronized)\s+){1,5}(?:[\w<>[\],.?*&:]{1,60}\s+[*&]{0,2}){0,2}([A-Za-z_$][\w$]{2,60})\s*\([^()\n]{0,200}\)?\s*;?$/gm;
/** A key that opens a block of settings. */
const BLOCK_KEY = /^[ \t]{0,8}["']?([A-Za-z_][\w-]{2,60})["']?:[ \t]*$/gm;
const ASSIGNED = /^[ \t]*(?:export\s+)?([A-Za-z_$][\w$]{2,60})\s*(?::\s*[^=\n]{1,60})?=\s*(?!=)/gm;
const NAME = /[A-Za-z_$][\w$]{5,60}/g;

const KEYWORDS = new Set([
  'function',
  'return',
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'else',
  'elif',
  'with',
  'await',
  'async',
  'import',
  'export',
  'default',
  'constructor',
  'super',
  'this',
  'self',
  'new',
  'throw',
  'typeof',
  'void',
  'true',
  'false',
  'null',
  'undefined',
  'None',
  'True',
  'False',
  'the',
  'and',
  'that',
  'from',
  'assert',
  'print',
  'require',
  'describe',
  'test',
  'expect',
  'try',
  'finally',
  'int',
  'char',
  'bool',
  'float',
  'double',
  'long',
  'string',
  'struct',
  'static',
  'inline',
]);

/** Names that a successful edit declares or changes, with the file as anchor. */
export function findIdentifiers(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    const edit = editedText(use);
    if (edit === undefined) return [];
    const file = fileActions(use).find((action) => action.kind !== 'read')?.path;
    const declared = names(edit.after, edit.before, file ?? '').slice(0, MOST_DECLARED);
    const details = new Set(locals(edit.after, edit.before));
    const mentioned = mentions(edit.after, edit.before)
      .filter((name) => !declared.includes(name))
      .slice(0, MOST_MENTIONED);
    const fact = (name: string, soft: boolean): Found => ({
      class: 'identifier',
      value: name,
      key: name,
      at: use.at,
      by: 'tool',
      ...(file === undefined ? {} : { anchor: file }),
      ...(soft ? { strength: 'soft' } : {}),
    });
    return [...declared.map((name) => fact(name, details.has(name))), ...mentioned.map((name) => fact(name, true))];
  });
}

interface Edit {
  readonly before: string;
  readonly after: string;
}

/** The text that an edit takes away and the text that it puts there. */
function editedText(use: ToolUse): Edit | undefined {
  if (use.command === undefined && use.result !== undefined && (use.result.failed || !changeSucceeded(use.result.text)))
    return undefined;
  if (use.fromCall && use.result === undefined) return undefined;
  const patch = use.command === undefined ? patchText(use) : undefined;
  if (patch !== undefined) return { before: '', after: changedLines(patch.slice(0, LONGEST_EDIT)) };
  if (use.command !== undefined) return editedByShell(use, use.command);
  const { text } = use.fields;
  const pick = (fields: readonly string[]): string =>
    fields
      .flatMap((field) => text.get(field) ?? [])
      .join('\n')
      .slice(0, LONGEST_EDIT);
  const after = pick([
    'newstring',
    'newstr',
    'newtext',
    'content',
    'contents',
    'filetext',
    'replacement',
    'replace',
    'replacestring',
    'inserttext',
    'newcontent',
    'codeedit',
    'newsource',
    'newcode',
    'insertion',
    'updatedcontent',
    'text',
    'diff',
    'patch',
    'after',
    'new',
    'updated',
    'modified',
    'body',
    'with',
    'value',
  ]);
  if (!fileActions(use).some((action) => action.kind === 'change')) return undefined;
  if (after === '') return editByShape(text);
  return { before: pick(['oldstring', 'oldstr', 'oldtext', 'search', 'toreplace', 'before', 'old', 'oldcode']), after };
}

/** The edit of a tool whose fields have unknown names: what is searched for is the old text, all other prose the new. */
function editByShape(text: ReadonlyMap<string, readonly string[]>): Edit | undefined {
  const values = [...text].filter(([, [value = '']]) => /[\n({=:]/.test(value) && !isFilePath(value));
  const side = (old: boolean): string =>
    values
      .filter(([field]) => OLD_SIDE.test(field) === old)
      .flatMap(([, all]) => all)
      .join('\n')
      .slice(0, LONGEST_EDIT);
  return side(false) === '' ? undefined : { before: side(true), after: side(false) };
}

const OLD_SIDE =
  /^(?:old|orig|before|find|search|regex|pattern|match|from|anchor|needle|target|query|instruction|desc|explan)/;

/** A patch or a file's new text in the here-documents of a command that changed files. */
function editedByShell(use: ToolUse, command: string): Edit | undefined {
  if (use.result === undefined || use.result.failed) return undefined;
  const script = command.slice(0, LONGEST_EDIT);
  if (!script.includes('<<') || !fileActions(use).some((action) => action.kind === 'change')) return undefined;
  const bodies = hereDocuments(script).map((body) => (isPatch(body) ? changedLines(body) : body));
  return bodies.length === 0 ? undefined : { before: '', after: bodies.join('\n') };
}

/** Declared names, those of changed declarations before those that merely stand in both texts. */
function names(after: string, before: string, file: string): string[] {
  const found = new Set<string>();
  const settings = /\.ya?ml$/i.test(file);
  for (const text of [after, before]) {
    for (const pattern of [DECLARATION, SQL_OBJECT, NAMED_BLOCK, METHOD, SIGNATURE]) {
      for (const match of text.matchAll(pattern)) add(match[1] ?? '', found);
    }
    for (const match of text.matchAll(BOUND)) add(match[2] ?? '', found);
    for (const pattern of [ASSIGNED, BLOCK_KEY]) {
      for (const match of text.matchAll(pattern)) {
        const name = match[1] ?? '';
        if (hasShape(name) || (settings && pattern === BLOCK_KEY)) add(name, found);
      }
    }
  }
  return PROSE_FILE.test(file) ? [...found].filter(hasShape) : [...found];
}

/** In a text for people, `type` and `class` are words like others. */
const PROSE_FILE = /\.(?:md|mdx|rst|txt|adoc)$/i;

function add(name: string, found: Set<string>): void {
  if (!KEYWORDS.has(name)) found.add(name);
}

/** Variables inside something whose names are plain words: nobody asks for them later. */
function locals(after: string, before: string): string[] {
  return [after, before].flatMap((text) =>
    [...text.matchAll(BOUND)].flatMap(([, indent = '', name = '']) => (indent !== '' && !hasShape(name) ? [name] : [])),
  );
}

/** Names of mixed shape on lines that the edit changes. */
function mentions(after: string, before: string): string[] {
  const old = new Set(before.split('\n').map((line) => line.trim()));
  const found = new Set<string>();
  for (const line of after.split('\n')) {
    if (old.has(line.trim())) continue;
    for (const [name] of line.slice(0, 400).matchAll(NAME)) if (hasShape(name)) found.add(name);
    if (found.size > 4 * MOST_MENTIONED) break;
  }
  return [...found];
}

/** camelCase, PascalCase with two humps, snake_case or CONSTANT_CASE. */
function hasShape(name: string): boolean {
  return /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/.test(name);
}
