import type { FileAction } from './fileAction.ts';
import { isFilePath } from './paths.ts';

/** Programs that run a script given in the command or in a here-document. */
export const RUNS_SCRIPT = /^(?:python[\d.]*|node\d*|ruby|deno|bun|tsx|perl)$/;

/** How much of a script is read. Characters. */
const LONGEST_SCRIPT = 20_000;

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
